#include "sim/run/step_control.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {
namespace {

/// Rungs of the ladder in a factor of two: they are 3 to 6 % apart.
constexpr double rungs = 16;
/// What a longer step must have to spare.
constexpr double slack = 1.05;
/// No step is shorter than this share of the longest: a flow that asks for less has come apart,
/// which its health says.
constexpr double least_share = 1e-3;

/// The highest rung that is not above.
double rung_below(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(step, &exponent);  // 0.5 to 1
  return std::ldexp(std::floor(2 * rungs * mantissa) / (2 * rungs), exponent);
}

}  // namespace

double fitted_step(double now, double stable, double longest) {
  const auto fit = [&](double step) { return step >= longest ? longest : rung_below(step); };
  double step = fit(stable);
  if (step > now) step = std::max(now, fit(stable / slack));
  return std::max(step, least_share * longest);
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
  if (simulation_.step() == 0) fit();
}

void StepControl::run_due() {
  if (simulation_.step() > 0 && simulation_.step() % every_ == 0) fit();
}

void StepControl::fit() {
  const double step =
      fitted_step(simulation_.dt(), courant_ * simulation_.largest_step(), longest_);
  if (step != simulation_.dt()) host_.edit("integrator.dt", step);
}

}  // namespace mote::sim
