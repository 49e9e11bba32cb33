#include "sim/expansions/multipole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "sim/expansions/field_scale.h"
#include "sim/expansions/force_errors.h"
#include "sim/expansions/leaf_bodies.h"
#include "sim/expansions/walk.h"
#include "sim/space/wrap_positions.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;
using expansion::largest_order;

/// Targets of a leaf per task, a multiple of any batch.
constexpr Index largest_part = 4096;

template <class Use>
void for_each_cell(const Cpu& exec, std::uint32_t begin, std::uint32_t end, const Use& use) {
  const auto count = static_cast<Index>(end - begin);
  engine::parallel_tasks(exec.threads, (count + cell_chunk - 1) / cell_chunk, [&](Index chunk) {
    const Index last = std::min((chunk + 1) * cell_chunk, count);
    for (Index c = chunk * cell_chunk; c < last; ++c) use(begin + static_cast<std::uint32_t>(c));
  });
}

/// Keeps what is larger already, so that cells may come and go.
template <class Real>
void reserve(engine::Buffer<Real, Host>& column, std::size_t size) {
  if (column.size() < static_cast<Index>(size))
    column = engine::Buffer<Real, Host>(static_cast<Index>(size + size / 4));
}

}  // namespace

const MultipoleKernels& multipole_kernels(engine::SimdLevel level) {
  return engine::kernels_for(level, multipole_kernels_scalar, multipole_kernels_sse4_2,
                             multipole_kernels_avx2, multipole_kernels_avx512);
}

MultipoleSolver::MultipoleSolver(const MultipoleSettings& settings, double softening,
                                 double gravitational, const Domain& domain)
    : settings_(settings),
      stride_(padded_count(settings.order)),
      softening_(softening),
      gravitational_(gravitational),
      domain_(domain) {
  if (domain.periodic[0]) periodic_ = std::make_unique<PeriodicImages>(domain);
  MOTE_EXPECT(settings.order >= expansion::smallest_order && settings.order <= largest_order);
}

MultipoleSolver::MultipoleSolver(const MultipoleSettings& settings, const Charges& charges,
                                 const Domain& domain)
    : MultipoleSolver(settings, 0, -charges.constant, domain) {
  charges_ = charges;
}

template <class Real>
const Real* MultipoleSolver::weights(const StateView<const Real>& s,
                                     std::vector<Real>& scratch) const {
  if (!charged()) return s.mass;
  for (Index i = 0; i < s.count; ++i)
    scratch.push_back(static_cast<Real>(charges_.of(s.species ? s.species[i] : 0)));
  return scratch.data();
}

std::uint64_t MultipoleSolver::scratch_bytes(Index count, const MultipoleSettings& settings) {
  // Leaves are an eighth to a half full, 1.15 cells for each; columns of cells grow by a quarter.
  const double cells = 1.25 * 1.15 * static_cast<double>(count) / (0.125 * settings.leaf) + 1;
  const double row =
      padded_count(settings.order) * (sizeof(double) + (settings.in_single ? sizeof(float) : 0));
  const double cell =
      row + sizeof(TreeCell) + (7 + largest_order + 1) * sizeof(double) + sizeof(Counts);
  constexpr double body = 8 * sizeof(double) + 24 + 2 * 16 + 4;
  return static_cast<std::uint64_t>(cells * cell + body * static_cast<double>(count));
}

CellColumns MultipoleSolver::columns() const {
  CellColumns c{x_.data(), y_.data(), z_.data(), radius_.data(), scale_.data(), {}};
  for (int k = 0; k <= settings_.order; ++k) c.power[k] = power_[k].data();
  return c;
}

