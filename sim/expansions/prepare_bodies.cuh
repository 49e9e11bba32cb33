#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/exec/launch.cuh"
#include "engine/memory/buffer.h"
#include "engine/memory/on_device.h"
#include "sim/domain.h"
#include "sim/space/image_formula.h"
#include "sim/space/list_fields.h"
#include "sim/state.h"

namespace mote::sim {
namespace prepare_bodies {

using engine::Index;

inline constexpr int threads = 256;

/// Wraps positions into a periodic box, and counts the lengths that bodies cross unless
/// `crossed` is null. `from` and `to` may be equal. Positions that are not finite stay.
template <class Real>
__global__ void __launch_bounds__(threads)
    wrap_positions_along(const Real* from, Real* to, Real* crossed, Index count, double low,
                         double length) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const Real x = from[i];
  if (!isfinite(x)) {
    to[i] = x;
    return;
  }
  const Wrapped<Real> w = wrapped(x, low, length);
  to[i] = w.position;
  if (crossed) crossed[i] += w.lengths;
}

/// Charges of the bodies, by species, and over their masses.
template <class Real>
__global__ void __launch_bounds__(threads)
    set_charges(StateView<const Real> s, const double* of_species, int species_count, Real* charges,
                double* over_mass) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  const int species = s.species ? s.species[i] : 0;
  const double charge = species < species_count ? of_species[species] : 0;
  charges[i] = static_cast<Real>(charge);
  over_mass[i] = charge / static_cast<double>(s.mass[i]);
}

}  // namespace prepare_bodies

/// Makes what expansions need beside the state: charges instead of masses, and positions in a
/// domain that is periodic along all axes.
class PreparedBodies {
 public:
  /// `of_species`: charges; empty: masses attract.
  PreparedBodies(const Domain& domain, std::vector<double> of_species)
      : domain_(domain), of_species_(std::move(of_species)) {}

  bool charged() const { return !of_species_.empty(); }
  /// q / m of each body of the last state; null without charges.
  const double* factors() const { return factors_.data(); }

  /// The state as the kernels need it. Positions are wrapped in the state if `in_state`, else in
  /// copies. Valid until the next call, which has as many bodies. Does not wait.
  template <class Const>
  auto prepared(const engine::Cuda& exec, const StateView<Const>& s, bool in_state) {
    using Real = std::remove_const_t<Const>;
    StateView<const Real> view = with_charges(exec, s);
    if (!domain_.periodic[0]) return view;
    if constexpr (!std::is_const_v<Const>) {
      if (in_state) {
        wrap_in_state(exec, s, {});
        return view;
      }
    }
    const Const* const from[3] = {s.x, s.y, s.z};
    const Real* to[3];
    for (int axis = 0; axis < 3; ++axis) {
      auto& copy = columns<Real>()[axis];
      if (copy.size() == 0) copy = engine::Buffer<Real, engine::Device>(s.count);
      wrap<Real>(exec, from[axis], copy.data(), nullptr, s.count, axis);
      to[axis] = copy.data();
    }
    view.x = to[0], view.y = to[1], view.z = to[2];
    return view;
  }

  /// The state with charges instead of masses, if there are any. As prepared().
  template <class Const>
  auto with_charges(const engine::Cuda& exec, const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    StateView<const Real> view = s.read_only();
    if (charged()) {
      auto& weight = columns<Real>()[3];
      if (weight.size() == 0) {
        weight = engine::Buffer<Real, engine::Device>(s.count);
        factors_ = engine::Buffer<double, engine::Device>(s.count);
        species_charges_ = engine::on_device(exec, of_species_);
      }
      engine::launch(exec, shape_for(s.count), prepare_bodies::set_charges<Real>, view,
                     static_cast<const double*>(species_charges_.data()),
                     static_cast<int>(of_species_.size()), weight.data(), factors_.data());
      view.mass = weight.data();
    }
    return view;
  }

  /// Wraps the bodies of a state into the domain, if it is periodic, and counts the lengths that
  /// own bodies cross; copies too, so that all ranks have each body where its owner has it. Does
  /// not wait.
  template <class Real>
  void wrap_in_state(const engine::Cuda& exec, const StateView<Real>& s,
                     const Copies& copies) const {
    if (!domain_.periodic[0]) return;
    Real* const positions[3] = {s.x, s.y, s.z};
    for (int axis = 0; axis < 3; ++axis) {
      Real* const own = positions[axis];
      wrap<Real>(exec, own, own, s[fields::image][axis], s.count, axis);
      wrap<Real>(exec, own - copies.before, own - copies.before, nullptr, copies.before, axis);
      wrap<Real>(exec, own + s.count, own + s.count, nullptr, copies.after, axis);
    }
  }

 private:
  static engine::LaunchShape shape_for(engine::Index count) {
    return {engine::blocks_for(static_cast<std::uint32_t>(count), prepare_bodies::threads),
            prepare_bodies::threads};
  }
  template <class Real>
  void wrap(const engine::Cuda& exec, const Real* from, Real* to, Real* crossed,
            engine::Index count, int axis) const {
    if (count == 0) return;
    const double lows[3] = {domain_.low.x, domain_.low.y, domain_.low.z},
                 lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
    engine::launch(exec, shape_for(count), prepare_bodies::wrap_positions_along<Real>, from, to,
                   crossed, count, lows[axis], lengths[axis]);
  }
  template <class Real>
  auto& columns() {
    if constexpr (std::is_same_v<Real, float>)
      return single_columns_;
    else
      return double_columns_;
  }

  Domain domain_;
  std::vector<double> of_species_;
  // Wrapped positions, and charges.
  engine::Buffer<float, engine::Device> single_columns_[4];
  engine::Buffer<double, engine::Device> double_columns_[4];
  engine::Buffer<double, engine::Device> species_charges_, factors_;
};

}  // namespace mote::sim
