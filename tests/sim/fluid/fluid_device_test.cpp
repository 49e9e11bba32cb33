// Fluids on a GPU: agreement with the CPU, and reproducibility.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/fluid/fluid_fields.h"
#include "sim/output/checkpoint.h"
#include "sim/space/list_fields.h"
#include "sim/space/neighbours.h"
#include "tests/support/backend.h"
#include "tests/support/fluid_box.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Host;
using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;
using sim::State;

class FluidsOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
};

template <class Real>
State<Host> state_of_box(const FluidBox<Real>& box) {
  sim::StateLayout layout;
  layout.add(sim::fields::density)
      .add(sim::fields::density_rate)
      .add(sim::fields::transport_velocity)
      .add(sim::fields::list_origin);
  State<Host> state(static_cast<Index>(box.size()),
                    sizeof(Real) == 4 ? Precision::single : Precision::double_, layout);
  sim::reset_list_origins(state);
  state.visit([&]<class StateReal>(sim::StateView<StateReal> s) {
    if constexpr (std::is_same_v<Real, StateReal>) {
      const auto put = [](const std::vector<Real>& from, Real* to) {
        std::copy(from.begin(), from.end(), to);
      };
      put(box.mass, s.mass);
      put(box.x, s.x), put(box.y, s.y), put(box.z, s.z);
      put(box.vx, s.vx), put(box.vy, s.vy), put(box.vz, s.vz);
      // Accelerations by another force, of walls too.
      std::fill_n(s.ax, s.count, static_cast<Real>(box.gravity.x));
      std::fill_n(s.ay, s.count, static_cast<Real>(box.gravity.y));
      std::fill_n(s.az, s.count, static_cast<Real>(box.gravity.z));
      put(box.density, s[sim::fields::density]);
      put(box.rate, s[sim::fields::density_rate]);
    }
  });
  return state;
}

/// The largest differences, relative to the largest value of each quantity.
struct FluidDifference {
  double a = 0, rate = 0, u = 0;
};

/// Evaluates a box on the CPU and on the GPU, after an evaluation that sets the density rates for
/// extrapolation.
template <class Real>
FluidDifference difference_on_gpu(FluidBox<Real>&& box, int lanes, double ahead) {
  box.evaluate(0);
  State<Host> state = state_of_box(box);
  const sim::FluidReport there =
      device_fluid(box.fluid, box.domain, box.gravity, box.kind, state, ahead, lanes);
  box.evaluate(ahead);
  EXPECT_EQ(there.interactions, box.report.interactions);
  EXPECT_NEAR(there.largest_step, box.report.largest_step, 1e-6 * box.report.largest_step);
  FluidDifference found;
  state.visit([&](const auto& s) {
    struct Pair {
      double& found;
      const std::vector<Real>& here;
      const std::remove_reference_t<decltype(*s.ax)>* there;
    };
    for (const Pair& p : {Pair{found.a, box.ax, s.ax},
                          {found.a, box.ay, s.ay},
                          {found.a, box.az, s.az},
                          {found.rate, box.rate, s[sim::fields::density_rate]},
                          {found.u, box.ux, s[sim::fields::transport_velocity[0]]},
                          {found.u, box.uy, s[sim::fields::transport_velocity[1]]},
                          {found.u, box.uz, s[sim::fields::transport_velocity[2]]}}) {
      double size = 0, error = 0;
      for (std::size_t i = 0; i < box.size(); ++i) {
        size = std::max(size, std::abs(static_cast<double>(p.here[i])));
        error = std::max(
            error, std::abs(static_cast<double>(p.here[i]) - static_cast<double>(p.there[i])));
      }
      if (error > 0) p.found = std::max(p.found, error / size);
    }
  });
  return found;
}

