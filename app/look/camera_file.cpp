#include "app/look/camera_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/run/parse_time.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/text.h"

namespace mote::app {
namespace {

using engine::Json;

/// Reads one key and collects its problems.
class KeyReader {
 public:
  KeyReader(std::string location, const engine::UnitSystem& units,
            std::vector<engine::Diagnostic>& problems)
      : location_(std::move(location)), units_(units), problems_(problems) {}

  render::CameraKey read(const Json& json, double first, double last) {
    render::CameraKey key;
    if (!json.is_object()) {
      problem("", "is not a key", "write a key as in { \"at\": 0.5, \"azimuth\": 90 }");
      return key;
    }
    static const std::vector<std::string> known{"time",      "at",       "azimuth",
                                                "elevation", "distance", "target"};
    for (const auto& [name, ignored] : json.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        problem(name, "unknown key", engine::did_you_mean(name, known, "known"));
    if (json.contains("time") == json.contains("at"))
      problem("", "needs either time or at",
              "at runs from 0, the first snapshot, to 1, the last one");
    else
      key.at = json.contains("time") ? time(json["time"])
                                     : first + number(json, "at").value_or(0) * (last - first);
    key.azimuth = number(json, "azimuth");
    key.elevation = number(json, "elevation");
    key.distance = number(json, "distance");
    if (key.distance && *key.distance <= 0)
      problem("distance", "is not above 0", "give a length > 0");
    if (json.contains("target")) key.target = target(json["target"]);
    if (!key.azimuth && !key.elevation && !key.distance && !json.contains("target"))
      problem("", "does not change the camera", "give azimuth, elevation, distance or target");
    return key;
  }

 private:
  void problem(const std::string& key, const std::string& what, const std::string& remedy) {
    problems_.push_back({location_, key, what, remedy});
  }
  std::optional<double> number(const Json& json, const char* name) {
    if (!json.contains(name)) return std::nullopt;
    if (json[name].is_number() && std::isfinite(json[name].get<double>()))
      return json[name].get<double>();
    problem(name, "is not a number", "got " + engine::json_text(json[name]));
    return std::nullopt;
  }
  double time(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const std::string text = json.is_string() ? json.get<std::string>() : "";
    if (text.empty() || !number_of_time(text)) {
      problem("time", "is not a time", "write it as in 0.5 or \"200 Myr\"");
      return 0;
    }
    return *time_in(text, (location_ + ": time").c_str(), units_);
  }
  std::optional<glm::dvec3> target(const Json& json) {
    const bool good =
        json.is_array() && json.size() == 3 &&
        std::all_of(json.begin(), json.end(), [](const Json& x) { return x.is_number(); });
    if (!good) {
      problem("target", "is not a position", "write it as in [0, 0, 0]");
      return std::nullopt;
    }
    return glm::dvec3(json[0].get<double>(), json[1].get<double>(), json[2].get<double>());
  }

  std::string location_;
  const engine::UnitSystem& units_;
  std::vector<engine::Diagnostic>& problems_;
};

}  // namespace

render::CameraPath read_camera_path(const std::filesystem::path& file,
                                    const render::OrbitCamera& base,
                                    const engine::UnitSystem& units, double first, double last) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw engine::InputError("--camera " + file.string(), "no such file");
  Json json;
  try {
    json = engine::parse_json(engine::read_file(file));
  } catch (const Json::exception& error) {
    throw engine::InputError(file.string(), "is not valid JSON: " + std::string(error.what()));
  }
  if (!json.is_array() || json.empty())
    throw engine::InputError(
        file.string(), "is not a list of keys",
        "write it as in [ { \"at\": 0, \"azimuth\": 0 }, { \"at\": 1, \"azimuth\": 360 } ]");
  std::vector<engine::Diagnostic> problems;
  std::vector<render::CameraKey> keys;
  std::set<double> key_times;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string location = file.string() + ": key " + std::to_string(i + 1);
    const std::size_t before = problems.size();
    keys.push_back(KeyReader(location, units, problems).read(json[i], first, last));
    if (problems.size() == before && !key_times.insert(keys.back().at).second)
      problems.push_back(
          {location, "", "has the same time as another key", "give them different times"});
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return {base, std::move(keys)};
}

}  // namespace mote::app
