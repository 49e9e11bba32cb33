#include "sim/fluid/fluid_numbers.h"

namespace mote::sim {

using engine::Vec3d;

Vec3d weight_in(const Domain& domain, Vec3d gravity) {
  return {domain.periodic[0] ? 0 : gravity.x, domain.periodic[1] ? 0 : gravity.y,
          domain.periodic[2] ? 0 : gravity.z};
}

template <class Real>
FluidNumbers<Real>::FluidNumbers(const Fluid& p, Vec3d weight) {
  const double h = smoothing_length(p), c = sim::sound_speed(p);
  const auto dimensions = static_cast<int>(p.dimensions);
  const TaitFormula<double> t = equation_of_state(p);
  tait = {static_cast<Real>(t.density), static_cast<Real>(t.inverse_density),
          static_cast<Real>(t.stiffness), static_cast<Real>(t.background), t.gamma};
  constants = {smoothing_kernel<Real>(h, dimensions),
               static_cast<Real>(2 * p.density * p.viscosity),
               static_cast<Real>(p.artificial_viscosity * c * p.density / h)};
  at_walls = constants;
  if (p.walls == "free_slip") at_walls.laminar = at_walls.artificial = 0;
  factors = {static_cast<Real>(p.density),
             static_cast<Real>(c),
             static_cast<Real>(-2 * p.diffusion * h * c),
             static_cast<Real>(-h * h / static_cast<double>(p.dimensions)),
             static_cast<Real>(p.shifting * h),
             static_cast<Real>(p.largest_speed),
             static_cast<Real>(p.xsph)};
  shifting = p.shifting > 0;
  xsph = p.xsph > 0;
  tension = tension_constants<Real>(p.surface_tension, h, dimensions);
  weight_density = narrowed<Real>(p.density * weight);
  at_obstacles = {{static_cast<Real>(1 / h), dimensions},
                  static_cast<Real>(0.5 * p.spacing),
                  at_walls.laminar,
                  tait.background,
                  factors.density,
                  factors.sound,
                  weight_density};
  hydrostatic_gradient = narrowed<Real>((p.density / (c * c)) * weight);
}
template FluidNumbers<float>::FluidNumbers(const Fluid&, Vec3d);
template FluidNumbers<double>::FluidNumbers(const Fluid&, Vec3d);

}  // namespace mote::sim
