#include "sim/initial/chain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/initial/common_params.h"
#include "sim/initial/draw.h"
#include "sim/initial/generate.h"
#include "sim/initial/stir.h"

namespace mote::sim {

using engine::Index;
using engine::Vec3d;

const engine::ParamTable<Chain>& chain_table() {
  static const engine::ParamTable<Chain> table{
      "chain",
      "a chain of bonded bodies: straight, a ring, or a random walk",
      {count_param<Chain>(), mass_param<Chain>(),
       length_param(&Chain::spacing, "spacing", "distance between consecutive bodies"),
       engine::param(
           &Chain::shape,
           {.name = "shape",
            .help = "straight; ring: closed, in the x-y plane; walk: steps in random directions",
            .choices = {"straight", "ring", "walk"}}),
       engine::param(
           &Chain::direction,
           {.name = "direction", .help = "of a straight chain, from its first to its last body"}),
       engine::param(&Chain::bond,
                     {.name = "bond", .help = "kind of the bonds between consecutive bodies"}),
       engine::param(&Chain::angle,
                     {.name = "angle", .help = "kind of the angles between consecutive bonds"}),
       dispersion_param<Chain>(), spin_param<Chain>()},
      {engine::list_param(&Chain::pinned, {.name = "pinned",
                                           .help = "ends whose body is fixed: start, end",
                                           .choices = {"start", "end"}}),
       engine::list_param(&Chain::clamped,
                          {.name = "clamped",
                           .help = "ends whose two bodies are fixed, with their direction",
                           .choices = {"start", "end"}})}};
  return table;
}

BrokenRelations broken_relations(const Chain& chain) {
  BrokenRelations broken;
  if (const double square = dot(chain.direction, chain.direction);
      !(square > 0 && std::isfinite(square)))
    broken.push_back({"direction", square == 0 ? "has no length" : "is too long",
                      "give a finite non-zero vector such as {0, 0, 1}"});
  if (chain.shape == "ring" && chain.n < 3)
    broken.push_back({"n", std::to_string(chain.n) + " bodies make no ring", "give at least 3"});
  return broken;
}

ChainLinks links_of(const Chain& chain) {
  return {0, chain.n, chain.shape == "ring", chain.bond, chain.angle};
}

Bodies make(const Chain& chain, const MakeContext& context) {
  const Stir stir{chain.dispersion, 0};
  const auto n = static_cast<double>(chain.n);
  const Vec3d step =
      (chain.spacing / std::sqrt(dot(chain.direction, chain.direction))) * chain.direction;
  const double radius = 0.5 * chain.spacing / std::sin(std::numbers::pi / n);
  Bodies bodies = equal_masses(chain.n, chain.mass);
  // For a walk, each body draws its step from the previous one; the steps are summed below.
  draw_bodies(bodies, 0, chain.n, context, [&](engine::Random& random, Index i) -> PhasePoint {
    const auto k = static_cast<double>(i);
    Vec3d position = (k - 0.5 * (n - 1)) * step;
    if (chain.shape == "ring") {
      const double azimuth = 2 * std::numbers::pi * k / n;
      position = {radius * std::cos(azimuth), radius * std::sin(azimuth), 0};
    } else if (chain.shape == "walk") {
      position = draw_direction(random, chain.spacing);
    }
    return {position, stir.velocity(random, position)};
  });
  if (chain.shape == "walk")
    for (std::size_t i = 1; i < bodies.position.size(); ++i)
      bodies.position[i] += bodies.position[i - 1];
  if (context.centre) center(bodies, context.threads);
  if (chain.spin != 0) spin(bodies, {0, 0, 1}, chain.spin);
  const auto hold = [&bodies](const std::vector<std::string>& ends, std::size_t count) {
    const std::size_t all = bodies.mass.size();
    if (!ends.empty()) bodies.fixed.resize(all);
    for (const std::string& end : ends)
      for (std::size_t k = 0; k < std::min(count, all); ++k)
        bodies.fixed[end == "start" ? k : all - 1 - k] = 1;
  };
  hold(chain.pinned, 1);
  hold(chain.clamped, 2);
  return bodies;
}

}  // namespace mote::sim
