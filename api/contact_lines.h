#pragma once

#include <vector>

#include "engine/math/vec.h"
#include "render/polyline.h"
#include "sim/contact_network.h"

namespace mote::api {

/// Contacts as lines along their branch vectors, as offsets from an origin. Larger forces are
/// wider, brighter and in front, which shows force chains. Returns few Polylines for any number of
/// contacts.
std::vector<render::Polyline> contact_lines(const sim::ContactNetwork& contacts,
                                            engine::Vec3d origin = {});

}  // namespace mote::api
