// Measurements of every module combined with gravity: gravity alone is measured in batches on a
// GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/modules.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using sim::Measurement;

/// All values of a measurement, each with the scale of its round-off. A new member does not compile
/// here, so that none is left out.
std::vector<std::pair<double, double>> numbers_of(const Measurement& m) {
  const auto& [time, step, kinetic, potential, free_kinetic, constraint_energy, energy,
               energy_error, virial_ratio, temperature, virial, pressure, displacement,
               fixed_bodies, mass, momentum, angular_momentum, center_of_mass, lagrangian_radii,
               low, high, fastest, solids] = m;
  const double energies = kinetic + std::abs(potential), size = engine::length(high - low),
               push = mass * fastest;
  std::vector<std::pair<double, double>> all{{time, 1},
                                             {double(step), 1},
                                             {kinetic, energies},
                                             {potential, energies},
                                             {free_kinetic, energies},
                                             {constraint_energy, energies},
                                             {energy, energies},
                                             {energy_error * std::abs(energy), energies},
                                             {virial_ratio, virial_ratio},
                                             {temperature, temperature},
                                             {virial, std::abs(virial) + energies},
                                             {pressure, std::abs(pressure) + energies},
                                             {displacement, displacement},
                                             {double(fixed_bodies), 1},
                                             {mass, mass},
                                             {fastest, fastest}};
  for (const double radius : lagrangian_radii) all.emplace_back(radius, size);
  const auto vector = [&](engine::Vec3d v, double scale) {
    for (const double x : {v.x, v.y, v.z}) all.emplace_back(x, scale);
  };
  vector(momentum, push), vector(angular_momentum, push * size);
  for (const engine::Vec3d& v : {center_of_mass, low, high}) vector(v, size);
  return all;
}

/// The scene section of a module, and bodies for it.
struct Subject {
  std::string section, bodies;
};
const std::map<std::string, Subject>& subjects() {
  static const std::map<std::string, Subject> all{
      {"gravity", {"", "uniform_sphere { n = 40, mass = 1, radius = 1, virial_ratio = 0.5 "}},
      {"fields",
       {"fields = { harmonic_trap { rates = { 3, 2, 4 } } }",
        "uniform_sphere { n = 40, mass = 1 "}},
      {"lennard_jones",
       {"lennard_jones = { sigma = 0.2, cutoff = 2.5, epsilon = 0.1 }",
        "lattice { counts = { 3, 3, 3 }, spacing = 0.22, mass = 1, dispersion = 0.1 "}},
      {"bonds",
       {"bond_kinds = { spring = { stiffness = 50, length = 0.2 } }",
        "chain { n = 12, mass = 1, spacing = 0.25, bond = 'spring' "}},
      {"hand",
       {"hand = { body = 3, x = 1, stiffness = 40, damping = 2 }",
        "uniform_sphere { n = 40, mass = 1, radius = 1, virial_ratio = 0.5 "}},
      {"axles",
       {"obstacles = { sphere { name = 'wheel', radius = 0.29, center = { 0.1, 0, -0.6 } } }, "
        "axles "
        "= "
        "{ { name = 'wheel', inertia = 1, torque = 1, brake = 0.5 } }, grains = { model = "
        "'linear', "
        "stiffness = 400, radius = 0.1, restitution = 0.4, friction = 0.5 }",
        "lattice { counts = { 3, 3, 3 }, spacing = 0.199, mass = 1 "}},
      {"fixed_bodies",
       {"", "uniform_sphere { n = 40, mass = 1, radius = 1, fixed = true }, plummer { n = 20 "}},
      {"fluid",
       {"fluid = { spacing = 0.1, largest_speed = 1 }",
        "lattice { counts = { 4, 4, 4 }, spacing = 0.09, mass = 0.064 "}},
      {"grains",
       {"grains = { model = 'linear', stiffness = 400, radius = 0.1, restitution = 0.4, friction = "
        "0.5 }",
        "lattice { counts = { 3, 3, 3 }, spacing = 0.199, mass = 1 "}},
      {"soft",
       {"soft = { thickness = 0.01 }",
        "soft_box { counts = { 3, 3, 3 }, size = { 0.5, 0.5, 0.5 }, mass = 1, compliance = 1e-2 "}},
  };
  return all;
}

