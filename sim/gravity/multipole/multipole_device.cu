#include "sim/gravity/multipole/multipole_device.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/on_device.h"
#include "sim/gravity/force_errors.h"
#include "sim/gravity/multipole/direct_sample.cuh"
#include "sim/gravity/multipole/far_images.cuh"
#include "sim/gravity/multipole/far_sums.cuh"
#include "sim/gravity/multipole/moments.cuh"
#include "sim/gravity/multipole/near_sums.cuh"
#include "sim/gravity/multipole/prepare_bodies.cuh"
#include "sim/gravity/multipole/tree_device.h"
#include "sim/gravity/multipole/walk.cuh"
#include "sim/space/list_fields.h"

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
  Solver(const MultipoleSettings& given, double length, double constant, const Charges& charges,
         const State<Host>& initial, const Domain& box)
      : settings(given),
        domain(box),
        of_species(charges.of_species),
        softening(length),
        gravitational(constant),
        stride(padded_count(given.order)),
        count(initial.count()),
        potential_sum(std::max<Index>(initial.count(), 1)) {
    images.count = 1, images.shift = 32;  // of an open domain
    if (count == 0) return;
    double mass = 0;
    bool massless = false;
    initial.visit([&](auto s) {
      for (Index i = 0; i < count; ++i) {
        const double own =
            charged() ? std::fabs(charges.of(s.species ? s.species[i] : 0)) : double(s.mass[i]);
        mass += own, massless = massless || own == 0;
      }
    });
    mass_unit = mass > 0 ? power_of_two_above(mass) : 1;
    if (domain.periodic[0]) {
      const std::size_t nearest = PeriodicImages::nearest_of(domain).size();
      images.shift = 32 - static_cast<std::uint32_t>(std::bit_width(nearest - 1));
    }
    tree = std::make_unique<DeviceTree>(count, settings.leaf, massless, most_cells());
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

  /// Those of the box, or the one of an open domain.
  void set_images(const Cuda& exec) {
    std::vector<Vec3d> nearest{{0, 0, 0}};
    if (images.periodic()) {
      const PeriodicImages periodic(domain);
      nearest = periodic.nearest();
      kernel = engine::on_device(exec, periodic.kernel());
      weights = Buffer<double, Device>(PeriodicImages::size);
      image_potential = Buffer<double, Device>(PeriodicImages::size);
      rows = Buffer<double, Device>(cells_with_weights * PeriodicImages::size);
      images.unit = periodic.unit();
    }
    image_shifts = engine::on_device(exec, nearest);
    images.nearest = image_shifts.data();
    images.count = static_cast<std::uint32_t>(nearest.size());
    images.center = domain.low + 0.5 * domain.length;
    images.half_length = 0.5 * domain.length;
    images.kernel = kernel.data();
    images.weights = weights.data();
    images.potential = image_potential.data();
  }

  bool charged() const { return !of_species.empty(); }
  /// As many as there are numbers beside those of images.
  std::uint32_t most_cells() const { return images.periodic() ? 1u << images.shift : UINT32_MAX; }

  /// The state as the kernels need it: charges instead of masses, and positions in the periodic
  /// box, which are wrapped in the state if no list refers to them, else in copies.
  template <class Const>
  auto prepared(const Cuda& exec, const StateView<Const>& s, bool in_state) {
    using Real = std::remove_const_t<Const>;
    StateView<const Real> view = s.read_only();
    if (image_shifts.size() == 0) set_images(exec);
    if (charged()) {
      auto& weight = columns<Real>()[3];
      if (weight.size() == 0) {
        weight = Buffer<Real, Device>(s.count);
        factors = Buffer<double, Device>(s.count);
        species_charges = engine::on_device(exec, of_species);
      }
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(s.count), prepare_bodies::threads),
                      prepare_bodies::threads},
                     prepare_bodies::set_charges<Real>, view,
                     static_cast<const double*>(species_charges.data()),
                     static_cast<int>(of_species.size()), weight.data(), factors.data());
      view.mass = weight.data();
    }
    if (!images.periodic()) return view;
    const double lows[3] = {domain.low.x, domain.low.y, domain.low.z},
                 lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    const Const* const from[3] = {s.x, s.y, s.z};
    const Real* to[3];
    for (int axis = 0; axis < 3; ++axis) {
      Real *target = nullptr, *crossed = nullptr;
      if constexpr (!std::is_const_v<Const>) {
        if (in_state) target = const_cast<Real*>(from[axis]), crossed = s[fields::image][axis];
      }
      if (!target) {
        auto& copy = columns<Real>()[axis];
        if (copy.size() == 0) copy = Buffer<Real, Device>(s.count);
        target = copy.data();
      }
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(s.count), prepare_bodies::threads),
                      prepare_bodies::threads},
                     prepare_bodies::wrap_positions_along<Real>,
                     static_cast<const Real*>(from[axis]), target, crossed, s.count, lows[axis],
                     lengths[axis]);
      to[axis] = target;
    }
    view.x = to[0], view.y = to[1], view.z = to[2];
    return view;
  }
  template <class Real>
  auto& columns() {
    if constexpr (std::is_same_v<Real, float>)
      return single_columns;
    else
      return double_columns;
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
    if (charged()) near = Buffer<float, Device>(size);
    far = Buffer<std::uint32_t, Device>(size);
    rest = Buffer<std::uint32_t, Device>(size);
    if (single) single->reserve(cells, stride);
    if (double_) double_->reserve(cells, stride);
  }

  template <class T>
  ExpansionView<T> view() {
    ExpansionView<T> v{};
    v.order = settings.order, v.stride = stride;
    v.charged = charged();
    v.mass_unit = mass_unit, v.softening = softening;
    Expansions<T>* own = nullptr;
    if constexpr (std::is_same_v<T, float>)
      own = single.get();
    else
      own = double_.get();
    v.bodies = own->bodies.data();
    v.moments = own->moments.data(), v.locals = own->locals.data();
    v.field = field.data(), v.near = near.data();
    v.images = images;
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
      const unsigned receiving = std::min<unsigned>(t.cell_capacity, cells_with_weights);
      if (images.periodic()) {
        engine::launch(exec, {receiving, far_images::threads, far_images::shared_bytes},
                       far_images::find_weights<T>, t, e, rows.data());
        engine::launch(exec,
                       {blocks_for(PeriodicImages::size, 32), far_images::threads,
                        far_images::threads * sizeof(double)},
                       far_images::add_weights<T>, t, e, static_cast<const double*>(rows.data()));
        engine::launch(
            exec, {blocks_for(PeriodicImages::size, far_images::threads / 32), far_images::threads},
            far_images::find_potential<T>, t, e);
      }
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
      if (images.periodic())
        engine::launch(exec, {receiving, far_images::threads, far_images::shared_bytes},
                       far_images::add_to_cells<T>, t, e);
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
      if (images.periodic())
        engine::launch(exec, {receiving, far_images::threads, far_images::shared_bytes},
                       far_images::add_to_bodies<quantity, T, Real>, t, e, result);
    });
  }

  /// Slots whose errors are measured.
  std::vector<Index> sample(const Cuda& exec, const State<Device>& state) {
    if (!charged()) return error_sample(count, images.periodic());
    std::vector<double> charges(static_cast<std::size_t>(count));
    state.visit([&](const auto& s) { prepared(exec, s, false); });
    // Over the masses, which is not zero either where the charge is not.
    engine::copy_to_host(charges.data(), factors.data(), count, exec.stream);
    engine::wait(exec);
    return error_sample(charges, images.periodic());
  }

  double gravity() const { return gravitational * mass_unit; }

  bool grow(const Cuda& exec) {
    const TreeControl& control = tree->fetch(exec);
    if (control.list_units >= 0xffffffffull)
      throw engine::SystemError("make lists of cells", "more than 64 GiB are needed",
                                "use fewer bodies, or a larger gravity.accuracy");
    counts = {control.near, control.far};
    if (control.needed_cells > most_cells())
      throw engine::SystemError(
          "make a tree of cells",
          "a periodic domain allows " + std::to_string(most_cells()) + " cells",
          "use fewer bodies, or a larger gravity.leaf");
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

  /// Most cells of the levels that the far images go to.
  static constexpr Index cells_with_weights = 1 + 8 + 64 + 512;
  static_assert(far_images::level_of_cells == 3);

  MultipoleSettings settings;
  Domain domain;
  ImageView images{};
  Buffer<Vec3d, Device> image_shifts;
  Buffer<double, Device> kernel, weights, image_potential, rows;
  std::vector<double> of_species;  ///< charges; empty: masses attract
  // Wrapped positions, and charges, of the bodies.
  Buffer<float, Device> single_columns[4];
  Buffer<double, Device> double_columns[4];
  Buffer<double, Device> species_charges, factors;  ///< factors: q / m of each body
  double energy = 0;                                ///< of the last potential_energy()
  double softening, gravitational, mass_unit = 1;
  int stride;
  Index count;
  std::unique_ptr<DeviceTree> tree;
  std::unique_ptr<Expansions<float>> single;
  std::unique_ptr<Expansions<double>> double_;
  Buffer<float, Device> field, near;
  Buffer<std::uint32_t, Device> words, far, rest;
  Buffer<ExtraChunk, Device> extra_far, extra_near;
  Buffer<NearSum, Device> extra_sums;
  Buffer<double, Device> potential;
  engine::Reduction<1> potential_sum;
  MultipoleGravity::Counts counts;
  std::uint32_t repeated = 0;
};

