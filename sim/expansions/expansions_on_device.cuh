#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/on_device.h"
#include "sim/expansions/chosen_targets.cuh"
#include "sim/expansions/curve_shares.h"
#include "sim/expansions/expansion_memory.h"
#include "sim/expansions/far_images.cuh"
#include "sim/expansions/far_sums.cuh"
#include "sim/expansions/force_errors.h"
#include "sim/expansions/moments.cuh"
#include "sim/expansions/multipole.h"
#include "sim/expansions/near_sums.cuh"
#include "sim/expansions/prepare_bodies.cuh"
#include "sim/expansions/shared_moments.cuh"
#include "sim/expansions/shared_sums.cuh"
#include "sim/expansions/targets.cuh"
#include "sim/expansions/tree_device.h"
#include "sim/expansions/walk.cuh"
#include "sim/space/list_fields.h"

namespace mote::sim {

/// An evaluation by expansions on a GPU: the tree and its moments, the lists, and their sums, each
/// for all bodies or, with ranks, for those of a range along the curve.
struct ExpansionsOnDevice {
  template <class T, class Space>
  using Buffer = engine::Buffer<T, Space>;
  using Cuda = engine::Cuda;
  using Device = engine::Device;
  using Host = engine::Host;
  using Index = engine::Index;
  using Vec3d = engine::Vec3d;

  static constexpr unsigned cell_blocks = 2112;  ///< grid of loops over cells: 16 blocks for each
                                                 ///< of 132 multiprocessors

  ExpansionsOnDevice(const MultipoleSettings& given, double length, double constant,
                     const Charges& charges, const State<Host>& initial, const Domain& box)
      : settings(given),
        domain(box),
        bodies(box, charges.of_species),
        softening(length),
        gravitational(constant),
        count(initial.count()),
        potential_sum(std::max<Index>(initial.count(), 1)) {
    images.count = 1, images.shift = 32;  // an open domain has one image
    if (count == 0) return;
    double mass = 0;
    initial.visit([&](auto s) {
      for (Index i = 0; i < count; ++i) {
        const double own =
            charged() ? std::fabs(charges.of(s.species ? s.species[i] : 0)) : double(s.mass[i]);
        mass += own, attracting += own != 0 ? 1 : 0;
      }
    });
    mass_unit = mass > 0 ? power_of_two_above(mass) : 1;
    if (domain.periodic[0]) {
      const std::size_t nearest = PeriodicImages::nearest_of(domain).size();
      images.shift = 32 - static_cast<std::uint32_t>(std::bit_width(nearest - 1));
    }
    tree = std::make_unique<DeviceTree>(count, settings.leaf, attracting < count, most_cells());
    memory.emplace(count, settings, charged(), images.periodic(), tree->view().cell_capacity);
  }

  /// Sets the images of the box, or the one of an open domain.
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

  bool charged() const { return bodies.charged(); }
  /// The cells that can be numbered beside the bits of images.
  std::uint32_t most_cells() const { return images.periodic() ? 1u << images.shift : UINT32_MAX; }

  /// The state as the kernels need it (PreparedBodies).
  template <class Const>
  auto prepared(const Cuda& exec, const StateView<Const>& s, bool in_state) {
    if (image_shifts.size() == 0) set_images(exec);
    return bodies.prepared(exec, s, in_state);
  }

  /// Prepares the bodies of all ranks. It wraps each as often as one rank does, since wrapping a
  /// body again may move it, by rounding.
  template <class Real>
  StateView<const Real> prepared_all(const Cuda& exec, const StateView<Real>& own,
                                     const Copies& copies, bool in_state) {
    if (!exec.ranks) return prepared(exec, own, in_state);
    if (!in_state) return prepared(exec, own.with(copies), false);
    if (image_shifts.size() == 0) set_images(exec);
    bodies.wrap_in_state(exec, own, copies);
    return bodies.with_charges(exec, own.with(copies));
  }

  template <class T>
  ExpansionView<T> view() {
    ExpansionView<T> v = memory->view<T>();
    v.order = settings.order;
    v.mass_unit = mass_unit, v.softening = softening;
    v.images = images;
    v.chosen_before = chosen.before();
    return v;
  }

  /// Calls use(ExpansionView<T>) for the number type of the expansions.
  template <class Real, class Use>
  void with_view(const Use& use) {
    if (memory->in_single()) return use(view<float>());
    if constexpr (std::is_same_v<Real, double>) use(view<double>());
  }

