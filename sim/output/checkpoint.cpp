#include "sim/output/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "engine/json.h"
#include "engine/machine.h"
#include "engine/math/hash.h"
#include "engine/read_process.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/output/checkpoint_files.h"
#include "sim/output/run_folder.h"
#include "sim/output/state_file.h"
#include "sim/scene/read_scene.h"
#include "sim/source/reader.h"
#include "sim/space/body_order.h"
#include "sim/space/neighbours.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::Json;
using Columns = std::map<std::string, std::vector<double>>;

/// The second is for runs that have added or removed bodies: their ids have gaps. The third is for
/// bodies with optional fields, whose state hash leaves out those of algorithms. The fourth is for
/// bodies in an order of their own in memory.
constexpr int format = 1, format_with_gaps = 2, format_with_fields = 3, format_with_order = 4;
/// Optional fields in the state hash of files before the third format, in its order.
constexpr std::array<std::string_view, 21> fields_before{
    "Radius", "Density", "SpinX",   "SpinY",       "SpinZ",     "ImageX",    "ImageY",
    "ImageZ", "ListedX", "ListedY", "ListedZ",     "ShiftX",    "ShiftY",    "ShiftZ",
    "StartX", "StartY",  "StartZ",  "DensityRate", "SpinRateX", "SpinRateY", "SpinRateZ"};
const std::array<std::string, 4> text_names{"checkpoint", "scene", "scene_text", "checksum"};

/// Optional texts, with their own checksums.
struct HiddenText {
  std::string name;
  std::string HiddenState::*member;
};
const std::array<HiddenText, 3> hidden_texts{{{"forces", &HiddenState::forces},
                                              {"integrator", &HiddenState::integrator},
                                              {"order", &HiddenState::order}}};

/// Lengths are hashed, too, so moving bytes from one text to the next changes the checksum.
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

/// JSON has no literals for non-finite numbers; they are stored as null.
double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Json run_clock_json(const RunClock& c) {
  Json json{{"step", c.clock.step},           {"base_step", c.clock.base_step},
            {"base_time", c.clock.base_time}, {"dt", c.clock.dt},
            {"interactions", c.interactions}, {"first_energy", c.first_energy},
            {"measured", c.measured}};
  if (c.clock.base_rounding != 0) json["base_rounding"] = c.clock.base_rounding;
  if (c.proposed > 0) json["proposed"] = c.proposed;
  if (c.largest_step) json["largest_step"] = *c.largest_step;
  if (c.less_given_since > 0) json["less_given_since"] = c.less_given_since;
  if (c.energy_before_work) json["energy_before_work"] = *c.energy_before_work;
  if (c.added + c.removed > 0) json["added"] = c.added, json["removed"] = c.removed;
  return json;
}

RunClock read_run_clock(const Json& json) {
  RunClock c{.clock = {.step = json.at("step"),
                       .base_step = json.at("base_step"),
                       .base_time = number_of(json.at("base_time")),
                       .base_rounding = json.value("base_rounding", 0.0),
                       .dt = json.value("dt", 0.0)},
             .proposed = json.value("proposed", 0.0),
             .interactions = json.at("interactions"),
             .first_energy = number_of(json.at("first_energy")),
             .measured = json.at("measured"),
             .less_given_since = json.value("less_given_since", std::uint64_t{0}),
             .added = json.value("added", std::uint64_t{0}),
             .removed = json.value("removed", std::uint64_t{0})};
  if (json.contains("energy_before_work"))
    c.energy_before_work = number_of(json["energy_before_work"]);
  if (json.contains("largest_step"))
    c.largest_step = json["largest_step"].is_null() ? std::numeric_limits<double>::infinity()
                                                    : json["largest_step"].get<double>();
  return c;
}

Json live_json(const LiveSettings& live) {
  Json json = Json::object();
  for (const std::string& path : live_paths(live)) json[path] = to_json(live_value(live, path));
  return json;
}

Json names_json(const Simulation& simulation) {
  Json names = Json::array();
  bool any = false;
  for (Index i = 0; i < simulation.count(); ++i) {
    const std::string& name = simulation.name(simulation.id(i));
    names.push_back(name);
    any = any || !name.empty();
  }
  return any ? names : Json::array();
}

/// Lists of index, colour and radius, of the bodies that have looks of their own.
Json looks_json(const Simulation& simulation) {
  Json looks = Json::array();
  for (const Index i : simulation.with_looks(static_cast<std::size_t>(simulation.count()))) {
    const BodyLook& look = simulation.look(simulation.id(i));
    looks.push_back(Json::array({i, look.color, look.radius}));
  }
  return looks;
}

