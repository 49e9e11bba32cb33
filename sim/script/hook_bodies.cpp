#include "sim/script/hook_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/json.h"
#include "engine/text.h"
#include "sim/lua/lua_functions.h"
#include "sim/run/body_ids.h"
#include "sim/scene/generators.h"
#include "sim/source/reader.h"
#include "sim/space/fixed_field.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::InputError;

/// Available memory is checked for additions of at least this many bodies.
constexpr Index memory_checked_from = 4096;

/// The first problem of an error without its location, which is reported as the hook's line.
InputError without_location(const InputError& e) {
  engine::Diagnostic d = e.diagnostics().front();
  d.place.clear();
  return InputError(std::vector{d});
}

void only_while_running(const HookSim& sim) {
  if (sim.finished) throw InputError("", "bodies cannot be added or removed after the run");
}

struct Added {
  std::uint32_t first = 0;
  Index count = 0;
  bool single = false;
};

/// True if a table describes a single body, not a generator.
bool is_body(const Table& table) {
  const Member* kind = table.find("kind");
  return table.items.empty() && (!kind || (kind->value.text() && *kind->value.text() == "body"));
}

Bodies make(HookSim& sim, const Table& list, int line) {
  Script& script = script_of(sim.lua.get());
  std::vector<engine::Diagnostic> problems;
  Reader reader(script.files, &sim.scene.units, problems);
  engine::Json ignored;
  BodyTraits traits = traits_of(sim.scene);
  traits.constraints = false;
  traits.fixed = sim.simulation.layout().has(fields::fixed);
  const std::vector<BodySource> sources = read_bodies(reader, Value{list, line}, "sim:add", traits,
                                                      script.folder, sim.scene.units, ignored);
  for (const BodySource& s : sources)
    for (const ChainLinks& links : s.chains)
      reader.problem(links.line, joined_path(links.path, links.bond ? "bond" : "angle"),
                     "bodies added during a run cannot have bonds",
                     "add a chain without bond and angle");
  if (!problems.empty()) throw InputError(std::move(problems));
  Index count = 0;
  for (const BodySource& s : sources) count += s.count;
  const Index pending = sim.pending.added.count() + count;
  constexpr std::uint64_t body_bytes = sizeof(double) + 2 * sizeof(engine::Vec3d);
  if (static_cast<std::uint64_t>(pending) * body_bytes > hook_limits.memory)
    throw InputError("",
                     fmt::format("one call adds {} bodies, which take more than {}",
                                 engine::with_thousands(pending),
                                 engine::bytes_text(static_cast<double>(hook_limits.memory))),
                     "add them in several calls, or put them into the scene");
  if (count >= memory_checked_from) sim.simulation.check_capacity(pending);
  Bodies bodies =
      make_bodies(sources, make_context(sim.simulation.model(), sim.simulation.plan().cpu.threads));
  State<engine::Host> trial(bodies.count(), sim.simulation.precision());
  put_bodies(trial, 0, bodies, "");
  return bodies;
}

Added add(lua_State* L, HookSim& sim) {
  only_while_running(sim);
  if (!lua_istable(L, 2) || lua_gettop(L) != 2)
    throw InputError("", "sim:add expects a body, a generator, a group or a list of them",
                     "sim:add { mass = 1, position = {0, 0, 0} }");
  const int line = current_line(L);
  const Value value = table_value(L, script_of(L), line);
  const Table& table = *value.table();
  const bool nothing = table.items.empty() && table.members.empty();
  const bool list = nothing || (!table.find("kind") && !table.items.empty());
  Table one;
  if (!list) one.items.push_back(value);
  Added added{sim.simulation.next_id() + static_cast<std::uint32_t>(sim.pending.added.count()), 0,
              !list && is_body(table)};
  if (nothing) return added;
  try {
    const Bodies bodies = make(sim, list ? table : one, line);
    added.count = bodies.count();
    append(sim.pending.added, bodies);
  } catch (const InputError& e) {
    throw without_location(e);
  }
  sim.lua.count_call({}, static_cast<std::uint64_t>(added.count));
  sim.pending_line = line;
  return added;
}

bool removal_pending(const HookSim& sim, std::uint32_t id) {
  const auto& removed = sim.pending.removed;
  return std::binary_search(removed.begin(), removed.end(), id);
}

std::uint32_t id_named(HookSim& sim, const std::string& name) {
  if (sim.ids.empty() || sim.ids_of != sim.simulation.ids()) {
    sim.ids.clear();
    sim.ids_of = sim.simulation.ids();
    // Backwards, so that the first body with a name wins.
    for (Index i = sim.simulation.count() - 1; i >= 0; --i) {
      const std::uint32_t id = sim.simulation.id(i);
      sim.ids[sim.simulation.name(id)] = id;
    }
  }
  const auto found = sim.ids.find(name);
  if (found == sim.ids.end() || name.empty())
    throw InputError("", "there is no body " + engine::quoted(name));
  return found->second;
}

}  // namespace

int add_bodies(lua_State* L, HookSim& sim) {
  const Added added = add(L, sim);
  // From here on Lua may raise errors (longjmp): no destructors below.
  if (added.single) {
    lua_pushinteger(L, added.first);
    return 1;
  }
  lua_createtable(L, static_cast<int>(std::min<Index>(added.count, 1 << 20)), 0);
  for (Index i = 0; i < added.count; ++i) {
    lua_pushinteger(L, added.first + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int remove_body(lua_State* L, HookSim& sim) {
  only_while_running(sim);
  const std::uint32_t id = body_at(L, sim, 2);
  if (count_of(sim) == 1)
    throw InputError("", "the last body cannot be removed", "sim:stop ends a run");
  auto& removed = sim.pending.removed;
  removed.insert(std::lower_bound(removed.begin(), removed.end(), id), id);
  sim.pending_line = current_line(L);
  return 0;
}

void apply_pending(HookSim& sim) {
  if (sim.pending.empty()) return;
  BodyChange change = std::exchange(sim.pending, {});
  sim.measured.reset();
  sim.lua.count_call({}, 10'000);
  sim.host.change_bodies(change);
}

Index count_of(const HookSim& sim) {
  return sim.simulation.count() + sim.pending.added.count() -
         static_cast<Index>(sim.pending.removed.size());
}

std::uint32_t body_at(lua_State* L, HookSim& sim, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    int is_integer = 0;
    const lua_Integer number = lua_tointegerx(L, index, &is_integer);
    const bool is_id = is_integer && number >= 0 && number < largest_id;
    const auto id = static_cast<std::uint32_t>(is_id ? number : 0);
    if (is_id && id >= sim.simulation.next_id())
      apply_pending(sim);  // it may be a pending addition
    if (is_id && sim.simulation.index_of(id) && !removal_pending(sim, id)) return id;
    const bool removed = is_id && id < sim.simulation.next_id();
    throw InputError("", "there is no body " + engine::number_text(lua_tonumber(L, index)),
                     removed
                         ? "it was removed"
                         : "ids are 0 to " + std::to_string(Index{sim.simulation.next_id()} - 1));
  }
  if (lua_type(L, index) != LUA_TSTRING)
    throw InputError(
        "", std::string("expected the id or the name of a body, got ") + luaL_typename(L, index));
  std::size_t length = 0;
  const char* const bytes = lua_tolstring(L, index, &length);
  const std::string name(bytes, length);
  if (!sim.pending.added.names.empty()) apply_pending(sim);
  const std::uint32_t id = id_named(sim, name);
  if (!removal_pending(sim, id)) return id;
  apply_pending(sim);
  return id_named(sim, name);
}

}  // namespace mote::sim