TEST_F(FluidsOnAGpu, HaveTheForcesOfTheCpu) {
  // Sums of up to 113 terms in another order, with terms up to 1000 times the sum: 1e-12 of the
  // largest sum in double. In single precision the largest sums are at least a tenth of their
  // terms: a hundred roundings of 6e-8.
  for (const int dimensions : {2, 3})
    for (const int lanes : {1, 8})
      for (const bool walls : {false, true}) {
        const int n = dimensions == 2 ? 14 : 8;
        const FluidDifference full =
            difference_on_gpu(walls ? box_with_walls<double>(dimensions, n, 1)
                                    : stirred_box<double>(dimensions, n, all_fluid_terms),
                              lanes, 1e-3);
        EXPECT_LT(std::max({full.a, full.rate, full.u}), 1e-12) << dimensions << lanes << walls;
        const FluidDifference single =
            difference_on_gpu(walls ? box_with_walls<float>(dimensions, n, 1)
                                    : stirred_box<float>(dimensions, n, all_fluid_terms),
                              lanes, 1e-3);
        EXPECT_LT(std::max({single.a, single.rate, single.u}), 2e-5)
            << dimensions << lanes << walls;
      }
}

TEST_F(FluidsOnAGpu, HandleGravityOpenAxesAndEachTermAlone) {
  for (const double shifting : {0.0, 2.0})
    for (const double xsph : {0.0, 0.3}) {
      FluidBox<double> box = box_with_walls<double>(2, 14, 1);
      box.fluid.shifting = shifting, box.fluid.xsph = xsph, box.fluid.walls = "free_slip";
      box.gravity = {0.5, -1, 0};
      box.domain.periodic[1] = false;
      box.x[3] += 2, box.x[7] -= 1;  // as positions outside a periodic domain on the CPU
      const FluidDifference found = difference_on_gpu(std::move(box), 8, 1e-3);
      EXPECT_LT(std::max({found.a, found.rate, found.u}), 1e-12) << shifting << xsph;
    }
}

TEST_F(FluidsOnAGpu, ArePulledAtTheirSurfaceAsOnTheCpu) {
  // As above; the terms of tension exceed their sum by another factor of ten.
  for (const int dimensions : {2, 3})
    for (const int lanes : {1, 8})
      for (const bool walls : {false, true}) {
        const auto difference = [&]<class Real>(Real) {
          const int n = dimensions == 2 ? 14 : 8;
          FluidBox<Real> box = walls ? box_with_walls<Real>(dimensions, n, 1)
                                     : stirred_box<Real>(dimensions, n, all_fluid_terms);
          box.fluid.surface_tension = 20;
          for (bool& periodic : box.domain.periodic) periodic = false;
          return difference_on_gpu(std::move(box), lanes, 1e-3).a;
        };
        EXPECT_LT(difference(0.0), 1e-11) << dimensions << lanes << walls;
        EXPECT_LT(difference(0.0f), 2e-4) << dimensions << lanes << walls;
      }
}

TEST_F(FluidsOnAGpu, FindMoreNeighboursThanAThreadTestsAtOnce) {
  // 2,304 particles in a stack of three cells have more candidates than a thread tests at once.
  for (const int lanes : {1, 8}) {
    FluidBox<double> box = stirred_box<double>(2, 48, all_fluid_terms);
    for (int axis = 0; axis < 2; ++axis) box.domain.periodic[axis] = false;
    for (std::size_t i = 0; i < box.size(); ++i) box.x[i] /= 11, box.y[i] /= 5;
    const FluidDifference found = difference_on_gpu(std::move(box), lanes, 0);
    EXPECT_LT(std::max({found.a, found.rate, found.u}), 1e-12) << lanes;
  }
}

