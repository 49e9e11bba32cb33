#include "sim/space/neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Places whose neighbours one task lists.
constexpr Index listing_chunk = 1024;

/// Bodies that are listed: some, or all of a state.
struct Listed {
  Index count;
  const std::int32_t* column;  ///< null: of all

  /// Calls use(i) for the columns of some of them.
  template <class Use>
  void for_each(Index begin, Index end, Use&& use) const {
    if (column)
      for (Index k = begin; k < end; ++k) use(Index{column[k]});
    else
      for (Index i = begin; i < end; ++i) use(i);
  }
};

template <class Real>
Real* listed_column(const StateView<Real>& s, int axis) {
  return s.extra[static_cast<int>(Extra::listed_x) + axis];
}

/// Throws bodies back from walls.
template <class Real>
void bounce(const Cpu& exec, const StateView<Real>& s, const Listed& listed, const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z};
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.walled[axis]) continue;
    const auto low = static_cast<Real>(lows[axis]),
               high = static_cast<Real>(lows[axis] + lengths[axis]);
    engine::parallel_chunks(exec.threads, listed.count, [&](Index begin, Index end) {
      listed.for_each(begin, end, [&](Index i) {
        const Bounced<Real> b = bounced(x[axis][i], v[axis][i], low, high);
        x[axis][i] = b.place;
        v[axis][i] = b.velocity;
      });
    });
  }
}

/// Whether a body is further from where it was listed than half of the skin. One that was never
/// listed is.
template <class Real>
bool has_moved(const Cpu& exec, const StateView<Real>& s, const Listed& listed, double skin) {
  const auto limit = static_cast<Real>(0.25 * skin * skin);
  std::atomic<bool> moved = false;
  const Real *lx = listed_column(s, 0), *ly = listed_column(s, 1), *lz = listed_column(s, 2);
  engine::parallel_chunks(exec.threads, listed.count, [&](Index begin, Index end) {
    bool here = false;
    listed.for_each(begin, end, [&](Index i) {
      const Real dx = s.x[i] - lx[i], dy = s.y[i] - ly[i], dz = s.z[i] - lz[i];
      here |= !(dx * dx + dy * dy + dz * dz <= limit);
    });
    if (here) moved = true;
  });
  return moved;
}

