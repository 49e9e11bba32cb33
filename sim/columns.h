#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mote::sim {

/// Optional per-body fields; each is one array of the state's number type.
enum class Extra : std::uint8_t {
  radius,   ///< [length], > 0
  density,  ///< [mass / length^3]
  spin_x,   ///< angular velocity [1 / time], of bodies with a radius
  spin_y,
  spin_z,
  image_x,  ///< domain lengths crossed along periodic axes
  image_y,
  image_z,
  list_origin_x,  ///< [length], position at the last neighbour-list build; initially `not_listed`
  list_origin_y,
  list_origin_z,
  /// [velocity], from the last force evaluation; added to the velocity in drifts.
  transport_velocity_x,
  transport_velocity_y,
  transport_velocity_z,
  start_x,  ///< [length], origin of displacements
  start_y,
  start_z,
  density_rate,  ///< consistent with the positions after each full step, as accelerations are
  spin_rate_x,
  spin_rate_y,
  spin_rate_z,
};
inline constexpr int extra_count = 21;

/// List origin of a body that is in no list yet: farther away than any skin is wide.
inline constexpr float not_listed = 3e38F;

struct ExtraInfo {
  Extra extra;
  std::string_view name;      ///< dataset in checkpoints
  std::string_view quantity;  ///< as in engine/quantity.h; "" for a pure number
  bool in_checkpoints;        ///< and in the state hash; false if it can be recomputed
  bool in_snapshots;
};

inline constexpr std::array<ExtraInfo, extra_count> extra_infos{{
    {Extra::radius, "Radius", "length", true, true},
    {Extra::density, "Density", "density", true, true},
    {Extra::spin_x, "SpinX", "", true, true},
    {Extra::spin_y, "SpinY", "", true, true},
    {Extra::spin_z, "SpinZ", "", true, true},
    {Extra::image_x, "ImageX", "", true, true},
    {Extra::image_y, "ImageY", "", true, true},
    {Extra::image_z, "ImageZ", "", true, true},
    {Extra::list_origin_x, "ListedX", "length", true, false},
    {Extra::list_origin_y, "ListedY", "length", true, false},
    {Extra::list_origin_z, "ListedZ", "length", true, false},
    {Extra::transport_velocity_x, "ShiftX", "velocity", true, false},
    {Extra::transport_velocity_y, "ShiftY", "velocity", true, false},
    {Extra::transport_velocity_z, "ShiftZ", "velocity", true, false},
    {Extra::start_x, "StartX", "length", true, false},
    {Extra::start_y, "StartY", "length", true, false},
    {Extra::start_z, "StartZ", "length", true, false},
    {Extra::density_rate, "DensityRate", "", true, false},
    {Extra::spin_rate_x, "SpinRateX", "", true, false},
    {Extra::spin_rate_y, "SpinRateY", "", true, false},
    {Extra::spin_rate_z, "SpinRateZ", "", true, false},
}};

/// Datasets of accelerations in checkpoints, where StateLayout::stores_accelerations.
inline constexpr std::array<std::string_view, 3> acceleration_names{
    "AccelerationX", "AccelerationY", "AccelerationZ"};

/// The optional parts of a state.
struct StateLayout {
  bool species = false;      ///< species indices
  std::uint32_t extras = 0;  ///< bit mask of Extra
  /// Accelerations cannot be recomputed from positions and velocities: checkpoints contain them.
  bool stores_accelerations = false;
  int global_values = 0;  ///< values of the system, not of bodies: thermostat state

  constexpr bool has(Extra extra) const { return (extras >> static_cast<int>(extra) & 1u) != 0; }
  constexpr StateLayout& add(Extra first, int count = 1) {
    for (int k = 0; k < count; ++k) extras |= 1u << (static_cast<int>(first) + k);
    return *this;
  }
  constexpr StateLayout without(Extra first, int count) const {
    StateLayout layout = *this;
    for (int k = 0; k < count; ++k) layout.extras &= ~(1u << (static_cast<int>(first) + k));
    return layout;
  }
  int columns() const { return __builtin_popcount(extras); }
  bool operator==(const StateLayout&) const = default;
};

}  // namespace mote::sim