bool MultipoleSolver::build(const Cpu& exec, const State<Host>& state) {
  const bool finite = state.visit([&]<class Const>(const StateView<Const>& own) {
    using Real = std::remove_const_t<Const>;
    const StateView<Const> s = own.with(state.copies());
    std::vector<Real> scratch;
    const Real* const weight = weights<Real>(s.read_only(), scratch);
    if (!periodic_) return tree_.build(exec, s.count, s.x, s.y, s.z, weight, s.id, settings_.leaf);
    const WrappedPositions<Real> w(exec, s, domain_);
    return tree_.build(exec, s.count, w.x(), w.y(), w.z(), weight, s.id, settings_.leaf);
  });
  if (!finite) return false;
  if (periodic_) {
    const double unit = 1 / tree_.bodies().length;
    images_.clear();
    for (const Vec3d& image : periodic_->nearest()) images_.push_back(unit * image);
    box_ = periodic_->frame(tree_.bodies().length);
  }
  const double softening = softening_ / tree_.bodies().length;
  squared_softening_ = softening * softening;
  const std::size_t cells = tree_.cells().size();
  constexpr std::size_t batch = 16;
  for (Column<double>* column : {&x_, &y_, &z_, &radius_, &scale_}) reserve(*column, cells + batch);
  for (Column<double>& column : power_) reserve(column, cells + batch);
  for_each_cell(exec, 0, static_cast<std::uint32_t>(cells), [&](std::uint32_t c) {
    const TreeCell& cell = tree_.cells()[c];
    x_[c] = cell.center.x, y_[c] = cell.center.y, z_[c] = cell.center.z;
    radius_[c] = cell.radius, scale_[c] = cell.scale;
  });
  find_own_leaves(exec);
  find_moments(exec);
  find_field_scale(exec);
  if (periodic_) find_far_images(exec);
  return true;
}

/// With ranks, makes the moments of the cells inside this rank's range along the curve, and
/// receives those of others; all ranks then make those of cells across borders.
void MultipoleSolver::find_moments(const Cpu& exec) {
  const std::vector<std::uint32_t>& levels = tree_.levels();
  const auto cells = static_cast<Index>(tree_.cells().size());
  reserve(moments_, static_cast<std::size_t>(cells * stride_));
  const auto make_all = [&](std::span<const engine::Range> of_levels) {
    for (std::size_t level = of_levels.size(); level-- > 0;)
      for_each_cell(exec, static_cast<std::uint32_t>(of_levels[level].begin),
                    static_cast<std::uint32_t>(of_levels[level].end),
                    [&](std::uint32_t c) { make_moments(c, multipole_kernels(exec.simd)); });
  };
  if (!exec.ranks) {
    std::vector<engine::Range> all;
    for (std::size_t level = 0; level + 1 < levels.size(); ++level)
      all.push_back({levels[level], levels[level + 1]});
    return make_all(all);
  }
  const auto inside = [&](int rank) {
    const auto of = static_cast<std::size_t>(rank);
    return cells_inside(tree_, {borders_[of], borders_[of + 1]});
  };
  const std::vector<engine::Range> own = inside(exec.ranks->rank());
  make_all(own);
  HostMessages messages;
  const auto for_parts = [&](const std::vector<engine::Range>& of_levels, const auto& use) {
    for (const engine::Range& range : of_levels) {
      const auto count = static_cast<std::size_t>(range.count());
      if (count == 0) continue;
      use(std::span(moments_.data() + range.begin * stride_,
                    count * static_cast<std::size_t>(stride_)));
      for (int k = 0; k <= settings_.order; ++k)
        use(std::span(power_[k].data() + range.begin, count));
    }
  };
  for (int other = 0; other < exec.ranks->size(); ++other) {
    if (other == exec.ranks->rank()) continue;
    for_parts(own, [&](auto part) { messages.send(other, std::as_bytes(part)); });
    for_parts(inside(other),
              [&](auto part) { messages.receive(other, std::as_writable_bytes(part)); });
  }
  messages.run(exec);
  for (const std::uint32_t c : cells_across(tree_, borders_))
    make_moments(c, multipole_kernels(exec.simd));
}

