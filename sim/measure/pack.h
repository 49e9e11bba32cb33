#pragma once

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/measure/scalars.h"
#include "sim/state.h"

struct CUevent_st;

namespace mote::sim {

/// Radii of bodies by the number of their species [length]; where bodies have their own, factors of
/// these.
struct SpeciesRadii {
  float of[256];
};
inline SpeciesRadii alike_radii(float value) {
  SpeciesRadii all;
  std::fill(std::begin(all.of), std::end(all.of), value);
  return all;
}

/// Where a frame of points goes: places, 3 floats a body, as offsets from `origin` (subtracted in
/// double, so that bodies far from zero keep their digits); one scalar of each body, and its radius
/// where that is asked for.
struct PackTarget {
  float* positions = nullptr;  ///< 3 n
  float* scalars = nullptr;    ///< n
  engine::Vec3d origin{};      ///< [length]
  Scalar scalar = Scalar::speed;
  float* radii = nullptr;  ///< n, where bodies have a radius or species have; null: not asked for
  std::optional<SpeciesRadii> species_radii = {};
  /// Memory of the device that steps. Then the simulation's stream waits for `ready` before it
  /// writes, and records `done` behind; both may be null.
  bool on_device = false;
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

/// The radius of the body in column i as frames show it.
template <class Real>
struct RadiusValue {
  const Real* column;           ///< null: by species
  const std::uint8_t* species;  ///< null: all have none
  SpeciesRadii radii;
  MOTE_FORMULA float operator()(engine::Index i) const {
    const float of_species = radii.of[species ? species[i] : 0];
    return column ? static_cast<float>(column[i]) * of_species : of_species;
  }
};

template <class Real>
RadiusValue<std::remove_const_t<Real>> radius_value(const StateView<Real>& s,
                                                    const PackTarget& target) {
  MOTE_EXPECT(!target.radii || s.column(Extra::radius) || target.species_radii);
  const bool own = s.column(Extra::radius) != nullptr;
  return {s.column(Extra::radius), s.species,
          target.species_radii.value_or(alike_radii(own ? 1 : 0))};
}

/// Bodies are written in the order of their columns. `target` is host memory.
void pack(const engine::Cpu& exec, const State<engine::Host>& state, const PackTarget& target);

/// `target` on the device: does not wait. On the host: by way of a piece of device memory, and
/// waits.
void pack(const engine::Cuda& exec, const State<engine::Device>& state, const PackTarget& target);

}  // namespace mote::sim
