// mote check, on scenes that mote run accepts or refuses.
#include <gtest/gtest.h>

#include <chrono>

#include "engine/json.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

struct Refused {
  std::string name;
  std::string scene;  // between the braces
};

void PrintTo(const Refused& refused, std::ostream* to) {
  *to << refused.name;
}

const std::string
    pair_of_bodies =
        "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } }",
    ends = "stop = { steps = 10 }, ", pull = "gravity = { softening = 0.1 }, ",
    stepped = "integrator = { dt = 0.01 }, ";

std::string grains(const std::string& dt, const std::string& z, const std::string& more = "") {
  return ends + "grains = { radius = 0.1, density = 2500 }, obstacles = { plane {} }, " + more +
         "integrator = { dt = " + dt + " }, bodies = { { position = { 0, 0, " + z +
         " } }, { position = { 0.5, 0, 1 } } }";
}
std::string molecules(const std::string& dt, const std::string& x, const std::string& mass = "1") {
  return ends +
         "domain = { size = { 6, 6, 6 }, boundary = \"wall\" }, lennard_jones = {}, integrator = { "
         "dt = " +
         dt + " }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = " + mass +
         ", position = { " + x + ", 0, 0 } } }";
}
std::string bonded(const std::string& kind, const std::string& dt) {
  return ends + "bond_kinds = { b = { " + kind +
         " } }, bonds = { { kind = \"b\", bodies = { { 0, 1 } } } }, integrator = { dt = " + dt +
         " }, " + pair_of_bodies;
}

std::vector<Refused> refused_scenes() {
  return {
      {"NoEnd", pull + stepped + pair_of_bodies},
      {"EndThatNoRunGetsTo", "stop = { time = 1e300 }, " + pull + stepped + pair_of_bodies},
      {"StepTooLongForContacts", grains("0.1", "1")},
      {"GrainInAnObstacle", grains("1e-5", "0.05")},
      {"GrainInAGrain",
       ends + "grains = { radius = 0.1, density = 2500 }, integrator = { dt = 1e-5 }, "
              "bodies = { { position = { 0, 0, 0 } }, "
              "{ position = { 0.15, 0, 0 } } }"},
      {"DomainTooSmallForGrains", grains("1e-5", "1", "domain = { size = { 0.3, 5, 5 } }, ")},
      {"GrainsWithoutMass",
       ends + "grains = { radius = 0.1 }, integrator = { dt = 1e-5 }, bodies = { { "
              "mass = 0, position = { 0, 0, 0 } } }"},
      {"OverlappingMolecules", molecules("0.001", "0.4")},
      {"MoleculeBeyondAWall", molecules("0.001", "3.1")},
      {"MoleculeWithoutMass", molecules("0.001", "2", "0")},
      {"StepTooLongForMolecules", molecules("0.1871", "2")},
      {"OverstretchedBond", bonded("form = \"fene\", stiffness = 30, extension = 0.5", "0.001")},
      {"StepTooLongForABond", bonded("stiffness = 1e6, length = 1", "0.01")},
      {"StepTooLongForAFluid",
       ends + "fluid = { spacing = 0.1, largest_speed = 1 }, integrator = { dt = 0.1 }, "
              "bodies = { lattice { counts = { 3, 3, 3 }, spacing = 0.1 } }"},
      {"SoftBodyInAnObstacle", ends + "soft = {}, obstacles = { plane { point = { 0, 0, 5 } } }, " +
                                   stepped + "bodies = { rope { n = 5, length = 1, mass = 1 } }"},
      {"ForceThatIsNotFinite",
       ends + "gravity = { softening = 0 }, precision = \"single\", " + stepped +
           "bodies = { { mass = 1e30, position = { 0, 0, 0 } }, { mass = 1e30, "
           "position = { 1e-18, 0, 0 } } }"},
      {"FieldThatIsNotFinite",
       ends + "fields = { field { acceleration = { \"1/x\", \"0\", \"0\" } } }, " + stepped +
           pair_of_bodies},
      {"TooManyBodies", ends + pull + stepped + "bodies = { plummer { n = 1900000000 } }"},
      {"MassBeyondThePrecision",
       ends + pull + stepped +
           "bodies = { { mass = 1e300, position = { 0, 0, 0 } } }, precision = \"single\""},
  };
}