  /// Calls use(Constant<order>).
  template <class Use>
  static void with_order(int order, const Use& use) {
    expansion::unrolled<expansion::largest_order - expansion::smallest_order + 1>(
        [&]<int i>(expansion::Constant<i>) {
          constexpr int p = expansion::smallest_order + i;
          if (p == order) use(expansion::Constant<p>{});
        });
  }

  /// The tree, and the moments of its cells; with ranks, of those inside this rank's range.
  template <class Real>
  void build_tree(const Cuda& exec, const StateView<const Real>& s) {
    tree->build<Real>(exec, s);
    const DeviceTreeView t = tree->view();
    chosen.find(exec, t.order, count);
    const auto cells = exec.ranks ? moments::Cells::inside : moments::Cells::all;
    if (exec.ranks) {
      const auto rank = static_cast<std::size_t>(exec.ranks->rank());
      engine::launch(exec, {1, targets::threads}, targets::find_inside, t,
                     static_cast<std::uint32_t>(borders[rank]),
                     static_cast<std::uint32_t>(borders[rank + 1]));
    }
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      constexpr IndexTable indices{};
      const unsigned blocks = engine::blocks_for(t.cell_capacity, moments::warps);
      engine::launch(exec,
                     {std::min(cell_blocks, blocks), moments::threads,
                      moments::shared_bytes<T>(moments::body_scratch, moments::warps)},
                     moments::find_leaf_moments<T, Real>, s, t, e, cells, indices);
      for (int level = tree->levels() - 1; level-- > 0;)
        engine::launch(exec, shape_of_parents<T>(std::min(cell_blocks, t.cell_capacity)),
                       moments::find_moments<T, Real>, s, t, e, level, cells, indices);
    });
  }
  template <class T>
  static engine::LaunchShape shape_of_parents(unsigned blocks) {
    return {blocks, 32 * moments::most_children,
            moments::shared_bytes<T>(moments::row_scratch, moments::most_children)};
  }

  /// Receives the moments that others have made, and makes those of cells across borders, which
  /// begin with leaves after that. Makes the tree again while it has no room.
  template <class Real>
  void share_moments(const Cuda& exec, const StateView<const Real>& s) {
    const TreeControl* control = &tree->fetch(exec);
    for (; grow(*control) == Overflow::tree; control = &tree->fetch(exec)) {
      ++repeated;
      build_tree<Real>(exec, s);
    }
    const CellsInside inside = control->inside;
    const DeviceTreeView t = tree->view();
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      std::vector<std::uint32_t> first_bodies;
      borders.clear();
      for (const CellsInside& of_rank : gather_moments(exec, t, e, inside)) {
        borders.push_back(static_cast<Index>(of_rank.first_body));
        if (borders.size() > 1) first_bodies.push_back(of_rank.first_body);
      }
      borders.push_back(count);
      const auto size = static_cast<Index>(first_bodies.size());
      if (size > range_borders.size())
        range_borders = Buffer<std::uint32_t, Device>(size),
        borders_on_host = Buffer<std::uint32_t, engine::Pinned>(size);
      std::copy(first_bodies.begin(), first_bodies.end(), borders_on_host.data());
      engine::copy_to_device(range_borders.data(), borders_on_host.data(), size, exec.stream);
      constexpr IndexTable indices{};
      for (int level = tree->levels() - 1; level-- > 0;)
        engine::launch(exec, shape_of_parents<T>(static_cast<unsigned>(size)),
                       moments::find_moments_across<T, Real>, s, t, e, level,
                       static_cast<const std::uint32_t*>(range_borders.data()), indices);
    });
  }

  /// The tree, the moments of its cells, and the potential of far images.
  template <class Real>
  void make_tree(const Cuda& exec, const StateView<const Real>& s) {
    build_tree<Real>(exec, s);
    if (exec.ranks) share_moments<Real>(exec, s);
    if (!images.periodic()) return;
    const DeviceTreeView t = tree->view();
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      engine::launch(
          exec, {cells_with_images(t.cell_capacity), far_images::threads, far_images::shared_bytes},
          far_images::find_weights<T>, t, e, rows.data());
      engine::launch(exec,
                     {engine::blocks_for(PeriodicImages::size, 32), far_images::threads,
                      far_images::threads * sizeof(double)},
                     far_images::add_weights<T>, t, e, static_cast<const double*>(rows.data()));
      engine::launch(
          exec,
          {engine::blocks_for(PeriodicImages::size, far_images::threads / 32), far_images::threads},
          far_images::find_potential<T>, t, e);
    });
  }

  /// The lists of the targets in a range along the curve.
  template <class Real>
  void find_lists(const Cuda& exec, const engine::Range& range) {
    const DeviceTreeView t = tree->view();
    engine::launch(exec, {1, targets::threads}, targets::set_targets, t,
                   static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end));
    const unsigned blocks = std::min(cell_blocks, engine::blocks_for(t.cell_capacity, walk::warps));
    const Cuda beside = side_of(exec);
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      const auto walk_for = [&](const Cuda& stream, int first_level, int end_level, bool leaves) {
        engine::launch(stream, {blocks, walk::threads, walk::shared_bytes}, walk::walk_levels<T>, t,
                       e, first_level, end_level, leaves, static_cast<float>(settings.fraction));
      };
      // Few leaves near the root have lists that are longer by far than all others: they are begun
      // first.
      const int levels = tree->levels(), upper = levels / 2;
      for (int level = 0; level < levels; ++level) {
        if (level == upper) {
          join(exec, beside);
          walk_for(beside, 0, upper, true);
        }
        walk_for(exec, level, level + 1, false);
      }
      walk_for(exec, upper, levels, true);
    });
    join(beside, exec);
  }

  /// Accelerations or potentials from the lists, whose numbers are known.
  template <GravityQuantity quantity, class Real>
  void sum_lists(const Cuda& exec, const TreeControl& control,
                 const near_sums::Result<Real>& result) {
    const DeviceTreeView t = tree->view();
    const Targets& targets = control.targets;
    const std::uint32_t cells = targets.row[Targets::levels],
                        leaves = targets.leaf_end - targets.leaf_begin;
    if (leaves == 0) return;
    const auto extra_near = static_cast<unsigned>(control.extra_near),
               extra_far = static_cast<unsigned>(control.extra_far);
    with_view<Real>([&]<class T>(const ExpansionView<T>& e) {
      constexpr IndexTable indices{};
      // Pairs need no expansions: together they use the device better.
      const Cuda beside = side_of(exec);
      join(exec, beside);
      engine::launch(beside, {leaves + extra_near, walk::sum_threads, near_sums::shared_bytes<T>},
                     near_sums::sum_near_bodies<quantity, T, Real>, t, e, result);
      with_order(settings.order, [&]<int p>(expansion::Constant<p>) {
        const auto far_kernel = far_sums::sum_far_cells<p, T>;
        constexpr std::size_t bytes = far_sums::shared_bytes<p, T>;
        if (bytes > 48 * 1024) engine::allow_shared(far_kernel, bytes);
        engine::launch(exec, {cells + extra_far, walk::sum_threads, bytes}, far_kernel, t, e);
      });
      if (images.periodic())
        engine::launch(
            exec,
            {cells_with_images(t.cell_capacity), far_images::threads, far_images::shared_bytes},
            far_images::add_to_cells<T>, t, e);
      for (int level = 1; level < static_cast<int>(control.needed_levels); ++level)
        engine::launch(
            exec,
            {std::min(cell_blocks, engine::blocks_for(targets.end(level) - targets.begin[level],
                                                      moments::warps)),
             moments::threads, moments::shared_bytes<T>(moments::row_scratch, moments::warps)},
            moments::pass_down<T>, t, e, level, indices);
      join(beside, exec);
      with_order(settings.order, [&]<int p>(expansion::Constant<p>) {
        engine::launch(exec, {engine::blocks_for(leaves, walk::warps), walk::threads},
                       near_sums::evaluate_expansions<p, quantity, T, Real>, t, e, result);
      });
      if (images.periodic())
        engine::launch(
            exec,
            {cells_with_images(t.cell_capacity), far_images::threads, far_images::shared_bytes},
            far_images::add_to_bodies<quantity, T, Real>, t, e, result);
    });
  }

  /// A second stream, for work between two kernels of the first one.
  Cuda side_of(const Cuda& exec) {
    if (!side) {
      side.emplace(exec.device);
      engine::make_current(exec);
    }
    return side->policy();
  }

  /// Later work of a stream waits for what another one has been given so far. The second stream is
  /// joined before the host can free what it uses.
  void join(const Cuda& from, const Cuda& to) {
    engine::record(from, reached.handle());
    engine::wait_for(to, reached.handle());
  }

  static unsigned cells_with_images(std::uint32_t cells) {
    return std::min<unsigned>(cells, cells_with_weights);
  }

  /// Slots whose errors are measured.
  std::vector<Index> sample(const Cuda& exec, const State<Device>& state) {
    if (!charged()) return error_sample(count, images.periodic());
    std::vector<double> charges(static_cast<std::size_t>(count));
    state.visit([&](const auto& s) { prepared(exec, s, false); });
    // Over the masses, which is not zero either where the charge is not.
    engine::copy_to_host(charges.data(), bodies.factors(), count, exec.stream);
    engine::wait(exec);
    return error_sample(charges, images.periodic());
  }

  double gravity() const { return gravitational * mass_unit; }

  /// Which buffers overflowed.
  enum class Overflow { nothing, lists, tree };

  /// Makes room for what the last tree and lists need.
  Overflow grow(const TreeControl& control) {
    if (control.list_units >= 0xffffffffull)
      throw engine::SystemError("make lists of cells", "more than 64 GiB are needed",
                                "use fewer bodies, or a larger gravity.accuracy");
    if (control.needed_cells > most_cells())
      throw engine::SystemError(
          "make a tree of cells",
          "a periodic domain allows " + std::to_string(most_cells()) + " cells",
          "use fewer bodies, or a larger gravity.leaf");
    if (tree->grow()) {
      memory->reserve_cells(tree->view().cell_capacity);
      return Overflow::tree;
    }
    memory->grow(control);
    return control.lists_cut != 0 ? Overflow::lists : Overflow::nothing;
  }

  /// Accelerations, or the potential of each body in the tree's scratch: of the bodies of one range
  /// along the curve after the other, so that their lists have room. Waits for the lists of each,
  /// whose sizes only the device knows; if they or the tree have no room, they are made again. With
  /// ranks, only those of this rank's range; `borders` then has the ranges of all, which begin with
  /// leaves. False if a number is not finite: there are no results then.
  template <GravityQuantity quantity, class Real>
  bool evaluate(const Cuda& exec, const StateView<const Real>& s, near_sums::Result<Real> result) {
    tree->reset();
    borders = shares.borders(exec.ranks, count);
    make_tree<Real>(exec, s);
    counts = {};
    const auto rank = static_cast<std::size_t>(exec.ranks ? exec.ranks->rank() : 0);
    const Index end = borders[rank + 1];
    Index first = borders[rank];
    do {
      const engine::Range range{first, std::min(end, first + settings.targets)};
      find_lists<Real>(exec, range);
      const TreeControl* control = &tree->fetch(exec);
      for (Overflow overflow = grow(*control); overflow != Overflow::nothing;
           overflow = grow(*control)) {
        ++repeated;
        if (overflow == Overflow::tree) make_tree<Real>(exec, s);
        find_lists<Real>(exec, range);
        control = &tree->fetch(exec);
      }
      if (control->not_finite != 0) return false;
      counts.near += control->near, counts.far += control->far;
      if constexpr (quantity == GravityQuantity::potential) result.potential = tree->scratch();
      sum_lists<quantity, Real>(exec, *control, result);
      first += settings.targets;
    } while (first < end);
    if constexpr (quantity == GravityQuantity::potential)
      gather_parts(exec, borders, {tree->scratch()});
    return true;
  }

  /// Most cells of the levels that the far images go to.
  static constexpr Index cells_with_weights = 1 + 8 + 64 + 512;
  static_assert(far_images::level_of_cells == 3);

  MultipoleSettings settings;
  Domain domain;
  ImageView images{};
  Buffer<Vec3d, Device> image_shifts;
  Buffer<double, Device> kernel, weights, image_potential, rows;
  PreparedBodies bodies;
  double energy = 0;  ///< result of the last potential_energy()
  double softening, gravitational, mass_unit = 1;
  Index count, attracting = 0;  ///< `attracting` bodies have a mass or a charge
  ChosenTargets chosen;
  std::unique_ptr<DeviceTree> tree;
  std::optional<ExpansionMemory> memory;
  CurveShares shares;
  std::vector<Index> borders;                   ///< of the ranges of the ranks along the curve
  Buffer<std::uint32_t, Device> range_borders;  ///< but the first and the last
  Buffer<std::uint32_t, engine::Pinned> borders_on_host;
  SharedSums sums;
  engine::Reduction<1> potential_sum;
  std::optional<engine::Stream> side;
  engine::Event reached = engine::Event::untimed();
  MultipoleSolver::Counts counts;
  std::uint32_t repeated = 0;
};

}  // namespace mote::sim
