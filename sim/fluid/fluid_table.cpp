#include "sim/fluid/fluid.h"

namespace mote::sim {

const engine::ParamTable<Fluid>& fluid_table() {
  using engine::param;
  static const engine::ParamTable<Fluid> table{
      "fluid",
      "A weakly compressible fluid (SPH) and its walls. Leave the table out for none.",
      {param(&Fluid::spacing,
             {.name = "spacing",
              .help = "distance of neighbouring particles at the reference density",
              .unit = "length",
              .minimum = 0,
              .minimum_excluded = true,
              .required = true}),
       param(&Fluid::largest_speed, {.name = "largest_speed",
                                     .help = "largest speed that the flow is expected to reach; of "
                                             "water that falls by H, sqrt(2 g H)",
                                     .unit = "velocity",
                                     .minimum = 0,
                                     .minimum_excluded = true,
                                     .required = true}),
       param(&Fluid::sound_speed, {.name = "sound_speed",
                                   .help = "speed of sound, instead of 10 times the largest speed",
                                   .unit = "velocity",
                                   .minimum = 0,
                                   .minimum_excluded = true}),
       param(&Fluid::density,
             {.name = "density",
              .help = "density of reference, at which the pressure is that of the background",
              .unit = "density",
              .minimum = 0,
              .minimum_excluded = true}),
       param(&Fluid::smoothing,
             {.name = "smoothing",
              .help = "smoothing length h over the spacing, 2 in two and 1.5 in three "
                      "dimensions; particles reach 2h",
              .minimum = 1,
              .maximum = 3}),
       param(&Fluid::dimensions, {.name = "dimensions",
                                  .help = "2: in the plane of x and y, for a unit of depth; or 3",
                                  .minimum = 2,
                                  .maximum = 3}),
       param(&Fluid::gamma, {.name = "gamma",
                             .help = "exponent of Tait's equation of state",
                             .minimum = 1,
                             .maximum = 15}),
       param(&Fluid::background_pressure,
             {.name = "background_pressure",
              .help = "pressure at the density of reference, for flows without a free surface",
              .unit = "pressure",
              .minimum = 0}),
       param(&Fluid::viscosity, {.name = "viscosity",
                                 .help = "kinematic viscosity nu",
                                 .unit = "kinematic viscosity",
                                 .minimum = 0,
                                 .live = true}),
       param(
           &Fluid::artificial_viscosity,
           {.name = "artificial_viscosity",
            .help =
                "alpha of the artificial viscosity, which calms splashes; 0.01 to 0.1, 0 for none",
            .minimum = 0,
            .maximum = 1,
            .live = true}),
       param(&Fluid::diffusion,
             {.name = "diffusion",
              .help = "delta of the diffusion of density, which quiets noise of the pressure",
              .minimum = 0,
              .maximum = 0.2,
              .live = true}),
       param(&Fluid::shifting,
             {.name = "shifting",
              .help = "strength of the shifting that keeps particles evenly spaced; 0 for none",
              .minimum = 0,
              .maximum = 8}),
       param(&Fluid::xsph,
             {.name = "xsph",
              .help = "share of the neighbours' mean velocity in that with which particles move",
              .minimum = 0,
              .maximum = 1}),
       param(&Fluid::surface_tension, {.name = "surface_tension",
                                       .help = "surface tension sigma of free surfaces; 0 for none",
                                       .unit = "surface energy",
                                       .minimum = 0}),
       param(&Fluid::walls, {.name = "walls",
                             .help = "what walls do to the fluid along them",
                             .choices = {"no_slip", "free_slip"}}),
       param(&Fluid::hydrostatic,
             {.name = "hydrostatic",
              .help = "the fluid starts with the pressure of its depth in uniform fields, so that "
                      "still water "
                      "is still; without it all of it starts at the density of reference"})}};
  return table;
}

TaitFormula<double> equation_of_state(const Fluid& fluid) {
  const double c = sound_speed(fluid);
  return {fluid.density, 1 / fluid.density,
          fluid.density * c * c / static_cast<double>(fluid.gamma), fluid.background_pressure,
          static_cast<int>(fluid.gamma)};
}

const ModuleInfo& FluidForce::info() {
  static const ModuleInfo info{
      "wcsph", "fluid", "weakly compressible SPH with walls", Repeatability::bitwise,
      true,    true,    engine::sheet_of(fluid_table())};
  return info;
}

}  // namespace mote::sim
