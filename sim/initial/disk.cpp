#include "sim/initial/disk.h"

#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/disk_profile.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"

namespace mote::sim {
namespace {

/// R/Rd with density x exp(-x), x < cutoff: the sum of two exponential deviates. At the smallest
/// allowed cutoff, 0.5, one draw in eleven is accepted.
double draw_radius(engine::Random& random, double cutoff) {
  for (;;) {
    const double u = random.uniform();
    const double x = -std::log(u * random.uniform());
    if (x < cutoff) return x;
  }
}

}  // namespace

const engine::ParamTable<Disk>& disk_table() {
  using engine::param;
  static const engine::ParamTable<Disk> table{
      "disk",
      "an exponential disk near equilibrium in the x-y plane, rotating counter-clockwise seen from "
      "+z",
      {count_param<Disk>(), mass_param<Disk>(),
       param(&Disk::scale_length,
             {.name = "scale_length",
              .help = "radius over which the surface density falls by a factor e",
              .unit = "length",
              .minimum = 0,
              .minimum_excluded = true}),
       param(&Disk::thickness,
             {.name = "thickness",
              .help = "scale height of the sech^2 profile, in scale lengths; 0 is razor-thin",
              .minimum = 0,
              .maximum = 2}),
       param(&Disk::cutoff, {.name = "cutoff",
                             .help = "radius beyond which there are no bodies, in scale lengths",
                             .minimum = 0.5,
                             .maximum = 30}),
       param(&Disk::toomre_q,
             {.name = "toomre_q",
              .help = "Toomre's Q: 0 circular orbits, below 1 unstable, above 1.5 only with "
                      "dark_mass",
              .minimum = 0,
              .maximum = 10}),
       param(&Disk::dark_mass,
             {.name = "dark_mass",
              .help = "mass of a Plummer sphere that adds to the rotation curve; add its bodies "
                      "with plummer",
              .unit = "mass",
              .minimum = 0}),
       param(&Disk::dark_scale, {.name = "dark_scale",
                                 .help = "scale of that Plummer sphere",
                                 .unit = "length",
                                 .minimum = 0,
                                 .minimum_excluded = true})}};
  return table;
}

Sampler sampler(const Disk& disk, const DiskProfile& profile) {
  const double z0 = disk.thickness * disk.scale_length;
  return [=](engine::Random& random) -> PhasePoint {
    const double radius = disk.scale_length * draw_radius(random, disk.cutoff);
    const double azimuth = random.uniform(0, 2 * std::numbers::pi);
    const double z = z0 * std::atanh(random.uniform(-1, 1));
    const double c = std::cos(azimuth), s = std::sin(azimuth);
    const DiskVelocities v = profile.at(radius);
    const engine::Vec3d normal = draw_normal(random);
    const double outward = v.sigma_radial * normal.x;
    const double around = v.rotation + v.sigma_azimuthal * normal.y;
    return {{radius * c, radius * s, z},
            {outward * c - around * s, outward * s + around * c, v.sigma_vertical * normal.z}};
  };
}

Bodies make(const Disk& disk, const MakeContext& context) {
  const DiskProfile profile(disk, context.gravitational, context.softening, context.threads);
  return generate(disk.n, disk.mass, context, sampler(disk, profile));
}

}  // namespace mote::sim
