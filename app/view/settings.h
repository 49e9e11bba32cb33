#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/view/session.h"

namespace mote::app {

/// What setting a parameter comes to.
struct Change {
  sim::Settings settings;  ///< for the next opening
  sim::View view;
  std::vector<std::pair<std::string, engine::ParamValue>> edits;  ///< of live parameters, now
  bool restart = false;  ///< something else than these differs from the scene that is open
  bool colors = false;   ///< the look's scalar has changed
};

/// `path`: a parameter that the scene made with `param`, or a path such as gravity.softening. A
/// parameter of the scene is set by reading the scene again: when nothing comes out of it but other
/// values of live parameters and of the look, they are changed live; else the change waits for a
/// restart. Throws InputError when the value cannot be.
Change change_of(const Session& session, const sim::Settings& settings, const sim::View& view,
                 const sim::LiveSettings& live, const std::string& path,
                 const engine::ParamValue& value);

/// What a scene's file says of its parameters, of what can change live and of the look, whatever is
/// set beside it.
sim::Settings in_file(const sim::SceneDescription& scene, const sim::Settings& settings);

/// Parameters of a scene that are a live one by another name, as `gravity = { softening = softening
/// }` makes them: they stand for its path, and for nothing else. Name to path.
std::map<std::string, std::string> same_parameters(const sim::SceneDescription& scene,
                                                   const sim::Settings& settings);

/// Says of every setting that hides a change of the file from `before` to `now`.
std::vector<std::string> hidden_changes(const sim::Settings& settings, const sim::Settings& before,
                                        const sim::Settings& now);

/// What a file's look has changed from `before` to `now`, in a look that the user may have changed
/// otherwise.
void take_look(sim::View& view, const sim::View& before, const sim::View& now);
bool same_camera(const sim::Camera& a, const sim::Camera& b);

/// The text that stands for a value in Settings.
std::string setting_text(const engine::ParamValue& value);

}  // namespace mote::app