std::vector<BodyLook> read_looks(const Json& json, Index count) {
  std::vector<BodyLook> looks(json.empty() ? 0 : static_cast<std::size_t>(count));
  for (const Json& item : json)
    looks.at(item.at(0)) = {item.at(1).get<std::string>(), item.at(2).get<double>()};
  return looks;
}

Json parameters_json(const SceneDescription& scene) {
  Json json = Json::object();
  for (const SceneParam& p : scene.params) json[p.info.name] = to_json(p.value);
  return json;
}

/// Paths of the parameters that the scene made live, by name.
Json live_names_json(const SceneDescription& scene) {
  Json json = Json::object();
  for (const SceneParam& p : scene.params)
    if (p.live && !p.paths.empty()) json[p.info.name] = p.paths;
  return json;
}

/// Hash of the species column, which the state hash does not cover.
std::string species_hash(const State<Host>& state) {
  return checksum_of(
      {{reinterpret_cast<const char*>(state.species()), static_cast<std::size_t>(state.count())}});
}

/// Checksum of the columns of algorithms, which the state hash does not cover.
std::string algorithm_checksum(const State<Host>& state) {
  std::string bytes;
  state.visit([&](auto s) {
    for (const FieldInfo* field : state.layout().fields_of(FieldUse::algorithm))
      bytes.append(reinterpret_cast<const char*>(s[*field]),
                   static_cast<std::size_t>(s.count) * sizeof *s.x);
  });
  return checksum_of({bytes});
}

/// The fields that the state hash covered before the third format, in its order.
FieldList hashed_before(const StateLayout& layout) {
  FieldList hashed;
  for (const std::string_view name : fields_before)
    for (const FieldInfo* field : layout.fields)
      if (field->name == name) hashed.push_back(field);
  return hashed;
}

}  // namespace

std::uint64_t state_hash_before_fields(const engine::Cpu& exec, const State<Host>& state,
                                       double time, std::uint64_t step) {
  return state_hash(exec, state, time, step, hashed_before(state.layout()));
}

namespace {

int format_of(const Simulation& simulation, const HiddenState& hidden) {
  if (!hidden.order.empty()) return format_with_order;
  if (!simulation.layout().fields.empty()) return format_with_fields;
  const RunClock& clock = simulation.run_clock();
  return clock.added + clock.removed > 0 ? format_with_gaps : format;
}

Json metadata_json(Simulation& simulation, const SceneDescription& scene, const Plan& plan,
                   std::span<const Edit> edits, const Json& hook_data, const Json& run,
                   const StoredFiles& files, const HiddenState& hidden) {
  const engine::BuildInfo& build = engine::build_info();
  const bool cuda = plan.backend == engine::Backend::cuda;
  const RunClock& clock = simulation.run_clock();
  Json json{{"format", format_of(simulation, hidden)},
            {"version", build.version},
            {"commit", build.commit},
            {"scene_file", scene.file.string()},
            {"trusted", scene.trust == Trust::yes},
            {"parameters", parameters_json(scene)},
            {"live_names", live_names_json(scene)},
            {"backend", engine::name_of(plan.backend)},
            {"precision", engine::name_of(plan.precision)},
            {"simd", engine::name_of(plan.cpu.simd)},
            {"device", cuda ? plan.device_name : engine::machine_info().processor},
            {"bodies", simulation.count()},
            {"clockwork", run_clock_json(clock)},
            {"time", simulation.time()},
            {"live", live_json(simulation.live())},
            {"edits", edits_json(edits)},
            {"state_hash", hash_text(simulation.hash())},
            {"names", names_json(simulation)}};
  if (Json looks = looks_json(simulation); !looks.empty()) json["looks"] = std::move(looks);
  if (!hook_data.is_null()) json["hook_data"] = hook_data;
  if (!run.is_null()) json["run"] = run;
  if (!files.index.empty())
    json["files"] = files.index, json["files_checksum"] = checksum_of({files.bytes});
  for (const auto& [name, member] : hidden_texts)
    if (!(hidden.*member).empty()) json[name + "_checksum"] = checksum_of({hidden.*member});
  for (int k = 0; k < simulation.layout().global_count(); ++k)
    json["memory"].push_back(simulation.state().globals()[k]);
  if (simulation.with_species()) json["species_hash"] = species_hash(simulation.state());
  if (!simulation.layout().fields_of(FieldUse::algorithm).empty())
    json["algorithm_checksum"] = algorithm_checksum(simulation.state());
  return json;
}

/// True if ids increase strictly and have no more gaps than bodies were removed.
bool ids_consistent(const std::vector<std::uint32_t>& ids, std::uint64_t removed) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end() &&
         (ids.empty() || ids.back() < ids.size() + removed);
}

