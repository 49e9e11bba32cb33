#include "sim/motion/ias15.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/check.h"
#include "sim/module.h"
#include "sim/space/list_fields.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

constexpr int nodes = Ias15::nodes;

/// Nodes of the Gauss-Radau quadrature with 8 points, of which the first is 0 (Everhart 1985;
/// zeros of a Jacobi polynomial).
constexpr double radau[nodes + 1] = {0,
                                     0.0562625605369221464656521910318,
                                     0.180240691736892364987579942780,
                                     0.352624717113169637373907769648,
                                     0.547153626330555383001448554766,
                                     0.734210177215410531523210605558,
                                     0.885320946839095768090359771030,
                                     0.977520613561287501891174488626};

/// Largest ratio of consecutive steps, up and down: a step that should have been shorter than this
/// is rejected.
constexpr double largest_ratio = 4;
/// Beyond this ratio, coefficients of the last step predict nothing.
constexpr double largest_predicted = 20;
constexpr int most_iterations = 12;
/// Relative change of the last coefficient above which iterations have not converged.
constexpr double largest_error = 1e-6;
/// Accelerations below this part of the largest are round-off of forces that cancel.
constexpr double cancelled = 1e-12;
/// b and e of the last step, lost parts of positions and velocities; for outputs within it b,
/// positions, velocities, accelerations and lost parts at its start.
constexpr std::size_t kept_columns = 2 * nodes + 2 + nodes + 5;

/// Between the coefficients b of powers of s and g of Newton's polynomials P_k = product of (s -
/// radau_j), j = 0 .. k: b_m = sum c[k][m] g_k, g_k = sum d[m][k] b_m.
struct Conversion {
  double c[nodes][nodes] = {}, d[nodes][nodes] = {};
};
constexpr Conversion make_conversion() {
  Conversion to;
  to.c[0][0] = to.d[0][0] = 1;
  for (int k = 1; k < nodes; ++k)
    for (int m = 0; m <= k; ++m) {
      // P_k = (s - radau_k) P_(k - 1);  s P_m = P_(m + 1) + radau_(m + 1) P_m.
      to.c[k][m] = (m > 0 ? to.c[k - 1][m - 1] : 0) - radau[k] * to.c[k - 1][m];
      to.d[k][m] = (m > 0 ? to.d[k - 1][m - 1] : 0) + radau[m + 1] * to.d[k - 1][m];
    }
  return to;
}
constexpr Conversion conversion = make_conversion();

/// binomial(k + 1, m + 1): powers of s about the end of the step.
struct Binomials {
  double of[nodes][nodes] = {};
};
constexpr Binomials make_binomials() {
  Binomials all;
  for (int k = 0; k < nodes; ++k)
    for (int m = 0; m <= k; ++m)
      // Pascal's triangle, without its first column of ones.
      all.of[k][m] = k == 0 ? 1 : all.of[k - 1][m] + (m == 0 ? 1 : all.of[k - 1][m - 1]);
  return all;
}
constexpr Binomials binomials = make_binomials();

/// sum += value, where `lost` is what earlier sums have lost (Kahan 1965).
void add(double& sum, double& lost, double value) {
  const double more = value + lost, next = sum + more;
  lost = more - (next - sum);
  sum = next;
}

/// Calls use(j, x, v, a) for the components of all bodies, j as in a column.
template <class Use>
void for_each_component(const StateView<double>& s, Use&& use) {
  double* const x[3] = {s.x, s.y, s.z};
  double* const v[3] = {s.vx, s.vy, s.vz};
  const double* const a[3] = {s.ax, s.ay, s.az};
  std::size_t j = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (Index i = 0; i < s.count; ++i, ++j) use(j, x[axis][i], v[axis][i], a[axis][i]);
}

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

IntegratorInfo ias15() {
  return {.name = "ias15",
          .help =
              "15th order, to machine precision: chooses its steps, resolves close encounters; "
              "few bodies, CPU, double precision",
          .order = 15,
          .chooses_steps = true,
          .cuda = false,
          .any_precision = false,
          .excludes =
              {{leapfrog_forces, "use leapfrog"},
               {walled_domain, "use leapfrog, or a periodic domain"},
               {expanded_forces,
                "use leapfrog, or direct sums of gravity without an accuracy in an open domain"}},
          .bytes_per_body = kept_columns * 3 * sizeof(double),
          .add_options =
              [](engine::ParamTable<Integration>& table) { add_options(table, ias15_table()); },
          .make = [](const Integration& integration,
                     const ForceTraits& forces) -> std::unique_ptr<Integrator<Cpu>> {
            return std::make_unique<Ias15>(options_of(integration, ias15_table()),
                                           forces.translation_invariant);
          }};
}

void Ias15::restart() {
  last_dt_ = dt_ = 0;
  reference_ = 0;
  resize(0);
}

