#include "sim/gravity/multipole/multipole_device.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/gravity/force_errors.h"
#include "sim/gravity/multipole/far_sums.cuh"
#include "sim/gravity/multipole/moments.cuh"
#include "sim/gravity/multipole/near_sums.cuh"
#include "sim/gravity/multipole/tree_device.h"
#include "sim/gravity/multipole/walk.cuh"

namespace mote::sim {
namespace {

using engine::Buffer;
using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::Vec3d;
using near_sums::Quantity;

constexpr unsigned level_blocks = 1024;   ///< of loops over the cells of a level
constexpr unsigned moment_blocks = 2112;  ///< of a loop over leaves: 16 for each of 132
                                          ///< multiprocessors

unsigned blocks_for(std::uint32_t count, int per_block) {
  return (count + static_cast<unsigned>(per_block) - 1) / static_cast<unsigned>(per_block);
}

/// Words of lists per body, at first.
constexpr Index words_per_body = 24;

/// The potential at each body, weighted with its mass.
template <class Real>
struct PotentialTerm {
  StateView<const Real> s;
  const std::uint32_t* order;
  const double* potential;
  __device__ engine::Values<1> operator()(Index i) const {
    return {{static_cast<double>(s.mass[order[i]]) * potential[i]}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

constexpr int sample_threads = 256;

/// Direct sums in double, without G, on the bodies of some slots: a block for each.
template <class Real>
__global__ void __launch_bounds__(sample_threads)
    sum_directly(StateView<const Real> s, const std::uint32_t* slots, double squared_softening,
                 Vec3d* sums) {
  const std::uint32_t own = slots[blockIdx.x];
  const Vec3d at{s.x[own], s.y[own], s.z[own]};
  Vec3d a{0, 0, 0};
  for (Index j = threadIdx.x; j < s.count; j += sample_threads)
    add_attraction<ZeroDistance::coincident>(Vec3d{s.x[j] - at.x, s.y[j] - at.y, s.z[j] - at.z},
                                             double(s.mass[j]), squared_softening, a);
  a = moments::warp_sum(a);
  auto* const of_warps = engine::shared_memory<Vec3d>();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < sample_threads / 32; ++warp) a += of_warps[warp];
  sums[blockIdx.x] = a;
}

template <class Real>
__global__ void __launch_bounds__(sample_threads)
    gather_sample(const Real* ax, const Real* ay, const Real* az, const std::uint32_t* slots,
                  int count, Vec3d* to) {
  const int k = static_cast<int>(blockIdx.x * sample_threads + threadIdx.x);
  if (k < count) to[k] = {ax[slots[k]], ay[slots[k]], az[slots[k]]};
}

/// Calls use(Constant<order>).
template <class Use>
void with_order(int order, const Use& use) {
  expansion::unrolled<expansion::largest_order - expansion::smallest_order + 1>(
      [&]<int i>(expansion::Constant<i>) {
        constexpr int p = expansion::smallest_order + i;
        if (p == order) use(expansion::Constant<p>{});
      });
}

}  // namespace

/// Expansions in one number type.
template <class T>
struct DeviceMultipoleGravity::Expansions {
  explicit Expansions(Index count) : bodies(count) {}

  void reserve(std::uint32_t cells, int stride) {
    const auto rows = static_cast<Index>(cells) * stride;
    moments = {}, locals = {};
    moments = Buffer<T, Device>(rows);
    locals = Buffer<T, Device>(rows);
  }

  void reserve_extra(Index size) {
    extra_locals = {};
    extra_locals = Buffer<T, Device>(size);
  }

  Buffer<LeafBody<T>, Device> bodies;
  Buffer<T, Device> moments, locals, extra_locals;
};

struct DeviceMultipoleGravity::Solver {
  Solver(const MultipoleSettings& given, double length, double constant, const State<Host>& initial)
      : settings(given),
        softening(length),
        gravitational(constant),
        stride(padded_count(given.order)),
        count(initial.count()),
        potential_sum(std::max<Index>(initial.count(), 1)) {
    if (count == 0) return;
    double mass = 0;
    bool massless = false;
    initial.visit([&](auto s) {
      for (Index i = 0; i < count; ++i) mass += s.mass[i], massless = massless || s.mass[i] == 0;
    });
    mass_unit = mass > 0 ? power_of_two_above(mass) : 1;
    tree = std::make_unique<DeviceTree>(count, settings.leaf, massless);
    if (settings.in_single)
      single = std::make_unique<Expansions<float>>(count);
    else
      double_ = std::make_unique<Expansions<double>>(count);
    reserve_cells();
    words = Buffer<std::uint32_t, Device>(first_words(count));
    reserve_far(1024);
    extra_near = Buffer<ExtraChunk, Device>(1024);
    extra_sums = Buffer<NearSum, Device>(1024);
  }