DeviceMultipoleGravity::DeviceMultipoleGravity(const MultipoleSettings& settings, double softening,
                                               double gravitational, const State<Host>& initial,
                                               const Domain& domain)
    : solver_(std::make_unique<Solver>(settings, softening, gravitational, Charges{}, initial,
                                       domain)) {}

DeviceMultipoleGravity::DeviceMultipoleGravity(const MultipoleSettings& settings,
                                               const Charges& charges, const State<Host>& initial,
                                               const Domain& domain)
    : solver_(std::make_unique<Solver>(settings, 0, -charges.constant, charges, initial, domain)) {}

DeviceMultipoleGravity::DeviceMultipoleGravity(DeviceMultipoleGravity&&) noexcept = default;
DeviceMultipoleGravity::~DeviceMultipoleGravity() = default;

std::uint64_t DeviceMultipoleGravity::device_bytes(Index count, const MultipoleSettings& settings,
                                                   bool periodic, bool charged,
                                                   engine::Precision precision) {
  const auto bodies = static_cast<std::uint64_t>(count);
  const std::uint64_t real = settings.in_single ? sizeof(float) : sizeof(double);
  const std::uint64_t cells = static_cast<std::uint64_t>(5 * count / settings.leaf + 64);
  const std::uint64_t cell =
      2 * static_cast<std::uint64_t>(padded_count(settings.order)) * real + 12;
  // Wrapped positions, charges with their factors, coefficients of far images.
  const std::uint64_t column = bodies * (precision == engine::Precision::single ? 4 : 8);
  constexpr std::uint64_t of_images =
      (Solver::cells_with_weights + 8 * PeriodicImages::block) * PeriodicImages::size * 8;
  const std::uint64_t more =
      (periodic ? 3 * column + of_images : 0) + (charged ? column + 8 * bodies : 0);
  return more + DeviceTree::device_bytes(count, settings.leaf) +
         bodies * (4 * real + sizeof(double)) + cells * cell +
         static_cast<std::uint64_t>(Solver::first_words(count)) * 4;
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
  const bool wraps = !state.layout().has(fields::list_origin);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    solver.evaluate_whole<Quantity::attraction, Real>(
        exec, solver.prepared(exec, s, wraps),
        {s.count, s.ax, s.ay, s.az, solver.gravity(), solver.factors.data(), nullptr});
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
  return state.visit([&]<class Const>(const StateView<Const>& given) {
    using Real = std::remove_const_t<Const>;
    const StateView<const Real> s = solver.prepared(exec, given, false);
    solver.evaluate_whole<Quantity::potential, Real>(
        exec, s,
        {s.count, nullptr, nullptr, nullptr, solver.gravity(), nullptr, solver.potential.data()});
    const TreeControl& control = solver.tree->fetch(exec);
    if (control.not_finite != 0) return std::numeric_limits<double>::quiet_NaN();
    const PotentialTerm<Real> term{s, solver.tree->view().order, solver.potential.data()};
    const double sum = solver.potential_sum.run(exec, term, solver.count).v[0];
    solver.energy = -0.5 * solver.gravity() * sum / control.side;
    return solver.energy;
  });
}

