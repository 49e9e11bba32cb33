#include "sim/run/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "engine/json.h"
#include "engine/machine.h"
#include "engine/math/hash.h"
#include "engine/read_process.h"
#include "sim/io/moment.h"
#include "sim/run/checkpoint_files.h"
#include "sim/run/registry.h"
#include "sim/run/run_folder.h"
#include "sim/run/state_file.h"
#include "sim/scene/reader.h"
#include "sim/space/neighbours.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::Json;

/// The newer one is that of runs whose bodies have come or gone: their ids have gaps.
constexpr int format = 1, format_with_gaps = 2;
const std::array<std::string, 6> text_names{"checkpoint", "scene", "scene_text",
                                            "checksum",   "files", "forces"};

/// Of texts whose ends count, too.
std::string checksum_of(std::initializer_list<std::string_view> texts) {
  std::uint64_t hash = 0;
  for (const std::string_view text : texts) {
    hash = engine::hash_word(hash, text.size());
    for (std::size_t at = 0; at < text.size(); at += 8) {
      std::uint64_t word = 0;
      for (const char c : text.substr(at, 8)) word = word << 8 | static_cast<unsigned char>(c);
      hash = engine::hash_word(hash, word);
    }
  }
  return hash_text(hash);
}

/// JSON has no words for numbers that are not finite; null stands for them.
double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Json clockwork_json(const Clockwork& c) {
  Json json{
      {"step", c.step},           {"interactions", c.interactions}, {"base_step", c.base_step},
      {"base_time", c.base_time}, {"first_energy", c.first_energy}, {"measured", c.measured}};
  if (c.added + c.removed > 0) json["added"] = c.added, json["removed"] = c.removed;
  return json;
}

Clockwork read_clockwork(const Json& json) {
  return {json.at("step"),
          json.at("interactions"),
          json.at("base_step"),
          number_of(json.at("base_time")),
          number_of(json.at("first_energy")),
          json.at("measured"),
          json.value("added", std::uint64_t{0}),
          json.value("removed", std::uint64_t{0})};
}

Json live_json(const LiveSettings& live) {
  Json json = Json::object();
  for (const std::string& path : live_paths(live)) json[path] = to_json(live_value(live, path));
  return json;
}

Json names_json(const Simulation& simulation) {
  Json names = Json::array();
  bool any = false;
  for (Index column = 0; column < simulation.count(); ++column) {
    const std::string& name = simulation.name(simulation.id(column));
    names.push_back(name);
    any = any || !name.empty();
  }
  return any ? names : Json::array();
}

Json parameters_json(const SceneDescription& scene) {
  Json json = Json::object();
  for (const SceneParam& p : scene.params) json[p.info.name] = to_json(p.value);
  return json;
}

/// Of the species, which are no part of the hash of the state.
std::string species_hash(const State<Host>& state) {
  return checksum_of(
      {{reinterpret_cast<const char*>(state.species()), static_cast<std::size_t>(state.count())}});
}

Json record_of(Simulation& simulation, const SceneDescription& scene, const Plan& plan,
               std::span<const Edit> edits, const Json& hook_data, const Json& run,
               const StoredFiles& files, const std::string& memory) {
  const engine::BuildInfo& build = engine::build_info();
  const bool cuda = plan.backend == engine::Backend::cuda;
  const Clockwork& clock = simulation.clockwork();
  Json json{{"format", clock.added + clock.removed > 0 ? format_with_gaps : format},
            {"version", build.version},
            {"commit", build.commit},
            {"scene_file", scene.file.string()},
            {"trusted", scene.trust == Trust::yes},
            {"parameters", parameters_json(scene)},
            {"backend", engine::name_of(plan.backend)},
            {"precision", engine::name_of(plan.precision)},
            {"simd", engine::name_of(plan.cpu.simd)},
            {"device", cuda ? plan.device_name : engine::machine_info().processor},
            {"bodies", simulation.count()},
            {"clockwork", clockwork_json(clock)},
            {"time", simulation.time()},
            {"live", live_json(simulation.live())},
            {"edits", edits_json(edits)},
            {"state_hash", hash_text(simulation.hash())},
            {"names", names_json(simulation)}};
  if (!hook_data.is_null()) json["hook_data"] = hook_data;
  if (!run.is_null()) json["run"] = run;
  if (!files.list.empty())
    json["files"] = files.list, json["files_checksum"] = checksum_of({files.bytes});
  if (!memory.empty()) json["forces_checksum"] = checksum_of({memory});
  for (int k = 0; k < simulation.shape().memory; ++k)
    json["memory"].push_back(simulation.state().memory()[k]);
  if (simulation.with_species()) json["species_hash"] = species_hash(simulation.state());
  return json;
}

