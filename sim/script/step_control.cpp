#include "sim/script/step_control.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {
namespace {

/// Step sizes per factor of two, 3 to 6 % apart.
constexpr double rungs = 16;
/// Margin required before the step increases.
constexpr double margin = 1.05;
/// Lower limit of the step as a fraction of the longest: a flow that requires less has become
/// unstable, which health checks report.
constexpr double min_fraction = 1e-3;

/// The largest rung not above `step`.
double rung_below(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(step, &exponent);  // 0.5 to 1
  return std::ldexp(std::floor(2 * rungs * mantissa) / (2 * rungs), exponent);
}

}  // namespace

double adapted_step(double now, double stable, double longest) {
  const auto limited = [&](double step) { return step >= longest ? longest : rung_below(step); };
  double step = limited(stable);
  if (step > now) step = std::max(now, limited(stable / margin));
  return std::max(step, min_fraction * longest);
}

StepControl::StepControl(const SceneDescription& scene, Simulation& simulation, HookHost& host)
    : simulation_(simulation),
      host_(host),
      courant_(*scene.integrator.courant),
      longest_(scene.integrator.longest),
      every_(static_cast<std::uint64_t>(scene.integrator.every)) {}

std::uint64_t StepControl::next() const {
  return (simulation_.step() / every_ + 1) * every_;
}

void StepControl::start() {
  if (simulation_.step() == 0) adapt();
}

void StepControl::run_due() {
  if (simulation_.step() > 0 && simulation_.step() % every_ == 0) adapt();
}

void StepControl::adapt() {
  const double step =
      adapted_step(simulation_.dt(), courant_ * simulation_.largest_step(), longest_);
  if (step != simulation_.dt()) host_.edit("integrator.dt", step);
}

}  // namespace mote::sim