  void reserve_far(Index chunks) {
    extra_far = {};
    extra_far = Buffer<ExtraChunk, Device>(chunks);
    if (single) single->reserve_extra(chunks * stride);
    if (double_) double_->reserve_extra(chunks * stride);
  }

  static Index first_words(Index count) { return words_per_body * count + 65'536; }

  void reserve_cells() {
    const std::uint32_t cells = tree->view().cell_capacity;
    const auto size = static_cast<Index>(cells);
    field = Buffer<float, Device>(size);
    far = Buffer<std::uint32_t, Device>(size);
    rest = Buffer<std::uint32_t, Device>(size);
    if (single) single->reserve(cells, stride);
    if (double_) double_->reserve(cells, stride);
  }

  template <class T>
  ExpansionView<T> view() {
    ExpansionView<T> v{};
    v.order = settings.order, v.stride = stride;
    v.mass_unit = mass_unit, v.softening = softening;
    Expansions<T>* own = nullptr;
    if constexpr (std::is_same_v<T, float>)
      own = single.get();
    else
      own = double_.get();
    v.bodies = own->bodies.data();
    v.moments = own->moments.data(), v.locals = own->locals.data();
    v.field = field.data();
    v.extra_locals = own->extra_locals.data(), v.extra_sums = extra_sums.data();
    const auto room = [](const auto& buffer) {
      return static_cast<unsigned long long>(buffer.size());
    };
    // Units are numbers of 32 bits.
    const unsigned long long units = std::min(room(words) / 4, 0xffffffffull);
    v.lists = {words.data(), far.data(),      rest.data(),      extra_far.data(), extra_near.data(),
               units,        room(extra_far), room(extra_near), room(extra_sums)};
    return v;
  }

  /// Calls use(ExpansionView<T>) for the number type of the expansions.
  template <class Real, class Use>
  void with_view(const Use& use) {
    if (single) return use(view<float>());
    if constexpr (std::is_same_v<Real, double>) use(view<double>());
  }

  /// Tree, expansions and lists; then accelerations, or the potential of each body.
  template <Quantity quantity, class Real>
  void evaluate(const Cuda& exec, const StateView<const Real>& s,
                const near_sums::Result<Real>& result) {
    tree->build<Real>(exec, s);
    const DeviceTreeView t = tree->view();
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      constexpr IndexTable indices{};
      const auto of_level = [&](int cells_per_block) {
        return std::min(level_blocks, blocks_for(t.cell_capacity, cells_per_block));
      };
      engine::launch(
          exec,
          {std::min(moment_blocks, blocks_for(t.cell_capacity, moments::warps)), moments::threads,
           moments::shared_bytes<T>(moments::body_scratch, moments::warps)},
          moments::find_leaf_moments<T, Real>, s, t, e, indices);
      for (int level = tree->levels() - 1; level-- > 0;)
        engine::launch(exec,
                       {of_level(1), 32 * moments::most_children,
                        moments::shared_bytes<T>(moments::row_scratch, moments::most_children)},
                       moments::find_moments<T, Real>, s, t, e, level, indices);
      for (int level = 0; level < tree->levels(); ++level)
        engine::launch(exec, {of_level(walk::warps), walk::threads, walk::shared_bytes},
                       walk::walk_level<T>, t, e, level, static_cast<float>(settings.fraction));
      with_order(settings.order, [&]<int p>(expansion::Constant<p>) {
        const auto far_kernel = far_sums::sum_far_cells<p, T>;
        constexpr std::size_t bytes = far_sums::shared_bytes<p, T>;
        if (bytes > 48 * 1024) engine::allow_shared(far_kernel, bytes);
        engine::launch(
            exec,
            {walk::extra_blocks + blocks_for(t.cell_capacity, walk::warps), walk::threads, bytes},
            far_kernel, t, e);
      });
      for (int level = 1; level < tree->levels(); ++level)
        engine::launch(exec,
                       {of_level(moments::warps), moments::threads,
                        moments::shared_bytes<T>(moments::row_scratch, moments::warps)},
                       moments::pass_down<T>, t, e, level, indices);
      const unsigned blocks = blocks_for(t.cell_capacity, walk::warps);
      engine::launch(exec, {walk::extra_blocks + blocks, walk::threads, near_sums::shared_bytes<T>},
                     near_sums::sum_near_bodies<quantity, T, Real>, t, e, result);
      with_order(settings.order, [&]<int p>(expansion::Constant<p>) {
        engine::launch(exec, {blocks, walk::threads},
                       near_sums::evaluate_expansions<p, quantity, T, Real>, t, e, result);
      });
    });
  }

