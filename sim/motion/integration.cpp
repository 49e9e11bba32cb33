#include "sim/motion/integration.h"

namespace mote::sim {

const engine::ParamTable<FlowOptions>& flow_table() {
  static const engine::ParamTable<FlowOptions> table{
      "integrator",
      "",
      {engine::param(
           &FlowOptions::courant,
           {.name = "courant",
            .help = "Courant number: time step as a fraction of a fluid's largest stable step "
                    "(CFL); without it all steps are dt",
            .minimum = 0,
            .maximum = 1,
            .minimum_excluded = true}),
       engine::param(&FlowOptions::every,
                     {.name = "every",
                      .help = "with courant: steps between updates of the time step",
                      .minimum = 1})}};
  return table;
}

FlowOptions flow_of(const Integration& integration) {
  return options_of(integration, flow_table());
}

}  // namespace mote::sim