/// Settling water on a floor with a free surface, periodic along x.
std::string settling_water(int dimensions, const std::string& more = "") {
  const int across = dimensions == 2 ? 12 : 6, layers = dimensions == 2 ? 5 : 4,
            deep = dimensions == 2 ? 1 : 6;
  const double dx = 0.05, mass = dimensions == 2 ? dx * dx : dx * dx * dx;
  const auto lattice = [&](int high, double middle, const std::string& species) {
    return "translate(lattice { counts = { " + std::to_string(across) + ", " +
           std::to_string(high) + ", " + std::to_string(deep) +
           " }, spacing = 0.05, mass = " + std::to_string(mass * across * high * deep) + species +
           " }, { 0, " + std::to_string(middle) + ", 0 }),";
  };
  return "return { domain = { size = { " + std::to_string(across * dx) + ", 0, " +
         std::to_string(deep * dx) + " }, x = \"periodic\", y = \"open\", z = \"" +
         (dimensions == 2 ? "open" : "periodic") +
         "\" }, fields = { uniform { acceleration = { 0, -1, 0 } } }, species = { floor = { wall = "
         "true } }, "
         "fluid = { spacing = 0.05, largest_speed = 1, artificial_viscosity = 0.05, dimensions = " +
         std::to_string(dimensions) + (dimensions == 3 ? ", smoothing = 1.3" : "") + more +
         " }, integrator = { dt = 0.0008 }, bodies = { " + lattice(across, 0.5 * across * dx, "") +
         lattice(layers, -0.5 * layers * dx, ", species = \"floor\"") + " } }";
}

class FluidRuns : public FluidsOnAGpu {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; FluidsOnAGpu.* run the kernels");
    FluidsOnAGpu::SetUp();
  }
  static std::unique_ptr<Simulation> open(const std::string& lua, Backend backend,
                                          Precision precision,
                                          sim::Stepping stepping = sim::Stepping::automatic) {
    const sim::SceneDescription scene = scene_of(lua);
    return sim::open_simulation(
        scene,
        sim::make_plan(scene, {.backend = backend, .precision = precision, .stepping = stepping}));
  }
};

double largest_distance(const State<Host>& one, const State<Host>& other) {
  double largest = 0;
  one.visit([&](const auto& a) {
    other.visit([&](const auto& b) {
      for (Index i = 0; i < a.count; ++i)
        for (const auto& [p, q] : {std::pair{a.x, b.x}, {a.y, b.y}, {a.z, b.z}})
          largest =
              std::max(largest, std::abs(static_cast<double>(p[i]) - static_cast<double>(q[i])));
    });
  });
  return largest;
}

TEST_F(FluidRuns, MoveAsOnTheCpu) {
  // Settling water flows smoothly: 100 steps do not amplify round-off. Positions near 0.5 are
  // rounded by 3e-8 (6e-17) a hundred times, and so are velocities and densities, whose errors act
  // for a time of 0.08.
  for (const int dimensions : {2, 3})
    for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
      if (dimensions == 3 && precision == Precision::mixed) continue;  // the same as double
      const auto cpu = open(settling_water(dimensions), Backend::cpu, precision),
                 gpu = open(settling_water(dimensions), Backend::cuda, precision);
      const double energy = cpu->measure().energy;
      EXPECT_NEAR(gpu->measure().energy, energy, 1e-13 * std::abs(energy));
      for (Simulation* one : {cpu.get(), gpu.get()})
        one->advance(dimensions == 2 || !gpu_is_emulated() ? 100 : 30, {});
      EXPECT_LT(largest_distance(cpu->state(), gpu->state()),
                precision == Precision::single ? 3e-6 : 1e-13)
          << dimensions << name_of(precision);
      EXPECT_NEAR(gpu->measure().energy, cpu->measure().energy,
                  (precision == Precision::single ? 1e-5 : 1e-12) * std::abs(energy));
    }
}

