#include "sim/io/interpolate.h"

#include <unordered_map>

#include "engine/check.h"
#include "engine/math/hermite.h"
#include "engine/math/vec.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::Vec3d;

/// The optional fields that both states have.
StateLayout common_layout(const State<Host>& a, const State<Host>& b) {
  StateLayout layout{.species = a.with_species() && b.with_species()};
  for (const FieldInfo* field : a.layout().fields)
    if (b.layout().has(*field)) layout.add(*field);
  return layout;
}

std::vector<std::pair<Index, Index>> pairs_of(const State<Host>& a, const State<Host>& b) {
  std::unordered_map<std::uint32_t, Index> index_of_id;
  index_of_id.reserve(static_cast<std::size_t>(b.count()));
  for (Index j = 0; j < b.count(); ++j) index_of_id.emplace(b.id()[j], j);
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < a.count(); ++i)
    if (const auto found = index_of_id.find(a.id()[i]); found != index_of_id.end())
      pairs.emplace_back(i, found->second);
  return pairs;
}

template <class Real>
Vec3d position_in(const StateView<Real>& s, Index i) {
  return {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])};
}

template <class Real>
Vec3d velocity_in(const StateView<Real>& s, Index i) {
  return {static_cast<double>(s.vx[i]), static_cast<double>(s.vy[i]), static_cast<double>(s.vz[i])};
}

}  // namespace

SnapshotInterpolator::SnapshotInterpolator(const LoadedSnapshot& a, const LoadedSnapshot& b)
    : a_(&a),
      b_(&b),
      pairs_(pairs_of(a.state, b.state)),
      state_(static_cast<Index>(pairs_.size()), engine::Precision::double_,
             common_layout(a.state, b.state)) {
  MOTE_EXPECT(a.metadata.time <= b.metadata.time);
  a.state.visit([&]<class Real>(StateView<const Real> from) {
    state_.visit([&]<class To>(StateView<To> to) {
      for (int field = 0; field < to.field_count; ++field) {
        const Real* const column = from[*to.field_info[field]];
        for (Index k = 0; k < to.count; ++k)
          to.field_column[field][k] =
              static_cast<To>(column[pairs_[static_cast<std::size_t>(k)].first]);
      }
      for (Index k = 0; k < to.count; ++k) {
        const Index i = pairs_[static_cast<std::size_t>(k)].first;
        state_.id()[k] = from.id[i];
        to.mass[k] = static_cast<To>(from.mass[i]);
        if (state_.with_species()) state_.species()[k] = from.species[i];
      }
    });
  });
}

const State<Host>& SnapshotInterpolator::at(double time) {
  if (time <= a_->metadata.time) return a_->state;
  if (time >= b_->metadata.time) return b_->state;
  const double length = b_->metadata.time - a_->metadata.time,
               s = (time - a_->metadata.time) / length;
  const bool straight = !a_->metadata.columns.velocity || !b_->metadata.columns.velocity;
  a_->state.visit([&]<class A>(StateView<const A> a) {
    b_->state.visit([&]<class B>(StateView<const B> b) {
      state_.visit([&]<class To>(StateView<To> to) {
        for (Index k = 0; k < to.count; ++k) {
          const auto [i, j] = pairs_[static_cast<std::size_t>(k)];
          engine::WithSlope<Vec3d> from{position_in(a, i), velocity_in(a, i)},
              until{position_in(b, j), velocity_in(b, j)};
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

std::vector<double> SnapshotInterpolator::potentials(double time) const {
  if (a_->potential.empty() || b_->potential.empty()) return {};
  if (time <= a_->metadata.time) return a_->potential;
  if (time >= b_->metadata.time) return b_->potential;
  const double s = (time - a_->metadata.time) / (b_->metadata.time - a_->metadata.time);
  std::vector<double> between;
  for (const auto& [i, j] : pairs_)
    between.push_back((1 - s) * a_->potential[static_cast<std::size_t>(i)] +
                      s * b_->potential[static_cast<std::size_t>(j)]);
  return between;
}

}  // namespace mote::sim
