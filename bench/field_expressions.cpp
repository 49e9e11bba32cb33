#include <benchmark/benchmark.h>

#include <cmath>

#include "bench/names.h"
#include "sim/field/field_force.h"
#include "tests/support/states.h"

// Cost of an external field on one CPU thread: the built-in formula, the same as an expression, and
// an expression of the velocity, which a kick evaluates several times. Values are checked against
// the formula before timing.
namespace mote::bench {
namespace {

using sim::Field;

constexpr Index bodies = 100'000;

Field expression(const char* x, const char* y, const char* z) {
  const sim::Constants constants{{"M", 2.0}, {"e", 0.1}};
  sim::ExpressionField field;
  field.acceleration = {field.graph.read(x, constants), field.graph.read(y, constants),
                        field.graph.read(z, constants)};
  return field;
}

Field softened_mass() {
  return expression("-M*x*(r^2+e^2)^-1.5", "-M*y*(r^2+e^2)^-1.5", "-M*z*(r^2+e^2)^-1.5");
}

void count_bodies(benchmark::State& run) {
  run.counters["per body"] =
      benchmark::Counter(static_cast<double>(bodies) * static_cast<double>(run.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void run_force(benchmark::State& run, const Field& field, Precision precision) {
  State<Host> state = test::random_state(bodies, precision);
  sim::FieldForce force({field}, 1, 2);
  const sim::StepClock clock{};
  sim::StepReport report;
  force.run(Cpu{}, state, {&clock, nullptr, 0}, report);
  state.visit([&](auto s) {
    const auto truth = sim::PointMassFormula<double>{{0, 0, 0}, 2, 0.01}.acceleration(
        {double(s.x[7]), double(s.y[7]), double(s.z[7])});
    if (!(std::fabs(double(s.ax[7]) - truth.x) <
          (precision == Precision::double_ ? 1e-14 : 1e-5) * engine::length(truth)))
      run.SkipWithError("the field disagrees with the formula");
  });
  for (auto _ : run) force.run(Cpu{}, state, {&clock, nullptr, 0}, report);
  count_bodies(run);
}

void run_kick(benchmark::State& run, const Field& field, Precision precision) {
  State<Host> state = test::random_state(bodies, precision);
  sim::FieldForce force({field}, 1, 2);
  const sim::StepClock clock{};
  for (auto _ : run) force.kick(Cpu{}, state, 1e-6, {&clock, nullptr, 0});
  count_bodies(run);
}

const bool registered = [] {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const std::string name(engine::name_of(precision));
    benchmark::RegisterBenchmark(("field/built-in/" + name).c_str(), run_force,
                                 sim::PointMass{2, 0.1, {}}, precision);
    benchmark::RegisterBenchmark(("field/expression/" + name).c_str(), run_force, softened_mass(),
                                 precision);
    benchmark::RegisterBenchmark(("field/velocity/" + name).c_str(), run_kick,
                                 expression("(1+x)*vy", "-(1+x)*vx", "0"), precision);
  }
  return true;
}();

}  // namespace
}  // namespace mote::bench