void MultipoleSolver::make_moments(std::uint32_t c, const MultipoleKernels& kernels) {
  const TreeBodies& bodies = tree_.bodies();
  const TreeCell& cell = tree_.cells()[c];
  const int p = settings_.order;
  double* const m = moments(c);
  std::fill(m, m + stride_, 0.0);
  if (cell.is_leaf())
    kernels.moments_of_bodies[p](bodies.x.data() + cell.first, bodies.y.data() + cell.first,
                                 bodies.z.data() + cell.first, bodies.mass.data() + cell.first,
                                 cell.massive, frame(c), m);
  else
    kernels.moments_of_children[p](columns(), cell.child, cell.children, moments(cell.child),
                                   frame(c), m);
  if (!charged()) m[1] = m[2] = m[3] = 0;  // but for round-off
  Acceptance acceptance = Acceptance::of(p, m, cell.scale);
  if (charged())
    acceptance.expect_random_signs(p, cell.mass, static_cast<double>(cell.massive), cell.radius);
  for (int k = 0; k <= p; ++k) power_[k][c] = acceptance.power[k];
}

/// The targets of this rank: leaves along the curve, and all cells above them.
void MultipoleSolver::find_own_leaves(const Cpu& exec) {
  const std::vector<TreeCell>& cells = tree_.cells();
  const auto bodies = static_cast<Index>(tree_.bodies().x.size());
  borders_ = shares_.borders(exec.ranks, bodies);
  targets_ = {0, bodies};
  leaves_.clear(), own_.clear();
  if (!exec.ranks) return;
  for (std::uint32_t c = 0; c < cells.size(); ++c)
    if (cells[c].is_leaf()) leaves_.push_back(c);
  std::sort(leaves_.begin(), leaves_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return cells[a].first < cells[b].first; });
  for (Index& border : borders_) {
    const auto leaf = std::partition_point(leaves_.begin(), leaves_.end(), [&](std::uint32_t c) {
      return static_cast<Index>(cells[c].first) < border;
    });
    border = leaf == leaves_.end() ? bodies : static_cast<Index>(cells[*leaf].first);
  }
  const auto rank = static_cast<std::size_t>(exec.ranks->rank());
  targets_ = {borders_[rank], borders_[rank + 1]};
  own_.resize(cells.size());
  for (const std::uint32_t leaf : leaves_) {
    const auto first = static_cast<Index>(cells[leaf].first);
    if (first < targets_.begin || first >= targets_.end) continue;
    own_[leaf] = 1;
    for (std::uint32_t c = leaf; c != 0 && !own_[cells[c].parent]; c = cells[c].parent)
      own_[cells[c].parent] = 1;
  }
}

