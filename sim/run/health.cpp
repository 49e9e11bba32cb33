#include "sim/run/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/files.h"
#include "engine/readable.h"
#include "engine/text.h"
#include "sim/io/series.h"
#include "sim/motion/integrators.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

constexpr std::size_t neighbours_shown = 16;

template <class Real>
double square(Real x, Real y, Real z) {
  const auto a = static_cast<double>(x), b = static_cast<double>(y), c = static_cast<double>(z);
  return a * a + b * b + c * c;
}

template <class View>
double distance_squared(const View& s, Index i, Index j) {
  return square(s.x[i] - s.x[j], s.y[i] - s.y[j], s.z[i] - s.z[j]);
}

template <class View>
Index most_accelerated(const View& s) {
  Index found = 0;
  double most = -1;
  for (Index i = 0; i < s.count; ++i) {
    const double a = square(s.ax[i], s.ay[i], s.az[i]);
    if (a > most) most = a, found = i;  // never for NaN
  }
  return found;
}

std::string named(const Simulation& simulation, std::uint32_t id) {
  const std::string& name = simulation.name(id);
  return name.empty() ? std::to_string(id) : fmt::format("{} ({})", id, name);
}

}  // namespace

std::uint64_t steps_between_checks(const Simulation& simulation) {
  const bool gpu = simulation.plan().backend == engine::Backend::cuda;
  const double interactions = gpu ? 0x1p33 : 0x1p29;
  const double n = std::max(1.0, static_cast<double>(simulation.count()));
  const auto steps = static_cast<double>(simulation.step());
  const double of_a_step =
      steps > 0 ? static_cast<double>(simulation.interactions()) / steps : n * n;
  // Each body costs about 16 interactions by itself.
  const double between = interactions / (of_a_step + 16 * n);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(between), 1,
                                   most_steps_between_checks);
}

std::uint64_t steps_between_error_samples(const Simulation& simulation) {
  const auto n = static_cast<double>(simulation.count());
  // The direct sums, in double: an interaction of them is as long as two of a step.
  const bool periodic = has_feature(simulation.model(), periodic_domain);
  const engine::Index sample =
      periodic ? error_sample_size_of_periodic * usual_images : error_sample_size;
  const double sums = 2 * std::min(static_cast<double>(sample), n) * n;
  const auto steps = static_cast<double>(simulation.step());
  // Before the first step, as if it were as many as the sums are.
  const double of_a_step =
      steps > 0 ? static_cast<double>(simulation.interactions()) / steps : sums;
  // The forces are evaluated once more.
  return static_cast<std::uint64_t>(std::ceil(100 * (1 + sums / std::max(of_a_step, 1.0))));
}

std::optional<Encounter> hardest_encounter(Simulation& simulation) {
  const MakeContext attraction = make_context(simulation.model(), 1);
  const double g = attraction.gravitational;
  if (!(g > 0) || simulation.count() < 2) return std::nullopt;
  const double softening = attraction.softening * attraction.softening;
  Encounter found;
  found.step = simulation.step();
  double fastest = 0;  // largest M / r^3: the shortest period
  simulation.state().visit([&](auto s) {
    const Index i = most_accelerated(s);
    for (Index j = 0; j < s.count; ++j) {
      if (j == i) continue;
      const double d2 = distance_squared(s, i, j);
      if (!(d2 + softening > 0)) continue;  // coincident bodies exert no force on each other
      const double mass = static_cast<double>(s.mass[i]) + static_cast<double>(s.mass[j]);
      const double rate = mass / std::pow(d2 + softening, 1.5);
      if (!(rate > fastest)) continue;
      fastest = rate;
      found.first = s.id[i], found.second = s.id[j];
      found.distance = std::sqrt(d2);
    }
  });
  if (!(fastest > 0)) return std::nullopt;
  found.period = 2 * std::numbers::pi / std::sqrt(g * fastest);
  return found;
}

std::string encounter_message(const Encounter& encounter, const Simulation& simulation) {
  const engine::UnitSystem& units = simulation.model().units;
  const auto time = [&units](double t, int digits) {
    return engine::readable_time(t, units, digits);
  };
  return fmt::format(
      "bodies {} and {} were {:.3g}{} apart at step {}, where their orbital period is {}: steps of "
      "{} do not resolve it; use a dt of {} or a larger softening",
      named(simulation, encounter.first), named(simulation, encounter.second), encounter.distance,
      units.length.empty() ? "" : " " + units.length, encounter.step, time(encounter.period, 3),
      time(simulation.dt(), 3), time(encounter.period / (2 * fewest_steps_a_period), 2));
}

std::string moment_text(std::uint64_t step, double time, const engine::UnitSystem& units,
                        int digits) {
  return fmt::format("step {}, t = {}", step, engine::readable_time(time, units, digits));
}

std::string body_text(const Simulation& simulation, std::int64_t body) {
  const std::string name = body < 0 ? "" : simulation.name(static_cast<std::uint32_t>(body));
  return fmt::format("body {}{}", body, name.empty() ? "" : " (" + name + ")");
}

