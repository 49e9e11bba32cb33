#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "engine/memory/point_frame.h"
#include "sim/measure/scalars.h"
#include "sim/space/ball_fields.h"
#include "sim/state.h"

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

/// A request of what to write of each body into a PointFrame: its position relative to `origin`,
/// subtracted in double to keep precision far from zero, a scalar, and, where the frame has radii,
/// its radius.
struct PackRequest {
  engine::Vec3d origin{};  ///< [length]
  Quantity scalar = Scalar::speed;
  std::optional<SpeciesRadii> species_radii = {};
};

/// A FrameKind tells other ranks which columns a frame of rank 0 has, and where it is in memory.
struct FrameKind {
  bool with_radii = false, on_device = false;
};
inline FrameKind kind_of(const engine::PointFrame& frame) {
  return {frame.radii != nullptr, frame.on_device};
}

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

/// The scalar whose formula fills frames before computed values replace it; any will do.
inline Scalar formula_of(const PackRequest& request) {
  return is_computed(request.scalar.kind) ? Scalar::mass : request.scalar.kind;
}

template <class Real>
RadiusValue<std::remove_const_t<Real>> radius_value(const StateView<Real>& s,
                                                    const PackRequest& request) {
  const auto* const own = s[fields::radius];
  return {own, s.species, request.species_radii.value_or(uniform_radii(own ? 1 : 0))};
}

/// Writes bodies in the order of ids into a frame in host memory. Radii require radii of bodies or
/// of species. `slots`: where they are in the state (BodyOrder::slots); null: in that order.
/// `computed`: values of a computed scalar in the order of ids, in host memory; else empty.
void pack(const engine::Cpu& exec, const State<engine::Host>& state, const engine::PointFrame& to,
          const PackRequest& request, const std::uint32_t* slots = nullptr,
          std::span<const double> computed = {});

/// Asynchronous for a frame on the device, but for computed scalars. For one on the host, copies
/// through a staging buffer and synchronises.
void pack(const engine::Cuda& exec, const State<engine::Device>& state,
          const engine::PointFrame& to, const PackRequest& request,
          const std::uint32_t* slots = nullptr, std::span<const double> computed = {});

}  // namespace mote::sim