/// Brings bodies back into the domain, and notes where they are.
template <class Real>
void note_places(const Cpu& exec, const StateView<Real>& s, const Listed& listed,
                 const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z};
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  engine::parallel_chunks(exec.threads, listed.count, [&](Index begin, Index end) {
    for (int axis = 0; axis < 3; ++axis) {
      Real* const image = s.extra[static_cast<int>(Extra::image_x) + axis];
      Real* const last = listed_column(s, axis);
      listed.for_each(begin, end, [&](Index i) {
        if (domain.periodic[axis]) {
          const Wrapped<Real> w = wrapped(x[axis][i], lows[axis], lengths[axis]);
          x[axis][i] = w.place;
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
  engine::Buffer<Real, Host> place[3];
  std::vector<std::int32_t> some;  ///< by place, columns of the state, where not all bodies are
                                   ///< listed
  engine::Buffer<std::int64_t, Host> begin;
  std::vector<std::int32_t> neighbour;
  Real length[3], inverse[3];
  Index count = 0;

  void list(const Cpu& exec, const StateView<Real>& s, const Listed& listed, const Domain& domain,
            double reach);
  void take_places(const Cpu& exec, const StateView<Real>& s);
  /// Of the state, by place.
  const std::int32_t* column() const { return some.empty() ? grid.column() : some.data(); }

 private:
  std::vector<Real> gathered_[3];
  std::vector<std::vector<std::int32_t>> parts_;
};

template <class Real>
void Neighbours::Lists<Real>::list(const Cpu& exec, const StateView<Real>& s, const Listed& listed,
                                   const Domain& domain, double reach) {
  StateView<const Real> at_listing{};
  at_listing.count = count = listed.count;
  const Real** const places[3] = {&at_listing.x, &at_listing.y, &at_listing.z};
  for (int axis = 0; axis < 3; ++axis) {
    *places[axis] = listed_column(s, axis);
    if (!listed.column) continue;
    gathered_[axis].resize(static_cast<std::size_t>(count));
    for (Index k = 0; k < count; ++k)
      gathered_[axis][static_cast<std::size_t>(k)] = (*places[axis])[listed.column[k]];
    *places[axis] = gathered_[axis].data();
  }
  grid.build(exec, at_listing, domain, reach);
  some.resize(listed.column ? static_cast<std::size_t>(count) : 0);
  for (std::size_t p = 0; p < some.size(); ++p) some[p] = listed.column[grid.column()[p]];
  if (begin.size() < count + 1) begin = engine::Buffer<std::int64_t, Host>(count + 1);
  for (auto& to : place)
    if (to.size() < count) to = engine::Buffer<Real, Host>(count);

  const CellLayout& cells = grid.layout();
  const Index tasks = (count + listing_chunk - 1) / listing_chunk;
  parts_.resize(static_cast<std::size_t>(tasks));
  const auto squared = static_cast<Real>(reach * reach);
  const Real *x = grid.x(), *y = grid.y(), *z = grid.z();
  engine::parallel_tasks(exec.threads, tasks, [&](Index task) {
    std::vector<std::int32_t>& found = parts_[static_cast<std::size_t>(task)];
    found.clear();
    const Index first = task * listing_chunk, last = std::min(first + listing_chunk, count);
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
    std::copy(found.begin(), found.end(), neighbour.begin() + begin.data()[task * listing_chunk]);
  });

  take_periods(domain, length, inverse);
}

template <class Real>
void Neighbours::Lists<Real>::take_places(const Cpu& exec, const StateView<Real>& s) {
  const std::int32_t* const from = column();
  engine::parallel_chunks(exec.threads, count, [&](Index first, Index last) {
    for (Index p = first; p < last; ++p) {
      const std::int32_t i = from[p];
      place[0].data()[p] = s.x[i];
      place[1].data()[p] = s.y[i];
      place[2].data()[p] = s.z[i];
    }
  });
}

double listed_reach(const Domain& domain, double reach) {
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) reach = std::min(reach, 0.5 * (1 - 1e-6) * lengths[axis]);
  return reach;
}

Neighbours::Neighbours(const Domain& domain, double reach, double skin,
                       const std::vector<std::uint8_t>& chosen)
    : domain_(domain), reach_(reach), skin_(skin), some_(!chosen.empty()) {
  MOTE_EXPECT(reach > 0 && skin >= 0);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != 0) chosen_.push_back(static_cast<std::int32_t>(i));
}

Neighbours::~Neighbours() = default;

StateShape Neighbours::shape(const Domain& domain) {
  StateShape shape;
  shape.add(Extra::listed_x, 3);
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis])
      shape.add(static_cast<Extra>(static_cast<int>(Extra::image_x) + axis));
  return shape;
}

std::uint64_t Neighbours::bytes(Index count, engine::Precision precision) {
  constexpr std::uint64_t usual_neighbours = 80;
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  // Lists once in parts and once in a row; places as listed and now; cells, counts and columns.
  return static_cast<std::uint64_t>(count) *
         (2 * usual_neighbours * sizeof(std::int32_t) + 6 * real + 16 * sizeof(std::int32_t));
}

template <class Real>
Neighbours::Lists<Real>& Neighbours::lists() {
  if constexpr (std::is_same_v<Real, float>) {
    if (!single_) single_ = std::make_unique<Lists<float>>();
    return *single_;
  } else {
    if (!full_) full_ = std::make_unique<Lists<double>>();
    return *full_;
  }
}

template <class Real>
void Neighbours::update_columns(const Cpu& exec, const StateView<Real>& s) {
  Lists<Real>& all = lists<Real>();
  Listed listed{s.count, nullptr};
  if (some_) listed = {static_cast<Index>(chosen_.size()), chosen_.data()};
  bounce(exec, s, listed, domain_);
  // In this order: a body may have used up the skin since the listing that a state from elsewhere
  // came with.
  const bool moved = has_moved(exec, s, listed, skin_);
  if (moved) note_places(exec, s, listed, domain_);
  if (moved || stale_) all.list(exec, s, listed, domain_, reach_ + skin_);
  stale_ = false;
  all.take_places(exec, s);
}

void Neighbours::update(const Cpu& exec, State<Host>& state) {
  state.visit([&](const auto& s) { update_columns(exec, s); });
}

template <class Real>
NeighbourView<Real> Neighbours::view() const {
  const Lists<Real>* all;
  if constexpr (std::is_same_v<Real, float>)
    all = single_.get();
  else
    all = full_.get();
  MOTE_EXPECT(all && !stale_);
  NeighbourView<Real> view{all->count,
                           all->column(),
                           all->place[0].data(),
                           all->place[1].data(),
                           all->place[2].data(),
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

std::int64_t Neighbours::listed() const {
  return static_cast<std::int64_t>(single_ ? single_->neighbour.size()
                                   : full_ ? full_->neighbour.size()
                                           : 0);
}

void forget_listing(State<Host>& state) {
  if (!state.shape().has(Extra::listed_x)) return;
  state.visit([](const auto& s) {
    for (int axis = 0; axis < 3; ++axis)
      std::fill_n(s.extra[static_cast<int>(Extra::listed_x) + axis], s.count,
                  static_cast<std::remove_reference_t<decltype(s.x[0])>>(never_listed));
  });
}

}  // namespace mote::sim
