#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/units.h"
#include "sim/source/source.h"

namespace mote::sim {

/// The `param` calls of one scene: applies settings of the command line, checks values and stores
/// the descriptions.
class ParamCalls {
 public:
  /// `files`: of the scene, see lines_per_file; files may be added while the scene is read.
  ParamCalls(const std::vector<std::string>& files, const Settings& settings,
             std::vector<engine::Diagnostic>& problems);

  /// param(name, standard, options), or `live` with the same arguments. Returns the value to use, a
  /// valid setting, else the default, with the number of the parameter in case of `live`. Problems
  /// are recorded and do not stop the script.
  Value call(bool live, int line, const Value& name, const Value& standard, const Table& options);

  const std::vector<SceneParam>& params() const { return params_; }
  const Settings& unused() const { return unused_; }

 private:
  void problem(const std::string& location, const std::string& key, std::string what,
               std::string remedy = "");
  void read_options(const std::string& location, const Table& options, SceneParam& param);
  void read_choices(const std::string& location, const Value& choices, SceneParam& param);
  Value choose(const std::string& name, const Value& standard, SceneParam& param);

  const std::vector<std::string>& files_;
  Settings unused_;
  std::vector<engine::Diagnostic>* problems_;
  std::vector<SceneParam> params_;
};

/// A value as a setting by the name of a parameter: texts as they are. (A setting by path quotes
/// them: engine::text_of.)
std::string param_setting(const engine::ParamValue& value);

/// Converts defaults and values such as "220 km/s" to numbers, once the units of the scene are
/// known.
void resolve_units(std::vector<SceneParam>& params, const engine::UnitSystem& units,
                   std::vector<engine::Diagnostic>& problems);

/// Sets SceneParam::paths to where the scene's table has the values of `live`.
void find_live_values(std::vector<SceneParam>& params, const Value& scene);

/// Paths of the live parameters that `name` sets: those of a `live` of the scene with this name,
/// else `name` alone, as a path.
std::vector<std::string> live_paths_of(std::span<const SceneParam> params, const std::string& name);

}  // namespace mote::sim