/// New columns are zero.
void Ias15::resize(std::size_t size) {
  if (x0_.size() == size && lost_x_.size() == size) return;
  const auto clear = [size](Column& column) { column.assign(size, 0); };
  for (Coefficients* all : {&last_b_, &last_e_, &b_, &e_, &g_, &lost_b_})
    std::for_each(std::begin(*all), std::end(*all), clear);
  for (Column* column : {&lost_x_, &lost_v_, &x0_, &v0_, &a0_, &lost_x0_, &lost_v0_, &moved_})
    clear(*column);
}

/// The polynomial of the last step, continued beyond its end, plus what the prediction of the last
/// step lacked.
void Ias15::predict(double ratio) {
  const bool known = last_dt_ > 0 && ratio <= largest_predicted;
  double power = 1;
  for (int m = 0; m < nodes; ++m) {
    power *= ratio;
    std::fill(lost_b_[m].begin(), lost_b_[m].end(), 0.0);
    for (std::size_t i = 0; i < x0_.size(); ++i) {
      double sum = 0;
      for (int k = nodes - 1; k >= m; --k) sum += binomials.of[k][m] * last_b_[k][i];
      e_[m][i] = known ? power * sum : 0;
      b_[m][i] = known ? e_[m][i] + (last_b_[m][i] - last_e_[m][i]) : 0;
    }
  }
  for (int k = 0; k < nodes; ++k)
    for (std::size_t i = 0; i < x0_.size(); ++i) {
      g_[k][i] = 0;
      for (int m = nodes - 1; m >= k; --m) g_[k][i] += conversion.d[m][k] * b_[m][i];
    }
}

void Ias15::write_at(double s, double dt, StateView<double> state, bool relative) {
  double to_x[nodes], to_v[nodes];  // weights of the coefficients
  double power = s * s;
  for (int k = 0; k < nodes; ++k) {
    to_v[k] = dt * power / (k + 2);
    power *= s;
    to_x[k] = dt * dt * power / ((k + 2) * (k + 3));
  }
  for_each_component(state, [&](std::size_t i, double& to_position, double& to_velocity, double) {
    double x = 0, v = 0;
    for (int k = nodes - 1; k >= 0; --k) x += to_x[k] * b_[k][i], v += to_v[k] * b_[k][i];
    x += 0.5 * (s * dt) * (s * dt) * a0_[i] + s * dt * (v0_[i] + lost_v0_[i]) + lost_x0_[i];
    v += s * dt * a0_[i] + lost_v0_[i];
    moved_[i] = x;
    to_position = x0_[i] + x;
    to_velocity = v0_[i] + v;
  });
  if (relative) write_relative(x0_, moved_, state);
  restore_images(state);
}

/// Positions x + more relative to those of the reference body, where near ones are not rounded.
void Ias15::write_relative(const Column& x, const Column& more, StateView<double> state) const {
  const std::size_t count = x.size() / 3, body = reference_ < count ? reference_ : 0;
  for_each_component(state, [&](std::size_t i, double& to_position, double, double) {
    const std::size_t j = i / count * count + body;
    to_position = (x[i] - x[j]) + (more[i] - more[j]);
  });
}

void Ias15::evaluate(const Cpu& exec, System<Cpu>& system) {
  const auto with = [&](auto&& use) {
    system.state.visit([&]<class Real>(StateView<Real> s) {
      if constexpr (std::is_same_v<Real, double>) use(s);
    });
  };
  if (!translation_invariant_ || system.state.count() == 0) return add_forces(exec, system, 0);
  Column x(3 * static_cast<std::size_t>(system.state.count())), none;
  if (lost_x_.size() != x.size()) none.assign(x.size(), 0);
  with([&](StateView<double> s) {
    for_each_component(s, [&](std::size_t i, double from, double, double) { x[i] = from; });
    write_relative(x, none.empty() ? lost_x_ : none, s);
  });
  add_forces(exec, system, 0);
  with([&](StateView<double> s) {
    for_each_component(s, [&](std::size_t i, double& to, double, double) { to = x[i]; });
  });
}

void Ias15::add_forces(const Cpu& exec, System<Cpu>& system, double fraction) const {
  const StageTime time = system.at(fraction);
  system.forces.evaluate(exec, system.state, time, system.report);
  if (system.forces.kicking) system.forces.kicking->add_velocity_terms(exec, system.state, time);
}

/// Forces wrap positions into a periodic domain; those of a step are all in the images of its
/// start.
void Ias15::restore_images(const StateView<double>& state) const {
  const VectorColumns<double> columns = state[fields::image];
  for (int axis = 0; axis < 3; ++axis)
    if (double* const image = columns[axis]; image && !images_[axis].empty())
      std::copy(images_[axis].begin(), images_[axis].end(), image);
}