class CheckOf : public testing::TestWithParam<Refused> {};

TEST_P(CheckOf, ARunThatIsRefusedSaysTheSame) {
  const TemporaryFolder folder;
  write(folder.path() / "a.lua", "return { " + GetParam().scene + " }");
  const Result run = mote(folder.path(), {"run", "a.lua", "--out", "o"});
  EXPECT_EQ(run.code, 2) << run.err << run.out;
  const Result check = mote(folder.path(), {"check", "a.lua"});
  EXPECT_EQ(check.code, 2) << check.out;
  EXPECT_EQ(check.out, "");
  const auto without_numbers = [](std::string text) {  // free memory fluctuates
    return text.substr(0, text.find(" GiB are free"));
  };
  EXPECT_EQ(without_numbers(check.err).substr(0, 60), without_numbers(run.err).substr(0, 60));
  if (check.err.find("are free") == std::string::npos) {
    EXPECT_EQ(check.err, run.err);
  }
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"a.lua"}));
}

INSTANTIATE_TEST_SUITE_P(Scenes, CheckOf, testing::ValuesIn(refused_scenes()),
                         [](const auto& refused) { return refused.param.name; });

class Check : public testing::Test {
 protected:
  Result check(const std::string& scene, std::vector<std::string> words = {},
               const std::string& before = "") {
    write(here() / "a.lua", before + "\nreturn { " + pull + stepped + "stop = { steps = 1000 },\n" +
                                scene + pair_of_bodies + " }");
    words.insert(words.begin(), {"check", "a.lua"});
    const Result result = mote(here(), words);
    EXPECT_EQ(files_below(here()), (std::vector<std::string>{"a.lua"})) << "nothing is written";
    return result;
  }
  const fs::path& here() const { return folder_.path(); }
  std::string message_;  // of the last command that a test has run

 private:
  TemporaryFolder folder_;
};

