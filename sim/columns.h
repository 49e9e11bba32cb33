#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mote::sim {

/// Numbers of a body that only some scenes have, a column of the state's number type each.
enum class Extra : std::uint8_t {
  radius,   ///< [length], > 0
  density,  ///< [mass / length^3]
  spin_x,   ///< angular velocity [1 / time], of bodies with a radius
  spin_y,
  spin_z,
  image_x,  ///< whole lengths of the domain that a body has left behind, along periodic axes
  image_y,
  image_z,
  listed_x,  ///< [length], where it was when neighbours were last listed; before that,
             ///< `never_listed`
  listed_y,
  listed_z,
  shift_x,  ///< [velocity] that positions move with besides their own, of the last forces
  shift_y,
  shift_z,
  start_x,  ///< [length], where displacements count from
  start_y,
  start_z,
  density_rate,  ///< like the accelerations, of the positions after each whole step
  spin_rate_x,
  spin_rate_y,
  spin_rate_z,
};
inline constexpr int extra_count = 21;

/// No place: further away than any skin is wide.
inline constexpr float never_listed = 3e38F;

struct ExtraInfo {
  Extra extra;
  std::string_view name;      ///< of its dataset in checkpoints
  std::string_view quantity;  ///< as in engine/quantity.h; "" for a pure number
  /// Belongs to what a simulation is, as places do: it is part of the hash and of checkpoints. What
  /// does not follows from the rest.
  bool kept;
  bool shown;  ///< in snapshots, for who looks at them
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
    {Extra::listed_x, "ListedX", "length", true, false},
    {Extra::listed_y, "ListedY", "length", true, false},
    {Extra::listed_z, "ListedZ", "length", true, false},
    {Extra::shift_x, "ShiftX", "velocity", true, false},
    {Extra::shift_y, "ShiftY", "velocity", true, false},
    {Extra::shift_z, "ShiftZ", "velocity", true, false},
    {Extra::start_x, "StartX", "length", true, false},
    {Extra::start_y, "StartY", "length", true, false},
    {Extra::start_z, "StartZ", "length", true, false},
    {Extra::density_rate, "DensityRate", "", true, false},
    {Extra::spin_rate_x, "SpinRateX", "", true, false},
    {Extra::spin_rate_y, "SpinRateY", "", true, false},
    {Extra::spin_rate_z, "SpinRateZ", "", true, false},
}};

/// Of the accelerations, in checkpoints of states that remember them.
inline constexpr std::array<std::string_view, 3> acceleration_names{
    "AccelerationX", "AccelerationY", "AccelerationZ"};

/// What a state holds beside the columns that all have.
struct StateShape {
  bool species = false;      ///< a column of numbers of species
  std::uint32_t extras = 0;  ///< a bit for each Extra
  /// Accelerations do not follow from positions and velocities as they stand: states that go on
  /// bring them along.
  bool remembers = false;
  int memory = 0;  ///< numbers of the whole, not of bodies: what thermostats remember

  constexpr bool has(Extra extra) const { return (extras >> static_cast<int>(extra) & 1u) != 0; }
  constexpr StateShape& add(Extra first, int count = 1) {
    for (int k = 0; k < count; ++k) extras |= 1u << (static_cast<int>(first) + k);
    return *this;
  }
  constexpr StateShape without(Extra first, int count) const {
    StateShape shape = *this;
    for (int k = 0; k < count; ++k) shape.extras &= ~(1u << (static_cast<int>(first) + k));
    return shape;
  }
  int columns() const { return __builtin_popcount(extras); }
  bool operator==(const StateShape&) const = default;
};

}  // namespace mote::sim
