#include "sim/script/hooks.h"

#include <algorithm>
#include <utility>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/math/hash.h"
#include "engine/text.h"
#include "sim/lua/lua_functions.h"
#include "sim/schedule.h"
#include "sim/script/emission.h"
#include "sim/script/hook_bodies.h"
#include "sim/script/hook_data.h"
#include "sim/script/hook_sim.h"

namespace mote::sim {
namespace {

using engine::Json;

constexpr std::size_t max_past_bytes = 64u << 20;

/// The error of a hook with its location.
engine::Diagnostic diagnostic_of(const std::vector<std::string>& files,
                                 const std::string& message) {
  if (message != out_of_memory) return script_error(files, message).diagnostics().front();
  return {files.front(), "",
          "the script takes more than " + engine::bytes_text(hook_limits.memory) +
              " with all that its scene holds, or makes a text of more than " +
              engine::bytes_text(max_text_bytes),
          "hold less at once, and write tables to files with sim:row"};
}

}  // namespace

/// The Lua side of a run.
struct Hooks::Running {
  Running(const SceneDescription& scene, Simulation& simulation, HookHost& host, const Json& data)
      : L(scene.hooks.script->get()), sim{*scene.hooks.script, scene, simulation, host} {
    lua_settop(L, 0);
    handle = push_sim(sim);
    reference = luaL_ref(L, LUA_REGISTRYINDEX);
    set_data(data);
  }
  ~Running() {
    *handle = nullptr;
    luaL_unref(L, LUA_REGISTRYINDEX, reference);
    luaL_unref(L, LUA_REGISTRYINDEX, sim.data);
  }

  void set_data(const Json& data) {
    if (data.is_structured())
      push_data(L, data);
    else
      lua_newtable(L);
    luaL_unref(L, LUA_REGISTRYINDEX, sim.data);
    sim.data = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  std::string data_text() {
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, sim.data);
    lua_pushnil(L);
    if (lua_next(L, 1) == 0) return "{}";  // a shortcut, since this runs after every call
    lua_settop(L, 1);
    return engine::json_text(data_json(L, 1, "sim.data"));
  }

  lua_State* L;
  HookSim sim;
  HookSim** handle;
  int reference;
};

Hooks::Hooks(const SceneDescription& scene, Simulation& simulation, HookHost& host,
             const engine::JsonBox& data)
    : scene_(scene), simulation_(simulation), started_(!data.is_null()) {
  if (changes_bodies(scene))
    emission_ = std::make_unique<Emission>(scene, scene.stop.time, simulation, host);
  if (scene.hooks.empty()) return;
  try {
    running_ = std::make_unique<Running>(scene, simulation, host, data);
    data_ = running_->data_text();
  } catch (const Json::exception&) {
    throw engine::InputError(scene.file.string(), "the stored data of its hooks is malformed");
  }
}

Hooks::~Hooks() = default;

std::uint64_t Hooks::next() const {
  std::uint64_t next = simulation_.steady_until();
  if (emission_) next = std::min(next, emission_->next());
  if (failed_) return next;
  for (const Hook& hook : scene_.hooks.all)
    next = std::min(next, next_of(hook, simulation_.ahead()));
  return next;
}

/// The first step after the present one of the clock at which a hook is due, with steps of its
/// length.
std::uint64_t Hooks::next_of(const Hook& hook, const Clock& clock) {
  if (hook.when == Hook::When::step) {
    const auto every = static_cast<std::uint64_t>(hook.step.every);
    return (clock.step / every + 1) * every;
  }
  if (hook.when != Hook::When::time) return never;
  Recurrence times = hook.time.every ? Recurrence::every_time(*hook.time.every)
                                     : Recurrence::at_times(hook.time.at);
  times.advance(clock);
  return times.next(clock);
}

void Hooks::start() {
  if (!running_ || std::exchange(started_, true)) return;
  call_all(Hook::When::start);
  const auto& all = scene_.hooks.all;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].time.at.empty() &&
        simulation_.ahead().step_at(all[k].time.at.front()) == simulation_.step())
      call(k);
}

void Hooks::run_due() {
  const std::uint64_t step = simulation_.step();
  Clock before = simulation_.clock();
  before.step = step - 1;
  std::vector<std::size_t> due;  // determined before anything changes
  for (std::size_t k = 0; running_ && step > 0 && k < scene_.hooks.all.size(); ++k)
    if (next_of(scene_.hooks.all[k], before) == step) due.push_back(k);
  try {
    if (emission_) emission_->run_due();
  } catch (const engine::InputError& e) {
    emission_verdict_ = {HookVerdict::Kind::fail,
                         "emitters and drains: " + e.diagnostics().front().text()};
  }
  for (const std::size_t k : due) call(k);
}

