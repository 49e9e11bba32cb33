#include "sim/space/solids.h"

#include <algorithm>

namespace mote::sim {

const engine::ParamTable<Axle>& axle_table() {
  using engine::param;
  static const engine::ParamTable<Axle> table{
      "axle",
      "An axle, in the list `axles`: the obstacles of its name are one wheel, which the forces of "
      "bodies turn.",
      {param(&Axle::name, {.name = "name", .help = "name of its obstacles", .required = true}),
       param(&Axle::inertia, {.name = "inertia",
                              .help = "moment of inertia of the wheel about the axle, in mass "
                                      "length^2",
                              .minimum = 0,
                              .minimum_excluded = true,
                              .required = true}),
       param(&Axle::point, {.name = "point", .help = "a point on the axle", .unit = "length"}),
       param(&Axle::axis,
             {.name = "axis", .help = "direction of the axle, of any length but zero"}),
       param(&Axle::angular_velocity, {.name = "angular_velocity",
                                       .help = "at the start, about the axis, in radians / time",
                                       .unit = "angular velocity"}),
       param(&Axle::torque, {.name = "torque",
                             .help = "torque of a motor about the axis, in force length",
                             .live = true}),
       param(&Axle::brake, {.name = "brake",
                            .help = "torque of a brake or generator by angular velocity, in force "
                                    "length time",
                            .minimum = 0,
                            .live = true})}};
  return table;
}

AxleFormula formula_of(const Axle& axle) {
  return {(1 / engine::length(axle.axis)) * axle.axis, axle.inertia, axle.torque, axle.brake};
}

std::vector<std::string> solid_names(const std::vector<ObstacleDescription>& obstacles) {
  std::vector<std::string> names;
  for (const ObstacleDescription& obstacle : obstacles) {
    const std::string& name = common_of(obstacle).name;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

}  // namespace mote::sim
