#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/body_looks.h"
#include "sim/run/live.h"
#include "sim/scene/description.h"

namespace mote::app {

/// Effects of setting a parameter.
struct Change {
  sim::Settings settings;  ///< settings for the next opening
  sim::View view;
  sim::LiveEdits edits = {};                       ///< now
  bool restart = false;                            ///< anything else differs from the open scene
  bool color_changed = false;                      ///< the view's scalar has changed
  std::map<std::size_t, render::Look> looks = {};  ///< looks of species, by their number in the
                                                   ///< scene
};

/// `path`: a parameter that the scene defines with `param`, or a path such as gravity.softening.
/// The scene is read with the new value: if only live parameters and the view differ, they change
/// live; else the change requires a restart. Throws InputError for an invalid value.
Change change_of(const sim::SceneDescription& open, const sim::Settings& settings,
                 const sim::View& view, const sim::LiveSettings& live, const std::string& path,
                 const engine::ParamValue& value);

/// The change of a parameter of `live`, without reading the scene; nothing if `name` is none, the
/// scene does not use it, or the value has to be converted.
std::optional<Change> live_change_of(const sim::SceneDescription& open,
                                     const sim::Settings& settings, const sim::View& view,
                                     const sim::LiveSettings& live, const std::string& name,
                                     const engine::ParamValue& value);
/// The current value of a parameter of `live`; empty for others.
engine::ParamValue current_value(const sim::SceneParam& param, const sim::View& view,
                                 const sim::LiveSettings& live);

/// Values in the scene's file, without `settings`: parameters, live parameters and the view.
sim::Settings file_settings(const sim::SceneDescription& scene, const sim::Settings& settings);

/// Messages for settings that hide a change of the file from `before` to `now`.
std::vector<std::string> hidden_changes(const sim::Settings& settings, const sim::Settings& before,
                                        const sim::Settings& now);

/// Applies the changes of a file's view from `before` to `now`, keeping other changes of the user.
void merge_view_changes(sim::View& view, const sim::View& before, const sim::View& now);
bool same_camera(const sim::Camera& a, const sim::Camera& b);

/// A value as text, for Settings.
std::string setting_text(const engine::ParamValue& value);

}  // namespace mote::app
