#pragma once

#include "sim/columns.h"

namespace mote::sim::fields {

/// Whether a body keeps its velocity whatever acts on it: 1 or 0.
inline constexpr FieldInfo fixed{"Fixed"};

}  // namespace mote::sim::fields