class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path) : path_(path.string()) {
    checkpoint_.file = path;
  }

  Checkpoint read() {
    std::vector<std::string> names(text_names.begin(), text_names.end());
    names.emplace_back("files");
    for (const HiddenText& text : hidden_texts) names.push_back(text.name);
    MoteFields own = read_mote_fields(checkpoint_.file, names);
    for (const std::string& name : text_names)
      if (!own.texts.contains(name)) fail("is not a checkpoint: it has no dataset Mote/" + name);
    if (checksum_of({own.texts["checkpoint"], own.texts["scene"], own.texts["scene_text"]}) !=
        own.texts["checksum"])
      fail_checksum();
    checkpoint_.scene = std::move(own.texts["scene"]);
    checkpoint_.scene_text = std::move(own.texts["scene_text"]);
    try {
      const Json json = engine::parse_json(own.texts["checkpoint"]);
      read_metadata(json);
      read_files(json, own.texts["files"]);
      for (const auto& [name, member] : hidden_texts) {
        const std::string key = name + "_checksum";
        if (json.contains(key) && json[key] != checksum_of({own.texts[name]})) fail_checksum();
        checkpoint_.hidden.*member = std::move(own.texts[name]);
      }
      read_bodies(own);
    } catch (const Json::exception&) {
      fail("its dataset Mote/checkpoint is malformed");
    } catch (const std::out_of_range&) {  // a look of no body
      fail("its dataset Mote/checkpoint is malformed");
    } catch (const std::bad_optional_access&) {  // an unknown backend, precision or SIMD level
      fail("its dataset Mote/checkpoint is malformed");
    }
    return std::move(checkpoint_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const {
    throw engine::InputError(path_, problem, remedy);
  }
  [[noreturn]] void fail_checksum() const {
    fail("is damaged or was altered: its checksums do not match",
         "use an earlier checkpoint, or copy it again");
  }

  void read_metadata(const Json& json) {
    Checkpoint& c = checkpoint_;
    c.version = json.at("version");
    const Json& number = json.at("format");
    if (!number.is_number_integer() || number.get<std::int64_t>() < format ||
        number.get<std::int64_t>() > format_with_order)
      fail(fmt::format("has format {}; this version of mote reads formats {} to {}",
                       engine::json_text(number), format, format_with_order),
           "use mote " + c.version);
    before_fields_ = number.get<std::int64_t>() < format_with_fields;
    c.scene_file = json.at("scene_file").get<std::string>();
    c.trusted = json.value("trusted", false);
    c.parameters = json.at("parameters");
    if (json.contains("live_names")) c.live_names = json["live_names"];
    c.backend = engine::backend_named(json.at("backend").get<std::string>()).value();
    c.precision = engine::precision_named(json.at("precision").get<std::string>()).value();
    c.simd = engine::simd_level_named(json.at("simd").get<std::string>()).value();
    c.device = json.at("device");
    c.run_clock = read_run_clock(json.at("clockwork"));
    c.time = number_of(json.at("time"));
    live_ = json.at("live");
    edits_ = json.at("edits");
    hash_ = json.at("state_hash");
    if (json.contains("hook_data")) c.hook_data = json["hook_data"];
    if (json.contains("run")) c.run = json["run"];
    species_hash_ = json.value("species_hash", "");
    algorithm_checksum_ = json.value("algorithm_checksum", "");
    c.names = json.at("names").get<std::vector<std::string>>();
    count_ = json.at("bodies");
    c.looks = read_looks(json.value("looks", Json::array()), count_);
    globals_ = json.value("memory", Json::array());
  }

  /// Older versions did not store files; their scenes read them from disk.
  void read_files(const Json& json, const std::string& bytes) {
    if (!json.contains("files")) return;
    if (json.at("files_checksum") != checksum_of({bytes})) fail_checksum();
    checkpoint_.files = unpack_files(json["files"], bytes);
  }

  void read_bodies(const MoteFields& own) {
    Checkpoint& c = checkpoint_;
    const Bodies bodies = read_snapshot(c.file);
    const SceneDescription scene = read_scene_text(path_ + ".json", c.scene);
    // Older versions did not store species; then no body has one.
    const std::size_t species = species_hash_.empty() ? 0 : own.ids.size();
    if (bodies.count() != count_ || own.ids.size() != bodies.mass.size() ||
        own.species.size() != species || !ids_consistent(own.ids, c.run_clock.removed) ||
        (!c.names.empty() && c.names.size() != own.ids.size()) ||
        !is_body_order(c.hidden.order, count_))
      fail_checksum();
    c.live = live_of(scene);
    c.edits = read_edits(edits_, path_, c.live);
    for (const auto& [path, value] : live_.items())
      if (!value.is_null()) set_live(c.live, path, value.get<double>());
    Model model = scene;
    apply(c.live, model);
    State<Host> state = state_of(bodies, c.precision, layout_of(model));
    const Columns columns = read_columns(c.file, column_names(state.layout()));
    reset_list_origins(state);
    fill_columns(columns, state);
    std::copy(own.ids.begin(), own.ids.end(), state.id());
    if (state.with_species()) std::copy(own.species.begin(), own.species.end(), state.species());
    if (!species_hash_.empty() && (scene.species.empty() || species_hash(state) != species_hash_))
      fail_checksum();
    const engine::Cpu exec{engine::available_threads(), engine::best_simd_level()};
    c.hash = state_hash(exec, state, c.time, c.run_clock.clock.step);
    FieldList hashed = before_fields_ ? hashed_before(state.layout()) : FieldList{};
    std::erase_if(hashed, [&](const FieldInfo* field) {  // not yet stored by that version
      return !columns.contains(std::string(field->name));
    });
    const std::uint64_t stored =
        before_fields_ ? state_hash(exec, state, c.time, c.run_clock.clock.step, hashed) : c.hash;
    if (hash_text(stored) != hash_) fail_checksum();
    if (!before_fields_ && !state.layout().fields_of(FieldUse::algorithm).empty() &&
        algorithm_checksum(state) != algorithm_checksum_)
      fail_checksum();
    c.state = std::make_shared<const State<Host>>(std::move(state));
    if (c.run_clock.clock.dt > 0) return;
    // Older versions stored no length of steps beside the live one, which followed the flow.
    c.run_clock.clock.dt = c.live.dt;
    if (flow_of(scene.integrator).courant) c.live.dt = scene.integrator.dt;
  }

  static std::vector<std::string> column_names(const StateLayout& layout) {
    std::vector<std::string> names;
    for (const FieldInfo* field : layout.fields) names.emplace_back(field->name);
    if (layout.stores_accelerations)
      names.insert(names.end(), acceleration_names.begin(), acceleration_names.end());
    return names;
  }

  void fill_columns(const Columns& columns, State<Host>& state) {
    if (static_cast<int>(globals_.size()) != state.layout().global_count()) fail_checksum();
    std::transform(globals_.begin(), globals_.end(), state.globals(),
                   [](const Json& j) { return number_of(j); });
    state.visit([&]<class Real>(StateView<Real> s) {
      const auto fill = [&](std::string_view name, Real* column) {
        const auto found = columns.find(std::string(name));
        if (found == columns.end() || static_cast<Index>(found->second.size()) != s.count)
          fail_checksum();
        std::transform(found->second.begin(), found->second.end(), column,
                       [](double value) { return static_cast<Real>(value); });
      };
      for (int k = 0; k < s.field_count; ++k) {
        const FieldInfo& field = *s.field_info[k];
        // Older versions did not store the positions at which lists of fluids were built.
        const bool absent = before_fields_ && !columns.contains(std::string(field.name));
        if (!absent || field.use != FieldUse::algorithm) fill(field.name, s.field_column[k]);
      }
      Real* const a[3] = {s.ax, s.ay, s.az};
      for (std::size_t axis = 0; axis < 3 && state.layout().stores_accelerations; ++axis)
        fill(acceleration_names[axis], a[axis]);
    });
  }

  std::string path_, hash_, species_hash_, algorithm_checksum_;
  bool before_fields_ = false;  ///< the file has a format before format_with_fields
  Checkpoint checkpoint_{};
  Json live_, edits_, globals_;
  Index count_ = 0;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Simulation& simulation,
                      const SceneDescription& scene, const Plan& plan, std::span<const Edit> edits,
                      const engine::JsonBox& hook_data, const engine::JsonBox& run) {
  const auto text_of = [](const Json& json) { return engine::json_text(json, 1); };
  const StoredFiles files = pack_files(files_of(scene));
  const HiddenState hidden = simulation.hidden_state();
  const std::string metadata = text_of(metadata_json(simulation, scene, plan, edits, hook_data, run,
                                                     files, hidden)),
                    expanded = text_of(scene.expanded);
  const std::string checksum = checksum_of({metadata, expanded, scene.text});
  std::vector<SnapshotText> texts{{"checkpoint", metadata},
                                  {"scene", expanded},
                                  {"scene_text", scene.text},
                                  {"checksum", checksum}};
  if (!files.index.empty()) texts.push_back({"files", files.bytes});
  for (const auto& [name, member] : hidden_texts)
    if (!(hidden.*member).empty()) texts.push_back({name, hidden.*member});
  write_state(path, simulation, scene, texts, true);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const engine::ReadSession one_reader;  // shared by the reads of texts and of bodies
  return CheckpointReader(path).read();
}

}  // namespace mote::sim