/// That of leaves, then the least of its leaves for each cell.
void MultipoleSolver::find_field_scale(const Cpu& exec) {
  const std::vector<TreeCell>& cells = tree_.cells();
  field_.resize(cells.size());
  // For masses only the nearest image of each counts in the scale: pulls of images on opposite
  // sides cancel, and counting them would make it too large.
  Vec3d farthest{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  if (periodic_ && !charged()) farthest = (0.5 / tree_.bodies().length) * domain_.length;
  FieldScale visitor(cells, images_, farthest, squared_softening_,
                     charged() ? power_[0].data() : nullptr, own_, field_);
  Walk(cells, images_.size(), visitor).run(exec.threads);
  if (exec.ranks) {
    std::vector<double> of_leaves;
    for (const std::uint32_t leaf : leaves_)
      if (own_[leaf]) of_leaves.push_back(field_[leaf]);
    of_leaves = engine::gather(exec.ranks, std::move(of_leaves));
    MOTE_EXPECT(of_leaves.size() == leaves_.size());
    for (std::size_t k = 0; k < leaves_.size(); ++k) field_[leaves_[k]] = of_leaves[k];
  }
  if (charged()) {
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (cells[c].is_leaf()) {
        const double near =
            Acceptance::field_of_neighbours(cells[c].mass, cells[c].massive, cells[c].level);
        field_[c] = field_[c] > 0 ? near * near / field_[c] : near;
      }
  } else if (periodic_) {
    const Vec3d sides = (1 / tree_.bodies().length) * domain_.length;
    const double volume = sides.x * sides.y * sides.z, density = cells[0].mass / volume;
    pull_.resize(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double around = c > 0
                                ? pull_[cells[c].parent]
                                : Acceptance::mean_field_of_neighbours(
                                      cells[0].mass, cells[0].massive, volume, squared_softening_);
      pull_[c] = std::max(around, Acceptance::field_of_excess(cells[c].mass, cells[c].level,
                                                              density, squared_softening_));
      if (cells[c].is_leaf()) {
        const double root =
            Acceptance::root_in_periodic_box(settings_.of_pulls * pull_[c], field_[c]);
        field_[c] = root * root;
      }
    }
  }
  for (std::size_t c = cells.size(); c-- > 0;) {
    if (cells[c].is_leaf()) continue;
    const auto children = field_.begin() + cells[c].child;
    field_[c] = *std::min_element(children, children + cells[c].children);
  }
}

namespace {

/// Cells whose moments make the potential of the far images, and whose expansions it goes to: those
/// of a level, small beside the distance of a far image, and leaves above it, body by body.
constexpr int level_of_images = PeriodicImages::level;

bool receives_images(const TreeCell& cell) {
  return cell.level == level_of_images || (cell.is_leaf() && cell.level < level_of_images);
}

}  // namespace

void MultipoleSolver::find_far_images(const Cpu& exec) {
  const std::vector<TreeCell>& cells = tree_.cells();
  const TreeBodies& bodies = tree_.bodies();
  const std::vector<std::uint32_t>& levels = tree_.levels();
  const std::uint32_t end = levels[std::min<std::size_t>(level_of_images + 1, levels.size() - 1)];
  constexpr std::uint32_t chunk = 16;
  constexpr auto size = static_cast<std::size_t>(PeriodicImages::size);
  std::vector<double> parts(std::size_t((end + chunk - 1) / chunk) * size);
  engine::parallel_tasks(exec.threads, static_cast<Index>((end + chunk - 1) / chunk), [&](Index k) {
    double* const weights = parts.data() + static_cast<std::size_t>(k) * size;
    const auto first = static_cast<std::uint32_t>(k) * chunk;
    for (std::uint32_t c = first; c < std::min(first + chunk, end); ++c) {
      if (!receives_images(cells[c])) continue;
      if (cells[c].level == level_of_images)
        periodic_->add_cell(box_, frame(c), settings_.order, moments(c), weights);
      else
        for (std::size_t i = cells[c].first; i < cells[c].first + cells[c].massive; ++i)
          periodic_->add_body(box_, bodies.position(i), bodies.mass[i], weights);
    }
  });
  for (std::size_t from = size; from < parts.size(); from += size)
    for (std::size_t i = 0; i < size; ++i) parts[i] += parts[from + i];
  far_images_.resize(size);
  periodic_->find_potential(bodies.length, parts.data(), 0, PeriodicImages::size,
                            far_images_.data());
}

template <class Real>
class MultipoleSolver::Forces {
 public:
  /// Coefficients of the children of a cell, in rows.
  using Value = std::vector<double>;
  struct Scratch {
    LeafBodies<Real> sources, targets;
    LeafSums sums;
  };

  Forces(MultipoleSolver& solver, const Real* rows, const Cpu& exec, bool potential)
      : s_(solver),
        cells_(solver.columns()),
        rows_(rows),
        k_(multipole_kernels(exec.simd)),
        threads_(exec.threads),
        potential_(potential) {}

  bool wants(std::uint32_t target) const { return s_.wanted_.empty() || s_.wanted_[target]; }
  unsigned accepted(SourceCell first, std::uint32_t target) const {
    const TreeCell& t = s_.tree_.cells()[target];
    return k_.accepted(order(), cells_, first.cell, t.center - s_.images_[first.image], t.radius,
                       s_.settings_.fraction * s_.settings_.fraction * s_.field_[target]);
  }

  void visit(std::uint32_t target, const Value* of_parent, const WalkLists& lists, Value& own,
             Scratch& scratch) const {
    const std::vector<TreeCell>& cells = s_.tree_.cells();
    const TreeCell& t = cells[target];
    std::array<double, padded_count(largest_order)> locals{};
    if (of_parent) {
      const double* const row = of_parent->data() + child_number(target) * std::size_t(s_.stride_);
      std::copy(row, row + s_.stride_, locals.data());
    }
    k_.far<Real>(order())(cells_, rows_, s_.images_.data(), lists.far.data(),
                          static_cast<Index>(lists.far.size()), s_.frame(target),
                          s_.squared_softening_, s_.charged(), potential_, locals.data());
    if (s_.periodic_ && t.level == level_of_images)
      s_.periodic_->add_to_cell(s_.box_, s_.frame(target), order(), s_.far_images_.data(),
                                locals.data());
    s_.cell_counts_[target] = {0, lists.far.size()};
    if (t.is_leaf()) return finish(target, lists, locals.data(), scratch);
    own.resize(t.children * std::size_t(s_.stride_));
    k_.locals_of_children[order()](locals.data(), s_.frame(target), cells_, t.child, t.children,
                                   own.data());
  }

 private:
  int order() const { return s_.settings_.order; }

  std::size_t child_number(std::uint32_t cell) const {
    return cell - s_.tree_.cells()[s_.tree_.cells()[cell].parent].child;
  }

  /// The accelerations of the bodies of a leaf.
  void finish(std::uint32_t target, const WalkLists& lists, const double* locals,
              Scratch& scratch) const {
    const std::vector<TreeCell>& cells = s_.tree_.cells();
    const TreeBodies& bodies = s_.tree_.bodies();
    const TreeCell& t = cells[target];
    // Near sums are in units of the side of the cell, since all its bodies may be at one place;
    // expansions of their scale.
    const CellFrame expanded = s_.frame(target), frame{t.center, std::ldexp(1.0, -t.level)};
    scratch.targets.clear();
    scratch.targets.append(bodies, t.first, t.count, frame);
    scratch.sources.clear();
    for (const SourceCell s : lists.near)
      scratch.sources.append(bodies, cells[s.cell].first, cells[s.cell].massive,
                             {frame.center - s_.images_[s.image], frame.scale});
    const NearBodies<Real> to = scratch.targets.view(), from = scratch.sources.view();
    s_.cell_counts_[target].near =
        static_cast<std::uint64_t>(to.count) * static_cast<std::uint64_t>(from.count);
    const double unit = 1 / frame.scale, ratio = expanded.scale * unit * unit;
    const NearSums sums = scratch.sums.clear(to.count);
    const auto squared_softening = static_cast<Real>(s_.squared_softening_ * unit * unit);
    // Leaves of many bodies in one place are summed by all threads; other leaves are one part.
    engine::parallel_tasks(threads_, (to.count + largest_part - 1) / largest_part, [&](Index part) {
      const Index begin = part * largest_part;
      k_.near<Real>()(from, to.part(begin, std::min(largest_part, to.count - begin)),
                      squared_softening, potential_, sums.part(begin));
    });
    for (Index i = 0; i < to.count; ++i) {
      for (double* const a : {sums.ax, sums.ay, sums.az}) a[i] *= ratio;
      sums.potential[i] *= unit;
    }
    scratch.targets.clear();
    scratch.targets.append(bodies, t.first, t.count, expanded);
    k_.evaluate<Real>(order())(locals, scratch.targets.view(), potential_, sums);
    for (std::size_t i = 0; i < t.count; ++i) {
      s_.ax_[t.first + i] = sums.ax[i] / expanded.scale;
      s_.ay_[t.first + i] = sums.ay[i] / expanded.scale;
      s_.az_[t.first + i] = sums.az[i] / expanded.scale;
      if (potential_) s_.potential_[t.first + i] = sums.potential[i];
    }
    if (!s_.periodic_ || t.level >= level_of_images) return;
    for (std::size_t i = t.first; i < t.first + t.count; ++i) {
      const auto [potential, gradient] =
          s_.periodic_->at(s_.box_, bodies.position(i), s_.far_images_.data());
      s_.ax_[i] += gradient.x, s_.ay_[i] += gradient.y, s_.az_[i] += gradient.z;
      if (potential_) s_.potential_[i] += potential;
    }
  }

  MultipoleSolver& s_;
  CellColumns cells_;
  const Real* rows_;
  const MultipoleKernels& k_;
  int threads_;
  bool potential_;
};

template <class Real>
void MultipoleSolver::find_forces(const Cpu& exec, bool potential) {
  const std::size_t n = tree_.bodies().x.size();
  for (std::vector<double>* column : {&ax_, &ay_, &az_}) column->resize(n);
  if (potential) potential_.resize(n);
  const std::size_t cells = tree_.cells().size();
  cell_counts_.resize(cells);
  if (!wanted_.empty()) std::fill(cell_counts_.begin(), cell_counts_.end(), Counts{});
  const Real* rows = nullptr;
  if constexpr (sizeof(Real) == sizeof(double)) {
    rows = moments_.data();
  } else {
    reserve(moments_single_, cells * std::size_t(stride_));
    const auto size = static_cast<Index>(cells * std::size_t(stride_));
    engine::parallel_chunks(exec.threads, size, [&](Index begin, Index end) {
      std::transform(moments_.data() + begin, moments_.data() + end, moments_single_.data() + begin,
                     [](double m) { return static_cast<float>(m); });
    });
    rows = moments_single_.data();
  }
  Forces<Real> visitor(*this, rows, exec, potential);
  Walk(tree_.cells(), images_.size(), visitor).run(exec.threads);
  counts_ = {};
  for (std::size_t c = 0; c < cells; ++c) {
    const auto first = static_cast<Index>(tree_.cells()[c].first);
    if (first < targets_.begin || first >= targets_.end) continue;  // counted by another rank
    counts_.near += cell_counts_[c].near, counts_.far += cell_counts_[c].far;
  }
  if (potential)
    gather_parts(exec, borders_, {potential_.data()});
  else
    gather_parts(exec, borders_, {ax_.data(), ay_.data(), az_.data()});
}

/// Marks the cells of this rank that have chosen bodies; no cell if all are chosen, and its own.
void MultipoleSolver::find_wanted(const ChosenBodies& targets) {
  wanted_ = own_;
  if (targets.all()) return;
  const std::vector<std::uint32_t>& slots = tree_.bodies().slot;
  std::vector<std::uint8_t> chosen(slots.size());
  for (Index k = 0; k < targets.count; ++k) chosen[targets.slots[k]] = 1;
  const std::vector<TreeCell>& cells = tree_.cells();
  wanted_.assign(cells.size(), 0);
  // Children come after their cells.
  for (std::size_t c = cells.size(); c-- > 0;) {
    const TreeCell& cell = cells[c];
    if (cell.is_leaf() && (own_.empty() || own_[c]))
      for (std::size_t i = cell.first; i < cell.first + cell.count && !wanted_[c]; ++i)
        wanted_[c] = chosen[slots[i]];
    if (c > 0 && wanted_[c]) wanted_[cell.parent] = 1;
  }
}

double MultipoleSolver::evaluate(const Cpu& exec, const State<Host>& state,
                                 const ChosenBodies& targets) {
  if (!build(exec, state)) return std::numeric_limits<double>::quiet_NaN();
  find_wanted(targets);
  if (settings_.in_single)
    find_forces<float>(exec, false);
  else
    find_forces<double>(exec, false);
  const TreeBodies& bodies = tree_.bodies();
  return gravitational_ * bodies.mass_unit / (bodies.length * bodies.length);
}

void MultipoleSolver::run(const Cpu& exec, State<Host>& state, const ForceRequest& request,
                          StepReport& report) {
  MOTE_EXPECT(!request.with_jerks());
  const ChosenBodies& targets = request.targets;
  MOTE_EXPECT(!exec.ranks || targets.all());
  const Copies copies = state.copies();
  if (copies.before + state.count() + copies.after == 0 || (!targets.all() && targets.count == 0))
    return;
  if (periodic_ && !state.layout().has(fields::list_origin))
    state.visit([&](auto s) {
      wrap_positions(exec, s, nullptr, domain_);
      wrap_copies(s, state.copies(), domain_);
    });
  const double unit = evaluate(exec, state, targets);
  const std::vector<std::uint32_t>& slots = tree_.bodies().slot;
  std::vector<std::uint8_t> left_out(targets.all() ? 0 : static_cast<std::size_t>(state.count()),
                                     1);
  for (Index k = 0; k < targets.count; ++k) left_out[targets.slots[k]] = 0;
  state.visit([&]<class Real>(StateView<Real> s) {
    if (std::isnan(unit)) {  // the sums over all pairs would be NaN, too
      for (Real* a : {s.ax, s.ay, s.az})
        for (Index k = 0; k < targets.of(s.count); ++k)
          a[chosen_slot(targets.slots, k)] = static_cast<Real>(unit);
      return;
    }
    const auto before = static_cast<std::uint32_t>(copies.before),
               all = static_cast<std::uint32_t>(s.count);
    engine::parallel_chunks(
        exec.threads, static_cast<Index>(slots.size()), [&](Index begin, Index end) {
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const std::uint32_t slot = slots[i] - before;
            if (slot >= all) continue;  // of another rank
            if (!left_out.empty() && left_out[slot]) continue;
            const double factor = charged() ? unit * charges_.of(s.species ? s.species[slot] : 0) /
                                                  double(s.mass[slot])
                                            : unit;
            s.ax[slot] += static_cast<Real>(factor * ax_[i]);
            s.ay[slot] += static_cast<Real>(factor * ay_[i]);
            s.az[slot] += static_cast<Real>(factor * az_[i]);
          }
        });
  });
  if (std::isnan(unit)) return;
  report.interactions += counts_.near + counts_.far;
  shares_.balance(exec.ranks, expansion::work_of(settings_.order, counts_.near, counts_.far));
}

