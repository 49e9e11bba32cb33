#pragma once

#include <vector>

#include "engine/check.h"
#include "sim/source/source.h"

namespace mote::sim {

/// Where a key of a module may be one item or a list, makes a list of one, and one of nested lists:
/// the paths of its items are then those of the expanded scene.
void make_lists(Table& scene);

/// Applies settings that name no parameter as paths into the scene's table; after make_lists.
void apply_settings(SceneSource& source, std::vector<engine::Diagnostic>& problems);

}  // namespace mote::sim
