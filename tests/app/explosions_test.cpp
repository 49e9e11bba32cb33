// Runs whose steps do not resolve their forces, in scenes that change the energy by themselves.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Explosions : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  Result run_scene(const std::string& scene, const std::vector<std::string>& more = {}) const {
    fs::remove_all(here() / "a");
    write(here() / "a.lua", "return {" + scene + "}");
    std::vector<std::string> words{"run", "a.lua", "--out", "a", "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return mote(here(), words);
  }
  engine::Json record() const { return json_of(here() / "a/run.json"); }

 private:
  TemporaryFolder folder_;
};

/// Two bodies that fall into each other from rest; the step is far too long for it.
std::string fall(const std::string& more) {
  return "gravity = { softening = 0 }, " + more +
         "integrator = { dt = 0.01 }, stop = { time = 3 }, bodies = { { mass = 1, position = { 0, "
         "0, "
         "0 } }, { mass = 1, position = { 1, 0, 0 } } }";
}

/// Two that fall past each other; the step doubles their energy and does not explode.
std::string pass(const std::string& more) {
  return "gravity = { softening = 0 }, " + more +
         "integrator = { dt = 0.004 }, stop = { time = 4 }, bodies = { { mass = 2, position = { 0, "
         "0.3, 0 } }, { mass = 0.5, position = { 0, -1, 0.4 } } }";
}

const std::string light_drag = "fields = drag { linear = 1e-9 }, ";

// As without the drag.
TEST_F(Explosions, ThatDragCannotCauseAreUnhealthy) {
  EXPECT_EQ(run_scene(fall("")).code, 3);
  const Result drag = run_scene(fall(light_drag));
  EXPECT_EQ(drag.code, 3) << drag.out;
  EXPECT_NE(drag.err.find("unhealthy: the energy has risen by "), std::string::npos) << drag.err;
  EXPECT_NE(drag.err.find("although nothing in the scene gives any: a smaller dt or a larger "
                          "softening may help; if this is expected, set health.energy_error"),
            std::string::npos)
      << drag.err;
  EXPECT_EQ(record().at("status"), "unhealthy");
  const Result let = run_scene(fall(light_drag + "health = { energy_error = 1e30 }, "));
  EXPECT_EQ(let.code, 0) << let.err;
  EXPECT_EQ(record().at("warning").get<std::string>().find("the energy has risen by "), 0u);
  const Result soft = run_scene(fall(light_drag),
                                {"--set", "gravity.softening=0.1", "--set", "integrator.dt=0.001"});
  EXPECT_EQ(soft.code, 0) << soft.err;
  EXPECT_FALSE(record().contains("warning")) << record().at("warning");
}

TEST_F(Explosions, ThatAreSmallAreWarnedOfWithAndWithoutDrag) {
  for (const std::string& more : {std::string(), light_drag}) {
    const Result result = run_scene(pass(more));
    EXPECT_EQ(result.code, 0) << result.err;
    ASSERT_TRUE(record().contains("warning")) << more;
    EXPECT_NE(record().at("warning").get<std::string>().find(
                  more.empty() ? "the energy is off by " : "the energy has risen by "),
              std::string::npos)
        << record().at("warning");
    EXPECT_EQ(run_scene(pass(more + "health = { energy_error = 0.1 }, ")).code, 3);
  }
}

TEST_F(Explosions, AreStatesOfJobsOfASweep) {
  write(here() / "a.lua",
        "return {" + fall("fields = drag { linear = param('rate', 1e-9) }, ") + "}");
  write(here() / "plan.lua",
        "return { scene = 'a.lua', list = { { rate = 1e-9 }, { rate = 100 } } }");
  EXPECT_EQ(mote(here(), {"sweep", "plan.lua", "--out", "s", "--backend", "cpu"}).code, 3);
  const std::string results = text_of(here() / "s/results.csv");
  EXPECT_NE(results.find(",unhealthy,"), std::string::npos) << results;
  EXPECT_NE(results.find("the energy has risen by "), std::string::npos) << results;
  EXPECT_NE(results.find(",done,"), std::string::npos) << "it creeps: " << results;
}

/// Two molecules that collide with a hundred times the energy of a bath of this temperature.
std::string collision(const std::string& dt, const std::string& thermostat) {
  return "precision = 'double', domain = { size = { 12, 12, 12 } }, lennard_jones = { cutoff = "
         "2.5, "
         "truncation = 'switched' }, " +
         thermostat + "integrator = { dt = " + dt +
         " }, stop = { time = 60 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, "
         "position = { 2, 0, 0 }, velocity = { -9, 0.03, 0 } } }";
}

