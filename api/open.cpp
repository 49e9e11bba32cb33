#include <cmath>
#include <filesystem>
#include <utility>

#include "api/bodies.h"
#include "api/mote.h"
#include "api/parts.h"
#include "api/scenes.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/output/checkpoint.h"
#include "sim/output/checkpoint_folder.h"
#include "sim/scene/read_scene.h"
#include "sim/source/reader.h"

namespace mote {
namespace {

namespace fs = std::filesystem;

/// Placeholder in the text of a scene for bodies given as arrays, since a scene must have bodies.
constexpr std::string_view placeholder =
    R"("bodies": [{"name": "given as arrays", "mass": 0, "position": [0, 0, 0], "velocity": [0, 0, 0]}])";

/// Converts an option's value; throws InputError with the allowed ones if unknown.
template <class Named>
auto choice(const char* option, const std::string& word, Named named, const char* words) {
  const auto value = named(word);
  if (!value)
    throw InputError(option, "unknown value: " + engine::quoted(word),
                     std::string("one of: ") + words);
  return *value;
}

sim::RunOptions run_options(const Options& options) {
  sim::RunOptions o;
  o.backend = choice("backend", options.backend, engine::backend_named, "auto, cpu, cuda");
  if (options.precision != "auto")
    o.precision = choice("precision", options.precision, engine::precision_named,
                         "auto, single, mixed, double");
  if (options.simd != "auto")
    o.simd = choice("simd", options.simd, engine::simd_level_named,
                    "auto, scalar, sse4.2, avx2, avx512");
  o.stepping = choice("stepping", options.stepping, sim::stepping_named,
                      "auto, launch, graph, cooperative, cluster");
  if (options.threads && (*options.threads < 1 || *options.threads > 4096))
    throw InputError("threads", "is out of range", "1 .. 4096");
  if (options.device && *options.device < 0) throw InputError("device", "is out of range", ">= 0");
  o.threads = options.threads;
  o.device = options.device;
  if (options.device && !options.devices.empty())
    throw InputError("devices", "is given beside device", "give one of them");
  if (!options.devices.empty()) sim::take_devices(o, options.devices);
  return o;
}

constexpr const char* arrays_file = "from_arrays.json";  ///< name of the scene in from_arrays

/// Removes command-line syntax: "--set n" becomes "n", "--precision double" "precision double".
void remove_option_dashes(std::string& text) {
  if (text.starts_with("--set ")) text.erase(0, 6);
  for (std::size_t at = 0; (at = text.find("--", at)) != text.npos;) text.erase(at, 2);
}

/// Calls `open` and adapts the problems of an InputError to the library. `with_lines`: lines of the
/// scene's text mean something to the caller.
template <class Open>
Simulation opened(Open open, bool with_lines = false) {
  try {
    return open();
  } catch (const InputError& e) {
    std::vector<Diagnostic> problems = e.diagnostics();
    for (Diagnostic& d : problems) {
      if (d.place.starts_with(arrays_file))
        d.place = "from_arrays" +
                  (with_lines ? d.place.substr(std::string_view(arrays_file).size()) : "");
      remove_option_dashes(d.place);
      remove_option_dashes(d.remedy);
    }
    throw InputError(std::move(problems));
  }
}

Simulation open(sim::SceneDescription scene, const Options& options,
                const std::string& reason = "") {
  sim::Plan plan = sim::make_plan(scene, run_options(options));
  if (!reason.empty()) plan.reasons.push_back(reason);
  auto simulation = sim::open_simulation(scene, plan);
  return Simulation(
      std::make_unique<Simulation::Parts>(std::move(scene), plan, std::move(simulation)));
}

/// The contents of run.json in a folder; null if there is none.
engine::Json record_of_run(const fs::path& folder) {
  std::error_code ignored;
  const fs::path file = folder / "run.json";
  if (!fs::is_regular_file(file, ignored)) return nullptr;
  try {
    engine::Json record = engine::parse_json(engine::read_file(file));
    return record.is_object() && record.contains("parameters") && record.contains("scene")
               ? record
               : nullptr;
  } catch (const std::exception&) {  // not a run.json of mote
    return nullptr;
  }
}

/// A warning for the scene file in the folder of a run, which does not contain that run's
/// parameters; "" if they are the same.
std::string reason_of_copied_scene(const fs::path& file, const sim::SceneDescription& scene) {
  const engine::Json record = record_of_run(file.parent_path());
  if (!record.is_object()) return "";
  std::string different;
  for (const sim::SceneParam& param : scene.params) {
    const auto was = record["parameters"].find(param.info.name);
    if (was != record["parameters"].end() && *was != sim::to_json(param.value))
      different +=
          (different.empty() ? "" : ", ") + param.info.name + " = " + engine::json_text(*was);
  }
  return different.empty() ? ""
                           : "parameters: as given here; the run in this folder had " + different;
}

fs::path find_scene(const fs::path& requested) {
  std::error_code ignored;
  if (requested.extension() == ".h5")
    throw InputError(requested.string(), "is not a scene but a snapshot or a checkpoint",
                     "use resume for a checkpoint");
  const fs::path above = requested.has_parent_path() ? requested.parent_path() : fs::path(".");
  const fs::path run = fs::is_directory(requested, ignored) ? requested : above;
  if ((run == requested || requested.filename() == "run.json") && record_of_run(run).is_object())
    throw InputError(requested.string(), "is not a scene but a run",
                     "use resume(\"" + run.string() +
                         "\") to continue from its last checkpoint, or load the scene file in it");
  if (fs::exists(requested, ignored)) return requested;
  if (const fs::path shipped = api::shipped_scene(requested); !shipped.empty()) return shipped;
  const std::vector<std::string> names = scenes();
  const std::string none =
      names.empty() ? "the scenes shipped with mote were not found: set MOTE_SCENES"
                    : engine::did_you_mean(requested.stem().string(), names, "mote has: ");
  throw InputError(requested.string(), "no such scene file", none);
}

/// The checkpoint in a file, or the last one in the folder of a run.
sim::Checkpoint checkpoint_at(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return sim::newest_checkpoint(path);
  try {
    return sim::read_checkpoint(path);
  } catch (const InputError& e) {
    std::vector<Diagnostic> problems = e.diagnostics();
    for (Diagnostic& d : problems)
      if (d.problem.starts_with("is not a checkpoint") && d.remedy.empty())
        d.remedy = "a snapshot cannot be resumed: load a scene with the bodies gadget { file = \"" +
                   path.filename().string() + "\" }, or run with checkpoints";
    throw InputError(std::move(problems));
  }
}

/// The scene with a placeholder for its bodies. Text that is not a JSON object is left to the
/// reader, which reports it.
std::string with_placeholder(std::string text) {
  const std::size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace == std::string::npos || text[brace] != '{') return text;
  const std::size_t next = text.find_first_not_of(" \t\r\n", brace + 1);
  const bool last = next == std::string::npos || text[next] == '}';
  return text.insert(brace + 1, std::string(placeholder) + (last ? "" : ", "));
}

}  // namespace

