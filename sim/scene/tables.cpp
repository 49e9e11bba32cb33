#include "sim/scene/tables.h"

#include "sim/io/column_choice.h"
#include "sim/io/formats.h"
#include "sim/measure/scalars.h"
#include "sim/model/modules.h"

namespace mote::sim {

using engine::list_param;
using engine::param;
using engine::ParamTable;

const std::vector<std::string>& subtable_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const PhysicsModule& m : modules())
      for (const SceneKey& key : m.info().keys) all.push_back(key.name);
    for (const char* other :
         {"domain", "radial_distribution", "obstacles", "integrator", "species", "bodies", "stop",
          "series", "snapshots", "checkpoints", "health", "view"})
      all.emplace_back(other);
    return all;
  }();
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
                                  .help = "seed of all random numbers of the scene",
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
      "When a run without a window ends: at whichever comes first. --until and --steps override "
      "it.",
      {param(&Stop::time,
             {.name = "time", .help = "simulation time at the end", .unit = "time", .minimum = 0}),
       param(&Stop::steps,
             {.name = "steps", .help = "number of steps", .minimum = 0, .maximum = 1e15})}};
  return table;
}

const ParamTable<Series>& series_table() {
  static const ParamTable<Series> table{
      "series",
      "How often measurements are written to series.csv.",
      {param(&Series::steps, {.name = "steps",
                              .help = "steps between rows; by default 1 for up to 1,024 bodies, "
                                      "20 for more and with hermite",
                              .minimum = 1,
                              .maximum = 1e15}),
       param(&Series::displacement,
             {.name = "displacement",
              .help = "whether to record the mean square displacement of all bodies since they "
                      "were added, unwrapped across periodic boundaries"})}};
  return table;
}

const ParamTable<Snapshots>& snapshots_table() {
  static const ParamTable<Snapshots> table{
      "snapshots",
      "When and how the state is written to snapshots/; every run writes one at its end in any "
      "case, and one at its start if there are steps or a time between them.",
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
              .help = "whether snapshots contain the contacts of grains and their forces: within "
                      "HDF5 and NPZ files, in separate files for VTK and CSV"})},
      {list_param(&Snapshots::times, {.name = "times",
                                      .help = "simulation times of additional snapshots",
                                      .unit = "time",
                                      .minimum = 0}),
       list_param(&Snapshots::format,
                  {.name = "format",
                   .help = "formats of each snapshot; mote's own commands read hdf5",
                   .choices = snapshot_format_names()}),
       list_param(
           &Snapshots::columns,
           {.name = "columns",
            .help = "columns of the files, by default id to species; ids and positions are always "
                    "included; acceleration is by all forces that do not depend on velocities, "
                    "potential that of gravity per unit mass",
            .choices = column_names()})}};
  return table;
}

