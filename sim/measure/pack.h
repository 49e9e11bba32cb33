#pragma once

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/measure/scalars.h"
#include "sim/space/ball_fields.h"
#include "sim/state.h"

struct CUevent_st;

namespace mote::sim {

/// Radii by species index [length]; factors if bodies have their own radii.
struct SpeciesRadii {
  float of[256];
};
inline SpeciesRadii uniform_radii(float value) {
  SpeciesRadii all;
  std::fill(std::begin(all.of), std::end(all.of), value);
  return all;
}

/// Output buffers of a frame: positions relative to `origin`, 3 floats per body (subtracted in
/// double to keep precision far from zero), one scalar per body, and optionally its radius.
struct PackTarget {
  float* positions = nullptr;  ///< 3 n
  float* scalars = nullptr;    ///< n
  engine::Vec3d origin{};      ///< [length]
  Scalar scalar = Scalar::speed;
  float* radii = nullptr;  ///< n; null: none. Requires radii of bodies or of species
  std::optional<SpeciesRadii> species_radii = {};
  /// Buffers are in device memory. The simulation's stream waits for `ready` before it writes and
  /// records `done` afterwards; both may be null.
  bool on_device = false;
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

/// The displayed radius of body i.
template <class Real>
struct RadiusValue {
  const Real* column;           ///< null: radii of species only
  const std::uint8_t* species;  ///< null: no species
  SpeciesRadii radii;
  MOTE_FORMULA float operator()(engine::Index i) const {
    const float of_species = radii.of[species ? species[i] : 0];
    return column ? static_cast<float>(column[i]) * of_species : of_species;
  }
};

template <class Real>
RadiusValue<std::remove_const_t<Real>> radius_value(const StateView<Real>& s,
                                                    const PackTarget& target) {
  const auto* const own = s[fields::radius];
  MOTE_EXPECT(!target.radii || own || target.species_radii);
  return {own, s.species, target.species_radii.value_or(uniform_radii(own ? 1 : 0))};
}

/// Writes bodies by index. `target` is in host memory.
void pack(const engine::Cpu& exec, const State<engine::Host>& state, const PackTarget& target);

/// Asynchronous for a target on the device. For one on the host, copies through a staging buffer
/// and synchronises.
void pack(const engine::Cuda& exec, const State<engine::Device>& state, const PackTarget& target);

}  // namespace mote::sim
