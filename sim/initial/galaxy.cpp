#include "sim/initial/galaxy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sim/initial/common_params.h"
#include "sim/initial/disk.h"
#include "sim/initial/disk_profile.h"
#include "sim/initial/draw.h"
#include "sim/initial/galaxy_gravity.h"
#include "sim/initial/generate.h"

namespace mote::sim {
namespace {

using engine::Index;

Disk disk_of(const Galaxy& g) {
  return {.n = 1,
          .mass = g.disk_mass,
          .scale_length = g.scale_length,
          .thickness = g.thickness,
          .cutoff = g.disk_cutoff,
          .toomre_q = g.toomre_q};
}

Sampler disk_sampler(const Galaxy& g, const GalaxyMasses& masses, const MakeContext& context) {
  const Disk disk = disk_of(g);
  const double z0 = g.thickness * g.scale_length;
  const double height2 =
      std::numbers::pi * std::numbers::pi / 12 * z0 * z0 + context.softening * context.softening;
  const DiskProfile profile(
      disk, context.gravitational, context.softening, context.threads, [&](double r) {
        return masses.spherical_omega2(context.gravitational, std::sqrt(r * r + height2));
      });
  return sampler(disk, profile);
}

Sampler sphere_sampler(const HernquistMass& part, double cutoff, const GalaxyMasses& masses,
                       const MakeContext& context) {
  // Far inside and far outside all scales: 1e-10 of a part's mass lies inside the first radius.
  const double smallest =
      std::min({part.scale, masses.bulge.scale, masses.halo.scale, masses.disk.scale});
  const double largest =
      std::max({part.scale, masses.bulge.scale, masses.halo.scale, masses.disk.scale});
  const double first = 1e-5 * std::max(smallest, 1e-3 * part.scale), last = 1e4 * largest;
  const IsotropicSphere speeds(
      [&](double r) { return masses.local(part, context.gravitational, r); }, first, last,
      context.threads);
  const double root_inside = 1 / (1 + 1 / cutoff);
  return [=, scale = part.scale](engine::Random& random) -> PhasePoint {
    const double d = root_inside * std::sqrt(random.uniform());  // r / (r + a), as in hernquist
    const double radius = scale * d / (1 - d);
    const engine::Vec3d position = draw_direction(random, radius);
    return {position, draw_direction(random, speeds.draw_speed(random, radius))};
  };
}

}  // namespace

const engine::ParamTable<Galaxy>& galaxy_table() {
  using engine::param;
  const auto mass = [](double Galaxy::*member, std::string name, std::string help) {
    return param(member,
                 {.name = std::move(name), .help = std::move(help), .unit = "mass", .minimum = 0});
  };
  const auto number = [](std::optional<std::int64_t> Galaxy::*member, std::string name,
                         std::string help) {
    return param(
        member,
        {.name = std::move(name), .help = std::move(help), .minimum = 0, .maximum = max_bodies});
  };
  const auto cutoff = [](double Galaxy::*member, std::string name, std::string help) {
    return param(member, {.name = std::move(name),
                          .help = std::move(help),
                          .minimum = 0,
                          .maximum = 1e9,
                          .minimum_excluded = true});
  };
  static const engine::ParamTable<Galaxy> table{
      "galaxy",
      "a disc galaxy near equilibrium: exponential disk, bulge and halo",
      {param(&Galaxy::n, {.name = "n",
                          .help = "total number of bodies of disk, bulge and halo",
                          .minimum = 1,
                          .maximum = max_bodies,
                          .required = true}),
       param(&Galaxy::part,
             {.name = "part",
              .help = "which bodies are made: of one part, n of them, in the gravity of all three, "
                      "or of all",
              .choices = {"all", "disk", "bulge", "halo"}}),
       number(&Galaxy::n_bulge, "n_bulge",
              "number of bodies of the bulge; proportional to its mass when left out"),
       number(&Galaxy::n_halo, "n_halo",
              "number of bodies of the halo; proportional to its mass when left out"),
       mass(&Galaxy::disk_mass, "disk_mass", "mass of the disk"),
       length_param(&Galaxy::scale_length, "scale_length",
                    "radius over which the disk's surface density falls by a factor e"),
       param(
           &Galaxy::thickness,
           {.name = "thickness",
            .help = "scale height of the disk's sech^2 profile, in scale lengths; 0 is razor-thin",
            .minimum = 0,
            .maximum = 2}),
       param(&Galaxy::disk_cutoff,
             {.name = "disk_cutoff",
              .help = "radius beyond which the disk has no bodies, in scale lengths",
              .minimum = 0.5,
              .maximum = 30}),
       param(&Galaxy::toomre_q,
             {.name = "toomre_q",
              .help = "Toomre's Q of the disk: 0 circular orbits, below 1 unstable",
              .minimum = 0,
              .maximum = 10}),
       mass(&Galaxy::bulge_mass, "bulge_mass", "mass of the bulge"),
       length_param(&Galaxy::bulge_scale, "bulge_scale", "Hernquist's scale radius of the bulge"),
       cutoff(&Galaxy::bulge_cutoff, "bulge_cutoff",
              "radius beyond which the bulge has no bodies, in its scales"),
       mass(&Galaxy::halo_mass, "halo_mass", "mass of the halo"),
       length_param(&Galaxy::halo_scale, "halo_scale", "Hernquist's scale radius of the halo"),
       cutoff(&Galaxy::halo_cutoff, "halo_cutoff",
              "radius beyond which the halo has no bodies, in its scales")}};
  return table;
}

GalaxyCounts counts_of(const Galaxy& g) {
  if (g.part == "disk") return {g.n, 0, 0};
  if (g.part == "bulge") return {0, g.n, 0};
  if (g.part == "halo") return {0, 0, g.n};
  const double total = g.disk_mass + g.bulge_mass + g.halo_mass;
  const auto bodies_for = [&](double mass) {
    return total > 0 ? std::llround(static_cast<double>(g.n) * (mass / total)) : 0;
  };
  const std::int64_t halo = g.n_halo.value_or(std::min<std::int64_t>(g.n, bodies_for(g.halo_mass)));
  const std::int64_t bulge =
      g.n_bulge.value_or(std::min<std::int64_t>(g.n - halo, bodies_for(g.bulge_mass)));
  return {g.n - halo - bulge, bulge, halo};
}

BrokenRelations broken_relations(const Galaxy& g) {
  if (g.part != "all") {
    BrokenRelations broken;
    for (const auto& [key, given] : {std::pair{"n_bulge", g.n_bulge}, {"n_halo", g.n_halo}})
      if (given)
        broken.push_back({key, "is for galaxies of all parts; this is the " + g.part,
                          "leave it out: n is the number of bodies of the " + g.part});
    return broken;
  }
  if (!g.n_bulge && !g.n_halo) return {};
  const GalaxyCounts counts = counts_of(g);
  BrokenRelations broken;
  if (counts.disk < 0 || counts.bulge < 0)
    broken.push_back({"n", std::to_string(g.n) + " is less than n_bulge + n_halo",
                      "n is the total number of bodies of disk, bulge and halo"});
  const auto require_bodies = [&](std::int64_t count, double mass, const char* key,
                                  const char* remedy) {
    if (count == 0 && mass > 0)
      broken.push_back({key, "leaves no bodies for a part that has mass", remedy});
  };
  require_bodies(counts.disk, g.disk_mass, "n",
                 "give more than n_bulge + n_halo, or disk_mass = 0");
  require_bodies(counts.bulge, g.bulge_mass, "n_bulge", "give at least 1, or bulge_mass = 0");
  require_bodies(counts.halo, g.halo_mass, "n_halo", "give at least 1, or halo_mass = 0");
  return broken;
}

Bodies make(const Galaxy& g, const MakeContext& context) {
  const GalaxyMasses masses(g);
  const GalaxyCounts counts = counts_of(g);
  const bool own_masses = g.n_bulge || g.n_halo || g.part != "all";
  Bodies bodies = equal_masses(g.n, g.disk_mass + g.bulge_mass + g.halo_mass);
  Index first = 0;
  const auto add = [&](Index count, double mass, auto&& make_sampler) {
    if (count == 0) return;
    const Sampler draw = make_sampler();
    draw_bodies(bodies, first, first + count, context,
                [&](engine::Random& random, Index) { return draw(random); });
    if (own_masses)
      std::fill_n(bodies.mass.begin() + first, count, mass / static_cast<double>(count));
    first += count;
  };
  add(counts.disk, g.disk_mass, [&] { return disk_sampler(g, masses, context); });
  add(counts.bulge, g.bulge_mass,
      [&] { return sphere_sampler(masses.bulge, g.bulge_cutoff, masses, context); });
  add(counts.halo, g.halo_mass,
      [&] { return sphere_sampler(masses.halo, g.halo_cutoff, masses, context); });
  if (context.centre) center(bodies, context.threads);
  return bodies;
}

}  // namespace mote::sim
