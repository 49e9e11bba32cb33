#include "sim/scene/tables.h"

namespace mote::sim {

using engine::param;
using engine::ParamTable;

const ParamTable<SceneHead>& scene_table() {
  static const ParamTable<SceneHead> table = [] {
    std::vector<std::string> units;
    for (const engine::UnitSystem& u : engine::unit_systems()) units.push_back(u.name);
    return ParamTable<SceneHead>{
        "scene",
        "The table that a scene returns.",
        {param(&SceneHead::title, {.name = "title", .help = "one line, shown everywhere"}),
         param(&SceneHead::about, {.name = "about", .help = "what the scene shows and what it conserves"}),
         param(&SceneHead::units, {.name = "units",
                                   .help = "nbody: G = 1; si: m, s, kg; solar: au, day, solar mass; galactic: kpc, "
                                           "1e10 solar masses, km/s",
                                   .choices = units}),
         param(&SceneHead::seed, {.name = "seed",
                                  .help = "of all random numbers of the scene",
                                  .minimum = 0,
                                  .maximum = 9007199254740992.0}),
         param(&SceneHead::precision, {.name = "precision",
                                       .help = "number type of state and forces; auto: double up to 1,024 bodies, "
                                               "single above",
                                       .choices = {"auto", "single", "mixed", "double"}})}};
  }();
  return table;
}

const ParamTable<Stop>& stop_table() {
  static const ParamTable<Stop> table{
      "stop",
      "When a run without a window ends: at whichever comes first.",
      {param(&Stop::time, {.name = "time", .help = "simulation time", .unit = "time", .minimum = 0}),
       param(&Stop::steps, {.name = "steps", .help = "number of steps", .minimum = 0, .maximum = 1e15})}};
  return table;
}

const ParamTable<Series>& series_table() {
  static const ParamTable<Series> table{
      "series",
      "How often measurements become a row of series.csv.",
      {param(&Series::steps, {.name = "steps",
                              .help = "steps between rows; without it every step up to 1,024 bodies, every 20 above",
                              .minimum = 1,
                              .maximum = 1e15})}};
  return table;
}

const ParamTable<Snapshots>& snapshots_table() {
  static const ParamTable<Snapshots> table{
      "snapshots",
      "When the state is written, beside the one that every run ends with.",
      {param(&Snapshots::steps, {.name = "steps", .help = "steps between files", .minimum = 1, .maximum = 1e15}),
       param(&Snapshots::time, {.name = "time",
                                .help = "simulation time between files",
                                .unit = "time",
                                .minimum = 0,
                                .minimum_excluded = true})}};
  return table;
}

const ParamTable<HealthLimits>& health_table() {
  static const ParamTable<HealthLimits> table{
      "health",
      "What ends a run as unhealthy, beside numbers that are not finite.",
      {param(&HealthLimits::energy_error, {.name = "energy_error",
                                           .help = "largest relative energy error, either sign",
                                           .minimum = 0,
                                           .minimum_excluded = true,
                                           .live = true})}};
  return table;
}

const ParamTable<View>& view_table() {
  static const ParamTable<View> table{
      "view",
      "How the scene likes to be looked at.",
      {param(&View::color, {.name = "color",
                            .help = "what the colour of a body shows",
                            .live = true,
                            .choices = {"speed", "mass", "id"}}),
       param(&View::map, {.name = "map",
                          .help = "colour map",
                          .live = true,
                          .choices = {"viridis", "inferno", "magma", "plasma", "turbo", "grey"}}),
       param(&View::exposure, {.name = "exposure",
                               .help = "brightness in stops, beside the automatic one",
                               .minimum = -20,
                               .maximum = 20,
                               .live = true}),
       param(&View::point_size, {.name = "point_size",
                                 .help = "diameter of a body in pixels at 720 lines; 0: chosen from their number",
                                 .minimum = 0,
                                 .maximum = 256,
                                 .live = true})}};
  return table;
}

const ParamTable<Camera>& camera_table() {
  static const ParamTable<Camera> table{
      "view.camera",
      "Where the scene is looked at from.",
      {param(&Camera::distance, {.name = "distance",
                                 .help = "from the target; without it the bodies fit the picture",
                                 .unit = "length",
                                 .minimum = 0,
                                 .minimum_excluded = true,
                                 .live = true}),
       param(&Camera::azimuth,
             {.name = "azimuth", .help = "turn about the z axis", .unit = "angle", .live = true}),
       param(&Camera::elevation, {.name = "elevation",
                                  .help = "above the x-y plane",
                                  .unit = "angle",
                                  .minimum = -90,
                                  .maximum = 90,
                                  .live = true}),
       param(&Camera::target, {.name = "target",
                               .help = "point in the middle of the picture; without it the middle of the bodies",
                               .unit = "length",
                               .live = true})}};
  return table;
}

}  // namespace mote::sim