// Bodies almost on a lattice, where a thousandth of a neighbour's pull is missed.
TEST_F(Check, WarnsOfForceErrorsAsARunDoes) {
  write(here() / "b.lua",
        "return { domain = { size = { 1, 1, 1 } }, gravity = { accuracy = 1e-3 }, " + stepped +
            "stop = { steps = 1 }, bodies = zeldovich { n = 8000, shape = 'box', mass = 1, size = "
            "1, amplitude = 0.02, spectral_index = -1, waves = 10 } }");
  const Result checked = mote(here(), {"check", "b.lua"}),
               ran = mote(here(), {"run", "b.lua", "--out", "o", "--quiet"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string warning = "forces are less accurate than asked: 99 % have errors below ";
  EXPECT_NE(checked.err.find(warning), std::string::npos) << checked.err;
  EXPECT_NE(ran.err.find(warning), std::string::npos) << ran.err;
}

// Of 1,000 bodies in double precision, three of four processes own 256 and 248, and one 240: it
// receives the positions of 760.
TEST_F(Check, SaysWhatProcessesWouldHoldAndReceive) {
  const auto of_processes = [&](const std::string& number, const std::string& bodies = "1000") {
    write(here() / "b.lua", "return { precision = 'double', " + pull + stepped +
                                "stop = { steps = 5 }, bodies = { plummer { n = " + bodies +
                                " } } }");
    return mote(here(), {"check", "b.lua", "--backend", "cpu", "--ranks", number});
  };
  const Result four = of_processes("4");
  EXPECT_EQ(four.code, 0) << four.err;
  EXPECT_NE(four.out.find("\n  4 processes: each holds "), std::string::npos) << four.out;
  EXPECT_NE(four.out.find(", and receives 17.8 KiB for each evaluation of forces\n"),
            std::string::npos)
      << four.out;
  EXPECT_NE(four.out.find("not checked: steps on 4 processes; the time is that of one\n"),
            std::string::npos)
      << four.out;
  EXPECT_EQ(four.err, "");
  EXPECT_EQ(of_processes("1").out.find("processes"), std::string::npos);
  EXPECT_EQ(of_processes("100").err,
            "1,000 bodies are too few for 100 GPUs or processes; use fewer; each takes at least 16 "
            "bodies\n");
  // Each has all bodies in its memory for a while: more than 100 bytes of each.
  const Result many = of_processes("100000", "1600000");
  EXPECT_EQ(many.code, 0) << many.err;
  EXPECT_NE(many.err.find("warning: with the memory that is free here, "), std::string::npos)
      << many.err;
  EXPECT_NE(many.err.find(" of the 100000 processes\n"), std::string::npos) << many.err;
  const Result too_many = of_processes("4", "1e9 }, plummer { n = 1e9 }, plummer { n = 1e9");
  EXPECT_NE(too_many.err.find("3,000,000,000 bodies need "), std::string::npos) << too_many.err;
  EXPECT_EQ(files_below(here()), std::vector<std::string>{"b.lua"});
}

// Fails like the run itself, at the same step.
TEST_F(Check, CallsHooksOfTheFirstSteps) {
  for (const auto& [hook, said] : std::vector<std::pair<std::string, std::string>>{
           {"on_start = function(sim)\nsim:body('Sun') end, ",
            "a.lua:4: on_start: there is no body \"Sun\""},
           {"on_step = { every = 10, run = function(sim)\nsim:body('Sun') end }, ",
            "a.lua:4: on_step: there is no body \"Sun\""},
           {"on_time = { at = 0.5, run = function(sim)\nsim.enregy = 3 end }, ",
            "a.lua:4: on_time: sim.enregy: cannot be assigned"},
           {"on_step = { every = 500, run = function(sim)\nsim:row('a b', { x = 1 }) end }, ",
            "a.lua:4: on_step: \"a b\" is not a valid file name"},
           {"on_step = { every = 1, run = function(sim)\nsim:row('a', { ['x' .. sim.step] = 1 }) "
            "end }, ",
            "a.lua:4: on_step: the row has the columns x2; the first row of a.csv has x1"},
           {"on_step = { every = 7, run = function(sim) sim:fail('it broke') end }, ",
            "a.lua: the run fails at step 7: it broke"}}) {
    const Result result = check(hook);
    EXPECT_EQ(result.code, 3) << hook << result.out;
    EXPECT_EQ(result.out, "") << hook;
    EXPECT_EQ(result.err.substr(0, said.size()), said);
    const Result json = check(hook, {"--json"});
    EXPECT_EQ(json.code, 3);
    EXPECT_EQ(engine::parse_json(json.out).at("problems").size(), 1u);
  }
}

// At its own step a hook may find what it misses earlier, so that a failure in a trial call is only
// a warning.
TEST_F(Check, TriesHooksThatWouldCallLater) {
  const Result late = check(
      "on_time = { at = 1e9, run = function(sim)\nsim:body('Sun') end }, on_end = "
      "function(sim)\nsim.data.x "
      "= sim.energi end, ");
  EXPECT_EQ(late.code, 0) << late.err;
  EXPECT_NE(late.err.find("warning: a.lua:4: on_time: there is no body \"Sun\""), std::string::npos)
      << late.err;
  EXPECT_NE(late.err.find("warning: a.lua:5: on_end: sim has no \"energi\"; did you mean 'energy'? "
                          "(called at step 1000 as a test)"),
            std::string::npos)
      << late.err;
  const Result good = check(
      "on_time = { at = 1e9, run = function(sim) sim:log('late') sim:picture('a') sim:snapshot() "
      "end }, "
      "on_unhealthy = function(sim) sim:row('end', { t = sim.time }) end, ");
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.err, "");
}

TEST_F(Check, SaysWhatARunWillTakeAndLeave) {
  const Result result = check("snapshots = { steps = 100 }, ");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u) << result.out;
  EXPECT_EQ(lines[0], "a.lua: good, 2 bodies, untitled");
  EXPECT_EQ(lines[1].find("  1,000 steps on "), 0u) << lines[1];
  EXPECT_NE(lines[1].find(" on the disk: 11 snapshots of "), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find(", 1,001 rows of series.csv"), std::string::npos) << lines[1];
  EXPECT_NE(check("", {"--steps", "20"}).out.find("  20 steps on "), std::string::npos);
  EXPECT_NE(check("", {"--until", "0.5"}).out.find("  50 steps on "), std::string::npos);
  EXPECT_NE(check("on_step = { every = 40, run = function(sim) sim:stop() end }, ")
                .out.find("  40 steps on "),
            std::string::npos);
}

