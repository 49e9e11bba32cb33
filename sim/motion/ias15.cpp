#include "sim/motion/ias15.h"

#include "sim/module.h"

namespace mote::sim {
namespace {

/// Columns that are kept (Ias15::kept): coefficients of the last step twice, and for outputs within
/// it; lost parts; positions, velocities, accelerations and lost parts at its start.
constexpr std::size_t kept_columns = 3 * ias15_body::nodes + 2 + 5;

}  // namespace

const engine::ParamTable<Ias15Options>& ias15_table() {
  static const engine::ParamTable<Ias15Options> table{
      "integrator",
      "",
      {engine::param(&Ias15Options::tolerance,
                     {.name = "tolerance",
                      .help = "steps are (5040 tolerance)^(1/7) of the shortest timescale of the "
                              "motion; errors of 1e-9 are below round-off",
                      .minimum = 0,
                      .maximum = 1e-6,
                      .minimum_excluded = true})}};
  return table;
}

IntegratorInfo Ias15Method::info() {
  return {.name = "ias15",
          .help =
              "15th order, to machine precision: chooses its steps, resolves close encounters; "
              "few bodies, double precision",
          .order = 15,
          .chooses_steps = true,
          .any_precision = false,
          .excludes =
              {{leapfrog_forces, "use leapfrog"},
               {walled_domain, "use leapfrog, or a periodic domain"},
               {expanded_forces,
                "use leapfrog, or direct sums of gravity without an accuracy in an open domain"}},
          .excludes_on_gpu = {{velocity_expressions, "use --backend cpu"}},
          .bytes_per_body = kept_columns * 3 * sizeof(double),
          .add_options = [](engine::ParamTable<Integration>& table) {
            add_options(table, ias15_table());
          }};
}

}  // namespace mote::sim
