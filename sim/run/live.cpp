#include "sim/run/live.h"

#include <cmath>

#include "engine/check.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::ParamValue;

/// Calls use(path, param, owner) for every live parameter.
template <class Live, class Use>
void for_each_live(Live& live, Integrator& integrator, Use&& use) {
  if (live.gravity)
    for (const auto& p : gravity_table().params)
      if (p.info.live) use("gravity." + p.info.name, p, *live.gravity);
  for (const auto& p : integrator_table().params)
    if (p.info.live) use("integrator." + p.info.name, p, integrator);
}

bool fits(engine::ParamType type, const ParamValue& value) {
  const auto* number = std::get_if<double>(&value);
  return type == engine::ParamType::real && number && std::isfinite(*number);
}

}  // namespace

LiveSettings live_of(const SceneDescription& scene) {
  return {scene.gravity, scene.integrator.dt};
}

void set_live(LiveSettings& live, const std::string& path, const ParamValue& value) {
  bool found = false;
  Integrator integrator{.dt = live.dt};
  for_each_live(live, integrator, [&](const std::string& name, const auto& param, auto& owner) {
    if (name != path) return;
    found = true;
    if (!fits(param.type, value))
      throw engine::InputError(path, "cannot be " + engine::text_of(value), "use a number");
    if (const auto problem = engine::range_problem(param.info, value))
      throw engine::InputError(path, *problem);
    param.set(owner, value);
  });
  if (!found)
    throw engine::InputError(path, "cannot change while the simulation runs",
                             "these can: " + engine::joined(live_paths(live), ", "));
  live.dt = integrator.dt;
}

ParamValue live_value(const LiveSettings& live, const std::string& path) {
  ParamValue value;
  Integrator integrator{.dt = live.dt};
  for_each_live(live, integrator,
                [&](const std::string& name, const auto& param, const auto& owner) {
                  if (name == path) value = param.get(owner);
                });
  return value;
}

std::vector<std::string> live_paths(const LiveSettings& live) {
  std::vector<std::string> paths;
  Integrator integrator;
  for_each_live(live, integrator,
                [&](const std::string& name, const auto&, const auto&) { paths.push_back(name); });
  return paths;
}

bool same_forces(const LiveSettings& a, const LiveSettings& b) {
  if (!a.gravity || !b.gravity) return a.gravity.has_value() == b.gravity.has_value();
  return a.gravity->softening == b.gravity->softening && a.gravity->constant == b.gravity->constant;
}

}  // namespace mote::sim
