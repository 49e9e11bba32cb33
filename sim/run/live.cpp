#include "sim/run/live.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"

namespace mote::sim {
namespace {

using engine::ParamValue;

/// Calls use(path, param, owner) for every live parameter of the integrator.
template <class Owner, class Use>
void for_each_of_integrator(Owner& integrator, Use&& use) {
  for (const auto& p : table_of(integrators().front()).params)
    if (p.info.live) use("integrator." + p.info.name, p, integrator);
}

/// Throws InputError unless the parameter may have this value.
void check(const std::string& path, const engine::ParamInfo& info, engine::ParamType type,
           const ParamValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (type != engine::ParamType::real || !number || !std::isfinite(*number))
    throw engine::InputError(path, "cannot be " + engine::text_of(value), "use a number");
  if (const auto problem = engine::range_problem(info, value))
    throw engine::InputError(path, engine::text_of(value) + " " + *problem,
                             "allowed: " + engine::range_of(info));
}

/// Calls use(info) for the live parameter of this path, which exists.
template <class Use>
void with_live(const LiveSettings& live, const std::string& path, Use&& use) {
  for (const PhysicsParam& p : live.physics)
    if (p.path == path) return use(*p.info);
  const Integration integrator{.dt = live.dt};
  for_each_of_integrator(integrator, [&](const std::string& name, const auto& param, const auto&) {
    if (name == path) use(param.info);
  });
}

/// A module that scenes are given while they run, with these settings.
std::unique_ptr<Physics> made(const LiveSettings& live, const PhysicsModule& module) {
  std::unique_ptr<Physics> trial = module.make();
  for (const PhysicsParam& p : live.physics) trial->set(p.path, p.value);
  return trial;
}

/// Whether it acts then.
bool acts(const LiveSettings& live, const PhysicsModule& module) {
  return made(live, module)->acts();
}

}  // namespace

LiveSettings live_of(const Model& model) {
  LiveSettings live{params_of(model), model.integrator.dt};
  for (const PhysicsModule& m : modules())
    if (m.make && !model.physics.named(m.info().subject))
      for (PhysicsParam& param : m.make()->params()) live.physics.push_back(std::move(param));
  std::erase_if(live.physics, [](const PhysicsParam& p) { return !p.info->live; });
  return live;
}

bool apply(const LiveSettings& live, Model& model) {
  bool others = false;
  for (const PhysicsModule& m : modules()) {
    if (!m.make) continue;
    const std::string& subject = m.info().subject;
    const bool present = model.physics.named(subject) != nullptr, acting = acts(live, m);
    if (acting && !present) {
      model.physics.add(m.make());
      model.physics.sort(rank_of);
    }
    if (!acting && present) model.physics.remove(subject);
    others = others || acting != present;
  }
  for (const PhysicsParam& p : live.physics) set_param(model, p.path, p.value);
  model.integrator.dt = live.dt;
  return others;
}

bool same_modules(const LiveSettings& live, const Model& model) {
  const auto& all = modules();
  return std::all_of(all.begin(), all.end(), [&](const PhysicsModule& m) {
    return !m.make || acts(live, m) == (model.physics.named(m.info().subject) != nullptr);
  });
}

void refuse_unstable(const LiveSettings& live, const Model& model) {
  if (info_of(model.integrator).chooses_steps) return;
  for (const PhysicsModule& m : modules()) {
    if (!m.make) continue;
    const std::unique_ptr<Physics> next = made(live, m);
    const Physics* const now = model.physics.named(m.info().subject);
    const auto values = [](const Physics& p) {
      std::vector<ParamValue> all;
      for (const PhysicsParam& param : p.params()) all.push_back(param.value);
      return all;
    };
    if (now && live.dt == model.integrator.dt && values(*now) == values(*next)) continue;
    if (next->acts()) next->check_step(model, live.dt);
  }
}

void set_live(LiveSettings& live, const std::string& path, const ParamValue& value) {
  for (PhysicsParam& p : live.physics) {
    if (p.path != path) continue;
    check(path, *p.info, p.type, value);
    p.value = value;
    return;
  }
  bool found = false;
  Integration integrator{.dt = live.dt};
  for_each_of_integrator(integrator, [&](const std::string& name, const auto& param, auto& owner) {
    if (name != path) return;
    found = true;
    check(path, param.info, param.type, value);
    param.set(owner, value);
  });
  if (!found) expect_live(live, path);
  live.dt = integrator.dt;
}

void expect_live(const LiveSettings& live, const std::string& path) {
  const std::vector<std::string> paths = live_paths(live);
  if (std::find(paths.begin(), paths.end(), path) != paths.end()) return;
  std::string remedy = "these can: " + engine::joined(paths, ", ");
  if (!engine::closest(path, paths).empty())
    remedy = engine::did_you_mean(path, paths, "") + " " + remedy;
  throw engine::InputError(path, "cannot change while the simulation runs", remedy);
}

ParamValue live_value_of(const LiveSettings& live, const std::string& path, const std::string& text,
                         const engine::UnitSystem& units) {
  expect_live(live, path);
  ParamValue value;
  with_live(live, path, [&](const engine::ParamInfo& info) {
    const engine::Converted read = engine::convert_typed(text, info.unit, units);
    if (!read.value) throw engine::InputError(path, read.problem, read.remedy);
    value = *read.value;
  });
  return value;
}

ParamValue live_value(const LiveSettings& live, const std::string& path) {
  for (const PhysicsParam& p : live.physics)
    if (p.path == path) return p.value;
  ParamValue value;
  const Integration integrator{.dt = live.dt};
  for_each_of_integrator(integrator,
                         [&](const std::string& name, const auto& param, const auto& owner) {
                           if (name == path) value = param.get(owner);
                         });
  return value;
}

std::vector<std::string> live_paths(const LiveSettings& live) {
  std::vector<std::string> paths;
  for (const PhysicsParam& p : live.physics) paths.push_back(p.path);
  const Integration any;
  for_each_of_integrator(
      any, [&](const std::string& name, const auto&, const auto&) { paths.push_back(name); });
  return paths;
}

std::vector<std::string> all_live_paths() {
  std::vector<std::string> paths;
  for (const PhysicsModule& m : modules())
    for (const engine::ParamSheet& sheet : m.info().sheets) {
      // A sheet that is no key of a scene describes the items of the subject's list.
      const auto& keys = m.info().keys;
      const bool is_key = std::any_of(keys.begin(), keys.end(),
                                      [&](const SceneKey& key) { return key.name == sheet.name; });
      for (const engine::ParamSheet::Row& row : sheet.rows)
        if (row.info.live)
          paths.push_back((is_key ? sheet.name : m.info().subject + ".N") + "." + row.info.name);
    }
  for (const std::string& path : live_paths({})) paths.push_back(path);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

LiveDifference difference(const LiveSettings& a, const LiveSettings& b) {
  MOTE_EXPECT(a.physics.size() == b.physics.size());
  LiveDifference found;
  for (std::size_t i = 0; i < a.physics.size(); ++i) {
    const PhysicsParam &p = a.physics[i], &q = b.physics[i];
    const bool same = p.path == q.path && p.value == q.value;
    found.forces = found.forces || !same;
    found.potential = found.potential || (!same && p.in_potential);
  }
  return found;
}

}  // namespace mote::sim
