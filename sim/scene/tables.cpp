#include "sim/scene/tables.h"

#include "sim/io/column_choice.h"
#include "sim/io/formats.h"

namespace mote::sim {

using engine::list_param;
using engine::param;
using engine::ParamTable;

const std::vector<std::string>& subtable_names() {
  static const std::vector<std::string> names{
      "gravity",     "fields",     "domain", "lennard_jones", "coulomb",    "pairs",
      "bonds",       "bond_kinds", "angles", "angle_kinds",   "fluid",      "emitters",
      "drains",      "grains",     "soft",   "obstacles",     "thermostat", "radial_distribution",
      "integrator",  "species",    "bodies", "stop",          "series",     "snapshots",
      "checkpoints", "health",     "view"};
  return names;
}

const ParamTable<SceneHead>& scene_table() {
  static const ParamTable<SceneHead> table = [] {
    std::vector<std::string> units;
    for (const engine::UnitSystem& u : engine::unit_systems()) units.push_back(u.name);
    return ParamTable<SceneHead>{
        "scene",
        "The table that a scene returns. A key without a default may be left out.",
        {param(&SceneHead::title, {.name = "title", .help = "one line, shown everywhere"}),
         param(&SceneHead::about,
               {.name = "about", .help = "what the scene shows and what it conserves"}),
         param(&SceneHead::units,
               {.name = "units",
                .help = "nbody: G = 1; si: m, s, kg; solar: au, day, solar mass; galactic: kpc, "
                        "1e10 solar masses, km/s; molecular: nm, ps, dalton, proton charges",
                .choices = units}),
         param(&SceneHead::seed, {.name = "seed",
                                  .help = "where all random numbers of the scene start",
                                  .minimum = 0,
                                  .maximum = 9007199254740992.0}),
         param(&SceneHead::precision,
               {.name = "precision",
                .help = "number type of state and forces; auto: double up to 1,024 bodies, "
                        "single above",
                .choices = {"auto", "single", "mixed", "double"}})}};
  }();
  return table;
}

const ParamTable<Stop>& stop_table() {
  static const ParamTable<Stop> table{
      "stop",
      "When a run without a window ends: at whichever comes first. --until and --steps replace it.",
      {param(&Stop::time,
             {.name = "time", .help = "simulation time of the end", .unit = "time", .minimum = 0}),
       param(&Stop::steps, {.name = "steps",
                            .help = "number of steps to the end",
                            .minimum = 0,
                            .maximum = 1e15})}};
  return table;
}

const ParamTable<Series>& series_table() {
  static const ParamTable<Series> table{
      "series",
      "How often measurements become a row of series.csv.",
      {param(&Series::steps,
             {.name = "steps",
              .help = "steps between rows; when left out 1 for up to 1,024 bodies, 20 for more",
              .minimum = 1,
              .maximum = 1e15}),
       param(&Series::displacement, {.name = "displacement",
                                     .help = "whether rows have the mean square displacement: of "
                                             "the ways of all bodies since they "
                                             "came, around periodic axes as often as they went"})}};
  return table;
}

const ParamTable<Snapshots>& snapshots_table() {
  static const ParamTable<Snapshots> table{
      "snapshots",
      "When and how the state is written to snapshots/; every run ends with one, whatever stands "
      "here.",
      {param(&Snapshots::steps,
             {.name = "steps", .help = "steps between snapshots", .minimum = 1, .maximum = 1e15}),
       param(&Snapshots::time, {.name = "time",
                                .help = "simulation time between snapshots",
                                .unit = "time",
                                .minimum = 0,
                                .minimum_excluded = true}),
       param(&Snapshots::compress,
             {.name = "compress",
              .help = "whether HDF5 files are compressed: smaller, and slower to write"}),
       param(&Snapshots::contacts,
             {.name = "contacts",
              .help = "whether snapshots hold who touches whom, with forces, in scenes with "
                      "grains: in HDF5 and "
                      "NPZ files themselves, for VTK and CSV in files beside them"})},
      {list_param(&Snapshots::times, {.name = "times",
                                      .help = "simulation times of snapshots, besides the others",
                                      .unit = "time",
                                      .minimum = 0}),
       list_param(&Snapshots::format,
                  {.name = "format",
                   .help = "formats of each snapshot; commands of mote read hdf5",
                   .choices = snapshot_format_names()}),
       list_param(&Snapshots::columns, {.name = "columns",
                                        .help = "what files hold of each body; when left out all. "
                                                "Ids and positions always stand there",
                                        .choices = column_names()})}};
  return table;
}

const ParamTable<CheckpointTimes>& checkpoints_table() {
  static const ParamTable<CheckpointTimes> table{
      "checkpoints",
      "When a run without a window writes what it goes on from to checkpoints/, besides the one of "
      "an "
      "interruption. --checkpoint-steps and so on replace single keys.",
      {param(&CheckpointTimes::steps,
             {.name = "steps", .help = "steps between checkpoints", .minimum = 1, .maximum = 1e15}),
       param(&CheckpointTimes::time, {.name = "time",
                                      .help = "simulation time between checkpoints",
                                      .unit = "time",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       param(
           &CheckpointTimes::wall,
           {.name = "wall",
            .help = "seconds between checkpoints, by the clock; when nothing is said 600, 0: none",
            .minimum = 0}),
       param(&CheckpointTimes::keep,
             {.name = "keep", .help = "how many checkpoints stay", .minimum = 1, .maximum = 1e6})}};
  return table;
}

const ParamTable<HealthLimits>& health_table() {
  static const ParamTable<HealthLimits> table{
      "health",
      "What ends a run as unhealthy, besides numbers that are not finite.",
      {param(&HealthLimits::energy_error,
             {.name = "energy_error",
              .help =
                  "largest relative energy error, of either sign, in scenes that conserve energy; "
                  "by default 10, relative to the largest energy so far",
              .minimum = 0,
              .minimum_excluded = true,
              .live = true}),
       param(&HealthLimits::escape_radius, {.name = "escape_radius",
                                            .help = "largest distance of a body from the centre of "
                                                    "mass; looked at with every row of the series",
                                            .unit = "length",
                                            .minimum = 0,
                                            .minimum_excluded = true})}};
  return table;
}

const ParamTable<Species>& species_table() {
  static const ParamTable<Species> table{
      "species",
      "Kinds of bodies, a table for each name: species = { star = { color = \"#ffcc88\" } }. "
      "Bodies, "
      "generators and files of bodies say which they are by species = \"star\".",
      {param(&Species::color,
             {.name = "color", .help = "red, green and blue in hexadecimal digits, #rrggbb"}),
       param<Species, std::optional<double>>(
           &Species::epsilon,
           {.name = "epsilon",
            .help = "depth of the well among its like, instead of that of lennard_jones",
            .unit = "energy",
            .minimum = 0}),
       param<Species, std::optional<double>>(
           &Species::sigma, {.name = "sigma",
                             .help = "size among its like, instead of that of lennard_jones",
                             .unit = "length",
                             .minimum = 0,
                             .minimum_excluded = true}),
       param<Species, std::optional<std::string>>(
           &Species::matter,
           {.name = "matter",
            .help = "what its bodies are, where the scene has several kinds of matter",
            .choices = {"fluid", "grains", "lennard_jones", "soft"}}),
       param(&Species::wall, {.name = "wall",
                              .help = "for fluid: its bodies are walls, which move with their "
                                      "velocity whatever pushes them"}),
       param<Species, double>(&Species::charge,
                              {.name = "charge", .help = "for coulomb, in charges of a proton"})}};
  return table;
}

const ParamTable<View>& view_table() {
  static const ParamTable<View> table{
      "view",
      "How pictures of the scene look; changes nothing about the simulation.",
      {param(&View::color, {.name = "color",
                            .help = "what the colour of a body shows",
                            .live = true,
                            .choices = {"speed", "radius", "acceleration", "mass", "id", "x", "y",
                                        "z", "species", "force"}}),
       param(&View::map, {.name = "map",
                          .help = "colour map",
                          .live = true,
                          .choices = {"inferno", "viridis", "magma", "plasma", "turbo", "grey"}}),
       param(&View::exposure,
             {.name = "exposure",
              .help = "stops brighter (> 0) or darker (< 0) than chosen automatically",
              .minimum = -20,
              .maximum = 20,
              .live = true}),
       param(&View::point_size,
             {.name = "point_size",
              .help = "diameter of a body in pixels at 720 lines; 0: chosen from their number",
              .minimum = 0,
              .maximum = 256,
              .live = true}),
       param(
           &View::bodies,
           {.name = "bodies",
            .help = "stars that add up as light, spheres that hide each other, or the surface of a "
                    "fluid",
            .live = true,
            .choices = {"stars", "spheres", "fluid"}}),
       param(&View::radius,
             {.name = "radius",
              .help = "of spheres; 0: that of grains, half of sigma or of a fluid's spacing, "
                      "else as point_size says",
              .unit = "length",
              .minimum = 0}),
       param(&View::contacts, {.name = "contacts",
                               .help = "lines between grains that touch each other and obstacles, "
                                       "in front of all: the wider and "
                                       "brighter, the harder they press. The host finds them, and "
                                       "a GPU's state is copied there for "
                                       "each picture",
                               .live = true}),
       param(&View::trails, {.name = "trails",
                             .help = "ways of the bodies, in the window; auto: where they are few",
                             .live = true,
                             .choices = {"auto", "on", "off"}}),
       param(&View::orbits,
             {.name = "orbits", .help = "ellipses of few bodies, in the window", .live = true}),
       param(&View::axes,
             {.name = "axes", .help = "axes through the origin, in the window", .live = true}),
       param(&View::box,
             {.name = "box", .help = "box around all bodies, in the window", .live = true}),
       param(&View::glow,
             {.name = "glow", .help = "glow of bright stars, in the window", .live = true})}};
  return table;
}

const ParamTable<Camera>& camera_table() {
  static const ParamTable<Camera> table{
      "view.camera",
      "Where the scene is looked at from.",
      {param(&Camera::distance,
             {.name = "distance",
              .help = "from the target; chosen so that the bodies fit the picture when left out",
              .unit = "length",
              .minimum = 0,
              .minimum_excluded = true,
              .live = true}),
       param(&Camera::azimuth,
             {.name = "azimuth",
              .help = "direction it looks from, counted about the z axis; 0 is +x, 90 is +y",
              .unit = "angle",
              .live = true}),
       param(&Camera::elevation,
             {.name = "elevation",
              .help = "height it looks from: 0 in the x-y plane, 90 straight from +z",
              .unit = "angle",
              .minimum = -90,
              .maximum = 90,
              .live = true}),
       param(&Camera::target,
             {.name = "target",
              .help = "point in the middle of the picture; the middle of the bodies when left out",
              .unit = "length",
              .live = true})}};
  return table;
}

}  // namespace mote::sim
