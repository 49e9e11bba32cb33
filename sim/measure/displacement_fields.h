#pragma once

#include "sim/columns.h"

/// Fields of displacements.
namespace mote::sim::fields {

/// [length], origin of displacements.
inline constexpr FieldVector start{{{"StartX", "length", FieldUse::carried},
                                    {"StartY", "length", FieldUse::carried},
                                    {"StartZ", "length", FieldUse::carried}}};

}  // namespace mote::sim::fields
