#include "sim/run/calls.h"

#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/model/body_edits.h"

namespace mote::sim {
namespace {

using engine::Json;
using engine::ParamValue;

/// Throws SystemError for a call that this simulation cannot have been sent.
void expect(bool possible) {
  if (!possible)
    throw engine::SystemError("repeat a call of rank 0", "it is of another simulation",
                              "this is an error of mote: please report it");
}

/// JSON in its binary form (CBOR), which keeps all bits of numbers. {"call": name, ...}.
std::string bytes_of(const Json& call) {
  std::string bytes;
  Json::to_cbor(call, bytes);
  return bytes;
}
Json call_of(const char* name) {
  return Json{{"call", name}};
}
/// A call with one argument.
template <class T>
std::string bytes_of(const char* name, const char* argument, const T& value) {
  Json call = call_of(name);
  call[argument] = value;
  return bytes_of(call);
}

Json binary(const void* from, std::size_t bytes) {
  const auto* const begin = static_cast<const std::uint8_t*>(from);
  return Json::binary(std::vector<std::uint8_t>(begin, begin + bytes));
}
template <class T>
Json binary(std::span<const T> values) {
  return binary(values.data(), values.size_bytes());
}
template <class T>
std::vector<T> values_of(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
Json text(const std::string& bytes) {
  return binary(bytes.data(), bytes.size());
}
std::string text_of(const Json& json) {
  const std::vector<char> bytes = values_of<char>(json);
  return {bytes.begin(), bytes.end()};
}

Json json_of(const ParamValue& value) {
  return std::visit(
      []<class T>(const T& v) {
        if constexpr (std::is_same_v<T, std::monostate>)
          return Json();
        else if constexpr (std::is_same_v<T, engine::Vec3d>)
          return Json::array({v.x, v.y, v.z});
        else
          return Json(v);
      },
      value);
}
ParamValue value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return engine::Vec3d{json[0], json[1], json[2]};
  return {};
}

Json json_of(const LiveSettings& live) {
  Json values = Json::array();
  for (const PhysicsParam& param : live.physics)
    values.push_back(Json::array({param.path, json_of(param.value)}));
  return {{"values", values}, {"dt", live.dt}};
}
/// `live`: those of a simulation of the same scene.
LiveSettings live_of(const Json& json, LiveSettings live) {
  const Json& values = json.at("values");
  expect(values.size() == live.physics.size());
  for (std::size_t k = 0; k < live.physics.size(); ++k) {
    expect(values[k][0] == live.physics[k].path);
    live.physics[k].value = value_of(values[k][1]);
  }
  live.dt = json.at("dt");
  return live;
}

Json json_of(const Quantity& quantity) {
  return Json::array({static_cast<int>(quantity.kind), quantity.expression});
}
Quantity quantity_of(const Json& json) {
  Quantity quantity(static_cast<Scalar>(json[0].get<int>()));
  quantity.expression = json[1];
  return quantity;
}

HistogramRequest histogram_of(const Json& call) {
  HistogramRequest request;
  request.scalar = quantity_of(call.at("scalar"));
  request.bins = call.at("bins");
  if (call.contains("range")) request.range = {call["range"][0], call["range"][1]};
  const Json& center = call.at("center");
  request.center = {center[0], center[1], center[2]};
  return request;
}

PackRequest pack_of(const Json& call) {
  PackRequest request;
  const Json& origin = call.at("origin");
  request.origin = {origin[0], origin[1], origin[2]};
  request.scalar = quantity_of(call.at("scalar"));
  if (call.contains("species_radii")) {
    const std::vector<float> radii = values_of<float>(call["species_radii"]);
    SpeciesRadii& of_species = request.species_radii.emplace();
    expect(radii.size() == std::size(of_species.of));
    std::copy(radii.begin(), radii.end(), of_species.of);
  }
  return request;
}

/// The columns of a state, and the numbers of the system.
Json json_of(const State<engine::Host>& state) {
  Json columns = Json::array();
  const auto add = [&](const auto* column) {
    columns.push_back(binary(std::span(column, static_cast<std::size_t>(state.count()))));
  };
  for_columns(const_cast<State<engine::Host>&>(state), state,
              [&](const auto*, const auto* column, bool /*physical*/) { add(column); });
  return {{"count", state.count()},
          {"columns", columns},
          {"globals", binary(std::span(state.globals(),
                                       static_cast<std::size_t>(state.layout().global_count())))}};
}
/// `like`: a simulation of states with the same columns.
State<engine::Host> state_of(const Json& json, const Simulation& like) {
  State<engine::Host> state(json.at("count").get<engine::Index>(), like.precision(), like.layout());
  std::size_t next = 0;
  for_columns(state, std::as_const(state), [&](auto* to, const auto*, bool /*physical*/) {
    const auto& bytes = json.at("columns").at(next++).get_binary();
    expect(bytes.size() == static_cast<std::size_t>(state.count()) * sizeof *to);
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  });
  const std::vector<double> globals = values_of<double>(json.at("globals"));
  std::copy(globals.begin(), globals.end(), state.globals());
  return state;
}

static_assert(std::is_trivially_copyable_v<RunClock>);

}  // namespace

void CalledRanks::advance() {
  call(bytes_of(call_of("advance")));
}
void CalledRanks::measure() {
  call(bytes_of(call_of("measure")));
}
void CalledRanks::hash() {
  call(bytes_of(call_of("hash")));
}
void CalledRanks::state() {
  call(bytes_of(call_of("state")));
}
void CalledRanks::potentials() {
  call(bytes_of(call_of("potentials")));
}
void CalledRanks::force_errors() {
  call(bytes_of(call_of("force_errors")));
}
void CalledRanks::rank_work() {
  call(bytes_of(call_of("rank_work")));
}

void CalledRanks::hidden_state() {
  call(bytes_of(call_of("hidden_state")));
}
void CalledRanks::block_steps() {
  call(bytes_of(call_of("block_steps")));
}
void CalledRanks::show_time(double time) {
  call(bytes_of("show_time", "time", time));
}
void CalledRanks::show_present_time() {
  call(bytes_of(call_of("show_present_time")));
}

void CalledRanks::histogram(const HistogramRequest& request) {
  Json json = call_of("histogram");
  json["scalar"] = json_of(request.scalar);
  json["bins"] = request.bins;
  if (request.range) json["range"] = Json::array({request.range->low, request.range->high});
  json["center"] = Json::array({request.center.x, request.center.y, request.center.z});
  call(bytes_of(json));
}

void CalledRanks::pack(const FrameKind& kind, const PackRequest& request) {
  Json json = call_of("pack");
  json["kind"] = Json::array({kind.with_radii, kind.on_device});
  json["origin"] = Json::array({request.origin.x, request.origin.y, request.origin.z});
  json["scalar"] = json_of(request.scalar);
  if (request.species_radii)
    json["species_radii"] = binary(std::span<const float>(request.species_radii->of));
  call(bytes_of(json));
}

void CalledRanks::check_capacity(engine::Index more) {
  call(bytes_of("check_capacity", "more", more));
}

void CalledRanks::change(const LiveSettings& live) {
  call(bytes_of("change", "live", json_of(live)));
}

void CalledRanks::change_bodies(const BodyChange& change) {
  call(bytes_of("change_bodies", "bodies", body_change_json(change)));
}

void CalledRanks::change_values(const BodyValues& values) {
  Json json = call_of("change_values");
  json["mass"] = binary(values.mass);
  json["position"] = binary(values.position);
  json["velocity"] = binary(values.velocity);
  call(bytes_of(json));
}

void CalledRanks::resume(const State<engine::Host>& state, const RunClock& run_clock,
                         const LiveSettings& live, const HiddenState& hidden) {
  Json json = call_of("resume");
  json["state"] = json_of(state);
  json["clock"] = binary(&run_clock, sizeof run_clock);
  json["live"] = json_of(live);
  json["hidden"] = Json::array({text(hidden.forces), text(hidden.integrator), text(hidden.order)});
  call(bytes_of(json));
}

std::shared_ptr<const std::uint64_t> CalledRanks::save() {
  const std::uint64_t number = saved_++;
  call(bytes_of("save", "number", number));
  return {new std::uint64_t(number), [forgotten = forgotten_](const std::uint64_t* held) {
            const std::lock_guard lock(forgotten->mutex);
            forgotten->numbers.push_back(*held);
            delete held;
          }};
}

void CalledRanks::restore(std::uint64_t number) {
  call(bytes_of("restore", "number", number));
}

void CalledRanks::call(std::string bytes) {
  std::vector<std::uint64_t> numbers;
  {
    const std::lock_guard lock(forgotten_->mutex);
    numbers.swap(forgotten_->numbers);
  }
  for (const std::uint64_t number : numbers) {
    begin(bytes_of("forget", "number", number));
    end();
  }
  begin(std::move(bytes));
}

void CalledSimulation::repeat(const std::string& bytes) {
  const Json call = Json::from_cbor(bytes);
  const std::string name = call.at("call");
  Simulation& s = *simulation_;
  const auto number = [&] { return call.at("number").get<std::uint64_t>(); };
  if (name == "advance") {
    s.advance(1, {});
  } else if (name == "measure") {
    s.measure();
  } else if (name == "hash") {
    s.hash();
  } else if (name == "state") {
    s.give_state();
  } else if (name == "potentials") {
    s.potentials();
  } else if (name == "force_errors") {
    s.force_errors();
  } else if (name == "rank_work") {
    s.rank_work();
  } else if (name == "hidden_state") {
    s.hidden_state();
  } else if (name == "block_steps") {
    s.block_steps();
  } else if (name == "show_time") {
    s.show_time(call.at("time"));
  } else if (name == "show_present_time") {
    s.show_present_time();
  } else if (name == "histogram") {
    s.histogram(histogram_of(call));
  } else if (name == "pack") {
    const Json& kind = call.at("kind");
    s.give_points({kind[0], kind[1]}, pack_of(call));
  } else if (name == "check_capacity") {
    s.check_capacity(call.at("more"));
  } else if (name == "change") {
    s.change(live_of(call.at("live"), s.live()));
  } else if (name == "change_bodies") {
    s.change_bodies(read_body_change(call.at("bodies"), ""));
  } else if (name == "change_values") {
    const auto mass = values_of<double>(call.at("mass")),
               position = values_of<double>(call.at("position")),
               velocity = values_of<double>(call.at("velocity"));
    s.change_values({mass, position, velocity});
  } else if (name == "resume") {
    const Json& hidden = call.at("hidden");
    s.resume(state_of(call.at("state"), s), values_of<RunClock>(call.at("clock")).at(0),
             live_of(call.at("live"), s.live()),
             {text_of(hidden[0]), text_of(hidden[1]), text_of(hidden[2])});
  } else if (name == "save") {
    saved_[number()] = s.save();
  } else if (name == "restore") {
    s.restore(*saved_.at(number()));
  } else if (name == "forget") {
    saved_.erase(number());
  } else {
    expect(false);
  }
}

}  // namespace mote::sim
