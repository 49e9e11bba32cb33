#include "sim/io/between.h"

#include <unordered_map>

#include "engine/check.h"
#include "engine/math/hermite.h"
#include "engine/math/vec.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::Vec3d;

/// What both know of bodies besides.
StateShape shape_of_both(const State<Host>& a, const State<Host>& b) {
  StateShape shape{.species = a.with_species() && b.with_species()};
  if (a.shape().has(Extra::radius) && b.shape().has(Extra::radius)) shape.add(Extra::radius);
  return shape;
}

std::vector<std::pair<Index, Index>> pairs_of(const State<Host>& a, const State<Host>& b) {
  std::unordered_map<std::uint32_t, Index> columns;
  columns.reserve(static_cast<std::size_t>(b.count()));
  for (Index j = 0; j < b.count(); ++j) columns.emplace(b.id()[j], j);
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < a.count(); ++i)
    if (const auto found = columns.find(a.id()[i]); found != columns.end())
      pairs.emplace_back(i, found->second);
  return pairs;
}

template <class Real>
Vec3d place_in(const StateView<Real>& s, Index i) {
  return {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])};
}

template <class Real>
Vec3d velocity_in(const StateView<Real>& s, Index i) {
  return {static_cast<double>(s.vx[i]), static_cast<double>(s.vy[i]), static_cast<double>(s.vz[i])};
}

}  // namespace

Between::Between(const Moment& a, const Moment& b)
    : a_(&a),
      b_(&b),
      pairs_(pairs_of(a.state, b.state)),
      state_(static_cast<Index>(pairs_.size()), engine::Precision::full,
             shape_of_both(a.state, b.state)) {
  MOTE_EXPECT(a.facts.time <= b.facts.time);
  a.state.visit([&]<class Real>(StateView<const Real> from) {
    state_.visit([&]<class To>(StateView<To> to) {
      for (Index k = 0; k < to.count; ++k) {
        const Index i = pairs_[static_cast<std::size_t>(k)].first;
        state_.id()[k] = from.id[i];
        to.mass[k] = static_cast<To>(from.mass[i]);
        if (state_.with_species()) state_.species()[k] = from.species[i];
        if (to.column(Extra::radius))
          to.column(Extra::radius)[k] = static_cast<To>(from.column(Extra::radius)[i]);
      }
    });
  });
}

const State<Host>& Between::at(double time) {
  if (time <= a_->facts.time) return a_->state;
  if (time >= b_->facts.time) return b_->state;
  const double length = b_->facts.time - a_->facts.time, s = (time - a_->facts.time) / length;
  const bool straight = !a_->facts.columns.velocity || !b_->facts.columns.velocity;
  a_->state.visit([&]<class A>(StateView<const A> a) {
    b_->state.visit([&]<class B>(StateView<const B> b) {
      state_.visit([&]<class To>(StateView<To> to) {
        for (Index k = 0; k < to.count; ++k) {
          const auto [i, j] = pairs_[static_cast<std::size_t>(k)];
          engine::WithSlope<Vec3d> from{place_in(a, i), velocity_in(a, i)},
              until{place_in(b, j), velocity_in(b, j)};
          if (straight) from.slope = until.slope = (1 / length) * (until.value - from.value);
          const engine::WithSlope<Vec3d> now = hermite(from, until, length, s);
          to.x[k] = static_cast<To>(now.value.x), to.y[k] = static_cast<To>(now.value.y);
          to.z[k] = static_cast<To>(now.value.z), to.vx[k] = static_cast<To>(now.slope.x);
          to.vy[k] = static_cast<To>(now.slope.y), to.vz[k] = static_cast<To>(now.slope.z);
        }
      });
    });
  });
  return state_;
}

}  // namespace mote::sim
