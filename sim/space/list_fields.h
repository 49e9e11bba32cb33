#pragma once

#include <cstddef>

#include "sim/columns.h"
#include "sim/domain.h"

/// Fields of bodies in neighbour lists and periodic domains.
namespace mote::sim::fields {

/// Domain lengths crossed along periodic axes.
inline constexpr FieldVector image{{{"ImageX"}, {"ImageY"}, {"ImageZ"}}};
/// [length], position at the last build of lists; initially `not_listed`.
inline constexpr FieldVector list_origin{{{"ListedX", "length", FieldUse::algorithm},
                                          {"ListedY", "length", FieldUse::algorithm},
                                          {"ListedZ", "length", FieldUse::algorithm}}};

}  // namespace mote::sim::fields

namespace mote::sim {

/// Adds the counts of crossed lengths along the periodic axes.
inline void add_images(const Domain& domain, StateLayout& layout) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) layout.add(fields::image[axis]);
}

/// List origin of a body that is in no list yet: farther away than any skin is wide.
inline constexpr float not_listed = 3e38F;

}  // namespace mote::sim