double DeviceMultipoleGravity::virial() const {
  return solver_->charged() ? solver_->energy : 0;
}

std::vector<double> DeviceMultipoleGravity::potentials(const Cuda& exec,
                                                       const State<Device>& state) {
  Solver& solver = *solver_;
  if (solver.charged()) return {};
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
  if (solver.count > 0 && solver.gravitational != 0) {
    std::vector<std::uint32_t> slots;
    for (const Index slot : solver.sample(exec, state))
      slots.push_back(static_cast<std::uint32_t>(slot));
    const auto size = static_cast<Index>(slots.size());
    Buffer<std::uint32_t, Device> sample(size);
    Buffer<Vec3d, Device> exact(size), found(size), positions(size);
    engine::copy_to_device(sample.data(), slots.data(), size, exec.stream);
    std::vector<Vec3d> expected(slots.size()), actual(slots.size());
    state.visit([&]<class Const>(const StateView<Const>& given) {
      using Real = std::remove_const_t<Const>;
      const StateView<const Real> s = solver.prepared(exec, given, false);
      Buffer<Real, Device> a[3];
      for (auto& column : a) {
        column = Buffer<Real, Device>(s.count);
        engine::fill_bytes(column.data(), 0, column.bytes(), exec.stream);
      }
      const near_sums::Result<Real> to{s.count,          a[0].data(), a[1].data(), a[2].data(),
                                       solver.gravity(), nullptr,     nullptr};
      solver.evaluate_whole<Quantity::attraction, Real>(exec, s, to);
      engine::launch(exec,
                     {blocks_for(static_cast<std::uint32_t>(size), direct_sample::threads),
                      direct_sample::threads},
                     direct_sample::gather_sample<Real>, a[0].data(), a[1].data(), a[2].data(),
                     sample.data(), static_cast<int>(size), found.data());
      engine::launch(exec,
                     {static_cast<unsigned>(size), direct_sample::threads,
                      direct_sample::threads / 32 * sizeof(Vec3d)},
                     direct_sample::sum_directly<Real>, s, sample.data(), solver.images.nearest,
                     solver.images.count, solver.softening * solver.softening, positions.data(),
                     exact.data());
      if (solver.images.periodic())
        solver.template with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
          engine::launch(
              exec, {static_cast<unsigned>(size), far_images::threads, far_images::shared_bytes},
              far_images::add_to_sample<T>, solver.tree->view(), e,
              static_cast<const Vec3d*>(positions.data()), solver.mass_unit, exact.data());
        });
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