/// Two bodies that start at the pericentre of a narrow ellipse and leave each other in one step of
/// `dt` periods: their kinetic energy stays, the potential energy goes.
std::string flung(const std::string& dt, const std::string& more) {
  return "return { gravity = { softening = 0 }, " + more + " integrator = { dt = " + dt +
         " * 2 * math.pi }, bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1e-9, "
         "position = { 0.001, 0, 0 }, velocity = { 0, 44, 0 } } } }";
}

TEST_F(Check, FindsTheEnergyThatARunFinds) {
  const auto code = [&](const std::string& command) {
    std::vector<std::string> words{command, "a.lua", "--backend", "cpu"};
    if (command == "run") words.insert(words.end(), {"--out", "o", "--force", "--quiet"});
    const Result result = mote(here(), words);
    message_ = result.err;
    return result.code;
  };
  write(here() / "a.lua", flung("0.01", "stop = { steps = 300 },"));
  EXPECT_EQ(code("run"), 3) << message_;
  EXPECT_EQ(code("check"), 3) << message_;
  EXPECT_EQ(message_.find("a.lua: the run becomes unhealthy: the energy is off by "), 0u)
      << message_;
  EXPECT_NE(message_.find(" at step 1, t = 0.06"), std::string::npos) << message_;
  // Short steps keep it.
  write(here() / "a.lua", flung("1e-8", "stop = { steps = 300 },"));
  EXPECT_EQ(code("run"), 0) << message_;
  EXPECT_EQ(code("check"), 0) << message_;
  EXPECT_EQ(message_, "");
  // A trial between rows, which ends long before the first.
  const std::string rare = "stop = { steps = 1e12 }, series = { steps = 1000000000000 },";
  write(here() / "a.lua", flung("0.01", rare));
  EXPECT_EQ(code("check"), 3) << message_;
  // Limits of the scene are for rows.
  write(here() / "a.lua", flung("0.01", rare + " health = { energy_error = 0.5 },"));
  EXPECT_EQ(code("check"), 0) << message_;
  EXPECT_NE(message_.find("warning: the relative energy error "), std::string::npos) << message_;
  write(here() / "a.lua",
        flung("0.01", "stop = { steps = 300 }, health = { energy_error = 0.5 },"));
  EXPECT_EQ(code("check"), 3) << message_;
}

// Two suns at 1 au circle each other in 2 pi / sqrt(2) / k = 258 days, and want 24 steps in that.
TEST_F(Check, WarnsOfTheEncounterThatARunWarnsOf) {
  write(
      here() / "a.lua",
      "return { units = \"solar\", gravity = {}, integrator = { dt = 50 }, bodies = { { mass = 1, "
      "position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } }, stop = { steps = 2 } }");
  const std::string warning =
      "bodies 0 and 1 were 1 au apart at step 0, where their orbital period is 258 day: steps of "
      "50 day do not resolve it; use a dt of 11 day or a larger softening";
  EXPECT_NE(mote(here(), {"check", "a.lua"}).err.find(warning), std::string::npos)
      << mote(here(), {"check", "a.lua"}).err;
  EXPECT_NE(mote(here(), {"run", "a.lua"}).err.find(warning), std::string::npos);
}

