#include "sim/script/hook_sim.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "engine/check.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/lua/lua_tables.h"
#include "sim/script/hook_bodies.h"
#include "sim/source/reader.h"
#include "sim/source/value.h"

namespace mote::sim {
namespace {

using engine::InputError;

const char* const type_name = "mote.sim";

// Implementations of methods. They throw, since Lua's own errors (longjmp) would skip destructors,
// and push results last. Costs are estimates in Lua instructions; they bound the work of a call.
constexpr std::uint64_t cheap = 100, adding = 1000, measuring = 10'000, writing = 100'000,
                        drawing = 500'000;

/// Bytes written that count as one instruction, in addition to the call.
constexpr std::size_t bytes_per_instruction = 4;

void charge_bytes(HookSim& sim, std::size_t bytes) {
  sim.lua.count_call({}, bytes / bytes_per_instruction);
}

/// Text at a stack index.
std::string text_at(lua_State* L, int index, const std::string& what) {
  if (lua_type(L, index) != LUA_TSTRING)
    throw InputError("", "expected " + what + ", got " + luaL_typename(L, index));
  std::size_t length = 0;
  const char* const bytes = lua_tolstring(L, index, &length);
  return {bytes, length};
}

/// Printable text in one line.
std::string line_at(lua_State* L, int index, const std::string& what,
                    const std::string& standard = "") {
  if (!standard.empty() && lua_isnoneornil(L, index)) return standard;
  std::string text = text_at(L, index, what);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  if (!engine::is_utf8(text)) throw InputError("", what + " is not UTF-8");
  return text;
}

engine::ParamValue value_at(lua_State* L, int index, const std::string& what, bool allow_integer) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    case LUA_TNUMBER:
      if (allow_integer && lua_isinteger(L, index))
        return static_cast<std::int64_t>(lua_tointeger(L, index));
      return static_cast<double>(lua_tonumber(L, index));
    case LUA_TSTRING:
      return text_at(L, index, what);
    default:
      throw InputError("", what + ": expected a number, true, false or text, got " +
                               describe(scalar_value(L, index)));
  }
}

void push(lua_State* L, double value) {
  lua_pushnumber(L, value);
}
void push(lua_State* L, std::uint64_t value) {
  lua_pushinteger(L, static_cast<lua_Integer>(value));
}
void push(lua_State* L, engine::Vec3d v) {
  lua_createtable(L, 3, 0);
  lua_Integer i = 0;
  for (const double x : {v.x, v.y, v.z}) {
    lua_pushnumber(L, x);
    lua_rawseti(L, -2, ++i);
  }
}
void push(lua_State* L, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
}

template <class T>
void set_field(lua_State* L, const char* name, const T& value) {
  push(L, value);
  lua_setfield(L, -2, name);
}

/// With ranks, rank 0 gathers all bodies when a hook reads one. Refuses that above a number of
/// bodies, which may not fit its memory.
void refuse_gathering(const Simulation& simulation) {
  const engine::Index bodies = simulation.count(), most = simulation.plan().most_gathered;
  if (ranks_of(simulation.plan()) > 1 && bodies > most)
    throw InputError("",
                     "sim:body would gather all " + engine::with_thousands(bodies) +
                         " bodies of several GPUs or processes in one, which is refused above " +
                         engine::with_thousands(most),
                     "measure with series, or run on one GPU or process");
}

/// sim:body(id or name).
int body(lua_State* L, HookSim& sim) {
  apply_pending(sim);
  refuse_gathering(sim.simulation);
  const std::uint32_t id = body_at(L, sim, 2);
  const BodyState numbers = sim.simulation.body(*sim.simulation.index_of(id));
  lua_createtable(L, 0, 6);
  set_field(L, "id", static_cast<std::uint64_t>(id));
  set_field(L, "name", sim.simulation.name(id));
  set_field(L, "mass", numbers.mass);
  set_field(L, "position", numbers.position);
  set_field(L, "velocity", numbers.velocity);
  set_field(L, "acceleration", numbers.acceleration);
  return 1;
}

/// The path of a live parameter.
std::string path_at(lua_State* L, HookSim& sim, int index) {
  const std::string path = text_at(L, index, "the path of a parameter");
  expect_live(sim.simulation.live(), path);
  return path;
}

/// sim:get(path).
int get(lua_State* L, HookSim& sim) {
  const engine::ParamValue value = live_value(sim.simulation.live(), path_at(L, sim, 2));
  if (const auto* number = std::get_if<double>(&value))
    push(L, *number);
  else
    lua_pushnil(L);
  return 1;
}