std::string not_finite_message(const Simulation& simulation, std::int64_t body, std::uint64_t step,
                               double time, const std::string& cause) {
  std::string likely = "the time step is too large: set a smaller " +
                       info_of(simulation.model().integrator).accuracy;
  for (const Physics& p : simulation.model().physics)
    if (std::string of_module = p.cause_of_not_finite(); !of_module.empty())
      likely = std::move(of_module);
  return fmt::format("{} is no longer finite at {}; {}{}", body_text(simulation, body),
                     moment_text(step, time, simulation.model().units),
                     !cause.empty() ? cause : "likely " + likely,
                     simulation.precision() == engine::Precision::double_
                         ? ""
                         : "; or values overflowed single precision: use double precision");
}

std::string overstretched_message(const Simulation& simulation, std::int64_t body,
                                  std::uint64_t step, double time) {
  return fmt::format(
      "a bond of {} exceeds its maximum extension at {}; likely the time step or the "
      "pulling force is too large: set a smaller dt, or a larger extension or stiffness of this "
      "kind of bond",
      body_text(simulation, body), moment_text(step, time, simulation.model().units));
}

std::string long_step_message(const Simulation& simulation, std::uint64_t step, double time) {
  std::string cause;
  for (const Physics& p : simulation.model().physics)
    if (cause.empty()) cause = p.cause_of_long_step();
  const std::string& unit = simulation.model().units.time;
  return fmt::format("a dt of {}{} is too long at {}: {}", simulation.dt(),
                     unit.empty() ? "" : " " + unit,
                     moment_text(step, time, simulation.model().units),
                     cause.empty() ? "set a smaller integrator.dt" : cause);
}

std::optional<std::uint32_t> escaped(Simulation& simulation, const Measurement& measured,
                                     double radius) {
  const engine::Vec3d c = measured.center_of_mass;
  // Usually the bounding box already shows that no body is that far.
  const auto farthest = [](double low, double high, double middle) {
    return std::fmax(std::fabs(low - middle), std::fabs(high - middle));
  };
  const double x = farthest(measured.low.x, measured.high.x, c.x),
               y = farthest(measured.low.y, measured.high.y, c.y),
               z = farthest(measured.low.z, measured.high.z, c.z);
  if (!(x * x + y * y + z * z > radius * radius)) return std::nullopt;
  std::optional<std::uint32_t> id;
  double furthest = radius * radius;
  simulation.state().visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i) {
      const double d2 = square(static_cast<double>(s.x[i]) - c.x, static_cast<double>(s.y[i]) - c.y,
                               static_cast<double>(s.z[i]) - c.z);
      if (d2 > furthest) furthest = d2, id = s.id[i];
    }
  });
  return id;
}

void write_offenders(const std::filesystem::path& path, Simulation& simulation,
                     const std::vector<std::uint32_t>& ids, const engine::UnitSystem& units) {
  const auto head = [](const char* name, const std::string& unit) {
    return series_field(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
  };
  const std::string l = units.length, v = units.velocity,
                    a = units.time.empty() ? "" : units.label("acceleration");
  std::string text =
      "neighbourhood_of,id,name," + head("distance", l) + ',' + head("mass", units.mass);
  for (const auto& [names, unit] : {std::pair{"x y z", l}, {"vx vy vz", v}, {"ax ay az", a}})
    for (std::string_view rest(names); !rest.empty();) {
      const auto end = std::min(rest.find(' '), rest.size());
      text += ',' + head(std::string(rest.substr(0, end)).c_str(), unit);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  text += '\n';
  const State<Host>& state = simulation.state();
  for (const std::uint32_t id : ids) {
    const auto body = simulation.index_of(id);
    if (!body) continue;
    state.visit([&](auto s) {
      std::vector<double> d2(static_cast<std::size_t>(s.count));
      std::vector<Index> nearest(d2.size());
      std::iota(nearest.begin(), nearest.end(), Index{0});
      for (Index j = 0; j < s.count; ++j) {
        const double d = j == *body ? -1 : distance_squared(s, *body, j);
        d2[static_cast<std::size_t>(j)] =
            std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
      }
      const std::size_t shown = std::min(neighbours_shown + 1, nearest.size());
      std::partial_sort(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(shown),
                        nearest.end(), [&](Index p, Index q) {
                          const double dp = d2[static_cast<std::size_t>(p)],
                                       dq = d2[static_cast<std::size_t>(q)];
                          return dp != dq ? dp < dq : p < q;
                        });
      nearest.resize(shown);
      for (const Index j : nearest) {
        const double d = std::sqrt(std::fmax(0, d2[static_cast<std::size_t>(j)]));
        text += fmt::format("{},{},{}", id, s.id[j], series_field(simulation.name(s.id[j])));
        for (const double value : {d, static_cast<double>(s.mass[j]), static_cast<double>(s.x[j]),
                                   static_cast<double>(s.y[j]), static_cast<double>(s.z[j]),
                                   static_cast<double>(s.vx[j]), static_cast<double>(s.vy[j]),
                                   static_cast<double>(s.vz[j]), static_cast<double>(s.ax[j]),
                                   static_cast<double>(s.ay[j]), static_cast<double>(s.az[j])})
          text += ',' + series_number(value);
        text += '\n';
      }
    });
  }
  engine::write_file(path, text);
}

}  // namespace mote::sim
