#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/mote.h"
#include "sim/initial/bodies.h"
#include "sim/run/body_state.h"
#include "sim/scene/description.h"

namespace mote::api {

/// A copy of bodies given by a program. Throws InputError at this place for columns that do not fit
/// together, and numbers that are not finite.
sim::Bodies checked_bodies(const Bodies& given, const char* place);

/// Bodies of tables as in a scene's `bodies`, in JSON, made with what else the scene says, relative
/// to `center` if there is one. Their random numbers are others than those of the scene's bodies
/// and of bodies added before: `next_id` is the id that the first will have. Throws InputError.
sim::Bodies bodies_of_tables(const sim::SceneDescription& scene, const std::string& tables,
                             const std::optional<sim::BodyState>& center, std::uint32_t next_id,
                             int threads);

}  // namespace mote::api
