#include "sim/initial/orbit.h"

#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/kepler.h"

namespace mote::sim {
namespace {

double radians(double degrees) {
  return degrees * (std::numbers::pi / 180);
}

/// Checks that the size is given exactly once and fits the eccentricity.
void check_size(const Orbit& o, BrokenRelations& broken) {
  const std::string e = "eccentricity " + engine::text_of(o.eccentricity);
  if (o.semi_major_axis && o.periapsis)
    broken.push_back({"periapsis", "is given together with semi_major_axis", "give only one"});
  else if (!o.semi_major_axis && !o.periapsis)
    broken.push_back({"semi_major_axis", "is missing", "give it, or periapsis"});
  else if (o.semi_major_axis && o.eccentricity == 1)
    broken.push_back({"semi_major_axis", "a parabola has none", "give periapsis"});
  else if (o.semi_major_axis && o.eccentricity < 1 && !(*o.semi_major_axis > 0))
    broken.push_back(
        {"semi_major_axis", "is not greater than 0, with " + e, "an ellipse has a positive one"});
  else if (o.semi_major_axis && o.eccentricity > 1 && !(*o.semi_major_axis < 0))
    broken.push_back(
        {"semi_major_axis", "is not less than 0, with " + e, "a hyperbola has a negative one"});
}

void check_anomaly(const Orbit& o, BrokenRelations& broken) {
  if (o.mean_anomaly && o.true_anomaly)
    broken.push_back({"true_anomaly", "is given together with mean_anomaly", "give only one"});
  else if (o.mean_anomaly && o.eccentricity == 1)
    broken.push_back({"mean_anomaly", "a parabola has none", "give true_anomaly"});
  else if (o.true_anomaly && !(1 + o.eccentricity * std::cos(radians(*o.true_anomaly)) > 1e-9))
    broken.push_back({"true_anomaly",
                      engine::text_of(*o.true_anomaly) + " degrees lies beyond the asymptote",
                      "1 + eccentricity cos(true_anomaly) must be greater than 0"});
}

}  // namespace

const engine::ParamTable<Orbit>& orbit_table() {
  using engine::param;
  static const engine::ParamTable<Orbit> table{
      "orbit",
      "one body on a Kepler orbit about a primary at `position`",
      {param(&Orbit::name, {.name = "name", .help = "shown in the window and in files"}),
       color_param<Orbit>(), display_radius_param<Orbit>(),
       param(&Orbit::mass, {.name = "mass", .help = "of the body", .unit = "mass", .minimum = 0}),
       param(&Orbit::central_mass, {.name = "central_mass",
                                    .help = "mass of the primary, greater than 0; add the primary "
                                            "itself as a body. For a moon in the list `moons` of "
                                            "another orbit, the mass of that orbit's body",
                                    .unit = "mass",
                                    .minimum = 0}),
       param(&Orbit::semi_major_axis,
             {.name = "semi_major_axis", .help = "negative for a hyperbola", .unit = "length"}),
       length_param(&Orbit::periapsis, "periapsis",
                    "smallest distance from the primary, instead of semi_major_axis"),
       param(&Orbit::eccentricity,
             {.name = "eccentricity",
              .help = "0 is a circle, below 1 an ellipse, 1 a parabola, above a hyperbola",
              .minimum = 0}),
       param(&Orbit::argument_of_periapsis, {.name = "argument_of_periapsis",
                                             .help = "from the ascending node (the x axis without "
                                                     "inclination and node) to the periapsis",
                                             .unit = "angle"}),
       param(&Orbit::mean_anomaly,
             {.name = "mean_anomaly",
              .help = "time since periapsis, 360 degrees per period; 0 when no anomaly is given",
              .unit = "angle"}),
       param(&Orbit::true_anomaly, {.name = "true_anomaly",
                                    .help = "angle from the periapsis, instead of mean_anomaly",
                                    .unit = "angle"})}};
  return table;
}

BrokenRelations broken_relations(const Orbit& orbit) {
  BrokenRelations broken;
  if (!(orbit.central_mass > 0))
    broken.push_back(
        {"central_mass", "is missing or 0", "give the mass of the primary, greater than 0"});
  check_size(orbit, broken);
  check_anomaly(orbit, broken);
  return broken;
}

Bodies make(const Orbit& o, const MakeContext& context) {
  const double mu = context.gravitational * (o.central_mass + o.mass), e = o.eccentricity;
  const double periapsis = o.periapsis ? *o.periapsis : *o.semi_major_axis * (1 - e);
  const OrbitState state =
      o.true_anomaly || e == 1
          ? state_at_true_anomaly(mu, periapsis, e, radians(o.true_anomaly.value_or(0)))
          : state_at_mean_anomaly(mu, periapsis, e, radians(o.mean_anomaly.value_or(0)));
  Bodies bodies;
  bodies.mass = {o.mass};
  bodies.position = {state.position};
  bodies.velocity = {state.velocity};
  if (!o.name.empty()) bodies.names = {o.name};
  if (const BodyLook look = look_of(o); look != BodyLook{}) bodies.looks = {look};
  if (o.argument_of_periapsis != 0) rotate(bodies, {0, 0, 1}, o.argument_of_periapsis);
  return bodies;
}

}  // namespace mote::sim
