#include "sim/fluid/fluid_table.h"

#include <utility>
#include <vector>

namespace mote::sim {

namespace {

using engine::param;
using FluidParams = std::vector<engine::Param<Fluid>>;

/// Parameters of particles and of the equation of state.
FluidParams matter_params() {
  return {
      param(&Fluid::spacing, {.name = "spacing",
                              .help = "particle spacing at the reference density",
                              .unit = "length",
                              .minimum = 0,
                              .minimum_excluded = true,
                              .required = true}),
      param(&Fluid::largest_speed,
            {.name = "largest_speed",
             .help = "largest speed expected in the flow; for water that falls by H, sqrt(2 g H)",
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
             .help = "reference density, at which the pressure is `background_pressure`",
             .unit = "density",
             .minimum = 0,
             .minimum_excluded = true}),
      param(&Fluid::smoothing,
            {.name = "smoothing",
             .help = "smoothing length h over the spacing, by default 2 in two and 1.5 in three "
                     "dimensions; the kernel has a support radius of 2h",
             .minimum = 1,
             .maximum = 3}),
      param(&Fluid::dimensions, {.name = "dimensions",
                                 .help = "2: in the x-y plane, per unit of depth; or 3",
                                 .minimum = 2,
                                 .maximum = 3}),
      param(&Fluid::gamma, {.name = "gamma",
                            .help = "exponent of Tait's equation of state",
                            .minimum = 1,
                            .maximum = 15}),
      param(&Fluid::background_pressure,
            {.name = "background_pressure",
             .help = "pressure at the reference density, for flows without a free surface",
             .unit = "pressure",
             .minimum = 0}),
  };
}

/// Parameters of forces beside the pressure, of walls and of the start.
FluidParams motion_params() {
  return {
      param(&Fluid::viscosity, {.name = "viscosity",
                                .help = "kinematic viscosity nu",
                                .unit = "kinematic viscosity",
                                .minimum = 0}),
      param(&Fluid::artificial_viscosity,
            {.name = "artificial_viscosity",
             .help =
                 "alpha of the artificial viscosity, which damps splashes; 0.01 to 0.1, 0 for none",
             .minimum = 0,
             .maximum = 1}),
      param(&Fluid::diffusion,
            {.name = "diffusion",
             .help = "delta of the density diffusion, which damps pressure noise",
             .minimum = 0,
             .maximum = 0.2}),
      param(&Fluid::shifting,
            {.name = "shifting",
             .help = "strength of the particle shifting, which keeps the spacing even; 0 for none",
             .minimum = 0,
             .maximum = 8}),
      param(&Fluid::xsph, {.name = "xsph",
                           .help = "XSPH coefficient: weight of the neighbours' mean velocity in "
                                   "the velocity that moves particles",
                           .minimum = 0,
                           .maximum = 1}),
      param(&Fluid::surface_tension, {.name = "surface_tension",
                                      .help = "surface tension sigma of free surfaces; 0 for none",
                                      .unit = "surface energy",
                                      .minimum = 0}),
      param(&Fluid::walls, {.name = "walls",
                            .help = "boundary condition at walls",
                            .choices = {"no_slip", "free_slip"}}),
      param(&Fluid::hydrostatic,
            {.name = "hydrostatic",
             .help = "start with hydrostatic pressure in uniform fields, so that still water "
                     "stays at rest; otherwise with the reference density everywhere"}),
  };
}

}  // namespace

const engine::ParamTable<Fluid>& fluid_table() {
  static const engine::ParamTable<Fluid> table = [] {
    engine::ParamTable<Fluid> all{
        "fluid", "A weakly compressible fluid (SPH) and its walls. Leave the table out for none.",
        matter_params()};
    for (engine::Param<Fluid>& p : motion_params()) all.params.push_back(std::move(p));
    return all;
  }();
  return table;
}

TaitFormula<double> equation_of_state(const Fluid& fluid) {
  const double c = sound_speed(fluid);
  return {fluid.density, 1 / fluid.density,
          fluid.density * c * c / static_cast<double>(fluid.gamma), fluid.background_pressure,
          static_cast<int>(fluid.gamma)};
}

}  // namespace mote::sim
