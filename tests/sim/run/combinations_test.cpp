// Every pair of modules in one scene: it runs, or is refused for a rule that one of them declares.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/model/modules.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

/// Tables of a scene with a module. `bodies`: of its matter, to be closed with " }". `more`:
/// complete bodies, of no matter.
struct Part {
  std::string tables, bodies = "", more = "";
};

const std::map<std::string, Part>& parts() {
  static const std::map<std::string, Part> all{
      {"gravity", {"gravity = { softening = 0.05 }"}},
      {"fields", {"fields = { uniform { acceleration = { 0, 0, -1 } } }"}},
      {"bonds",
       {"bond_kinds = { spring = { stiffness = 50, length = 0.2 } }, bonds = { { kind = 'spring', "
        "bodies = { { 0, 1 } } } }"}},
      {"thermostat", {"thermostat = { 'langevin', temperature = 0.01 }"}},
      {"lennard_jones",
       {"lennard_jones = { sigma = 0.2, cutoff = 0.5, epsilon = 0.1 }",
        "lattice { counts = { 2, 2, 2 }, spacing = 0.22, mass = 1"}},
      {"fluid",
       {"fluid = { spacing = 0.1, largest_speed = 1 }",
        "lattice { counts = { 2, 2, 2 }, spacing = 0.1, mass = 0.001"}},
      {"grains",
       {"grains = { model = 'linear', stiffness = 400, radius = 0.1 }",
        "lattice { counts = { 2, 2, 2 }, spacing = 0.21, mass = 1"}},
      {"hand", {"hand = { body = 1, x = 3, stiffness = 10, damping = 1 }"}},
      {"axles",
       {"obstacles = { sphere { name = 'wheel', radius = 1, center = { 0, 9, 0 } } }, axles = { { "
        "name = 'wheel', inertia = 1, torque = 1 } }"}},
      {"fixed_bodies", {"series = {}", "", "{ mass = 1, position = { 0, 0, 5 }, fixed = true }, "}},
      {"soft", {"soft = { thickness = 0.01 }", "rope { n = 8, length = 1, mass = 1"}},
  };
  return all;
}

/// A scene with both modules and the matter of each, one beside the other.
std::string scene_with(const std::string& a, const std::string& b) {
  std::string bodies, species;
  double x = 0;
  const bool mixed = !parts().at(a).bodies.empty() && !parts().at(b).bodies.empty();
  for (const std::string& subject : {a, b}) {
    const std::string& own = parts().at(subject).bodies;
    if (own.empty()) continue;
    if (mixed) species += subject + " = { matter = '" + subject + "' }, ";
    bodies += own + ", position = { " + std::to_string(x) + ", 0, 0 }" +
              (mixed ? ", species = '" + subject + "'" : "") + " }, ";
    x += 3;
  }
  if (bodies.empty()) bodies = "lattice { counts = { 2, 2, 2 }, spacing = 0.21, mass = 1 }, ";
  bodies += parts().at(a).more + parts().at(b).more;
  return "return { " + parts().at(a).tables + ", " + parts().at(b).tables +
         (mixed ? ", species = { " + species + "}" : "") +
         ", integrator = { dt = 1e-4 }, bodies = { " + bodies + " } }";
}

/// True if one of the two declares a rule whose text is this problem.
bool is_rule_of(const std::string& a, const std::string& b, const std::string& problem) {
  for (const sim::PhysicsModule& m : sim::modules())
    if (m.info().subject == a || m.info().subject == b)
      for (const auto* rules : {&m.info().excludes, &m.info().needs})
        for (const sim::ModuleRule& rule : *rules)
          if (rule.problem == problem && !rule.remedy.empty()) return true;
  return false;
}

/// True if a rule of one names the other.
bool excluded(const std::string& a, const std::string& b) {
  for (const sim::PhysicsModule& m : sim::modules())
    for (const sim::ModuleRule& rule : m.info().excludes)
      if (rule.when.empty() &&
          ((m.info().subject == a && rule.what == b) || (m.info().subject == b && rule.what == a)))
        return true;
  return false;
}

class Combinations : public OnEveryBackend {};

MOTE_ON_EVERY_BACKEND(Combinations);

TEST_P(Combinations, OfTwoModulesRunOrAreRefusedByARuleOfOneOfThem) {
  std::vector<std::string> subjects;
  for (const sim::PhysicsModule& m : sim::modules()) subjects.push_back(m.info().subject);
  int ran = 0, refused = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::string &a = subjects[j], &b = subjects[i];
      ASSERT_TRUE(parts().contains(a) && parts().contains(b)) << "a new module needs a part here";
      SCOPED_TRACE(a + " and " + b);
      try {
        const auto simulation = open(scene_with(a, b));
        EXPECT_FALSE(excluded(a, b)) << "a rule says that they do not go together";
        const sim::StepReport report = simulation->advance(5, {});
        EXPECT_EQ(report.health, sim::Health::good);
        EXPECT_EQ(report.steps, 5u);
        EXPECT_TRUE(std::isfinite(simulation->measure().energy));
        ++ran;
      } catch (const engine::InputError& error) {
        for (const engine::Diagnostic& d : error.diagnostics())
          EXPECT_TRUE(is_rule_of(a, b, d.problem)) << d.text();
        ++refused;
      }
    }
  EXPECT_EQ(ran + refused, static_cast<int>(subjects.size() * (subjects.size() - 1) / 2));
  EXPECT_GT(ran, refused);
}

}  // namespace
}  // namespace mote::test