ForceErrors MultipoleSolver::errors(const Cpu& exec, const State<Host>& state) {
  ForceErrors errors;
  const double with_g = state.all() > 0 ? evaluate(exec, state) : 0;
  if (std::fabs(with_g) > 0) {  // not NaN, and G is not 0
    std::vector<std::uint32_t> place(static_cast<std::size_t>(state.all()));
    for (std::uint32_t i = 0; i < place.size(); ++i) place[tree_.bodies().slot[i]] = i;
    std::vector<double> weight;
    state.visit([&]<class Const>(const StateView<Const>& own) {
      const StateView<Const> s = charged() ? own : own.with(state.copies());
      std::vector<std::remove_const_t<Const>> scratch;
      const auto* const column = weights<std::remove_const_t<Const>>(s.read_only(), scratch);
      weight.assign(column, column + s.count);
    });
    const std::vector<Index> slots = charged() ? error_sample(weight, periodic_ != nullptr)
                                               : error_sample(state.all(), periodic_ != nullptr);
    std::vector<Vec3d> found;
    for (const Index slot : slots) {
      const std::uint32_t i = place[static_cast<std::size_t>(slot)];
      found.push_back((with_g / gravitational_) * Vec3d{ax_[i], ay_[i], az_[i]});
    }
    errors = errors_of(exec, state, weight, softening_, periodic_.get(), slots, found);
  }
  errors.asked = settings_.accuracy;
  return errors;
}

