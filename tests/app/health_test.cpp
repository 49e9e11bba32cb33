// Messages and files of unhealthy runs.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class HealthReport : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  Result run_scene(const std::string& limits, const std::string& bodies, double dt) const {
    write(here() / "a.lua", "return { gravity = { softening = 0 }, integrator = { dt = " +
                                std::to_string(dt) + " }, stop = { steps = 3000 }, health = {" +
                                limits + "}, bodies = {" + bodies + "} }");
    return mote(here(), {"run", "a.lua", "--out", "a", "--backend", "cpu"});
  }

 private:
  TemporaryFolder folder_;
};

const std::string loose_pair =
    "{ name = 'sun', mass = 1, position = { 0, 0, 0 } }, { name = 'comet', mass = 0, position = { "
    "1, 0, 0 }, "
    "velocity = { 0, 2, 0 } }, { name = 'planet', mass = 0, position = { 0, -2, 0 }, velocity = { "
    "0.5, 0, 0 "
    "} }";

// A comet at twice the circular velocity is unbound and crosses any radius.
TEST_F(HealthReport, NamesTheBodyThatEscapes) {
  const Result result = run_scene("escape_radius = 3", loose_pair, 0.01);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("body 1 (comet) is farther from the centre of mass than the scene's "
                            "escape_radius 3 at step "),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("if that is intended, set a larger health.escape_radius"),
            std::string::npos)
      << result.err;
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "unhealthy");
  EXPECT_EQ(record.at("checkpoint"), "checkpoints/checkpoint_000000000000.h5")
      << "the last good state kept";
  const auto rows = lines_of(text_of(here() / "a/offenders.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], "neighbourhood_of,id,name,distance,mass,x,y,z,vx,vy,vz,ax,ay,az");
  EXPECT_EQ(rows[1].substr(0, 12), "1,1,comet,0,");
  EXPECT_EQ(rows[2].substr(0, 6), "1,0,su") << "the sun is nearer than the planet";
}

TEST_F(HealthReport, LetsBodiesBeThatStayInside) {
  EXPECT_EQ(run_scene("escape_radius = 1e6", loose_pair, 0.01).code, 0);
}

// Two bodies of mass 1/2 at distance 1/10 circle each other in 2 pi / sqrt(1000) = 0.2: in 4 steps
// of 0.05.
TEST_F(HealthReport, NamesAnEncounterThatStepsAreTooLargeFor) {
  const std::string pair =
      "{ mass = 0.5, position = { 0, 0, 0 }, velocity = { 0, -1.58, 0 } }, "
      "{ mass = 0.5, position = { 0.1, 0, 0 }, velocity = { 0, 1.58, 0 } }, { mass = 0, position = "
      "{ 50, 0, "
      "0 } }";
  const Result large = run_scene("energy_error = 0.01", pair, 0.05);
  EXPECT_EQ(large.code, 3);
  EXPECT_NE(large.err.find("bodies 0 and 1 were 0.1 apart at step 0, where their orbital period is "
                           "0.199: steps of 0.05 do not resolve it; use a dt of 0.0083 or a larger "
                           "softening"),
            std::string::npos)
      << large.err;
  EXPECT_NE(json_of(here() / "a/run.json").at("warning").get<std::string>().find("bodies 0 and 1"),
            std::string::npos);
  fs::remove_all(here() / "a");
  const Result small = run_scene("energy_error = 0.01", pair, 0.001);
  EXPECT_EQ(small.code, 0) << small.err;
  EXPECT_EQ(small.err, "");
}

TEST_F(HealthReport, LeavesACheckpointFromWhichASmallerStepGoesOn) {
  const std::string pair =
      "{ mass = 0.5, position = { 0, 0, 0 }, velocity = { 0, -1.58, 0 } }, "
      "{ mass = 0.5, position = { 0.1, 0, 0 }, velocity = { 0, 1.58, 0 } }";
  ASSERT_EQ(run_scene("energy_error = 0.01", pair, 0.05).code, 3);
  const Result again = mote(here(), {"resume", "a", "--quiet"});
  EXPECT_EQ(again.code, 3) << "nothing was changed";
  const Result result =
      mote(here(), {"resume", "a", "--set", "integrator.dt=0.001", "--steps", "500"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "done");
}

class EnergyOfARun : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  /// Writes the scene to `a.lua` and runs it.
  Result run_text(const std::string& scene, const std::vector<std::string>& more = {}) const {
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

/// Two bodies that fall into each other from rest.
std::string head_on(double dt, const std::string& more = "") {
  return "gravity = { softening = 0 }, integrator = { dt = " + std::to_string(dt) +
         " }, stop = { time = 3 }, " + more +
         "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } }";
}

TEST_F(EnergyOfARun, ThatExplodesIsUnhealthy) {
  const Result result = run_text(head_on(0.01));
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_NE(result.err.find("unhealthy: the energy is off by "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("if this is expected, set health.energy_error"), std::string::npos)
      << result.err;
  EXPECT_EQ(record().at("status"), "unhealthy");
}

TEST_F(EnergyOfARun, ThatExplodesIsWarnedOfWhereTheSceneLetsIt) {
  const Result result = run_text(head_on(0.01, "health = { energy_error = 1e30 }, "));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(record().at("warning").get<std::string>().find("the energy is off by "), 0u);
}

// Away from a potential maximum, x = cosh(100 t): squared speeds overflow long before the speeds.
TEST_F(EnergyOfARun, ThatIsNotFiniteIsUnhealthy) {
  const auto hill = [](const char* potential) {
    return std::string("fields = { field { acceleration = { '1e4*x', 0, 0 }") + potential +
           " } }, integrator = { dt = 0.001 }, stop = { steps = 4000 }, bodies = { { mass = 1, "
           "position = { "
           "1, 0, 0 } } }";
  };
  for (const char* potential : {", potential = '-5e3*x^2'", ""}) {
    const Result result = run_text(hill(potential));
    EXPECT_EQ(result.code, 3) << result.out;
    EXPECT_NE(result.err.find("unhealthy: the energy is not finite (kinetic inf, potential "),
              std::string::npos)
        << result.err;
  }
}

/// A comet that starts at nearly twice its mean distance; half a period later it is at a twentieth
/// of it.
std::string comet(const std::string& dt) {
  return "gravity = { softening = 0 }, integrator = { dt = " + dt +
         " }, stop = { time = 15 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = "
         "1e-9, position "
         "= { 1.9, "
         "0, 0 }, velocity = { 0, 0.2294, 0 } } }";
}

TEST_F(EnergyOfARun, ThatIsOffIsWarnedOfInSummaryRecordAndInfo) {
  const Result result = run_text(comet("0.1"));
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string warning = record().at("warning").get<std::string>();
  EXPECT_NE(warning.find("the energy is off by "), std::string::npos) << warning;
  EXPECT_NE(warning.find("nothing in the scene changes it: a smaller dt"), std::string::npos)
      << warning;
  EXPECT_NE(result.out.find("\n  warning: " + warning + "\n"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("the energy is off by "), std::string::npos) << result.err;
  EXPECT_NE(mote(here(), {"info", "a"}).out.find(warning), std::string::npos);
  const Result json = run_text(comet("0.1"), {"--json"});
  EXPECT_EQ(engine::parse_json(lines_of(json.out).back()).at("warning"), warning);
  const Result fine = run_text(comet("0.001"));
  EXPECT_EQ(fine.out.find("warning"), std::string::npos) << fine.out;
  EXPECT_FALSE(record().contains("warning"));
}

TEST_F(EnergyOfARun, ThatIsOffIsKnownToARunThatGoesOn) {
  ASSERT_EQ(run_text(comet("0.1"), {"--checkpoint-steps", "100"}).code, 0);
  const std::string warning = record().at("warning").get<std::string>();
  for (const char* from : {"100", "150"}) {
    const Result again = mote(here(), {"resume", "a", "--from", from});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(record().at("warning"), warning) << "from step " << from;
  }
}

// Initial energies of zero or nearly so: no warning if the steps are short enough, one if they are
// too long.
TEST_F(EnergyOfARun, IsJudgedWhereTheFirstEnergyIsNearNothing) {
  const auto pair = [](const char* softening, const char* dt, const char* speed, const char* time) {
    return std::string("gravity = { softening = ") + softening + " }, integrator = { dt = " + dt +
           " }, stop = { time = " + time +
           " }, bodies = { { mass = 0.5, position = { 0, 0, 0 } }, { mass = 0.5, position = { 100, "
           "0, 0 }, "
           "velocity = "
           "{ " +
           speed + ", 0, 0 } } }";
  };
  // At rest and far apart, they meet at t = 1111, with energies 2000 times the initial one.
  const std::string cold = pair("0.05", "0.002", "0", "1300"),
                    parabolic = pair("0.05", "0.001", "-0.1414213562373095", "800");
  const std::string empty =
      "fields = { uniform { acceleration = { 0, -1, 0 } } }, integrator = { dt = 0.01 }, stop = { "
      "steps = "
      "500 }, "
      "bodies = { { mass = 1, position = { 0, 0, 0 } } }";
  for (const std::string& scene : {cold, parabolic, empty}) {
    const Result result = run_text(scene, {"--series-steps", "10"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_FALSE(record().contains("warning")) << record().at("warning");
  }
  // These steps jump over the closest approach; the energies of the fall set the scale.
  run_text(pair("0.001", "0.05", "0", "1300"), {"--series-steps", "10"});
  EXPECT_TRUE(record().contains("warning")) << "cold";
  EXPECT_EQ(
      run_text(pair("0.001", "0.05", "-0.1414213562373095", "800"), {"--series-steps", "10"}).code,
      3)
      << "parabolic";
  // A field whose potential does not match its acceleration.
  const Result wrong = run_text(
      "fields = { field { acceleration = { 0, '-1', 0 }, potential = '0.5*y' } }, integrator = { "
      "dt = 0.01 "
      "}, stop = { "
      "steps = 500 }, bodies = { { mass = 1, position = { 0, 0, 0 } } }");
  EXPECT_EQ(wrong.code, 3) << "empty";
}

TEST_F(EnergyOfARun, IsNotWatchedWhereTheSceneChangesIt) {
  const Result result = run_text(
      "fields = { field { acceleration = { '-100*x', 0, 0 }, potential = '50*x^2' }, drag { linear "
      "= 1 } }, "
      "integrator = { "
      "dt = 0.01 }, stop = { steps = 500 }, bodies = { { mass = 1, position = { 1, 0, 0 } } }");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(record().contains("warning"));
}

class Starts : public EnergyOfARun {};

TEST_F(Starts, InTrapsAreRefusedWhereStepsAreTooLong) {
  const auto trap = [](const std::string& field, const std::string& dt) {
    return "fields = { " + field + " }, integrator = { dt = " + dt +
           " }, stop = { time = 1 }, bodies = { { mass = 1, position = { 1, 0, 0 } } }";
  };
  // w = 100: stable below 2 / w.
  for (const std::string field :
       {"harmonic_trap { rates = { 0, 100, 0 } }",
        "harmonic_trap { rates = { 60, 0, 0 } }, harmonic_trap { rates = { 80, 0, 0 } }",
        "field { acceleration = { '-1e4*x', 0, 0 }, potential = '5e3*x^2' }",
        "harmonic_trap { rates = { 60, 0, 0 } }, field { acceleration = { '-6400*x', 0, 0 }, "
        "potential = "
        "'3200*x^2' }",
        "field { acceleration = { '-3600*x', 0, 0 }, potential = '1800*x^2' }, "
        "field { acceleration = { '-6400*x', 0, 0 }, potential = '3200*x^2' }"}) {
    const Result result = run_text(trap(field, "0.0201"));
    EXPECT_EQ(result.code, 2) << field;
    EXPECT_NE(result.err.find("a step of 0.0201 is not stable: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("steps must be below 0.02"), std::string::npos) << result.err;
    EXPECT_EQ(run_text(trap(field, "0.019")).code, 0) << field;
  }
  // Steps of the fourth order are stable below 1.573 / w.
  EXPECT_EQ(run_text(trap("harmonic_trap { rates = { 100, 0, 0 } }", "0.0158"),
                     {"--set", "integrator.name=yoshida4"})
                .code,
            2);
  // A discontinuous force has no frequency to resolve.
  EXPECT_EQ(run_text(trap("field { acceleration = { '-sign(x - 1)', 0, 0 } }", "0.1")).code, 0);
}

TEST_F(Starts, OfMoleculesThatNearlyOverlapAreRefusedWhereStepsAreTooLong) {
  const auto pair = [](const char* dt) {
    return std::string("lennard_jones = {}, integrator = { dt = ") + dt +
           " }, stop = { steps = 5 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, "
           "position "
           "= { 0.55, 0, 0 } } }";
  };
  // U'' = 4 (156 / 0.55^14 - 42 / 0.55^8) = 2.675e6: 2 / sqrt(2 U'') = 8.65e-4.
  const Result result = run_text(pair("0.004"));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("bodies 0 and 1 start 0.55 apart, where a step must be below 0.0008"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(run_text(pair("0.0008")).code, 0);
}

TEST_F(Starts, AtOnePlaceAreWarnedOfOnce) {
  const std::string scene =
      "gravity = { softening = 0 }, integrator = { dt = 0.01 }, stop = { steps = 20 }, bodies = { "
      "{ mass = "
      "1, position = { 1, 0, 0 } }, "
      "{ name = 'twin', mass = 0, position = { 1, 0, 0 } }, { mass = 0, position = { 0, 2, 0 } }, "
      "{ mass = "
      "0, position = { 0, 2, 0 } } }";
  const std::string said =
      "bodies 0 and 1 (twin) coincide: without softening they exert no force on each other; move "
      "them apart";
  const Result result = run_text(scene), check = mote(here(), {"check", "a.lua"});
  EXPECT_EQ(check.code, 0) << check.err;
  for (const std::string& text : {result.err, check.err}) {
    EXPECT_NE(text.find(said), std::string::npos) << text;
    EXPECT_EQ(text.find(said), text.rfind(said)) << text;
    EXPECT_EQ(text.find("bodies 2"), std::string::npos) << "they do not pull";
  }
  EXPECT_EQ(run_text(scene, {"--set", "gravity.softening=0.1"}).err, "");
}

TEST_F(Starts, ThatPrecisionMakesOnePlaceNameIt) {
  const std::string scene =
      "precision = 'single', gravity = { softening = 0 }, integrator = { dt = 0.001 }, stop = { "
      "steps = 20 "
      "}, bodies = { { mass = 1, "
      "position = { 1e8, 0, 0 } }, { mass = 1e-3, position = { 1e8 + 1, 0, 0 }, velocity = { 0, 1, "
      "0 } } }";
  const Result result = run_text(scene);
  EXPECT_NE(result.err.find("bodies 0 and 1 coincide in single precision, which has too few digits "
                            "so far from the origin"),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("use precision = \"mixed\""), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("a dt of 0 "), std::string::npos) << result.err;
  EXPECT_EQ(run_text(scene, {"--precision", "mixed"}).err, "");
}

TEST_F(Starts, OfALatticeInItsOwnImagesAreWarnedOf) {
  const auto scene = [](const char* counts, const char* size) {
    return std::string("domain = { size = ") + size +
           " }, lennard_jones = { cutoff = 2.5 }, integrator = { dt = 1e-4 }, stop = { steps = 1 "
           "}, bodies = "
           "{ translate(lattice { "
           "counts = " +
           counts + ", spacing = 1.3, mass = 32, dispersion = 1 }, { 1, 0, 0 }) }";
  };
  run_text(scene("{ 2, 2, 8 }", "{ 6, 6, 6.5 }"));
  const Result check = mote(here(), {"check", "a.lua"});
  EXPECT_NE(check.err.find(
                "bodies.1.bodies.1: the lattice is 9.1 long along z, and the periodic domain 6.5: "
                "it overlaps its own periodic images"),
            std::string::npos)
      << check.err;
  run_text(scene("{ 2, 2, 5 }", "{ 6, 6, 6.5 }"));
  EXPECT_EQ(mote(here(), {"check", "a.lua"}).err, "") << "a crystal that fills the domain";
}

// The first bodies are those of the emitter.
TEST_F(Starts, OfAnEmitterAloneAreGood) {
  const Result run = run_text(
      "fluid = { spacing = 0.1, largest_speed = 1 }, emitters = { { position = { 0, 0, 0 }, "
      "direction "
      "= { 0, 0, 1 }, radius = 0.3, speed = 1 } }, integrator = { dt = 1e-4 }, stop = { steps = 20 "
      "}");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find(" added, 0 removed"), std::string::npos) << run.out;
}

TEST_F(Starts, OfAFluidThatIsNoneAreWarnedOf) {
  const auto warnings = [&](const std::string& bodies, const std::string& more = "") {
    run_text("fluid = { spacing = 0.1, largest_speed = 1" + more +
             " }, integrator = { dt = 1e-5 }, stop = { steps = 1 }, bodies = { " + bodies + " }");
    return mote(here(), {"check", "a.lua"}).err;
  };
  const std::string lattice = "lattice { counts = { 6, 6, 6 }, spacing = 0.1, mass = ";
  EXPECT_EQ(warnings(lattice + "0.216 }"), "");
  EXPECT_NE(warnings(lattice + "2.16 }")
                .find("216 particles of 216 have another mass than density x spacing^3, 0.001"),
            std::string::npos);
  EXPECT_EQ(warnings(lattice + "2.16 }", ", density = 10"), "");
  const std::string at_random = warnings("cube { n = 1000, size = { 1, 1, 1 }, mass = 1 }");
  EXPECT_EQ(at_random.find("another mass"), std::string::npos) << at_random;
  EXPECT_NE(at_random.find("particles lie less than half a spacing apart"), std::string::npos)
      << at_random;
}

TEST_F(Starts, FarOutsideAPeriodicDomainAreWarnedOf) {
  const auto warnings = [&](const std::string& position) {
    run_text(
        "domain = { size = { 1, 1, 1 } }, lennard_jones = { sigma = 0.1, cutoff = 0.3 }, "
        "integrator "
        "= { dt = 1e-5 }, stop = { steps = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { "
        "mass = 1, position = " +
        position + ", velocity = { 0.1, 0, 0 } } }");
    return mote(here(), {"check", "a.lua"}).err;
  };
  EXPECT_EQ(warnings("{ 0.7, 0, 0 }"), "") << "in the next image, as files have them";
  EXPECT_NE(warnings("{ 0.2, 7, 0 }")
                .find("1 body of 2 start more than a period outside the periodic domain"),
            std::string::npos);
}

TEST_F(Starts, InWhichNothingWillMoveAreWarnedOf) {
  const auto scene = [](const std::string& velocity, const std::string& more) {
    return "species = { ion = { charge = 1 } }, lennard_jones = { epsilon = 0 }, coulomb = {}, "
           "integrator = "
           "{ dt = 0.01 }, stop = { "
           "steps = 1 }, " +
           more +
           "bodies = { { mass = 1, species = 'ion', position = { 0, 0, 0 } }, { mass = 1, species "
           "= 'ion', "
           "position = { 3, 0, 0 }, "
           "velocity = { " +
           velocity + ", 0, 0 } } }";
  };
  const std::string said = "no pair is within the cutoff, and all are at rest: nothing will move";
  EXPECT_NE(run_text(scene("0", "")).err.find(said), std::string::npos);
  EXPECT_NE(mote(here(), {"check", "a.lua"}).err.find(said), std::string::npos);
  EXPECT_EQ(run_text(scene("-1", "")).err, "");
  EXPECT_EQ(run_text(scene("0", "fields = { uniform { acceleration = { 0, 0, -1 } } }, ")).err, "");
  EXPECT_EQ(run_text(scene("0", ""), {"--set", "coulomb.cutoff=3.1"}).err, "");
}

}  // namespace
}  // namespace mote::test