  double gravity() const { return gravitational * mass_unit; }

  bool grow(const Cuda& exec) {
    const TreeControl& control = tree->fetch(exec);
    if (control.list_units >= 0xffffffffull)
      throw engine::SystemError("make lists of cells", "more than 64 GiB are needed",
                                "use fewer bodies, or a larger gravity.accuracy");
    counts = {control.near, control.far};
    bool grown = false;
    // A half more than what is known to be needed.
    const auto grow_to = [&](auto& buffer, unsigned long long wanted, const auto& reserve) {
      const auto needed = static_cast<Index>(wanted);
      if (needed <= buffer.size()) return;
      reserve(needed + needed / 2);
      grown = true;
    };
    if (tree->grow()) {
      reserve_cells();
      grown = true;
    }
    const auto replace = [](auto& buffer) {
      return [&buffer](Index size) {
        using Own = std::remove_reference_t<decltype(buffer)>;
        buffer = {};
        buffer = Own(size);
      };
    };
    grow_to(words, 4 * (control.list_units + 1), replace(words));
    grow_to(extra_far, control.extra_far, [&](Index size) { reserve_far(size); });
    grow_to(extra_near, control.extra_near, replace(extra_near));
    grow_to(extra_sums, control.extra_bodies, replace(extra_sums));
    return grown;
  }

  /// evaluate() until there is room; adds nothing before. Waits.
  template <Quantity quantity, class Real>
  void evaluate_whole(const Cuda& exec, const StateView<const Real>& s,
                      const near_sums::Result<Real>& result) {
    tree->reset();
    evaluate<quantity>(exec, s, result);
    while (grow(exec)) {
      ++repeated;
      evaluate<quantity>(exec, s, result);
    }
  }

  MultipoleSettings settings;
  double softening, gravitational, mass_unit = 1;
  int stride;
  Index count;
  std::unique_ptr<DeviceTree> tree;
  std::unique_ptr<Expansions<float>> single;
  std::unique_ptr<Expansions<double>> double_;
  Buffer<float, Device> field;
  Buffer<std::uint32_t, Device> words, far, rest;
  Buffer<ExtraChunk, Device> extra_far, extra_near;
  Buffer<NearSum, Device> extra_sums;
  Buffer<double, Device> potential;
  engine::Reduction<1> potential_sum;
  MultipoleGravity::Counts counts;
  std::uint32_t repeated = 0;
};

DeviceMultipoleGravity::DeviceMultipoleGravity(const MultipoleSettings& settings, double softening,
                                               double gravitational, const State<Host>& initial)
    : solver_(std::make_unique<Solver>(settings, softening, gravitational, initial)) {}

DeviceMultipoleGravity::DeviceMultipoleGravity(DeviceMultipoleGravity&&) noexcept = default;
DeviceMultipoleGravity::~DeviceMultipoleGravity() = default;

std::uint64_t DeviceMultipoleGravity::device_bytes(Index count, const MultipoleSettings& settings) {
  const auto bodies = static_cast<std::uint64_t>(count);
  const std::uint64_t real = settings.in_single ? sizeof(float) : sizeof(double);
  const std::uint64_t cells = static_cast<std::uint64_t>(5 * count / settings.leaf + 64);
  const std::uint64_t cell =
      2 * static_cast<std::uint64_t>(padded_count(settings.order)) * real + 12;
  return DeviceTree::device_bytes(count, settings.leaf) + bodies * (4 * real + sizeof(double)) +
         cells * cell + static_cast<std::uint64_t>(Solver::first_words(count)) * 4;
}

void DeviceMultipoleGravity::change_softening(double softening) {
  solver_->softening = softening;
}

const MultipoleGravity::Counts& DeviceMultipoleGravity::counts() const {
  return solver_->counts;
}

void DeviceMultipoleGravity::run(const Cuda& exec, State<Device>& state, StepReport& report) {
  Solver& solver = *solver_;
  MOTE_EXPECT(state.count() == solver.count);
  if (solver.count == 0) return;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    solver.evaluate_whole<Quantity::attraction, Real>(
        exec, s.read_only(), {s.count, s.ax, s.ay, s.az, solver.gravity(), nullptr});
  });
  report.interactions += solver.counts.near + solver.counts.far;
}