TEST_F(Explosions, ThatABathCannotCauseAreUnhealthy) {
  const std::string bath = "thermostat = { 'langevin', temperature = 1e-3, friction = 1e-6 }, ";
  EXPECT_EQ(run_scene(collision("0.03", "")).code, 3);
  const Result result = run_scene(collision("0.03", bath));
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_NE(result.err.find("far more than anything in the scene gives"), std::string::npos)
      << result.err;
  EXPECT_EQ(run_scene(collision("0.001", bath)).code, 0);
  EXPECT_FALSE(record().contains("warning")) << record().at("warning");
  // Bodies at rest are warmed to a thousand times the energy of their potential.
  EXPECT_EQ(run_scene("precision = 'double', domain = { size = { 12, 12, 12 } }, lennard_jones = { "
                      "cutoff = 2.5 }, thermostat = { 'langevin', temperature = 1000, friction = "
                      "10 }, integrator = { dt = 1e-4 }, stop = { steps = 5000 }, bodies = { "
                      "lattice { counts = { 4, 4, 4 }, spacing = 1.5 } }")
                .code,
            0);
  EXPECT_FALSE(record().contains("warning")) << record().at("warning");
}

/// A spring of rate w^2 = 1 + 100 t: stable up to w dt = 2.
std::string stiffening(const std::string& dt, const std::string& potential) {
  return "precision = 'double', fields = field { acceleration = { '-(1+100*t)*x', 0, 0 }" +
         potential + " }, integrator = { dt = " + dt +
         " }, bodies = { { mass = 1, position = { 1, 0, 0 } } }, stop = { time = 20 }";
}

TEST_F(Explosions, InFieldsThatMayGiveEnergyAreWarnedOf) {
  for (const char* const potential : {"", ", potential = '0.5*(1+100*t)*x^2'"}) {
    const Result result = run_scene(stiffening("0.1", potential));
    EXPECT_EQ(result.code, 0) << result.err;
    ASSERT_TRUE(record().contains("warning")) << potential;
    const std::string warning = record().at("warning").get<std::string>();
    EXPECT_EQ(warning.find("the kinetic energy, "), 0u) << warning;
    EXPECT_NE(warning.find("times all energy of the first half of that time"), std::string::npos);
    EXPECT_NE(result.err.find(warning), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(warning), result.err.rfind(warning)) << "once: " << result.err;
    EXPECT_NE(result.out.find("\n  warning: " + warning + "\n"), std::string::npos) << result.out;
    EXPECT_NE(mote(here(), {"info", "a"}).out.find(warning), std::string::npos);
    // w dt = 0.45 at the end: the energy rises with w, by 45.
    EXPECT_EQ(run_scene(stiffening("0.01", potential)).code, 0);
    EXPECT_FALSE(record().contains("warning")) << record().at("warning");
  }
}

TEST_F(Explosions, AreKnownToARunThatGoesOn) {
  const std::string scene = stiffening("0.1", "");
  ASSERT_EQ(run_scene(scene, {"--checkpoint-steps", "50", "--checkpoint-keep", "9"}).code, 0);
  const std::string warning = record().at("warning").get<std::string>();
  for (const char* const from : {"50", "150"}) {
    ASSERT_EQ(mote(here(), {"resume", "a", "--from", from}).code, 0);
    EXPECT_EQ(record().at("warning"), warning) << "from step " << from;
  }
}

std::string pulled(const std::string& stiffness, const std::string& damping,
                   const std::string& dt) {
  return "precision = 'double', hand = { body = 0, stiffness = " + stiffness +
         ", damping = " + damping + " }, integrator = { dt = " + dt +
         " }, stop = { time = 5 }, bodies = { { mass = 1, position = { 1, 0, 0 } }, { mass = 1, "
         "position = { 3, 0, 0 } } }";
}

TEST_F(Explosions, OfAHandAreRefusedAtTheStart) {
  const Result undamped = run_scene(pulled("1000", "0", "0.1"));
  EXPECT_EQ(undamped.code, 2) << undamped.out;
  EXPECT_NE(
      undamped.err.find("a.lua: hand: a step of 0.1 is not stable: its spring has a period of "
                        "0.1987; a step must be below 0.0632; set a smaller integrator.dt"),
      std::string::npos)
      << undamped.err;
  EXPECT_EQ(mote(here(), {"check", "a.lua"}).code, 2);
  const Result damped = run_scene(pulled("1", "12.5", "0.1"));
  EXPECT_EQ(damped.code, 2) << damped.out;
  EXPECT_NE(damped.err.find("slows the body in 0.08; a step must be below 0.08"), std::string::npos)
      << damped.err;
  for (const auto& [stiffness, dt] : {std::pair("1000", "0.06"), std::pair("300", "0.1")}) {
    EXPECT_EQ(run_scene(pulled(stiffness, "0", dt)).code, 0);
    EXPECT_FALSE(record().contains("warning")) << record().at("warning");
  }
  EXPECT_EQ(run_scene("hand = { body = 0, stiffness = 1000 }, integrator = { 'ias15' }, stop = { "
                      "time = 1 }, bodies = { { mass = 1, position = { 1, 0, 0 } } }")
                .code,
            0)
      << "it chooses its steps";
}

// A hook that pulls too hard is told so, at its line.
TEST_F(Explosions, OfAHandAreRefusedDuringARun) {
  const Result result = run_scene(
      "integrator = { dt = 0.1 }, stop = { time = 5 }, bodies = { { mass = 1, position = { 1, 0, 0 "
      "} } }, hand = { body = 0 }, on_step = { every = 10, run = function(sim) "
      "sim:set('hand.stiffness', 1000) end }");
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_NE(result.err.find("a step must be below 0.0632"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mote::test
