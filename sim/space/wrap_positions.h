#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/exec/parallel.h"
#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/image_formula.h"
#include "sim/space/list_fields.h"
#include "sim/state.h"

namespace mote::sim {

/// Wraps bodies into the domain along its periodic axes, and counts the lengths that they crossed.
/// `member`: 1 for the bodies that are wrapped; null: all are. Positions that are not finite stay.
template <class Real>
void wrap_positions(const engine::Cpu& exec, const StateView<Real>& s, const std::uint8_t* member,
                    const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z},
               lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.periodic[axis]) continue;
    Real* const image = s[fields::image][axis];
    engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
      for (engine::Index i = begin; i < end; ++i) {
        if ((member && member[i] == 0) || !std::isfinite(x[axis][i])) continue;
        const Wrapped<Real> w = wrapped(x[axis][i], lows[axis], lengths[axis]);
        x[axis][i] = w.position;
        image[i] += w.lengths;
      }
    });
  }
}

/// Wraps copies of other ranks' bodies, as their owner does.
template <class Real>
void wrap_copies(const StateView<Real>& s, const Copies& copies, const Domain& domain) {
  Real* const x[3] = {s.x, s.y, s.z};
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z},
               lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.periodic[axis]) continue;
    const auto wrap = [&](Real* first, engine::Index count) {
      for (engine::Index i = 0; i < count; ++i)
        if (std::isfinite(first[i]))
          first[i] = wrapped(first[i], lows[axis], lengths[axis]).position;
    };
    wrap(x[axis] - copies.before, copies.before);
    wrap(x[axis] + s.count, copies.after);
  }
}

/// Copies of the positions, wrapped into a domain that is periodic along all axes.
template <class Real>
class WrappedPositions {
 public:
  template <class Const>
  WrappedPositions(const engine::Cpu& exec, const StateView<Const>& s, const Domain& domain) {
    const Const* const from[3] = {s.x, s.y, s.z};
    const double lows[3] = {domain.low.x, domain.low.y, domain.low.z},
                 lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    for (int axis = 0; axis < 3; ++axis) {
      columns_[axis] = engine::Buffer<Real, engine::Host>(s.count);
      Real* const to = columns_[axis].data();
      engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
        for (engine::Index i = begin; i < end; ++i) {
          const Real x = from[axis][i];
          to[i] = std::isfinite(x) ? wrapped(x, lows[axis], lengths[axis]).position : x;
        }
      });
    }
  }

  const Real* x() const { return columns_[0].data(); }
  const Real* y() const { return columns_[1].data(); }
  const Real* z() const { return columns_[2].data(); }

 private:
  engine::Buffer<Real, engine::Host> columns_[3];
};

}  // namespace mote::sim
