#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "render/polyline.h"
#include "sim/contact/contact_network.h"

namespace mote::api {

/// Contacts as lines along their branches, as offsets from an origin. What presses harder than
/// others is wider, brighter and in front: chains of forces. In few Polylines, however many
/// contacts there are.
std::vector<render::Polyline> contact_lines(const sim::ContactNetwork& contacts,
                                            engine::Vec3d origin = {});

}  // namespace mote::api