/// A stream with eddies across the boundary of a periodic square, `across` spacings wide.
std::string stream_across_the_border(int across, double length) {
  return "local bodies, n, length = {}, " + std::to_string(across) + ", " + std::to_string(length) +
         R"(
    for i = 0, n - 1 do
      for j = 0, n - 1 do
        local x, y = (i + 0.5) / n - 0.5, (j + 0.5) / n - 0.5
        bodies[#bodies + 1] = { mass = (length / n) ^ 2, position = { x * length, y * length, 0 },
          velocity = { 1 + 0.3 * math.sin(2 * math.pi * y), 0.7 + 0.3 * math.sin(2 * math.pi * x), 0 } }
      end
    end
    return { domain = { size = { length, length, 0 }, x = "periodic", y = "periodic", z = "open" }, bodies = bodies,
      fluid = { spacing = 1, largest_speed = 1.5, dimensions = 2, artificial_viscosity = 0.05, background_pressure = 5 },
      integrator = { dt = 0.02 } })";
}

TEST_F(FluidRuns, RebuildListsBeforeANeighbourIsMissed) {
  // In 100 steps all particles move three spacings, 15 times half the skin. In the square hardly
  // wider than two support radii, which limits the skin, 60 times. The CPU uses no lists.
  struct Case {
    int across;
    double length;
  };
  for (const Case square : {Case{16, 16}, Case{8, 8.1}})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const std::string lua = stream_across_the_border(square.across, square.length);
      const auto cpu = open(lua, Backend::cpu, precision),
                 gpu = open(lua, Backend::cuda, precision);
      const auto start = open(lua, Backend::cpu, precision);
      for (Simulation* one : {cpu.get(), gpu.get()}) one->advance(100, {});
      EXPECT_GT(largest_distance(cpu->state(), start->state()), 2.5);
      // Positions up to 10 are rounded by 5e-7 (9e-16) a step, a hundred times.
      EXPECT_LT(largest_distance(cpu->state(), gpu->state()),
                precision == Precision::single ? 5e-5 : 1e-13)
          << square.across << name_of(precision);
    }
}

TEST_F(FluidRuns, ResumeWithTheSameBitsWhateverTheAgeOfTheLists) {
  const auto sim = open(stream_across_the_border(16, 16), Backend::cuda, Precision::single);
  for (int k = 0; k < 9; ++k) {  // lists last for six or seven steps
    sim->advance(1, {});
    const auto kept = sim->save();
    sim->advance(12, {});
    const std::uint64_t there = sim->hash();
    sim->restore(*kept);
    sim->advance(12, {});
    EXPECT_EQ(sim->hash(), there) << k;
    sim->restore(*kept);
  }
}

TEST_F(FluidRuns, MakeTheSameBitsAgainInAnySlices) {
  const std::string water = settling_water(2, ", xsph = 0.1, surface_tension = 0.01");
  const auto uninterrupted = open(water, Backend::cuda, Precision::single);
  uninterrupted->advance(60, {});
  const auto again = open(water, Backend::cuda, Precision::single, sim::Stepping::launch);
  for (int k = 0; k < 12; ++k) again->advance(5, {});
  EXPECT_EQ(uninterrupted->hash(), again->hash());
  EXPECT_EQ(largest_distance(uninterrupted->state(), again->state()), 0);
}

TEST_F(FluidRuns, MoveBetweenBackends) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(settling_water(2));
  for (const Backend first : {Backend::cpu, Backend::cuda}) {
    const Backend second = first == Backend::cpu ? Backend::cuda : Backend::cpu;
    const sim::Plan plan =
        sim::make_plan(scene, {.backend = first, .precision = Precision::double_});
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(30, {});
    sim::write_checkpoint(folder.path() / "moves.h5", *sim, scene, plan, {});
    const auto moved =
        sim::open_checkpoint(sim::read_checkpoint(folder.path() / "moves.h5"), {.backend = second});
    EXPECT_EQ(moved->hash(), sim->hash());  // density rates and transport velocities included
    for (Simulation* one : {sim.get(), moved.get()}) one->advance(30, {});
    EXPECT_LT(largest_distance(sim->state(), moved->state()), 1e-13);
  }
}