Ias15::Change Ias15::correct(int node, const StateView<double>& state) {
  Change largest;
  for_each_component(state, [&](std::size_t i, double, double, double now) {
    // Divided differences.
    double g = (now - a0_[i]) / radau[node];
    for (int k = 1; k < node; ++k) g = (g - g_[k - 1][i]) / (radau[node] - radau[k]);
    const double change = g - g_[node - 1][i];
    g_[node - 1][i] = g;
    for (int m = 0; m < node; ++m) add(b_[m][i], lost_b_[m][i], conversion.c[node - 1][m] * change);
    largest.last = std::max(largest.last, std::fabs(change));
    largest.acceleration = std::max(largest.acceleration, std::fabs(now));
  });
  return largest;
}

/// Until the last coefficient changes by round-off only, or no longer less than before.
bool Ias15::converge(const Cpu& exec, System<Cpu>& system, double dt) {
  // Errors of forces at positions that are not final are none.
  StepReport report;
  System<Cpu> trial{system.state, system.forces, system.clock, report};
  trial.clock.dt = dt;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= most_iterations; ++k) {
    Change change;
    for (int node = 1; node <= nodes; ++node) {
      system.state.visit([&]<class Real>(StateView<Real> s) {
        if constexpr (std::is_same_v<Real, double>)
          write_at(radau[node], dt, s, translation_invariant_);
      });
      add_forces(exec, trial, radau[node]);
      system.state.visit([&]<class Real>(StateView<Real> s) {
        if constexpr (std::is_same_v<Real, double>) change = correct(node, s);
      });
    }
    const double error = change.acceleration > 0 ? change.last / change.acceleration : 0;
    if (error < 1e-16 || (k > 2 && error >= before) || k == most_iterations) {
      system.report.interactions += report.interactions;
      return error < largest_error;
    }
    before = error;
  }
  return false;
}

/// The shortest timescale of a body at the end of the step, in units of the step; 0 if none moves
/// on a curve: tau^2 = 2 a^2 / (a'^2 + |a| |a''|), with the derivatives of the acceleration. Where
/// an acceleration passes through zero, as in the middle of a figure eight, that would be zero,
/// although the motion is smooth; there, |a| |a''| << a'^2, and the timescale is that of a'. Bodies
/// that fall towards each other have |a| |a''| > a'^2.
double Ias15::timescale() {
  const std::size_t count = x0_.size() / 3;
  double largest = 0, shortest = 0;
  for (const double a : a0_) largest = std::max(largest, std::fabs(a));
  for (std::size_t i = 0; i < count; ++i) {
    double squared[4] = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t j = axis * count + i;
      double value[4] = {a0_[j], 0, 0, 0};
      for (int k = 0; k < nodes; ++k) {
        value[0] += b_[k][j];
        value[1] += (k + 1) * b_[k][j];
        value[2] += k * (k + 1) * b_[k][j];
        value[3] += (k - 1) * k * (k + 1) * b_[k][j];
      }
      for (int n = 0; n < 4; ++n) squared[n] += value[n] * value[n];
    }
    if (squared[0] < cancelled * cancelled * largest * largest &&
        squared[1] < cancelled * cancelled * largest * largest)
      continue;
    const double curved = std::sqrt(squared[0] * squared[2]);
    const double tau = curved > 0.1 * squared[1]
                           ? 2 * squared[0] / (squared[1] + curved)
                           : 2 * squared[1] / (squared[2] + std::sqrt(squared[1] * squared[3]));
    if (std::isnormal(tau) && (shortest == 0 || tau < shortest)) shortest = tau, reference_ = i;
  }
  return std::sqrt(shortest);
}

void Ias15::finish(double dt, StateView<double> state) {
  for_each_component(state, [&](std::size_t i, double& to_position, double& to_velocity, double) {
    double x = x0_[i], v = v0_[i];
    for (int k = nodes - 1; k >= 0; --k) {
      add(x, lost_x_[i], b_[k][i] * dt * dt / ((k + 2) * (k + 3)));
      add(v, lost_v_[i], b_[k][i] * dt / (k + 2));
    }
    add(x, lost_x_[i], 0.5 * dt * dt * a0_[i]);
    add(x, lost_x_[i], dt * lost_v0_[i]);
    add(x, lost_x_[i], dt * v0_[i]);
    add(v, lost_v_[i], dt * a0_[i]);
    to_position = x;
    to_velocity = v;
  });
  restore_images(state);
}

