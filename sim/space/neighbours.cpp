#include "sim/space/neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "sim/space/image_formula.h"
#include "sim/space/list_fields.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Slots per task of a list build.
constexpr Index build_chunk = 1024;

/// Bodies that have lists: all of a state, or a subset.
struct Members {
  Index count;
  const std::int32_t* index;  ///< null: all

  /// Calls use(i) for members begin to end - 1.
  template <class Use>
  void for_each(Index begin, Index end, Use&& use) const {
    if (index)
      for (Index k = begin; k < end; ++k) use(Index{index[k]});
    else
      for (Index i = begin; i < end; ++i) use(i);
  }
};

/// Reflects bodies at walls.
template <class Real>
void reflect_at_walls(const Cpu& exec, const StateView<Real>& s, const Members& members,
                      const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z};
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.walled[axis]) continue;
    const auto low = static_cast<Real>(lows[axis]),
               high = static_cast<Real>(lows[axis] + lengths[axis]);
    engine::parallel_chunks(exec.threads, members.count, [&](Index begin, Index end) {
      members.for_each(begin, end, [&](Index i) {
        const Bounced<Real> b = bounced(x[axis][i], v[axis][i], low, high);
        x[axis][i] = b.position;
        v[axis][i] = b.velocity;
      });
    });
  }
}

/// Whether a body is farther than half the skin from its list origin; true for `not_listed`.
template <class Real>
bool exceeds_skin(const Cpu& exec, const StateView<Real>& s, const Members& members, double skin) {
  const auto limit = static_cast<Real>(0.25 * skin * skin);
  std::atomic<bool> moved = false;
  const VectorColumns<Real> origin = s[fields::list_origin];
  const Real *lx = origin[0], *ly = origin[1], *lz = origin[2];
  engine::parallel_chunks(exec.threads, members.count, [&](Index begin, Index end) {
    bool here = false;
    members.for_each(begin, end, [&](Index i) {
      const Real dx = s.x[i] - lx[i], dy = s.y[i] - ly[i], dz = s.z[i] - lz[i];
      here |= !(dx * dx + dy * dy + dz * dz <= limit);
    });
    if (here) moved = true;
  });
  return moved;
}

/// Wraps bodies into the domain and stores their list origins.
template <class Real>
void store_list_origins(const Cpu& exec, const StateView<Real>& s, const Members& members,
                        const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z};
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  const VectorColumns<Real> images = s[fields::image], origins = s[fields::list_origin];
  engine::parallel_chunks(exec.threads, members.count, [&](Index begin, Index end) {
    for (int axis = 0; axis < 3; ++axis) {
      Real* const image = images[axis];
      Real* const last = origins[axis];
      members.for_each(begin, end, [&](Index i) {
        if (domain.periodic[axis]) {
          const Wrapped<Real> w = wrapped(x[axis][i], lows[axis], lengths[axis]);
          x[axis][i] = w.position;
          image[i] += w.lengths;
        }
        last[i] = x[axis][i];
      });
    }
  });
}

}  // namespace

template <class Real>
struct Neighbours::Lists {
  CellGrid<Real> grid;
  engine::Buffer<Real, Host> position[3];
  std::vector<std::int32_t> selected;  ///< body index by slot, if not all bodies have lists
  engine::Buffer<std::int64_t, Host> begin;
  std::vector<std::int32_t> neighbour;
  Real length[3], inverse[3];
  Index count = 0;

  void build(const Cpu& exec, const StateView<Real>& s, const Members& members,
             const Domain& domain, double cutoff);
  void gather_positions(const Cpu& exec, const StateView<Real>& s);
  /// Body index by slot.
  const std::int32_t* index() const { return selected.empty() ? grid.index() : selected.data(); }

 private:
  std::vector<Real> gathered_[3];
  std::vector<std::vector<std::int32_t>> parts_;
};

template <class Real>
void Neighbours::Lists<Real>::build(const Cpu& exec, const StateView<Real>& s,
                                    const Members& members, const Domain& domain, double cutoff) {
  StateView<const Real> at_build{};
  at_build.count = count = members.count;
  const Real** const origins[3] = {&at_build.x, &at_build.y, &at_build.z};
  for (int axis = 0; axis < 3; ++axis) {
    *origins[axis] = s[fields::list_origin][axis];
    if (!members.index) continue;
    gathered_[axis].resize(static_cast<std::size_t>(count));
    for (Index k = 0; k < count; ++k)
      gathered_[axis][static_cast<std::size_t>(k)] = (*origins[axis])[members.index[k]];
    *origins[axis] = gathered_[axis].data();
  }
  grid.build(exec, at_build, domain, cutoff);
  selected.resize(members.index ? static_cast<std::size_t>(count) : 0);
  for (std::size_t p = 0; p < selected.size(); ++p) selected[p] = members.index[grid.index()[p]];
  if (begin.size() < count + 1) begin = engine::Buffer<std::int64_t, Host>(count + 1);
  for (auto& to : position)
    if (to.size() < count) to = engine::Buffer<Real, Host>(count);

  const CellLayout& cells = grid.layout();
  const Index tasks = (count + build_chunk - 1) / build_chunk;
  parts_.resize(static_cast<std::size_t>(tasks));
  const auto squared = static_cast<Real>(cutoff * cutoff);
  const Real *x = grid.x(), *y = grid.y(), *z = grid.z();
  engine::parallel_tasks(exec.threads, tasks, [&](Index task) {
    std::vector<std::int32_t>& found = parts_[static_cast<std::size_t>(task)];
    found.clear();
    const Index first = task * build_chunk, last = std::min(first + build_chunk, count);
    for (Index p = first; p < last; ++p) {
      const std::size_t before = found.size();
      for_each_neighbour_run(cells, grid.start(), grid.cell_at(p),
                             [&](std::int32_t from, std::int32_t to, Vec3d shift) {
                               const Real xp = x[p] - static_cast<Real>(shift.x),
                                          yp = y[p] - static_cast<Real>(shift.y),
                                          zp = z[p] - static_cast<Real>(shift.z);
                               for (std::int32_t q = from; q < to; ++q) {
                                 const Real dx = x[q] - xp, dy = y[q] - yp, dz = z[q] - zp;
                                 if (dx * dx + dy * dy + dz * dz < squared && q != p)
                                   found.push_back(q);
                               }
                             });
      begin.data()[p] = static_cast<std::int64_t>(found.size() - before);
    }
  });
  std::int64_t next = 0;
  for (Index p = 0; p < count; ++p) {
    const std::int64_t here = begin.data()[p];
    begin.data()[p] = next;
    next += here;
  }
  begin.data()[count] = next;
  neighbour.resize(static_cast<std::size_t>(next));
  engine::parallel_tasks(exec.threads, tasks, [&](Index task) {
    const std::vector<std::int32_t>& found = parts_[static_cast<std::size_t>(task)];
    std::copy(found.begin(), found.end(), neighbour.begin() + begin.data()[task * build_chunk]);
  });

  fill_periods(domain, length, inverse);
}

