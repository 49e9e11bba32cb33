#include "sim/motion/hermite.h"

#include "sim/module.h"

namespace mote::sim {

const engine::ParamTable<HermiteOptions>& hermite_table() {
  static const engine::ParamTable<HermiteOptions> table{
      "integrator",
      "",
      {engine::param(&HermiteOptions::eta,
                     {.name = "eta",
                      .help = "steps are this part of the timescale of each body; the square root "
                              "of the eta of Aarseth. Half of it: errors a sixteenth",
                      .minimum = 1e-6,
                      .maximum = 1})}};
  return table;
}

IntegratorInfo HermiteMethod::info() {
  return {.name = "hermite",
          .help =
              "4th order, a step of its own for each body (block time steps): star clusters by "
              "direct sums",
          .order = 4,
          .chooses_steps = true,
          .block_steps = true,
          .accuracy = "eta",
          .excludes = {{forces_without_jerks,
                        "use leapfrog: gravity, hands and fixed bodies have time derivatives of "
                        "their forces"},
                       {walled_domain, "use leapfrog"},
                       {periodic_domain, "use leapfrog"},
                       {expanded_forces,
                        "use leapfrog, or direct sums of gravity without an accuracy in an open "
                        "domain"}},
          .bytes_per_body = (hermite_body::derivatives * 3 + 1) * sizeof(double),
          .add_options = [](engine::ParamTable<Integration>& table) {
            add_options(table, hermite_table());
          }};
}

}  // namespace mote::sim
