#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "app/compare/force_check.h"
#include "app/compare/samples.h"
#include "app/compare/selftest.h"
#include "app/compare/workbench.h"

namespace mote::app {
namespace {

using engine::Host;
using engine::Index;
using engine::Precision;
using sim::State;

const char* const kernels[] = {"tiled", "split", "symmetric", "wide", "gather"};

/// Errors explained by round-off: in float, where 1,024 to 2,048 terms are summed before they are
/// added in double, or in double. Measured errors: docs/performance.md.
struct Limits {
  double p90, worst;
};
constexpr Limits limits_of(Precision precision) {
  return precision == Precision::double_ ? Limits{1e-13, 1e-13} : Limits{1.2e-6, 3e-6};
}

bool same_accelerations(const State<Host>& one, const State<Host>& other) {
  return one.visit([&](auto a) {
    return other.visit([&](auto b) {
      const auto bytes = static_cast<std::size_t>(a.count) * sizeof(*a.ax);
      return sizeof(*a.ax) == sizeof(*b.ax) && std::memcmp(a.ax, b.ax, bytes) == 0 &&
             std::memcmp(a.ay, b.ay, bytes) == 0 && std::memcmp(a.az, b.az, bytes) == 0;
    });
  });
}

/// One body in five is massless, and some coincide.
State<Host> odd_bodies(Index count, Precision precision) {
  State<Host> state = random_cube(count, precision);
  state.visit([&](auto s) {
    for (Index i = 0; i < s.count; i += 5) s.mass[i] = 0;
    for (Index i = 2; i + 7 < s.count; i += 11)
      s.x[i + 7] = s.x[i], s.y[i + 7] = s.y[i], s.z[i + 7] = s.z[i];
  });
  return state;
}

/// Tests all kernels on these bodies.
void test_forces_on(const SelfTest& test, const State<Host>& bodies, double softening,
                    const std::string& about) {
  const ForceReference reference(test.cpu.threads, bodies, softening);
  const Limits limits = limits_of(bodies.precision());
  const auto check = [&](const std::string& kernel, Workbench& bench) {
    bench.time_forces(1);
    const State<Host> first = copy_of(bench.state());
    const double seconds = bench.time_forces(1);
    const bool same = same_accelerations(first, bench.state());
    const ForceErrors errors = reference.errors_of(first);
    const auto n = static_cast<double>(bodies.count());
    const std::string speed = bodies.count() >= 1000 && seconds > 0
                                  ? fmt::format("  {:.2e} interactions/s", n * n / seconds)
                                  : "";
    test.checks.expect(same && errors.p90 <= limits.p90 && errors.worst <= limits.worst,
                       fmt::format("forces {} {} {}  p90 {:.0e} worst {:.0e}{}{}", kernel,
                                   name_of(bodies.precision()), about, errors.p90, errors.worst,
                                   speed, same ? "" : "  NOT REPEATABLE"));
  };
  check("cpu", *host_workbench(test.cpu, bodies, softening));
  for (const char* kernel : kernels)
    check(kernel, *device_workbench(test.device, bodies, softening, direct_kernel_named(kernel)));
}

/// Compares the measurements of CPU and device of one state, each value relative to the scale of
/// its terms.
void compare_measurements(const SelfTest& test, const std::string& about, const sim::Measurement& a,
                          const sim::Measurement& b) {
  const auto length = [](engine::Vec3d v) { return std::sqrt(dot(v, v)); };
  double radius = 0;
  for (const engine::Vec3d corner : {a.low, a.high}) radius = std::max(radius, length(corner));
  // |sum m v| <= sqrt(2 K M) by Cauchy-Schwarz: the sums cancel, their round-off does not.
  const double momentum = std::sqrt(2 * a.kinetic * a.mass);
  struct Value {
    const char* name;
    double difference, scale;
  };
  double shells = 0;
  for (std::size_t k = 0; k < a.lagrangian_radii.size(); ++k)
    shells = std::max(shells, std::fabs(a.lagrangian_radii[k] - b.lagrangian_radii[k]));
  const Value values[] = {
      {"mass", std::fabs(a.mass - b.mass), a.mass},
      {"kinetic", std::fabs(a.kinetic - b.kinetic), a.kinetic},
      {"momentum", length(a.momentum - b.momentum), momentum},
      {"angular momentum", length(a.angular_momentum - b.angular_momentum), momentum * radius},
      {"centre", length(a.center_of_mass - b.center_of_mass), radius},
      {"Lagrangian radii", shells, radius},
      {"box", length(a.low - b.low) + length(a.high - b.high), radius},
      {"fastest", std::fabs(a.fastest - b.fastest), a.fastest},
  };
  // Sums of a few thousand terms, in two orders.
  constexpr double allowed = 1e-12;
  std::string wrong;
  double worst = 0;
  for (const Value& value : values) {
    const double error = value.difference == 0 ? 0 : value.difference / value.scale;
    if (!(error <= allowed)) wrong += fmt::format("  {} {:.0e}", value.name, error);
    worst = std::max(worst, error);
  }
  test.checks.expect(wrong.empty(),
                     fmt::format("measurement {}  worst {:.0e}{}", about, worst, wrong));
}

/// Body `first` and the last body are not finite; the first must be found.
void test_not_finite(const SelfTest& test, State<Host> bodies, Index first,
                     const std::string& about) {
  bodies.visit([&]<class Real>(sim::StateView<Real> s) {
    s.vy[first] = std::numeric_limits<Real>::quiet_NaN();
    s.x[s.count - 1] = std::numeric_limits<Real>::infinity();
  });
  const auto gpu = device_workbench(test.device, bodies, 0.01, sim::DirectKernel::automatic);
  const std::int64_t found = gpu->first_not_finite();
  const std::int64_t expected = host_workbench(test.cpu, bodies, 0.01)->first_not_finite();
  test.checks.expect(found == expected,
                     fmt::format("first non-finite body {}  {} (cpu {})", about, found, expected));
}

void test_measurements_of(const SelfTest& test, const State<Host>& bodies, double softening,
                          const std::string& about) {
  const auto cpu = host_workbench(test.cpu, bodies, softening);
  const auto gpu = device_workbench(test.device, bodies, softening, sim::DirectKernel::automatic);
  const double reference = cpu->potential_energy(), found = gpu->potential_energy();
  const double error = found == reference ? 0 : std::fabs(found - reference) / std::fabs(reference);
  test.checks.expect(error <= 1e-12,
                     fmt::format("potential energy {}  error {:.0e}", about, error));
  compare_measurements(test, about, cpu->measure(reference), gpu->measure(reference));
  test.checks.expect(cpu->hash(0.5, 7) == gpu->hash(0.5, 7),
                     fmt::format("state hash {}  {:016x}", about, gpu->hash(0.5, 7)));
  test.checks.expect(gpu->first_not_finite() == -1, fmt::format("all bodies are finite {}", about));
  if (bodies.count() >= 3) test_not_finite(test, copy_of(bodies), bodies.count() / 2, about);
}

}  // namespace

void test_forces(const SelfTest& test) {
  const std::vector<Index> sizes = test.small ? std::vector<Index>{1, 2, 33, 1100}
                                              : std::vector<Index>{1, 2, 31, 33, 1000, 4097};
  const std::vector<double> softenings =
      test.small ? std::vector<double>{0, 0.02} : std::vector<double>{0, 1e-9, 0.02};
  for (Precision precision : all_precisions) {
    for (double softening : softenings)
      for (Index n : sizes) {
        const std::string about = fmt::format("N={} softening {}", n, softening);
        test.checks.group("forces " + about, [&] {
          test_forces_on(test, random_cube(n, precision), softening, about);
        });
      }
    const Index n = test.small ? 40 : 1000;
    const std::string about = fmt::format("N={} softening 0, massless and coincident bodies", n);
    test.checks.group("forces " + about,
                      [&] { test_forces_on(test, odd_bodies(n, precision), 0, about); });
  }
}

void test_measurements(const SelfTest& test) {
  for (Precision precision : all_precisions)
    for (Index n :
         test.small ? std::vector<Index>{1, 40} : std::vector<Index>{1, 2, 1000, 4097, 20000}) {
      const std::string about = fmt::format("{} N={}", name_of(precision), n);
      test.checks.group("measurement " + about, [&] {
        test_measurements_of(test, n >= 40 ? odd_bodies(n, precision) : random_cube(n, precision),
                             0.02, about);
      });
    }
}

}  // namespace mote::app
