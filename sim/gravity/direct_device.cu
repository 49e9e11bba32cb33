#include "sim/gravity/direct_device.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.cuh"
#include "engine/exec/ranks.h"
#include "engine/memory/device_messages.h"
#include "sim/gravity/gather_forces.cuh"
#include "sim/gravity/pack_sources.cuh"
#include "sim/gravity/split.cuh"
#include "sim/gravity/symmetric.cuh"
#include "sim/gravity/tiled.cuh"

namespace mote::sim {
namespace {

using direct::fold_round;
using direct::fold_splits;
using direct::gather_max_bodies;
using direct::launch_gather;
using direct::launch_pack_sources;
using direct::Padding;
using direct::Pairs;
using direct::Partials;
using direct::Scale;
using direct::SourceTargets;
using direct::SourceView;
using direct::split_bodies;
using direct::split_flush;
using direct::split_forces;
using direct::split_length;
using direct::split_shared;
using direct::split_threads;
using direct::SplitPart;
using direct::StateTargets;
using direct::symmetric_forces;
using direct::SymmetricRound;
using direct::SymmetricShape;
using direct::tiled_forces;
using direct::tiled_shared;
using direct::tiled_threads;
using direct::Width;
using engine::blocks_for;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::Precision;

constexpr unsigned fold_threads = 256;
/// Smallest number of bodies for which `automatic` selects wide blocks: measured on an H200.
constexpr Index wide_min_bodies(Precision precision, bool equal) {
  if (precision == Precision::single) return equal ? 32768 : 65536;
  return precision == Precision::mixed ? 24576 : 0;
}

Index round_up(Index count, Index multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

double device_attribute(const Cuda& exec, cudaDeviceAttr attribute) {
  int value = 0;
  engine::cuda_check(cudaDeviceGetAttribute(&value, attribute, exec.device),
                     "cudaDeviceGetAttribute");
  return value;
}

/// Estimated pair terms per second: 128 lanes per multiprocessor; a term in float takes 10 issue
/// slots, one in double up to 35 slots of the double units, root included.
double terms_per_second(const Cuda& exec, bool in_double) {
  const double slots =
      in_double ? 35 * device_attribute(exec, cudaDevAttrSingleToDoublePrecisionPerfRatio) : 10;
  return device_attribute(exec, cudaDevAttrMultiProcessorCount) * 128 *
         (1e3 * device_attribute(exec, cudaDevAttrClockRate)) / slots;
}

/// Calls start(first, count) for thread blocks of `terms` terms each, as many at a time as a launch
/// may have: full waves of resident blocks, so that the device is partly idle only at the end.
template <class Start>
void split_into_launches(const Cuda& exec, unsigned blocks, double terms, double terms_per_launch,
                         int resident, Start&& start) {
  unsigned per_launch = blocks;
  if (blocks * terms > terms_per_launch) {
    const double wave = device_attribute(exec, cudaDevAttrMultiProcessorCount) * resident;
    per_launch =
        static_cast<unsigned>(std::max(1.0, std::floor(terms_per_launch / (terms * wave))) * wave);
  }
  for (unsigned first = 0; first < blocks; first += per_launch)
    start(static_cast<int>(first), std::min(per_launch, blocks - first));
}

/// Calls `use` with the guard as a constant. `coincident` covers no softening too: it adds zero.
template <class Term, class Use>
void with_guard(Term squared_softening, Use&& use) {
  if (guard_for(squared_softening) == ZeroDistance::none)
    use(std::integral_constant<ZeroDistance, ZeroDistance::none>{});
  else
    use(std::integral_constant<ZeroDistance, ZeroDistance::coincident>{});
}

template <class Term>
Term squared(double softening) {
  const auto e = static_cast<Term>(softening);
  return e * e;
}

/// Work of one round of the symmetric kernel, of at most `offsets` offsets, in runs whose length
/// fills a large GPU evenly: full waves of thread blocks with equal work. A function of the number
/// of bodies alone.
template <class Shape>
SymmetricRound make_round(Index blocks, int begin, int offsets) {
  constexpr Index wave = Index{132} * Shape::resident;  // thread blocks that an H200 holds
  constexpr double run_overhead = 0.3;  // cost of beginning and ending a run, in chunks
  constexpr int longest_run = 64;
  SymmetricRound round{};
  round.blocks = static_cast<int>(blocks);
  round.begin = begin;
  round.end = static_cast<int>(std::min<Index>(begin + offsets, blocks / 2 + 1));
  round.bodies = Shape::bodies;
  round.stride = static_cast<int>(blocks * Shape::block);
  const int chunks = (round.end - begin) * Shape::bodies;
  // At the last offset of an even ring only half of the blocks are paired.
  const Index shorter = blocks % 2 == 0 && round.end == blocks / 2 + 1 ? blocks / 2 : 0;
  double least = 0;
  for (int run = 1; run <= std::min(chunks, longest_run); ++run) {
    const auto runs = [&](int n) { return static_cast<Index>((n + run - 1) / run); };
    const Index starts = (blocks - shorter) * runs(chunks) + shorter * runs(chunks - Shape::bodies);
    const double cost = static_cast<double>((starts + wave - 1) / wave) * (run + run_overhead);
    if (run > 1 && cost >= least) continue;
    least = cost;
    round.run = run;
  }
  round.runs = (chunks + round.run - 1) / round.run;
  return round;
}

template <class Shape>
std::uint64_t symmetric_bytes(Index count, int offsets_per_round) {
  const Index blocks = round_up(count, Shape::block) / Shape::block;
  std::uint64_t largest = 0;
  for (int begin = 0; begin <= blocks / 2; begin += offsets_per_round) {
    const SymmetricRound round = make_round<Shape>(blocks, begin, offsets_per_round);
    const auto stride = static_cast<std::uint64_t>(blocks) * Shape::block;
    const auto offsets = static_cast<std::uint64_t>(round.end - begin);
    largest = std::max(largest, 3 * stride *
                                    (sizeof(double) * (static_cast<std::uint64_t>(round.runs) + 1) +
                                     offsets * sizeof(typename Shape::Term)));
  }
  return largest;
}

/// Calls `use` with the shape of the symmetric kernel as a type.
template <Precision precision, class Use>
void with_shape(bool wide, bool equal, Use&& use) {
  if (wide && equal)
    use.template operator()<SymmetricShape<precision, Width::wide, true>>();
  else if (wide)
    use.template operator()<SymmetricShape<precision, Width::wide, false>>();
  else if (equal)
    use.template operator()<SymmetricShape<precision, Width::narrow, true>>();
  else
    use.template operator()<SymmetricShape<precision, Width::narrow, false>>();
}

/// Sends the sums of a round to the ranks that own their bodies: whole slots, of blocks of which a
/// rank owns a part, but for slots that two ranks have evaluated.
template <class Shape>
void exchange_sums(const Cuda& exec, const SymmetricRound& round,
                   const std::vector<engine::Range>& owned, double* own_sums,
                   typename Shape::Term* streamed_sums) {
  using engine::Range;
  constexpr std::size_t slot = 3 * std::size_t{Shape::block};
  const int ranks = exec.ranks->size(), rank = exec.ranks->rank();
  engine::DeviceMessages messages;
  // Calls `use` with the sums that rank `from` has and rank `to` needs, in one order for both.
  const auto for_sums = [&](int from, int to, auto&& use) {
    const Range numbers = engine::share_of(round.first_run(round.blocks), from, ranks),
                bodies = owned[static_cast<std::size_t>(to)];
    const auto runs_in = [&](int block) {
      const int first = round.first_run(block);
      return engine::common({numbers.begin - first, numbers.end - first},
                            {0, round.runs_of(block)});
    };
    const auto chunks_in = [&](int block, int offset) {
      const Range runs = runs_in(block);
      const int first = (offset - round.begin) * round.bodies;
      return engine::common({runs.begin * round.run - first,
                             std::min<Index>(runs.end * round.run, round.chunks_of(block)) - first},
                            {0, round.bodies});
    };
    const int end = bodies.count() > 0 ? static_cast<int>((bodies.end - 1) / Shape::block) + 1 : 0;
    for (int block = static_cast<int>(bodies.begin / Shape::block); block < end; ++block) {
      if (const Range runs = runs_in(block); runs.count() > 0)
        use(std::span(own_sums + round.own_slot(block, static_cast<int>(runs.begin)) * slot,
                      static_cast<std::size_t>(runs.count()) * slot));
      for (int offset = round.first_streamed(), last; offset < round.end; offset = last) {
        const auto part = [&](int of) {
          return chunks_in((block - of + round.blocks) % round.blocks, of);
        };
        typename Shape::Term* const at = streamed_sums + round.streamed_slot(block, offset) * slot;
        const Range chunks = part(offset);
        last = offset + 1;
        if (chunks.count() == round.bodies) {
          while (last < round.end && part(last).count() == round.bodies) ++last;
          use(std::span(at, static_cast<std::size_t>(last - offset) * slot));
        } else if (chunks.count() > 0) {
          for (int axis = 0; axis < 3; ++axis)
            use(std::span(at + axis * Shape::block + chunks.begin * Shape::chunk,
                          static_cast<std::size_t>(chunks.count() * Shape::chunk)));
        }
      }
    }
  };
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) continue;
    for_sums(rank, other, [&](auto sums) { messages.send(other, std::as_bytes(sums)); });
    for_sums(other, rank,
             [&](auto sums) { messages.receive(other, std::as_writable_bytes(sums)); });
  }
  messages.run(exec);
}

bool is_symmetric(DirectKernel kernel) {
  return kernel == DirectKernel::symmetric || kernel == DirectKernel::wide;
}

std::uint64_t split_bytes(Index targets, Index sources, int components) {
  const Index length = split_length(targets, sources);
  const Index splits = length > 0 ? (sources + length - 1) / length : 0;
  return static_cast<std::uint64_t>(splits) * static_cast<std::uint64_t>(targets) * sizeof(double) *
         static_cast<std::uint64_t>(components);
}

std::uint64_t force_bytes(Index targets, Index sources, Precision precision, DirectKernel kernel,
                          int round = DeviceDirectGravity::offsets_per_round) {
  if (kernel == DirectKernel::split) return split_bytes(targets, sources, 3);
  if (!is_symmetric(kernel)) return 0;
  std::uint64_t bytes = 0;
  const auto of = [&]<Precision p>() {
    for (const bool equal : {false, true})
      with_shape<p>(kernel == DirectKernel::wide, equal, [&]<class Shape>() {
        bytes = std::max(bytes, symmetric_bytes<Shape>(targets, round));
      });
  };
  if (precision == Precision::single)
    of.template operator()<Precision::single>();
  else if (precision == Precision::mixed)
    of.template operator()<Precision::mixed>();
  else
    of.template operator()<Precision::double_>();
  return bytes;
}

/// Packed sources [bytes]: two words per body (the potential always needs two), rounded up to the
/// largest block of the symmetric kernel.
std::uint64_t source_bytes(Index count) {
  return static_cast<std::uint64_t>(round_up(count, 2048)) * 32;
}

template <class Real>
void fold(const Cuda& exec, const StateView<Real>& s, const Partials& partials, int splits,
          double gravitational) {
  const engine::LaunchShape shape{
      .blocks = blocks_for(s.count, fold_threads), .threads = fold_threads, .blocks_y = 3};
  engine::launch(exec, shape, fold_splits<Real>, s, partials, splits, gravitational);
}

/// Launches a pass of the split kernel, in splits of `length` sources: every launch has all blocks,
/// with as many sources as fit its duration.
template <Precision precision, ZeroDistance guard, GravityQuantity quantity, class Targets>
void launch_split(const Cuda& exec, const SourceView<precision>& sources, const Targets& targets,
                  int length, const Partials& partials,
                  typename Pairs<precision>::Term squared_softening, double terms_per_launch) {
  const int splits = (sources.count + length - 1) / length;
  const unsigned blocks = blocks_for(targets.count(), split_threads * split_bodies);
  const double terms = static_cast<double>(targets.count()) * splits * split_flush;
  const int part = static_cast<int>(std::clamp(terms_per_launch / terms, 1.0,
                                               static_cast<double>(length / split_flush))) *
                   split_flush;
  for (int begin = 0; begin < length; begin += part)
    engine::launch(exec,
                   {blocks * static_cast<unsigned>(splits), split_threads, split_shared<precision>},
                   begin > 0 ? split_forces<precision, guard, quantity, true, Targets>
                             : split_forces<precision, guard, quantity, false, Targets>,
                   sources, targets, length, static_cast<int>(blocks),
                   SplitPart{begin, std::min(begin + part, length)}, partials, squared_softening);
}

/// The bodies of a state in any precision, as targets in double.
template <class Real>
struct PositionTargets {
  StateView<Real> state;