/// sim:set(path, value).
int set(lua_State* L, HookSim& sim) {
  if (sim.finished) throw InputError("", "parameters cannot be set after the run");
  const std::string path = path_at(L, sim, 2);
  engine::ParamValue value = value_at(L, 3, path, false);
  LiveSettings live = sim.simulation.live();
  if (const auto* text = std::get_if<std::string>(&value))
    value = live_value_of(live, path, *text, sim.scene.units);
  set_live(live, path, value);
  if (live_value(sim.simulation.live(), path) == value) return 0;
  if (sim.scene.trust == Trust::no && ++sim.edits > max_edits)
    throw InputError("",
                     fmt::format("sim:set can change parameters at most {} times in a run",
                                 engine::with_thousands(max_edits)),
                     "--trust lifts the limit");
  apply_pending(sim);
  sim.host.edit(path, value);
  sim.measured.reset();
  return 0;
}

/// sim:row(name, { column = value, ... }).
int row(lua_State* L, HookSim& sim) {
  const std::string name = text_at(L, 2, "the name of a file");
  if (!lua_istable(L, 3))
    throw InputError("",
                     "expected columns, { x = 1, y = 2 }, got " + std::string(luaL_typename(L, 3)));
  std::vector<std::string> columns;  // sorted first, so that errors come in a fixed order, too
  for (lua_pushnil(L); lua_next(L, 3) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      throw InputError("", "columns need names, { x = 1, y = 2 }");
    columns.push_back(text_at(L, -2, "the name of a column"));
  }
  if (columns.empty()) throw InputError("", "a row needs at least one column, { x = 1 }");
  std::sort(columns.begin(), columns.end());
  HookRow row;
  std::size_t bytes = 0;
  for (const std::string& column : columns) {
    lua_pushlstring(L, column.data(), column.size());
    const std::string label = line_at(L, -1, "the name of a column");
    lua_rawget(L, 3);
    row.emplace_back(label, value_at(L, -1, label, true));
    const auto* text = std::get_if<std::string>(&row.back().second);
    bytes += text ? text->size() : sizeof(double);
    lua_pop(L, 1);
  }
  charge_bytes(sim, bytes);
  sim.host.row(name, row);
  return 0;
}

int snapshot(lua_State*, HookSim& sim) {
  apply_pending(sim);
  sim.host.snapshot();
  return 0;
}

int picture(lua_State* L, HookSim& sim) {
  apply_pending(sim);
  sim.host.picture(text_at(L, 2, "the name of a picture"));
  return 0;
}

int log(lua_State* L, HookSim& sim) {
  const std::string text =
      lua_type(L, 2) == LUA_TNUMBER ? luaL_tolstring(L, 2, nullptr) : line_at(L, 2, "text");
  constexpr std::size_t prefix_bytes = 64;  // date, level and step
  const std::size_t bytes = text.size() + prefix_bytes;
  charge_bytes(sim, bytes);
  const bool limited = sim.scene.trust == Trust::no;
  if (limited && sim.logged > max_logged_bytes) return 0;
  sim.logged += bytes;
  if (limited && sim.logged > max_logged_bytes)
    engine::log().warn(
        "step {}: sim:log has written {}; its further output is dropped (--trust lifts the limit)",
        sim.simulation.step(), engine::bytes_text(max_logged_bytes));
  else
    engine::log().info("step {}: {}", sim.simulation.step(), text);
  return 0;
}

int stop(lua_State* L, HookSim& sim) {
  const std::string reason = line_at(L, 2, "a reason", "requested by the scene");
  if (sim.verdict.kind == HookVerdict::Kind::none) sim.verdict = {HookVerdict::Kind::stop, reason};
  return 0;
}

int fail(lua_State* L, HookSim& sim) {
  const std::string reason = line_at(L, 2, "a reason", "requested by the scene");
  if (sim.verdict.kind != HookVerdict::Kind::fail) sim.verdict = {HookVerdict::Kind::fail, reason};
  return 0;
}

using Implementation = int (*)(lua_State*, HookSim&);

/// Calls an implementation from Lua; an InputError becomes a Lua error at the script's line.
template <Implementation function, std::uint64_t work>
int guarded(lua_State* L) {
  auto** const target = static_cast<HookSim**>(luaL_testudata(L, 1, type_name));
  if (!target) return luaL_error(L, "expected sim as the first argument: write sim:name(...)");
  if (!*target) return luaL_error(L, "the run of this sim has ended");
  HookSim& sim = **target;
  luaL_checkstack(L, 512, "in a hook");  // here, since Lua errors must not occur below
  std::array<char, 512> problem{};
  int results = -1;
  const auto start = LuaState::now();
  try {
    if (!sim.exception) results = function(L, sim);
  } catch (const InputError& e) {
    std::snprintf(problem.data(), problem.size(), "%s", e.diagnostics().front().text().c_str());
  } catch (...) {
    sim.exception = std::current_exception();
  }
  sim.lua.count_call(LuaState::now() - start, work);
  if (sim.lua.exceeds_work_limit()) sim.lua.check_limits(L);  // now: few calls may write a lot
  return results >= 0 ? results : luaL_error(L, "%s", problem.data());
}