void Hooks::end(bool healthy) {
  if (!running_) return;
  running_->sim.finished = true;
  call_all(healthy ? Hook::When::end : Hook::When::unhealthy);
}

std::string Hooks::try_out(std::size_t index) {
  const HookVerdict before = std::exchange(running_->sim.verdict, {});
  call(index);
  const HookVerdict tried = std::exchange(running_->sim.verdict, before);
  return std::exchange(failed_, false) ? tried.reason : "";
}

const HookVerdict& Hooks::verdict() const {
  return running_ && emission_verdict_.kind == HookVerdict::Kind::none ? running_->sim.verdict
                                                                       : emission_verdict_;
}

void Hooks::clear_verdict() {
  emission_verdict_ = {};
  if (running_) running_->sim.verdict = {};
}

Json Hooks::data() const {
  return running_ ? engine::parse_json(data_) : Json();
}

void Hooks::call_all(Hook::When when) {
  for (std::size_t k = 0; k < scene_.hooks.all.size(); ++k)
    if (scene_.hooks.all[k].when == when) call(k);
}

void Hooks::call(std::size_t index) {
  if (failed_) return;
  const Hook& hook = scene_.hooks.all[index];
  HookSim& sim = running_->sim;
  lua_State* const L = running_->L;
  lua_settop(L, 0);
  std::uint64_t seed = static_cast<std::uint64_t>(scene_.head.seed);
  for (const std::uint64_t word : {static_cast<std::uint64_t>(index), simulation_.step()})
    seed = engine::hash_word(seed, word);
  sim.lua.seed_random(seed);
  start_streams(L, seed);
  sim.measured.reset();
  lua_rawgeti(L, LUA_REGISTRYINDEX, hook.function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, running_->reference);
  std::string message = sim.lua.call(1, hook_limits);
  if (!sim.exception) apply_bodies(message);
  if (sim.exception) {
    failed_ = true;
    std::rethrow_exception(std::exchange(sim.exception, nullptr));
  }
  if (!message.empty()) return fail(hook, message);
  if (const std::string changed = script_of(L).shared->changed(L); !changed.empty())
    return fail(hook, changed + ", which checkpoints do not store; keep values in sim.data");
  store_data(hook);
}

/// Applies the bodies that a call has added and removed, even if it failed later: otherwise the
/// result would depend on what the call read in between, which applies pending changes.
void Hooks::apply_bodies(std::string& message) {
  HookSim& sim = running_->sim;
  try {
    apply_pending(sim);
  } catch (const engine::InputError& e) {
    if (message.empty()) message = message_at(sim.pending_line, e.diagnostics().front().text());
  } catch (...) {
    sim.exception = std::current_exception();
  }
}

void Hooks::store_data(const Hook& hook) {
  try {
    std::string text = running_->data_text();
    if (text.size() > max_data_bytes)
      return fail(hook, "sim.data holds more than 1 MiB; write tables to files with sim:row");
    if (text == data_) return;
    data_ = std::move(text);
  } catch (const engine::InputError& e) {
    return fail(hook, e.diagnostics().front().text());
  }
  if (!records_data_) return;
  past_.emplace_back(simulation_.step(), data_);
  past_bytes_ += data_.size();
  while (past_bytes_ > max_past_bytes && past_.size() > 1) {
    past_bytes_ -= past_.front().second.size();
    past_.erase(past_.begin());
  }
}

/// Ends the run because of a failed hook.
void Hooks::fail(const Hook& hook, const std::string& message) {
  failed_ = true;
  const engine::Diagnostic error = diagnostic_of(scene_.hooks.files, message);
  const std::string reason = error.place + ": " + hook.name + ": " + error.problem +
                             (error.remedy.empty() ? "" : "; " + error.remedy);
  HookVerdict& verdict = running_->sim.verdict;
  if (verdict.kind == HookVerdict::Kind::fail)
    engine::log().error("{}", reason);  // the verdict keeps the first failure
  else
    verdict = {HookVerdict::Kind::fail, reason};
}

void Hooks::record_data() {
  records_data_ = true;
  past_ = {{simulation_.step(), data_}};
  past_bytes_ = data_.size();
}

void Hooks::rewind(std::uint64_t step) {
  if (!running_ || !records_data_) return;
  while (past_.size() > 1 && past_.back().first > step) {
    past_bytes_ -= past_.back().second.size();
    past_.pop_back();
  }
  if (past_.back().first > step)
    engine::log().warn("sim.data of step {} is no longer available; using that of step {}", step,
                       past_.back().first);
  if (past_.back().second == data_) return;
  data_ = past_.back().second;
  running_->set_data(engine::parse_json(data_));
}

}  // namespace mote::sim