TEST_F(FluidRuns, StopAtTheStepThatIsTooLongWhateverTheSlices) {
  // Two bodies fall from rest in a trap until their speed makes the step too long; the trap acts
  // besides the fluid.
  const std::string lua =
      "return { fluid = { spacing = 0.05, largest_speed = 1.5, dimensions = 2 }, fields = { "
      "harmonic_trap { "
      "rates "
      "= { 30, 30, 30 } } }, integrator = { dt = 0.0016 }, bodies = { { mass = 0.0025, position = "
      "{ 1, 0, 0 "
      "} }, { "
      "mass = 0.0025, position = { 1, 0.06, 0 } } } }";
  const auto cpu = open(lua, Backend::cpu, Precision::double_),
             gpu = open(lua, Backend::cuda, Precision::double_),
             slow = open(lua, Backend::cuda, Precision::double_);
  const sim::StepReport here = cpu->advance(400, {}), there = gpu->advance(400, {});
  EXPECT_TRUE(has(there.health, sim::Health::step_too_long));
  EXPECT_EQ(there.steps, here.steps);
  EXPECT_EQ(gpu->step(), cpu->step());
  while (slow->step() < here.steps && slow->advance(1, {}).health == sim::Health::good) {
  }
  EXPECT_EQ(slow->hash(), gpu->hash());
  EXPECT_LT(largest_distance(cpu->state(), gpu->state()), 1e-12);
  // Continuing nevertheless starts from there.
  for (Simulation* one : {cpu.get(), gpu.get(), slow.get()}) one->advance(1, {});
  EXPECT_EQ(gpu->step(), here.steps + 1);
  EXPECT_EQ(slow->hash(), gpu->hash());
  EXPECT_LT(largest_distance(cpu->state(), gpu->state()), 1e-12);
  // Past the middle of the trap they slow down enough again.
  int good = 0;
  for (int k = 0; k < 80; ++k) {
    const sim::Health health = cpu->advance(1, {}).health;
    EXPECT_EQ(gpu->advance(1, {}).health, health) << k;
    good += health == sim::Health::good ? 1 : 0;
  }
  EXPECT_GT(good, 0);
}

TEST_F(FluidsOnAGpu, StopAfterTheStepThatIsTooLong) {
  // Many steps are queued before the host checks; the second particle is supersonic.
  FluidBox<double> box;
  box.fluid = {.spacing = 0.05, .largest_speed = 1.5, .dimensions = 2};
  box.add({0, 0, 0});
  box.add({0.06, 0, 0}, {40, 0, 0});
  State<Host> one = state_of_box(box), five = state_of_box(box);
  EXPECT_EQ(device_fluid_steps(box.fluid, box.kind, one, 1e-3, 1).steps, 1u);
  const sim::DeviceRecord record = device_fluid_steps(box.fluid, box.kind, five, 1e-3, 5);
  EXPECT_EQ(record.steps, 1u);
  EXPECT_NE(record.too_long, 0u);
  one.visit([&](const auto& a) {
    five.visit([&](const auto& b) {
      for (Index i = 0; i < 2; ++i) {
        EXPECT_EQ(a.x[i], b.x[i]);
        EXPECT_EQ(a.vx[i], b.vx[i]);
        EXPECT_EQ(a.ax[i], b.ax[i]);
        EXPECT_EQ(a[sim::fields::density_rate][i], b[sim::fields::density_rate][i]);
        EXPECT_EQ(a[sim::fields::transport_velocity[0]][i],
                  b[sim::fields::transport_velocity[0]][i]);
      }
    });
  });
  // A step just short enough continues.
  State<Host> more = state_of_box(box);
  EXPECT_EQ(device_fluid_steps(box.fluid, box.kind, more, 1e-4, 5).steps, 5u);
}

}  // namespace
}  // namespace mote::test