template <class Real>
void Neighbours::Lists<Real>::gather_positions(const Cpu& exec, const StateView<Real>& s) {
  const std::int32_t* const from = index();
  engine::parallel_chunks(exec.threads, count, [&](Index first, Index last) {
    for (Index p = first; p < last; ++p) {
      const std::int32_t i = from[p];
      position[0].data()[p] = s.x[i];
      position[1].data()[p] = s.y[i];
      position[2].data()[p] = s.z[i];
    }
  });
}

double list_cutoff(const Domain& domain, double cutoff) {
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) cutoff = std::min(cutoff, 0.5 * (1 - 1e-6) * lengths[axis]);
  return cutoff;
}

Neighbours::Neighbours(const Domain& domain, double cutoff, double skin,
                       const std::vector<std::uint8_t>& selected)
    : domain_(domain), cutoff_(cutoff), skin_(skin), selected_only_(!selected.empty()) {
  MOTE_EXPECT(cutoff > 0 && skin >= 0);
  for (std::size_t i = 0; i < selected.size(); ++i)
    if (selected[i] != 0) selected_.push_back(static_cast<std::int32_t>(i));
}

Neighbours::~Neighbours() = default;

void Neighbours::add_fields(const Domain& domain, StateLayout& layout) {
  layout.add(fields::list_origin);
  add_images(domain, layout);
}

std::uint64_t Neighbours::bytes(Index count, engine::Precision precision) {
  constexpr std::uint64_t typical_neighbours = 80;
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  // Lists per task and concatenated; list origins and positions; cells, counts and indices.
  return static_cast<std::uint64_t>(count) *
         (2 * typical_neighbours * sizeof(std::int32_t) + 6 * real + 16 * sizeof(std::int32_t));
}

template <class Real>
Neighbours::Lists<Real>& Neighbours::lists() {
  if constexpr (std::is_same_v<Real, float>) {
    if (!single_) single_ = std::make_unique<Lists<float>>();
    return *single_;
  } else {
    if (!double_) double_ = std::make_unique<Lists<double>>();
    return *double_;
  }
}

template <class Real>
void Neighbours::update_lists(const Cpu& exec, const StateView<Real>& s) {
  Lists<Real>& all = lists<Real>();
  Members members{s.count, nullptr};
  if (selected_only_) members = {static_cast<Index>(selected_.size()), selected_.data()};
  reflect_at_walls(exec, s, members, domain_);
  // The order matters: in an imported state a body may have exceeded the skin since the list build.
  const bool moved = exceeds_skin(exec, s, members, skin_);
  if (moved) store_list_origins(exec, s, members, domain_);
  if (moved || stale_) all.build(exec, s, members, domain_, cutoff_ + skin_);
  stale_ = false;
  all.gather_positions(exec, s);
}

void Neighbours::update(const Cpu& exec, State<Host>& state) {
  state.visit([&](const auto& s) { update_lists(exec, s); });
}

template <class Real>
NeighbourView<Real> Neighbours::view() const {
  const Lists<Real>* all;
  if constexpr (std::is_same_v<Real, float>)
    all = single_.get();
  else
    all = double_.get();
  MOTE_EXPECT(all && !stale_);
  NeighbourView<Real> view{all->count,
                           all->index(),
                           all->position[0].data(),
                           all->position[1].data(),
                           all->position[2].data(),
                           all->begin.data(),
                           all->neighbour.data(),
                           {},
                           {}};
  for (int axis = 0; axis < 3; ++axis) {
    view.length[axis] = all->length[axis];
    view.inverse[axis] = all->inverse[axis];
  }
  return view;
}
template NeighbourView<float> Neighbours::view<float>() const;
template NeighbourView<double> Neighbours::view<double>() const;

std::int64_t Neighbours::neighbour_count() const {
  return static_cast<std::int64_t>(single_   ? single_->neighbour.size()
                                   : double_ ? double_->neighbour.size()
                                             : 0);
}

void reset_list_origins(State<Host>& state) {
  if (!state.layout().has(fields::list_origin)) return;
  state.visit([](const auto& s) {
    for (int axis = 0; axis < 3; ++axis)
      std::fill_n(s[fields::list_origin][axis], s.count,
                  static_cast<std::remove_reference_t<decltype(s.x[0])>>(not_listed));
  });
}

}  // namespace mote::sim
