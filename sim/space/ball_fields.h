#pragma once

#include "sim/columns.h"

/// Fields of bodies that have a size and rotate (ball_formula.h).
namespace mote::sim::fields {

inline constexpr FieldInfo radius{"Radius", "length"};                 ///< [length], > 0
inline constexpr FieldVector spin{{{"SpinX"}, {"SpinY"}, {"SpinZ"}}};  ///< [1 / time]
/// [1 / time^2]
inline constexpr FieldVector spin_rate{{{"SpinRateX", "", FieldUse::carried, &spin[0], true},
                                        {"SpinRateY", "", FieldUse::carried, &spin[1], true},
                                        {"SpinRateZ", "", FieldUse::carried, &spin[2], true}}};

}  // namespace mote::sim::fields
