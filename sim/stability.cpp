#include "sim/stability.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mote::sim {
namespace {

constexpr int parts_of_phase = 1000;

/// Rows of a matrix.
using StepMatrix = std::array<std::array<double, 3>, 3>;

StepMatrix squared(const StepMatrix& m) {
  StepMatrix square{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) square[i][j] += m[i][k] * m[k][j];
  return square;
}

/// The matrix of a step of length h for position, velocity and acceleration, with a rate of 1.
StepMatrix matrix_of(const Step& step, double damping, double h) {
  StepMatrix all{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> s{};
    s[k] = 1;
    auto& [x, v, a] = s;
    for (const Stage& stage : step) {
      if (stage.kind == StageKind::force) a = -x - damping * v;
      if (stage.kind == StageKind::kick) v += stage.fraction * h * a;
      if (stage.kind == StageKind::drift) x += stage.fraction * h * v;
    }
    for (std::size_t i = 0; i < 3; ++i) all[i][k] = s[i];
  }
  return all;
}

/// Whether its powers stay bounded: the norm of the power 2^doublings of a matrix of radius r is
/// r^(2^doublings) within a factor that the root makes 1.
bool is_stable(StepMatrix m) {
  constexpr int doublings = 20;
  double logarithm = 0;
  for (int n = 0; n < doublings; ++n) {
    m = squared(m);
    double largest = 0;
    for (const auto& row : m)
      for (const double value : row) largest = std::max(largest, std::fabs(value));
    if (!(largest > 0)) return true;
    logarithm = 2 * logarithm + std::log(largest);
    for (auto& row : m)
      for (double& value : row) value /= largest;
  }
  return std::ldexp(logarithm, -doublings) < 1e-4;
}

}  // namespace

double largest_phase(const Step& step) {
  for (int n = 1; n < 10 * parts_of_phase; ++n) {
    const double h = static_cast<double>(n) / parts_of_phase;
    double x[2] = {1, 0}, v[2] = {0, 1};  // two independent solutions
    for (const Stage& stage : step)
      for (int k = 0; k < 2; ++k) {
        if (stage.kind == StageKind::kick) v[k] -= stage.fraction * h * x[k];
        if (stage.kind == StageKind::drift) x[k] += stage.fraction * h * v[k];
      }
    if (std::fabs(x[0] + v[1]) > 2 * (1 + 1e-9)) return static_cast<double>(n - 1) / parts_of_phase;
  }
  return 10;
}

double longest_damped_step(const Step& step, double squared_rate, double damping) {
  const double rate = std::sqrt(squared_rate), undamped = largest_phase(step);
  if (damping == 0) return undamped / rate;
  double stable = 0, unstable = undamped;
  for (int n = 1; n <= parts_of_phase; ++n) {
    const double h = undamped * n / parts_of_phase;
    if (!is_stable(matrix_of(step, damping / rate, h))) {
      unstable = h;
      break;
    }
    stable = h;
  }
  for (int n = 0; n < 20; ++n) {
    const double h = 0.5 * (stable + unstable);
    (is_stable(matrix_of(step, damping / rate, h)) ? stable : unstable) = h;
  }
  return stable / rate;
}

bool is_stable_step(const Step& step, double squared_rate, double damping, double h) {
  const double rate = std::sqrt(squared_rate);
  return h * rate < largest_phase(step) && is_stable(matrix_of(step, damping / rate, h * rate));
}

}  // namespace mote::sim