/// Whether ids are those of a simulation in the order of its columns: rising, and so many are gone.
bool are_whole(const std::vector<std::uint32_t>& ids, std::uint64_t gone) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end() &&
         (ids.empty() || ids.back() < ids.size() + gone);
}

class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path) : path_(path.string()) {
    checkpoint_.file = path;
  }

  Checkpoint read() {
    SnapshotOwn own = read_snapshot_own(checkpoint_.file, text_names);
    for (const std::string& name : text_names)
      if (!own.texts.contains(name) && name != "files" && name != "forces")
        wrong("is no checkpoint: there is no Mote/" + name);
    if (checksum_of({own.texts["checkpoint"], own.texts["scene"], own.texts["scene_text"]}) !=
        own.texts["checksum"])
      altered();
    checkpoint_.scene = std::move(own.texts["scene"]);
    checkpoint_.scene_text = std::move(own.texts["scene_text"]);
    try {
      const Json json = engine::parse_json(own.texts["checkpoint"]);
      record(json);
      files(json, own.texts["files"]);
      if (json.contains("forces_checksum") &&
          json["forces_checksum"] != checksum_of({own.texts["forces"]}))
        altered();
      checkpoint_.memory = std::move(own.texts["forces"]);
      bodies(own);
    } catch (const Json::exception&) {
      wrong("its Mote/checkpoint cannot be understood");
    } catch (const std::bad_optional_access&) {  // a name that stands for nothing
      wrong("its Mote/checkpoint cannot be understood");
    }
    return std::move(checkpoint_);
  }

 private:
  [[noreturn]] void wrong(const std::string& problem, const std::string& remedy = "") const {
    throw engine::InputError(path_, problem, remedy);
  }
  [[noreturn]] void altered() const {
    wrong("is damaged or was altered: it does not hold what was written",
          "use an earlier checkpoint, or copy it again");
  }

  void record(const Json& json) {
    Checkpoint& c = checkpoint_;
    c.version = json.at("version");
    if (json.at("format") != format && json.at("format") != format_with_gaps)
      wrong(fmt::format("is of format {}, this mote reads formats {} and {}",
                        engine::json_text(json.at("format")), format, format_with_gaps),
            "use mote " + c.version);
    c.scene_file = json.at("scene_file").get<std::string>();
    c.trusted = json.value("trusted", false);
    c.parameters = json.at("parameters");
    c.backend = engine::backend_named(json.at("backend").get<std::string>()).value();
    c.precision = engine::precision_named(json.at("precision").get<std::string>()).value();
    c.simd = engine::simd_level_named(json.at("simd").get<std::string>()).value();
    c.device = json.at("device");
    c.clockwork = read_clockwork(json.at("clockwork"));
    c.time = number_of(json.at("time"));
    live_ = json.at("live");
    edits_ = json.at("edits");
    hash_ = json.at("state_hash");
    if (json.contains("hook_data")) c.hook_data = json["hook_data"];
    if (json.contains("run")) c.run = json["run"];
    species_hash_ = json.value("species_hash", "");
    c.names = json.at("names").get<std::vector<std::string>>();
    count_ = json.at("bodies");
    memory_ = json.value("memory", Json::array());
  }

  /// Older motes forgot them; their scenes are read with the files on the disk.
  void files(const Json& json, const std::string& bytes) {
    if (!json.contains("files")) return;
    if (json.at("files_checksum") != checksum_of({bytes})) altered();
    checkpoint_.files = files_in(json["files"], bytes);
  }

  void bodies(const SnapshotOwn& own) {
    Checkpoint& c = checkpoint_;
    const Bodies bodies = read_snapshot(c.file);
    const SceneDescription scene = read_scene_text(path_ + ".json", c.scene);
    // Older motes forgot species: their files have none, and no body of theirs has one.
    const std::size_t species = species_hash_.empty() ? 0 : own.ids.size();
    if (bodies.count() != count_ || own.ids.size() != bodies.mass.size() ||
        own.species.size() != species || !are_whole(own.ids, c.clockwork.removed) ||
        (!c.names.empty() && c.names.size() != own.ids.size()))
      altered();
    const auto make = [&](const StateShape& shape) {
      State<Host> state = state_of(bodies, c.precision, shape);
      forget_listing(state);
      extras(own, state);
      std::copy(own.ids.begin(), own.ids.end(), state.id());
      if (state.with_species()) std::copy(own.species.begin(), own.species.end(), state.species());
      return std::make_shared<const State<Host>>(std::move(state));
    };
    const StateShape shape = shape_of(scene);
    // In older motes a fluid did not say where its neighbours were listed.
    const bool older = scene.fluid && shape.has(Extra::listed_x) && !own.extras.contains("ListedX");
    c.state = make(older ? shape.without(Extra::listed_x, 3) : shape);
    if (!species_hash_.empty() &&
        (scene.species.empty() || species_hash(*c.state) != species_hash_))
      altered();
    const engine::Cpu exec{engine::available_threads(), engine::best_simd_level()};
    c.hash = state_hash(exec, *c.state, c.time, c.clockwork.step);
    if (hash_text(c.hash) != hash_) altered();
    if (older) {
      c.state = make(shape);
      c.hash = state_hash(exec, *c.state, c.time, c.clockwork.step);
    }
    c.live = live_of(scene);
    c.edits = read_edits(edits_, path_, c.live);
    for (const auto& [path, value] : live_.items())
      if (!value.is_null()) set_live(c.live, path, value.get<double>());
  }

  void extras(const SnapshotOwn& own, State<Host>& state) {
    if (static_cast<int>(memory_.size()) != state.shape().memory) altered();
    std::transform(memory_.begin(), memory_.end(), state.memory(),
                   [](const Json& j) { return number_of(j); });
    state.visit([&]<class Real>(StateView<Real> s) {
      const auto fill = [&](std::string_view name, Real* column) {
        const auto found = own.extras.find(std::string(name));
        if (found == own.extras.end() && name.starts_with("Listed")) return;  // of an older mote
        if (found == own.extras.end() || found->second.size() != own.ids.size()) altered();
        std::transform(found->second.begin(), found->second.end(), column,
                       [](double value) { return static_cast<Real>(value); });
      };
      for (const ExtraInfo& info : extra_infos)
        if (info.kept && s.column(info.extra)) fill(info.name, s.column(info.extra));
      Real* const a[3] = {s.ax, s.ay, s.az};
      for (std::size_t axis = 0; axis < 3 && state.shape().remembers; ++axis)
        fill(acceleration_names[axis], a[axis]);
    });
  }

  std::string path_, hash_, species_hash_;
  Checkpoint checkpoint_{};
  Json live_, edits_, memory_;
  Index count_ = 0;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Simulation& simulation,
                      const SceneDescription& scene, const Plan& plan, std::span<const Edit> edits,
                      const engine::JsonBox& hook_data, const engine::JsonBox& run) {
  const auto text_of = [](const Json& json) { return engine::json_text(json, 1); };
  const StoredFiles files = stored(files_of(scene));
  const std::string memory = simulation.force_memory();
  const std::string record = text_of(
                        record_of(simulation, scene, plan, edits, hook_data, run, files, memory)),
                    full = text_of(scene.expanded);
  const std::string checksum = checksum_of({record, full, scene.text});
  std::vector<SnapshotText> texts{
      {"checkpoint", record}, {"scene", full}, {"scene_text", scene.text}, {"checksum", checksum}};
  if (!files.list.empty()) texts.push_back({"files", files.bytes});
  if (!memory.empty()) texts.push_back({"forces", memory});
  write_state(path, simulation, scene, texts, true);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const engine::ReadSession one_reader;  // for texts and bodies
  return CheckpointReader(path).read();
}

}  // namespace mote::sim