struct Method {
  const char* name;
  lua_CFunction function;
};
const std::array<Method, 11> methods{{{"body", &guarded<body, cheap>},
                                      {"add", &guarded<add_bodies, adding>},
                                      {"remove", &guarded<remove_body, cheap>},
                                      {"get", &guarded<get, cheap>},
                                      {"set", &guarded<set, measuring>},
                                      {"row", &guarded<row, cheap>},
                                      {"snapshot", &guarded<snapshot, writing>},
                                      {"picture", &guarded<picture, drawing>},
                                      {"log", &guarded<log, cheap>},
                                      {"stop", &guarded<stop, cheap>},
                                      {"fail", &guarded<fail, cheap>}}};

const Measurement& measurement_of(HookSim& sim) {
  apply_pending(sim);
  if (!sim.measured) {
    sim.measured = sim.simulation.measure();
    sim.lua.count_call({}, measuring);
  }
  return *sim.measured;
}

/// A readable field.
struct Field {
  const char* name;
  void (*push)(lua_State*, HookSim&);
};

template <auto member>
void push_measured(lua_State* L, HookSim& sim) {
  push(L, measurement_of(sim).*member);
}
template <std::size_t k>
void push_radius(lua_State* L, HookSim& sim) {
  push(L, measurement_of(sim).lagrangian_radii[k]);
}

void push_displacement(lua_State* L, HookSim& sim) {
  if (!sim.scene.series.displacement)
    throw InputError("sim.displacement", "is not measured", "add series = { displacement = true }");
  push_measured<&Measurement::displacement>(L, sim);
}

const std::array<Field, 21> fields{
    {{"step", [](lua_State* L, HookSim& sim) { push(L, sim.simulation.step()); }},
     {"time", [](lua_State* L, HookSim& sim) { push(L, sim.simulation.time()); }},
     {"dt", [](lua_State* L, HookSim& sim) { push(L, sim.simulation.dt()); }},
     {"count",
      [](lua_State* L, HookSim& sim) { push(L, static_cast<std::uint64_t>(count_of(sim))); }},
     {"data", [](lua_State* L, HookSim& sim) { lua_rawgeti(L, LUA_REGISTRYINDEX, sim.data); }},
     {"kinetic", &push_measured<&Measurement::kinetic>},
     {"potential", &push_measured<&Measurement::potential>},
     {"energy", &push_measured<&Measurement::energy>},
     {"energy_error", &push_measured<&Measurement::energy_error>},
     {"virial_ratio", &push_measured<&Measurement::virial_ratio>},
     {"temperature", &push_measured<&Measurement::temperature>},
     {"pressure", &push_measured<&Measurement::pressure>},
     {"displacement", &push_displacement},
     {"mass", &push_measured<&Measurement::mass>},
     {"momentum", &push_measured<&Measurement::momentum>},
     {"angular_momentum", &push_measured<&Measurement::angular_momentum>},
     {"center_of_mass", &push_measured<&Measurement::center_of_mass>},
     {"fastest", &push_measured<&Measurement::fastest>},
     {"radius_10", &push_radius<0>},
     {"radius_50", &push_radius<1>},
     {"radius_90", &push_radius<2>}}};
static_assert(lagrangian_fractions == std::array{0.1, 0.5, 0.9});

/// sim.name.
int index(lua_State* L, HookSim& sim) {
  const std::string name = text_at(L, 2, "the name of a field");
  for (const Field& field : fields)
    if (name == field.name) return field.push(L, sim), 1;
  for (const Method& method : methods)
    if (name == method.name) return lua_pushcfunction(L, method.function), 1;
  std::vector<std::string> known;
  for (const Field& field : fields) known.emplace_back(field.name);
  for (const Method& method : methods) known.emplace_back(method.name);
  throw InputError("", "sim has no " + engine::quoted(name),
                   engine::did_you_mean(name, known, "it has: "));
}

/// sim.name = value.
int new_index(lua_State* L, HookSim& sim) {
  const std::string name = text_at(L, 2, "the name of a field");
  if (name != "data")
    throw InputError("sim." + name, "cannot be assigned", "sim:set changes parameters");
  if (!lua_istable(L, 3))
    throw InputError("sim.data", "must be a table, got " + std::string(luaL_typename(L, 3)));
  lua_pushvalue(L, 3);
  lua_rawseti(L, LUA_REGISTRYINDEX, sim.data);
  return 0;
}

}  // namespace

HookSim** push_sim(HookSim& target) {
  lua_State* const L = target.lua.get();
  auto** const handle = static_cast<HookSim**>(lua_newuserdatauv(L, sizeof(HookSim*), 0));
  *handle = &target;
  if (luaL_newmetatable(L, type_name)) {
    lua_pushcfunction(L, (&guarded<index, 0>));
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, (&guarded<new_index, 0>));
    lua_setfield(L, -2, "__newindex");
  }
  lua_setmetatable(L, -2);
  return handle;
}

}  // namespace mote::sim