StepTaken Ias15::step(const Cpu& exec, System<Cpu>& system) {
  MOTE_EXPECT(system.state.precision() == engine::Precision::double_);
  const auto with = [&](auto&& use) {
    system.state.visit([&]<class Real>(StateView<Real> s) {
      if constexpr (std::is_same_v<Real, double>) use(s);
    });
  };
  with([&](StateView<double> s) {
    resize(3 * static_cast<std::size_t>(s.count));
    for_each_component(s, [&](std::size_t i, double x, double v, double a) {
      x0_[i] = x, v0_[i] = v, a0_[i] = a;
    });
    for (int axis = 0; axis < 3; ++axis)
      if (const double* const image = s[fields::image][axis])
        images_[axis].assign(image, image + s.count);
  });
  lost_x0_ = lost_x_, lost_v0_ = lost_v_;
  const double factor = std::pow(5040 * tolerance_, 1.0 / 7);
  double dt = system.clock.dt, next;
  // Where a force jumps, no step is short enough: one of the rounding of the time is taken.
  const double least = 0x1p-53 * std::fabs(system.clock.base_time);
  while (true) {
    predict(last_dt_ > 0 ? dt / last_dt_ : 0);
    const bool converged = converge(exec, system, dt);
    const double tau = timescale();
    next = !converged ? dt / (2 * largest_ratio) : tau > 0 ? factor * tau * dt : largest_ratio * dt;
    if (!(next < dt / largest_ratio) || dt <= least) break;
    dt = std::max(next, least);
  }
  with([&](StateView<double> s) { finish(dt, s); });
  for (int k = 0; k < nodes; ++k) last_b_[k] = b_[k], last_e_[k] = e_[k];
  last_dt_ = dt_ = dt;
  return {dt, std::min(next, largest_ratio * dt)};
}

/// Before any derivative is known: a small part of the time in which a velocity changes by itself,
/// or of that in which the bodies fall by their distances. Too long a step is rejected, and one too
/// short grows by `largest_ratio` each.
double Ias15::first_step(const State<Host>& state, double limit) const {
  constexpr double part = 0.01;
  double shortest = std::numeric_limits<double>::infinity();
  state.visit([&](const auto& s) {
    double fastest = 0, largest = 0, size = 0;
    for (Index i = 0; i < s.count; ++i) {
      const auto length = [](auto x, auto y, auto z) {
        return std::hypot(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
      };
      const double v = length(s.vx[i], s.vy[i], s.vz[i]), a = length(s.ax[i], s.ay[i], s.az[i]);
      if (v > 0 && a > 0) shortest = std::min(shortest, part * v / a);
      fastest = std::max(fastest, v), largest = std::max(largest, a);
      size = std::max(size, length(s.x[i] - s.x[0], s.y[i] - s.y[0], s.z[i] - s.z[0]));
    }
    if (size > 0 && largest > 0) shortest = std::min(shortest, part * std::sqrt(size / largest));
    if (size > 0 && fastest > 0) shortest = std::min(shortest, part * size / fastest);
  });
  if (!std::isnormal(shortest)) shortest = limit > 0 ? limit : part;
  return limit > 0 ? std::min(shortest, limit) : shortest;
}

bool Ias15::write_within(double before_end, State<Host>& to) {
  const bool known = dt_ > 0 && x0_.size() == 3 * static_cast<std::size_t>(to.count());
  if (!known || before_end < 0 || before_end > dt_ * (1 + 0x1p-40)) return false;
  to.visit([&]<class Real>(StateView<Real> s) {
    if constexpr (std::is_same_v<Real, double>) write_at((dt_ - before_end) / dt_, dt_, s, false);
  });
  return true;
}

std::string Ias15::serialize() const {
  std::string bytes;
  const auto write = [&](const double* values, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(double));
  };
  const double kept[] = {last_dt_, static_cast<double>(reference_), dt_};
  write(kept, 3);
  for (const Coefficients* all : {&last_b_, &last_e_, &b_})
    for (const Column& column : *all) write(column.data(), column.size());
  for (const Column* column : {&lost_x_, &lost_v_, &x0_, &v0_, &a0_, &lost_x0_, &lost_v0_})
    write(column->data(), column->size());
  return bytes;
}

void Ias15::deserialize(std::string_view bytes) {
  restart();
  double kept[3];
  if (bytes.size() < sizeof kept) return;
  const std::size_t size = (bytes.size() - sizeof kept) / sizeof(double) / kept_columns;
  MOTE_EXPECT(size * kept_columns * sizeof(double) + sizeof kept == bytes.size());
  resize(size);
  const auto read = [&](double* values, std::size_t count) {
    std::memcpy(values, bytes.data(), count * sizeof(double));
    bytes.remove_prefix(count * sizeof(double));
  };
  read(kept, 3);
  last_dt_ = kept[0], reference_ = static_cast<std::size_t>(kept[1]), dt_ = kept[2];
  for (Coefficients* all : {&last_b_, &last_e_, &b_})
    for (Column& column : *all) read(column.data(), size);
  for (Column* column : {&lost_x_, &lost_v_, &x0_, &v0_, &a0_, &lost_x0_, &lost_v0_})
    read(column->data(), size);
}

}  // namespace mote::sim
