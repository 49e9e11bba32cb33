#include "sim/initial/cluster.h"

#include "sim/initial/common_params.h"
#include "sim/initial/generate.h"
#include "sim/initial/king.h"
#include "sim/initial/mass_function.h"
#include "sim/initial/plummer.h"
#include "sim/initial/virial.h"

namespace mote::sim {
namespace {

using engine::Index;

Sampler model_of(const Cluster& c) {
  // Mass and G are 1 here: set_virial_ratio scales the velocities later.
  if (c.model == "king") return sampler(King{.w0 = c.w0, .core_radius = c.scale}, 1);
  return sampler(Plummer{.scale = c.scale, .cutoff = c.cutoff}, 1);
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum;
}

/// Masses in scene units. Star i uses random sequence n + i; its position uses sequence i.
std::vector<double> draw_masses(const Cluster& c, const MakeContext& context) {
  const MassFunction function = c.masses == "salpeter" ? salpeter(c.minimum_mass, c.maximum_mass)
                                                       : kroupa(c.minimum_mass, c.maximum_mass);
  std::vector<double> mass(static_cast<std::size_t>(c.n));
  engine::parallel_chunks(context.threads, c.n, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      engine::Random random(context.seed, context.stream, static_cast<std::uint64_t>(c.n + i));
      mass[static_cast<std::size_t>(i)] = c.solar_mass * function.mass_at(random.uniform());
    }
  });
  if (c.mass) {
    const double factor = *c.mass / sum_of(mass);
    for (double& m : mass) m *= factor;
  }
  return mass;
}

}  // namespace

const engine::ParamTable<Cluster>& cluster_table() {
  using engine::param;
  static const engine::ParamTable<Cluster> table{
      "cluster",
      "a star cluster: a Plummer or King model with a mass function and an exact virial ratio",
      {param(&Cluster::n, {.name = "n",
                           .help = "number of stars",
                           .minimum = 1,
                           .maximum = max_bodies,
                           .required = true}),
       param(&Cluster::model, {.name = "model",
                               .help = "model of positions and velocities",
                               .choices = {"plummer", "king"}}),
       length_param(&Cluster::scale, "scale", "Plummer's scale or King's core radius"),
       cutoff_param<Cluster>("radius beyond which the Plummer model has no stars, in scales"),
       param(&Cluster::w0,
             {.name = "w0",
              .help = "depth of the King model's centre, in squared velocity dispersions",
              .minimum = 0.1,
              .maximum = 15}),
       param(&Cluster::masses, {.name = "masses",
                                .help = "mass function: Kroupa (2001), Salpeter, or all equal",
                                .choices = {"kroupa", "salpeter", "equal"}}),
       param(&Cluster::minimum_mass, {.name = "minimum_mass",
                                      .help = "of a star, in solar masses",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       param(&Cluster::maximum_mass, {.name = "maximum_mass",
                                      .help = "of a star, in solar masses",
                                      .minimum = 0,
                                      .minimum_excluded = true}),
       param(&Cluster::solar_mass,
             {.name = "solar_mass",
              .help = "one solar mass in scene units, 1e-10 in galactic units; "
                      "has no effect when `mass` is given",
              .unit = "mass",
              .minimum = 0,
              .minimum_excluded = true}),
       param(&Cluster::mass,
             {.name = "mass",
              .help = "total mass, to which the drawn masses are scaled; not scaled when left out",
              .unit = "mass",
              .minimum = 0}),
       param(&Cluster::virial_ratio,
             {.name = "virial_ratio",
              .help = "2 T / |W|: 1 is virial equilibrium, less collapses, 0 is at rest",
              .minimum = 0})}};
  return table;
}

BrokenRelations broken_relations(const Cluster& c) {
  BrokenRelations broken;
  if (!(c.minimum_mass < c.maximum_mass))
    broken.push_back({"minimum_mass",
                      engine::text_of(c.minimum_mass) + " is not less than maximum_mass, " +
                          engine::text_of(c.maximum_mass),
                      "give a range; for stars of equal mass set masses = \"equal\""});
  if (c.masses == "equal" && !c.mass)
    broken.push_back({"mass", "is missing", "give the total mass: masses = \"equal\" needs it"});
  return broken;
}

Bodies make(const Cluster& c, const MakeContext& context) {
  Bodies bodies = equal_masses(c.n, c.mass.value_or(1));
  const Sampler draw = model_of(c);
  draw_bodies(bodies, 0, c.n, context, [&](engine::Random& random, Index) { return draw(random); });
  if (c.masses != "equal") bodies.mass = draw_masses(c, context);
  if (context.centre) center(bodies, context.threads);
  set_virial_ratio(bodies, c.virial_ratio, context);
  return bodies;
}

}  // namespace mote::sim