  MOTE_HOST_DEVICE int count() const { return static_cast<int>(state.count); }
  __device__ __forceinline__ Pairs<Precision::double_>::Body body(int i) const {
    return {{static_cast<double>(state.x[i]), static_cast<double>(state.y[i]),
             static_cast<double>(state.z[i])},
            0};
  }
};

/// The potential at each source from the `first` one on, summed over the splits and weighted with
/// its mass.
struct DirectPotentialTerm {
  SourceView<Precision::double_> sources;
  const double* sums;
  int splits, first;
  __device__ engine::Values<1> operator()(Index i) const {
    double sum = 0;
    for (int split = 0; split < splits; ++split)
      sum += sums[static_cast<std::size_t>(split) * sources.count + i];
    return {{sources.body(first + static_cast<int>(i)).mass * sum}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

}  // namespace

std::string_view name_of(DirectKernel kernel) {
  switch (kernel) {
    case DirectKernel::tiled:
      return "tiled";
    case DirectKernel::split:
      return "split";
    case DirectKernel::symmetric:
      return "symmetric";
    case DirectKernel::wide:
      return "wide";
    case DirectKernel::gather:
      return "gather";
    case DirectKernel::automatic:
      break;
  }
  return "auto";
}

DirectKernel DeviceDirectGravity::choose(Index count, Index sources, Precision precision,
                                         bool equal) {
  if (count <= gather_max_bodies) return DirectKernel::gather;
  // The symmetric kernel takes 9 issue slots per interaction for count^2 of them, the split one 13
  // for count x sources.
  if (sources * 3 < count * 2) return DirectKernel::split;
  return count < wide_min_bodies(precision, equal) ? DirectKernel::symmetric : DirectKernel::wide;
}

Index DeviceDirectGravity::gather_limit() {
  return gather_max_bodies;
}

std::uint64_t DeviceDirectGravity::device_bytes(Index count, Precision precision) {
  return source_bytes(count) + static_cast<std::uint64_t>(count) * sizeof(int) +
         std::max({force_bytes(count, count, precision, choose(count, count, precision)),
                   force_bytes(count, count, precision, choose(count, count, precision, true)),
                   force_bytes(count, count, precision, choose(count, 0, precision)),
                   split_bytes(count, count, 1)}) +
         engine::Reduction<1>::bytes(count);
}

namespace {

/// Exponent of the largest scaled coordinate. The symmetric kernels form inverse cubes without a
/// mass, which fit a float for distances from 1e-12.6 to 1e12.6. With the largest coordinate at
/// 2^13 these are 2e-17 to 5e8 of the extent: finer than two floats resolve a coordinate as large
/// as the extent, coarser than they resolve near the origin.
constexpr int extent_exponent = 13;

}  // namespace

DeviceDirectGravity::DeviceDirectGravity(const Cuda& exec, const Gravity& parameters,
                                         double gravitational, const State<Host>& initial,
                                         DirectKernel kernel, int round, double launch)
    : softening_(parameters.softening),
      gravitational_(parameters.constant.value_or(gravitational)),
      count_(initial.count()),
      precision_(initial.precision()),
      round_(round),
      float_terms_(launch * terms_per_second(exec, false)),
      double_terms_(launch * terms_per_second(exec, true)) {
  std::vector<int> slots(static_cast<std::size_t>(count_));
  double largest = 0;
  initial.visit([&](auto s) {
    for (Index i = 0; i < count_; ++i) {
      slots[static_cast<std::size_t>(i)] = s.mass[i] != 0 ? static_cast<int>(massive_++) : -1;
      for (auto x : {s.x[i], s.y[i], s.z[i]})
        largest = std::max(largest, std::fabs(static_cast<double>(x)));
    }
  });
  double heaviest = 0, lightest = std::numeric_limits<double>::infinity();
  initial.visit([&](auto s) {
    for (Index i = 0; i < count_; ++i) {
      heaviest = std::max(heaviest, static_cast<double>(s.mass[i]));
      lightest = std::min(lightest, static_cast<double>(s.mass[i]));
    }
  });
  equal_ = heaviest > 0 && lightest == heaviest;
  kernel_ =
      kernel != DirectKernel::automatic ? kernel : choose(count_, massive_, precision_, equal_);
  if (is_symmetric(kernel_) && largest > 0 && std::isfinite(largest))
    length_scale_ = std::exp2(extent_exponent - std::ilogb(largest));
  if (equal_)
    mass_scale_ = 1 / heaviest;
  else if (is_symmetric(kernel_) && heaviest > 0 && std::isfinite(heaviest))
    mass_scale_ = std::exp2(-std::ilogb(heaviest));
  if (massive_ < count_) {
    slots_ = Column<int>(count_);
    engine::copy_to_device(slots_.data(), slots.data(), count_, exec.stream);
    engine::wait(exec);
  }
  sources_ = Column<double>(static_cast<Index>(source_bytes(count_) / sizeof(double)));
  const std::uint64_t bytes = std::max(force_bytes(count_, massive_, precision_, kernel_, round_),
                                       split_bytes(massive_, massive_, 1));
  sums_ = Column<double>(static_cast<Index>(bytes / sizeof(double)));
  potential_ = std::make_unique<engine::Reduction<1>>(massive_);
}

DeviceDirectGravity::DeviceDirectGravity(DeviceDirectGravity&&) noexcept = default;
DeviceDirectGravity::~DeviceDirectGravity() = default;

template <Precision precision>
void DeviceDirectGravity::run_on(const Cuda& exec, State<Device>& state) {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  state.visit([&]<class Real>(StateView<Real> s) {
    if constexpr (std::is_same_v<Real, typename P::Real>) {
      if (kernel_ == DirectKernel::split)
        return run_split<precision>(exec, s, s.with(state.copies()));
      if (is_symmetric(kernel_))
        return with_shape<precision>(kernel_ == DirectKernel::wide, equal_, [&]<class Shape>() {
          run_symmetric<Shape>(exec, s, s.with(state.copies()), state.copies().before);
        });
      const SourceView<precision> sources{reinterpret_cast<typename P::Word*>(sources_.data()),
                                          static_cast<int>(massive_),
                                          static_cast<int>(round_up(massive_, 32))};
      launch_pack_sources(exec, s.with(state.copies()), slots(), Scale{}, Padding::none, sources);
      const Term e2 = squared<Term>(softening_);
      with_guard(e2, [&](auto constant) {
        constexpr ZeroDistance guard = decltype(constant)::value;
        if (kernel_ == DirectKernel::tiled)
          engine::launch(
              exec, {blocks_for(s.count, tiled_threads), tiled_threads, tiled_shared<precision>},
              tiled_forces<precision, guard>, sources, s, gravitational_, e2);
        else
          launch_gather<precision, guard>(exec, sources, s, gravitational_, e2);
      });
    }
  });
}

/// Evaluates the pairs of all bodies, massless ones too.
template <class Shape, class Real>
void DeviceDirectGravity::run_symmetric(const Cuda& exec, StateView<Real> s,
                                        StateView<Real> with_copies, Index own_begin) {
  using Term = typename Shape::Term;
  const SourceView<Shape::precision> sources{
      reinterpret_cast<typename Shape::Word*>(sources_.data()), static_cast<int>(count_),
      static_cast<int>(round_up(count_, Shape::block))};
  const Scale scale{length_scale_, mass_scale_};
  launch_pack_sources(exec, with_copies, nullptr, scale,
                      Shape::equal ? Padding::far : Padding::massless, sources);
  const Term e2 = squared<Term>(softening_ * scale.length);
  const int blocks = sources.padded / Shape::block;
  if (exec.ranks && owned_.empty())
    owned_ = engine::gather_one(exec.ranks, engine::Range{own_begin, own_begin + s.count});
  double* const totals = sums_.data();
  // x'' = G m / x^2 with the kernel's scaled lengths and masses.
  const double unit = scale.length * scale.length / scale.mass;
  with_guard(e2, [&](auto constant) {
    const auto kernel = symmetric_forces<Shape, decltype(constant)::value>;
    if (Shape::shared_bytes > 48 * 1024) engine::allow_shared(kernel, Shape::shared_bytes);
    for (int begin = 0; begin <= blocks / 2; begin += round_) {
      SymmetricRound round = make_round<Shape>(blocks, begin, round_);
      double* const own = totals + 3 * static_cast<std::size_t>(round.stride);
      auto* const streamed = reinterpret_cast<Term*>(
          own + 3 * static_cast<std::size_t>(round.stride) * static_cast<std::size_t>(round.runs));
      round.alone = exec.ranks == nullptr;
      const engine::Range runs = engine::own_share(
          exec.ranks, round.alone ? blocks * round.runs : round.first_run(blocks));
      const double terms = 2.0 * round.run * Shape::chunk * Shape::block;
      split_into_launches(exec, static_cast<unsigned>(runs.count()), terms,
                          Shape::totals ? float_terms_ : double_terms_, Shape::resident,
                          [&](int first, unsigned count) {
                            round.first = static_cast<int>(runs.begin) + first;
                            engine::launch(exec, {count, Shape::threads, Shape::shared_bytes},
                                           kernel, sources, round, own, streamed, e2);
                          });
      if (exec.ranks) exchange_sums<Shape>(exec, round, owned_, own, streamed);
      engine::launch(
          exec,
          {.blocks = blocks_for(s.count, fold_threads), .threads = fold_threads, .blocks_y = 3},
          fold_round<Shape>, round, own, streamed, totals, s, static_cast<int>(own_begin),
          gravitational_ * unit);
    }
  });
}

template <Precision precision, class Real>
void DeviceDirectGravity::run_split(const Cuda& exec, StateView<Real> s,
                                    StateView<Real> with_copies) {
  using P = Pairs<precision>;
  using Targets = StateTargets<precision>;
  const SourceView<precision> sources{reinterpret_cast<typename P::Word*>(sources_.data()),
                                      static_cast<int>(massive_),
                                      static_cast<int>(round_up(massive_, 32))};
  launch_pack_sources(exec, with_copies, slots(), Scale{}, Padding::none, sources);
  // The length follows from the number of all bodies of all ranks, and so does the order of sums.
  const int length = static_cast<int>(split_length(count_, sources.count));
  const int splits = (sources.count + length - 1) / length;
  const Partials partials{sums_.data(), static_cast<int>(count_), 3};
  const auto e2 = squared<typename P::Term>(softening_);
  with_guard(e2, [&](auto constant) {
    constexpr ZeroDistance guard = decltype(constant)::value;
    launch_split<precision, guard, GravityQuantity::attraction>(
        exec, sources, Targets{s}, length, partials, e2,
        std::is_same_v<typename P::Term, float> ? float_terms_ : double_terms_);
  });
  fold(exec, s, partials, splits, gravitational_);
}

void DeviceDirectGravity::run(const Cuda& exec, State<Device>& state, StepReport& report) {
  MOTE_EXPECT(state.all() == count_ && state.precision() == precision_);
  report.interactions +=
      static_cast<std::uint64_t>(state.count()) * static_cast<std::uint64_t>(massive_);
  if (state.count() == 0 || massive_ == 0) return;
  switch (precision_) {
    case Precision::single:
      return run_on<Precision::single>(exec, state);
    case Precision::mixed:
      return run_on<Precision::mixed>(exec, state);
    case Precision::double_:
      return run_on<Precision::double_>(exec, state);
  }
}

void DeviceDirectGravity::run(const Cuda& exec, State<Device>& state, const ForceRequest& request,
                              StepReport& report) {
  if (request.plain()) return run(exec, state, report);
  MOTE_EXPECT(state.all() == count_ && state.precision() == precision_);
  report.interactions += static_cast<std::uint64_t>(request.targets.of(state.count())) *
                         static_cast<std::uint64_t>(massive_);
  const bool in_double = precision_ == Precision::double_;
  chosen_.run(
      exec, state, request,
      {slots(), massive_, softening_, gravitational_, in_double ? double_terms_ : float_terms_});
}

std::vector<double> DeviceDirectGravity::potentials(const Cuda& exec, const State<Device>& state) {
  constexpr Precision precision = Precision::double_;
  std::vector<double> result(static_cast<std::size_t>(count_));
  if (count_ == 0 || massive_ == 0) return result;
  const SourceView<precision> sources{reinterpret_cast<double2*>(sources_.data()),
                                      static_cast<int>(massive_),
                                      static_cast<int>(round_up(massive_, 32))};
  const int length = static_cast<int>(split_length(count_, sources.count));
  const int splits = (sources.count + length - 1) / length;
  Column<double> sums(splits * count_);
  state.visit([&]<class Const>(const StateView<Const>& own) {
    const StateView<Const> s = own.with(state.copies());
    launch_pack_sources(exec, s, slots(), Scale{}, Padding::none, sources);
    launch_split<precision, ZeroDistance::none, GravityQuantity::potential>(
        exec, sources, PositionTargets<Const>{s}, length,
        Partials{sums.data(), static_cast<int>(count_), 1}, softening_ * softening_, double_terms_);
  });
  std::vector<double> of_splits(static_cast<std::size_t>(sums.size()));
  engine::copy_to_host(of_splits.data(), sums.data(), sums.size(), exec.stream);
  engine::wait(exec);
  for (std::size_t k = 0; k < of_splits.size(); ++k)
    result[k % result.size()] -= gravitational_ * of_splits[k];
  return result;
}

double DeviceDirectGravity::potential_energy(const Cuda& exec, const State<Device>& state) {
  constexpr Precision precision = Precision::double_;
  if (massive_ == 0) return 0;
  const SourceView<precision> sources{reinterpret_cast<double2*>(sources_.data()),
                                      static_cast<int>(massive_),
                                      static_cast<int>(round_up(massive_, 32))};
  state.visit([&](auto s) {
    launch_pack_sources(exec, s.with(state.copies()), slots(), Scale{}, Padding::none, sources);
  });
  const int length = static_cast<int>(split_length(sources.count, sources.count));
  const int splits = (sources.count + length - 1) / length;
  const Partials partials{sums_.data(), sources.count, 1};
  const engine::Range own = engine::own_share(exec.ranks, massive_, engine::reduce_chunk);
  const SourceTargets<precision> targets{sources, static_cast<int>(own.begin),
                                         static_cast<int>(own.count())};
  if (own.count() > 0)
    launch_split<precision, ZeroDistance::none, GravityQuantity::potential>(
        exec, sources, targets, length, partials, softening_ * softening_, double_terms_);
  const DirectPotentialTerm term{sources, sums_.data(), splits, static_cast<int>(own.begin)};
  const double sum = potential_->run(exec, term, own.count()).v[0];
  return -0.5 * gravitational_ * sum;
}

}  // namespace mote::sim