std::uint32_t DeviceMultipoleGravity::repeated() const {
  return solver_->repeated;
}

double DeviceMultipoleGravity::potential_energy(const Cuda& exec, const State<Device>& state) {
  Solver& solver = *solver_;
  if (solver.count == 0) return 0;
  if (solver.potential.size() == 0) solver.potential = Buffer<double, Device>(solver.count);
  return state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    solver.evaluate_whole<Quantity::potential, Real>(
        exec, s, {s.count, nullptr, nullptr, nullptr, solver.gravity(), solver.potential.data()});
    const TreeControl& control = solver.tree->fetch(exec);
    if (control.not_finite != 0) return std::numeric_limits<double>::quiet_NaN();
    const PotentialTerm<Real> term{s, solver.tree->view().order, solver.potential.data()};
    const double sum = solver.potential_sum.run(exec, term, solver.count).v[0];
    return -0.5 * solver.gravity() * sum / control.side;
  });
}

std::vector<double> DeviceMultipoleGravity::potentials(const Cuda& exec,
                                                       const State<Device>& state) {
  Solver& solver = *solver_;
  const auto n = static_cast<std::size_t>(solver.count);
  std::vector<double> result(n, std::numeric_limits<double>::quiet_NaN());
  if (std::isnan(potential_energy(exec, state)) || n == 0) return result;  // fills the column
  std::vector<std::uint32_t> order(n);
  std::vector<double> along(n);
  engine::copy_to_host(order.data(), solver.tree->view().order, solver.count, exec.stream);
  engine::copy_to_host(along.data(), solver.potential.data(), solver.count, exec.stream);
  const double unit = -solver.gravity() / solver.tree->fetch(exec).side;  // waits
  for (std::size_t i = 0; i < n; ++i) result[order[i]] = unit * along[i];
  return result;
}

ForceErrors DeviceMultipoleGravity::errors(const Cuda& exec, const State<Device>& state) {
  Solver& solver = *solver_;
  ForceErrors errors;
  if (solver.count > 0 && solver.gravitational > 0) {
    std::vector<std::uint32_t> slots;
    for (const Index slot : error_sample(solver.count))
      slots.push_back(static_cast<std::uint32_t>(slot));
    const auto size = static_cast<Index>(slots.size());
    Buffer<std::uint32_t, Device> sample(size);
    Buffer<Vec3d, Device> exact(size), found(size);
    engine::copy_to_device(sample.data(), slots.data(), size, exec.stream);
    std::vector<Vec3d> expected(slots.size()), actual(slots.size());
    state.visit([&]<class Const>(const StateView<Const>& s) {
      using Real = std::remove_const_t<Const>;
      Buffer<Real, Device> a[3];
      for (auto& column : a) {
        column = Buffer<Real, Device>(s.count);
        engine::fill_bytes(column.data(), 0, column.bytes(), exec.stream);
      }
      const near_sums::Result<Real> to{s.count,     a[0].data(),      a[1].data(),
                                       a[2].data(), solver.gravity(), nullptr};
      solver.evaluate_whole<Quantity::attraction, Real>(exec, s, to);
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(size), sample_threads), sample_threads},
                     gather_sample<Real>, a[0].data(), a[1].data(), a[2].data(), sample.data(),
                     static_cast<int>(size), found.data());
      engine::launch(
          exec, {static_cast<unsigned>(size), sample_threads, sample_threads / 32 * sizeof(Vec3d)},
          sum_directly<Real>, s, sample.data(), solver.softening * solver.softening, exact.data());
      engine::copy_to_host(actual.data(), found.data(), size, exec.stream);
      engine::copy_to_host(expected.data(), exact.data(), size, exec.stream);
      engine::wait(exec);
    });
    if (solver.tree->fetch(exec).not_finite == 0) {
      for (Vec3d& a : actual) a = (1 / solver.gravitational) * a;
      errors = errors_between(expected, actual);
    }
  }
  errors.asked = solver.settings.accuracy;
  return errors;
}

}  // namespace mote::sim