const ParamTable<CheckpointTimes>& checkpoints_table() {
  static const ParamTable<CheckpointTimes> table{
      "checkpoints",
      "When a run without a window writes checkpoints, from which it can be resumed, to "
      "checkpoints/, in addition to the one on interruption. --checkpoint-steps and similar "
      "options override single keys.",
      {param(&CheckpointTimes::steps,
             {.name = "steps", .help = "steps between checkpoints", .minimum = 1, .maximum = 1e15}),
       param(&CheckpointTimes::time, {.name = "time",
                                      .help = "simulation time between checkpoints",
                                      .unit = "time",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       param(&CheckpointTimes::wall,
             {.name = "wall",
              .help = "wall-clock seconds between checkpoints; by default 600, 0: none",
              .minimum = 0}),
       param(&CheckpointTimes::keep,
             {.name = "keep", .help = "number of checkpoints kept", .minimum = 1, .maximum = 1e6}),
       param(
           &CheckpointTimes::at_end,
           {.name = "final",
            .help = "whether a run that is done has a checkpoint of its end, from which it can be "
                    "taken further; auto: up to 1 GiB, or if others are requested",
            .choices = {"auto", "always", "never"}})}};
  return table;
}

const ParamTable<HealthLimits>& health_table() {
  static const ParamTable<HealthLimits> table{
      "health",
      "Limits that end a run as unhealthy, besides numbers that are not finite.",
      {param(&HealthLimits::energy_error,
             {.name = "energy_error",
              .help =
                  "largest relative energy error, of either sign, in scenes that conserve energy, "
                  "or rise, where the energy only falls or may rise a little; by default 10, "
                  "relative to the largest energy so far",
              .minimum = 0,
              .minimum_excluded = true,
              .live = true}),
       param(&HealthLimits::escape_radius, {.name = "escape_radius",
                                            .help = "largest distance of a body from the centre of "
                                                    "mass; checked at every row of the series",
                                            .unit = "length",
                                            .minimum = 0,
                                            .minimum_excluded = true})}};
  return table;
}

const ParamTable<Species>& species_table() {
  static const ParamTable<Species> table{
      "species",
      "Species of bodies, a table for each name: species = { star = { color = \"#ffcc88\" } }. "
      "Bodies, generators and body files name theirs as species = \"star\".",
      {param(&Species::color,
             {.name = "color", .help = "red, green and blue in hexadecimal digits, #rrggbb"}),
       param<Species, std::optional<std::string>>(
           &Species::matter,
           {.name = "matter",
            .help = "kind of matter of its bodies, in scenes with several",
            .choices = subjects_where([](const ModuleInfo& m) { return m.is_matter; })}),
       param(&Species::visible, {.name = "visible", .help = "whether its bodies are drawn"}),
       param(&Species::size, {.name = "size",
                              .help = "factor of the radius of its bodies where spheres are drawn",
                              .minimum = 0,
                              .maximum = 1000,
                              .minimum_excluded = true}),
       param(&Species::brightness, {.name = "brightness",
                                    .help = "factor of the light of its bodies where stars are "
                                            "drawn",
                                    .minimum = 0,
                                    .maximum = 1000})}};
  return table;
}

namespace {

/// Colours and light.
std::vector<engine::Param<View>> light_params() {
  return {
      param(&View::color, {.name = "color",
                           .help = "quantity that the colour of bodies shows: " + scalar_names() +
                                   ", or an expression as in fields: \"sqrt(x^2 + y^2)\"",
                           .live = true}),
      param(
          &View::show,
          {.name = "show",
           .help = "expression as in fields that is > 0 for the bodies that are drawn: \"z > 0\", "
                   "\"(r < 2) * (vx > 0)\"; by default all are",
           .live = true}),
      param(&View::map, {.name = "map",
                         .help = "colour map",
                         .live = true,
                         .choices = {"inferno", "viridis", "magma", "plasma", "turbo", "grey",
                                     "cividis", "batlow", "vik"}}),
      param(&View::background, {.name = "background",
                                .help = "dark, or light for print: stars are then drawn as ink",
                                .live = true,
                                .choices = {"dark", "light"}}),
      param(&View::occlusion, {.name = "occlusion",
                               .help = "how dark spheres, surfaces and water are where others "
                                       "hide the sky: 1 is natural; a "
                                       "quarter slower without a GPU",
                               .minimum = 0,
                               .maximum = 3,
                               .live = true}),
      param(&View::shadow,
            {.name = "shadow",
             .help = "part of the lamp's light that the shadows of spheres, surfaces and tubes "
                     "take; 0: no shadows; half as slow again without a GPU",
             .minimum = 0,
             .maximum = 1,
             .live = true}),
      param(&View::reversed,
            {.name = "reversed", .help = "the colours of the map in reverse order", .live = true}),
      param(&View::exposure,
            {.name = "exposure",
             .help = "stops brighter (> 0) or darker (< 0) than the automatic exposure",
             .minimum = -20,
             .maximum = 20,
             .live = true}),
  };
}

/// How bodies are drawn, and what else is in a picture.
std::vector<engine::Param<View>> picture_params() {
  return {
      param(&View::point_size, {.name = "point_size",
                                .help = "diameter of a body in pixels, in a picture 720 pixels "
                                        "high; 0: chosen from the number of bodies",
                                .minimum = 0,
                                .maximum = 256,
                                .live = true}),
      param(&View::bodies,
            {.name = "bodies",
             .help =
                 "points of light that add up, opaque spheres, or the surface of a fluid; spheres "
                 "by default where bodies have radii or are connected",
             .live = true,
             .choices = {"stars", "spheres", "fluid"}}),
      param(&View::radius, {.name = "radius",
                            .help = "radius of spheres; 0: that of grains, half of sigma or of a "
                                    "fluid's spacing, else from point_size",
                            .unit = "length",
                            .minimum = 0}),
      param(&View::portrait, {.name = "portrait",
                              .help = "time of the picture that shows the scene best, for "
                                      "galleries; by default its end",
                              .unit = "time",
                              .minimum = 0}),
      param(&View::overlay,
            {.name = "overlay",
             .help = "what explains pictures and movies: measures are legend, scale bar and time, "
                     "all has title and credits too",
             .choices = {"none", "measures", "all"}}),
      param(&View::credits,
            {.name = "credits", .help = "line below the title, where overlay is all"}),
      param(&View::contacts,
            {.name = "contacts",
             .help =
                 "contacts of grains as lines on top of the picture; width and brightness show the "
                 "force. The host finds them, so a GPU's state is copied there for each picture",
             .live = true}),
      param(&View::trails,
            {.name = "trails",
             .help = "trails of the bodies, in the window; auto: only for few bodies",
             .live = true,
             .choices = {"auto", "on", "off"}}),
      param(&View::orbits, {.name = "orbits",
                            .help = "orbital ellipses, for few bodies, in the window",
                            .live = true}),
      param(&View::axes,
            {.name = "axes", .help = "axes through the origin, in the window", .live = true}),
      param(&View::box,
            {.name = "box", .help = "box around all bodies, in the window", .live = true}),
      param(&View::glow,
            {.name = "glow", .help = "glow of bright stars, in the window", .live = true}),
  };
}

}  // namespace

const ParamTable<View>& view_table() {
  static const ParamTable<View> table = [] {
    ParamTable<View> all{"view", "How the scene is drawn; has no effect on the simulation.",
                         light_params()};
    for (engine::Param<View>& p : picture_params()) all.params.push_back(std::move(p));
    return all;
  }();
  return table;
}

const ParamTable<View>& clip_table() {
  static const ParamTable<View> table{
      "view.clip",
      "A plane behind which nothing is drawn; spheres, surfaces and fluids are cut open.",
      {param(
           &View::clip_normal,
           {.name = "normal",
            .help = "direction from the plane into what is drawn, of any length but zero; without "
                    "it, everything is drawn",
            .live = true}),
       param(&View::clip_offset, {.name = "offset",
                                  .help = "distance of the plane from the origin, along the normal",
                                  .unit = "length",
                                  .live = true})}};
  return table;
}

const std::vector<ViewParam>& view_params() {
  static const std::vector<ViewParam> all = [] {
    std::vector<ViewParam> list;
    for (const ParamTable<View>* table : {&view_table(), &clip_table()})
      for (const engine::Param<View>& p : table->params)
        list.push_back({table->name + "." + p.info.name, p});
    return list;
  }();
  return all;
}

const ParamTable<Camera>& camera_table() {
  static const ParamTable<Camera> table{
      "view.camera",
      "Position and direction of the camera.",
      {param(&Camera::distance,
             {.name = "distance",
              .help = "distance from the target; by default all bodies fit the picture",
              .unit = "length",
              .minimum = 0,
              .minimum_excluded = true}),
       param(
           &Camera::azimuth,
           {.name = "azimuth",
            .help = "direction of the camera from the target, about the z axis; 0 is +x, 90 is +y",
            .unit = "angle"}),
       param(&Camera::elevation,
             {.name = "elevation",
              .help = "angle of the camera above the x-y plane; at 90 it looks down along z",
              .unit = "angle",
              .minimum = -90,
              .maximum = 90}),
       param(&Camera::target,
             {.name = "target",
              .help = "point at the centre of the picture; by default the centre of the bodies",
              .unit = "length"})}};
  return table;
}

}  // namespace mote::sim