std::vector<double> MultipoleSolver::potentials(const Cpu& exec, const State<Host>& state) {
  if (charged()) return {};
  std::vector<double> result(static_cast<std::size_t>(state.all()),
                             std::numeric_limits<double>::quiet_NaN());
  if (result.empty() || !build(exec, state)) return result;
  find_wanted({});
  find_forces<double>(exec, true);
  const TreeBodies& bodies = tree_.bodies();
  const double unit = -gravitational_ * bodies.mass_unit / bodies.length;
  for (std::size_t i = 0; i < result.size(); ++i) result[bodies.slot[i]] = unit * potential_[i];
  return result;
}

double MultipoleSolver::potential_energy(const Cpu& exec, const State<Host>& state) {
  if (state.all() == 0) return 0;
  if (!build(exec, state)) return std::numeric_limits<double>::quiet_NaN();
  find_wanted({});
  find_forces<double>(exec, true);
  const TreeBodies& bodies = tree_.bodies();
  double sum = 0;
  for (std::size_t i = 0; i < potential_.size(); ++i) sum += bodies.mass[i] * potential_[i];
  energy_ = -0.5 * gravitational_ * sum * bodies.mass_unit * bodies.mass_unit / bodies.length;
  return energy_;
}

}  // namespace mote::sim