Simulation load(const std::string& requested, const Settings& settings, const Options& options) {
  const fs::path file = find_scene(requested);
  const sim::Trust trust = options.trust ? sim::Trust::yes : sim::Trust::no;
  return opened([&] {
    sim::SceneDescription scene = sim::read_scene(file, settings, trust);
    const std::string reason = reason_of_copied_scene(file, scene);
    return open(std::move(scene), options, reason);
  });
}

Simulation load_text(const std::string& text, const std::string& name, const Settings& settings,
                     const Options& options) {
  if (options.trust)
    throw InputError(name, "trust is not available for text", "load the scene from a file");
  return opened([&] { return open(sim::read_scene_text(name, text, settings), options); });
}

Simulation from_arrays(const Bodies& given, const std::string& text, const Options& options) {
  auto bodies = std::make_shared<const sim::Bodies>(api::checked_bodies(given, "from_arrays"));
  return opened(
      [&] {
        sim::SceneDescription scene = sim::read_scene_text(arrays_file, with_placeholder(text));
        scene.bodies = {{bodies->count(), [bodies](const sim::MakeContext&) { return *bodies; }}};
        // Double for any number of bodies: the scenes' default depends on it, and a study over that
        // number would have a jump.
        if (scene.head.precision == "auto" && options.precision == "auto") {
          Options in_double = options;
          in_double.precision = "double";
          return open(std::move(scene), in_double, "precision double: that of the arrays");
        }
        return open(std::move(scene), options);
      },
      text.find('\n') != text.npos);
}

std::string parameters_json(const std::string& path, const Options& options) {
  const sim::Trust trust = options.trust ? sim::Trust::yes : sim::Trust::no;
  engine::Json list = engine::Json::array();
  for (const sim::SceneParam& p : sim::read_scene(find_scene(path), {}, trust).params) {
    engine::Json one{{"name", p.info.name},
                     {"type", engine::name_of(p.type)},
                     {"default", sim::to_json(p.standard)},
                     {"live", p.live}};
    if (!p.info.help.empty()) one["doc"] = p.info.help;
    if (!p.info.unit.empty()) one["unit"] = p.info.unit;
    if (p.info.minimum > -engine::unbounded) one["minimum"] = p.info.minimum;
    if (p.info.maximum < engine::unbounded) one["maximum"] = p.info.maximum;
    if (!p.info.choices.empty()) one["choices"] = p.info.choices;
    list.push_back(std::move(one));
  }
  return engine::json_text(list);
}

Simulation resume(const std::string& path, const Options& options) {
  return opened([&] {
    const sim::Checkpoint checkpoint = checkpoint_at(path);
    sim::SceneDescription scene =
        sim::scene_of(checkpoint, options.trust ? sim::Trust::yes : sim::Trust::no);
    const sim::Plan plan = sim::make_plan(scene, sim::options_of(checkpoint, run_options(options)));
    auto simulation = sim::open_checkpoint(checkpoint, scene, plan);
    return Simulation(std::make_unique<Simulation::Parts>(
        std::move(scene), plan, std::move(simulation), checkpoint.edits, checkpoint.hook_data));
  });
}

std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const fs::path& scene : api::shipped_scenes()) names.push_back(scene.stem().string());
  return names;
}

std::string version() {
  return engine::build_info().version;
}

}  // namespace mote
