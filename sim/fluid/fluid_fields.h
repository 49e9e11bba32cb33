#pragma once

#include "sim/columns.h"

/// Fields of fluid particles.
namespace mote::sim::fields {

inline constexpr FieldInfo density{"Density", "density"};  ///< [mass / length^3]
/// [velocity], from the last force evaluation.
inline constexpr FieldVector transport_velocity{
    {{.name = "ShiftX", .quantity = "velocity", .use = FieldUse::carried, .drifts_along = 0},
     {.name = "ShiftY", .quantity = "velocity", .use = FieldUse::carried, .drifts_along = 1},
     {.name = "ShiftZ", .quantity = "velocity", .use = FieldUse::carried, .drifts_along = 2}}};
/// [mass / length^3 / time], consistent with the positions after each full step, as accelerations.
inline constexpr FieldInfo density_rate{"DensityRate", "", FieldUse::carried, &density};

}  // namespace mote::sim::fields