TEST_F(Check, CountsTheSnapshotsOfARunByTheirTimes) {
  const auto counted = [&](const std::string& more, const std::vector<std::string>& options = {}) {
    write(here() / "a.lua", "return { " + pull + more + pair_of_bodies + " }");
    std::vector<std::string> words{"check", "a.lua", "--backend", "cpu"};
    words.insert(words.end(), options.begin(), options.end());
    const std::string out = mote(here(), words).out;
    words[0] = "run";
    words.insert(words.end(), {"--out", "o", "--force", "--quiet"});
    const Result ran = mote(here(), words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto files = static_cast<int>(files_below(here() / "o/snapshots").size());
    const std::size_t at = out.find(" snapshots of ");
    EXPECT_NE(at, std::string::npos) << out;
    EXPECT_EQ(std::stoi(out.substr(out.rfind(' ', at - 1))), files) << more << out;
    return files;
  };
  const std::string chosen = "integrator = { \"ias15\" }, stop = { time = 5 }, ";
  EXPECT_EQ(counted(chosen + "snapshots = { time = 0.1, times = { 0 } }, "), 51);
  EXPECT_EQ(counted(chosen + "snapshots = { time = 1, times = { 0, 0.5, 2, 7 } }, "), 7);
  EXPECT_GT(counted(chosen + "snapshots = { time = 0.01, times = { 0 } }, ", {"--steps", "9"}), 10);
  // Steps longer than the interval: one snapshot each, and the first state.
  EXPECT_EQ(counted("integrator = { dt = 0.5 }, stop = { time = 5 }, snapshots = { time = 0.1 }, "),
            11);
  // The last state is due at the last step, or comes after it.
  const std::string ten_steps = "integrator = { dt = 0.01 }, stop = { steps = 10 }, ";
  EXPECT_EQ(counted(ten_steps + "snapshots = { steps = 5 }, "), 3);
  EXPECT_EQ(counted(ten_steps + "snapshots = { steps = 4 }, "), 4);
  EXPECT_EQ(counted(ten_steps + "snapshots = { times = { 0, 0.1 } }, "), 2);
}

// The estimate agrees with the files of the run within a third, if they are dominated by data.
TEST_F(Check, EstimatesTheDiskThatARunTakes) {
  const std::string scene =
      "return { " + pull + stepped +
      "stop = { steps = 40 }, series = { steps = 1 }, snapshots = { steps = 10, format "
      "= { \"hdf5\", \"vtk\", \"xyz\", "
      "\"csv\", \"npz\", \"tipsy\" } }, checkpoints = { steps = 20 },\n"
      "on_step = { every = 1, run = function(sim) for i = 1, 100 do sim:row('a', { x = "
      "sim.time, y = 'some text' }) end end },\n"
      "bodies = { plummer { n = 2000 } } }";
  write(here() / "a.lua", scene);
  const Result check = mote(here(), {"check", "a.lua", "--backend", "cpu"});
  ASSERT_EQ(check.code, 0) << check.err;
  ASSERT_EQ(mote(here(), {"run", "a.lua", "--backend", "cpu", "--out", "o"}).code, 0);
  double bytes = 0;
  for (const std::string& file : files_below(here() / "o"))
    bytes += static_cast<double>(fs::file_size(here() / "o" / file));
  const std::size_t at = check.out.find("; about ");
  ASSERT_NE(at, std::string::npos) << check.out;
  EXPECT_NE(check.out.find(" MiB on the disk"), std::string::npos) << check.out;
  EXPECT_NEAR(std::stod(check.out.substr(at + 8)) * (1 << 20) / bytes, 1, 1.0 / 3)
      << check.out << bytes;
}

// 10^6 x 10^6 interactions take minutes on any processor: reported, not computed.
TEST_F(Check, EndsSoonAndSaysWhatItLeftOut) {
  write(here() / "a.lua", "return { gravity = { softening = 0.1, solver = 'direct' }, " + stepped +
                              ends + "bodies = { plummer { n = 1000000 } } }");
  const auto start = std::chrono::steady_clock::now();
  const Result result = mote(here(), {"check", "a.lua", "--backend", "cpu", "--threads", "1"});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(
      result.out.find("\n  not checked: the initial forces of 1,000,000 bodies, which take about "),
      std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace mote::test