std::string turning(const std::string& name, const std::string& position,
                    const std::string& more = "") {
  return "translate(spin({ " + subjects().at(name).bodies + more +
         " } }, { axis = { 0, 0, 1 }, rate = 0.8 }), " + position + "), ";
}
std::string with_gravity(const std::string& sections, const std::string& bodies) {
  return "return { gravity = { softening = 0.05 }, integrator = { dt = 1e-3 }, " + sections +
         ", bodies = { " + bodies + " } }";
}

void expect_the_same_on_both(const std::string& lua) {
  const sim::SceneDescription scene = scene_of(lua);
  const auto open = [&](engine::Backend backend) {
    return sim::open_simulation(
        scene,
        sim::make_plan(scene, {.backend = backend, .precision = engine::Precision::double_}));
  };
  const auto here = open(engine::Backend::cpu), there = open(engine::Backend::cuda);
  for (int part = 0; part < 3; ++part) {
    const auto one = numbers_of(here->measure()), other = numbers_of(there->measure());
    // Other summation orders, over 40 steps in which contacts begin and end: errors of 1e-16 grow
    // by far less than 1e6.
    for (std::size_t k = 0; k < one.size(); ++k)
      EXPECT_NEAR(one[k].first, other[k].first, 1e-10 * one[k].second + 1e-300)
          << "number " << k << " after " << here->step() << " steps of\n"
          << lua;
    here->advance(20, {}), there->advance(20, {});
  }
}

TEST(MeasuredMatter, IsAllThereIs) {
  // A new module needs a scene here.
  for (const sim::PhysicsModule& module : sim::modules()) {
    const std::string& subject = module.info().subject;
    // A thermostat is measured with gravity below.
    EXPECT_TRUE(subject == "thermostat" || subjects().count(subject)) << subject;
  }
}

TEST(MeasuredMatter, WithGravityHasTheNumbersOfTheCpuOnAGpu) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  for (const auto& [name, subject] : subjects())
    expect_the_same_on_both(with_gravity(subject.section.empty() ? "series = {}" : subject.section,
                                         turning(name, "{ 0.1, 0, 0 }")));
  const std::string stars = turning("gravity", "{ 0, 0, 0 }");
  expect_the_same_on_both(with_gravity("series = { displacement = true }", stars));
  for (const char* thermostat :
       {"'langevin', temperature = 0.1", "'nose_hoover', temperature = 0.1"})
    expect_the_same_on_both(
        with_gravity(std::string("thermostat = { ") + thermostat + " }", stars));
}

TEST(MeasuredMatter, OfTwoKindsWithGravityHasTheNumbersOfTheCpuOnAGpu) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const std::vector<std::string> kinds{"fluid", "grains", "lennard_jones", "soft"};
  std::set<std::string> tried;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i + 1; j < kinds.size(); ++j) {
      const std::string &a = kinds[i], &b = kinds[j];
      const std::string lua = with_gravity(
          subjects().at(a).section + ", " + subjects().at(b).section +
              ", species = { a = { matter = '" + a + "' }, b = { matter = '" + b + "' } }",
          turning(a, "{ 0, 0, 0 }", ", species = 'a'") +
              turning(b, "{ 0.9, 0.2, 0.1 }", ", species = 'b'"));
      try {
        scene_of(lua);
      } catch (const engine::InputError&) {
        continue;
      }
      expect_the_same_on_both(lua);
      tried.insert(a + " " + b);
    }
  // Molecules and soft bodies in a fluid are refused.
  EXPECT_EQ(tried, (std::set<std::string>{"fluid grains", "grains lennard_jones", "grains soft",
                                          "lennard_jones soft"}));
}

}  // namespace
}  // namespace mote::test
