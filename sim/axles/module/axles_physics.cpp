#include "sim/axles/module/axles_physics.h"

#include <algorithm>
#include <functional>

namespace mote::sim {
namespace {

const std::string axle_example =
    "axles = { { name = \"wheel\", inertia = 2, axis = { 0, 1, 0 } } }";

const ModuleInfo& axles_info() {
  static const ModuleInfo info{
      .name = "axles",
      .subject = "axles",
      .help = "named obstacles: forces and torques on them, and axles on which these turn them",
      .cuda = true,
      .sheets = {engine::sheet_of(axle_table())},
      .keys = {{"axles", "axles on which obstacles turn", "mote.axle|mote.axle[]"}},
      .needs = {{pushed_obstacles, "no bodies of the scene push named obstacles",
                 "add grains or a fluid, or leave axles and names of obstacles out"}},
      .features = {leapfrog_forces},
      .uses_obstacles = true};
  return info;
}

/// Why the obstacles of a name cannot turn about an axle, or "".
std::string problem_of(const ObstacleCommon& obstacle) {
  constexpr engine::Vec3d none{0, 0, 0};
  if (obstacle.velocity == none && obstacle.amplitude == none &&
      obstacle.angular_velocity == none && !obstacle.pivot)
    return "";
  return "has a motion of its own, but an axle of its name turns it";
}

void check_axle(const SceneReading& from, int line, const std::string& path, const Axle& axle,
                const std::vector<Axle>& before) {
  const auto& obstacles = from.model.obstacles;
  if (axle.axis == engine::Vec3d{0, 0, 0})
    from.reader.problem(line, joined_path(path, "axis"), "has no direction");
  if (std::any_of(before.begin(), before.end(),
                  [&](const Axle& other) { return other.name == axle.name; }))
    from.reader.problem(line, joined_path(path, "name"),
                        "is that of another axle: " + engine::quoted(axle.name));
  const std::vector<std::string> names = solid_names(obstacles);
  if (std::find(names.begin(), names.end(), axle.name) == names.end())
    from.reader.problem(line, joined_path(path, "name"),
                        "no obstacle has this name: " + engine::quoted(axle.name),
                        names.empty() ? "give an obstacle a name: box { name = \"wheel\" }"
                                      : engine::did_you_mean(axle.name, names, "known: "));
  for (std::size_t k = 0; k < obstacles.size(); ++k)
    if (const ObstacleCommon& common = common_of(obstacles[k]); common.name == axle.name)
      if (const std::string problem = problem_of(common); !problem.empty())
        from.reader.problem(from.line_of("obstacles"), "obstacles." + std::to_string(k + 1),
                            problem,
                            "leave its velocity, amplitude, angular_velocity and pivot out");
}

std::unique_ptr<Physics> read_axles(const SceneReading& from) {
  auto axles = std::make_unique<AxlesPhysics>();
  auto& all = axles->parameters.all;
  read_items(from.reader, from.scene, "axles", axle_table(), axle_example, from.echo,
             [&](int line, const std::string& path, const Axle& axle) {
               check_axle(from, line, path, axle, all);
               all.push_back(axle);
             });
  if (all.empty() && solid_names(from.model.obstacles).empty()) return nullptr;
  return axles;
}

}  // namespace

PhysicsModule axles_module() {
  return {&axles_info, &read_axles};
}

const ModuleInfo& AxlesPhysics::info() const {
  return axles_info();
}

std::vector<PhysicsParam> AxlesPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "axles", axle_table(), parameters.all);
  for (PhysicsParam& p : all) p.in_potential = false;
  return all;
}

bool AxlesPhysics::set(std::string_view path, const engine::ParamValue& value) {
  for (std::size_t k = 0; k < parameters.all.size(); ++k)
    if (set_param(path, "axles." + std::to_string(k + 1), axle_table(), parameters.all[k], value))
      return true;
  return false;
}

void AxlesPhysics::add_fields(const Model& model, StateLayout& layout) const {
  layout.add(solids_globals(solid_names(model.obstacles).size()));
}

void AxlesPhysics::fill(State<engine::Host>& state, engine::Index, const Model& model,
                        FillTime time) const {
  if (time != FillTime::start) return;
  const std::vector<std::string> names = solid_names(model.obstacles);
  SolidState* const solids = solids_of(state);
  for (std::size_t k = 0; k < names.size(); ++k) {
    solids[k] = {};
    for (const Axle& axle : parameters.all)
      if (axle.name == names[k]) solids[k].speed = axle.angular_velocity;
  }
}

void AxlesPhysics::add_forces(const engine::Cpu&, const Model& model, const State<engine::Host>&,
                              Forces<engine::Cpu>& forces) const {
  const std::vector<std::string> names = solid_names(model.obstacles);
  add_force(forces, AxlesForce(axles_by_solid(names, parameters.all)),
            std::function([this, names](AxlesForce& force) {
              force.change(axles_by_solid(names, parameters.all));
            }));
}

std::vector<EnergyEffect> AxlesPhysics::energy_effects(const Model&) const {
  const auto any = [&](const auto& is) {
    return std::any_of(parameters.all.begin(), parameters.all.end(), is);
  };
  if (any([](const Axle& a) { return a.torque != 0; }))
    return {{EnergyEffect::Kind::gives, "axles: motors give energy and brakes take it"}};
  if (any([](const Axle& a) { return a.brake != 0; }))
    return {{EnergyEffect::Kind::takes, "axles: brakes take energy"}};
  return {};
}

}  // namespace mote::sim
