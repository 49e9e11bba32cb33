// Scenes whose bodies and domains come from XYZ files.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/domain.h"
#include "sim/scene/read_scene.h"
#include "sim/source/scene_folder.h"
#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

std::string of_file(const std::string& bodies, const std::string& more = "") {
  return "return { integrator = { dt = 0.01 }, lennard_jones = { cutoff = 2, epsilon = 1 }, " +
         more + " bodies = { " + bodies + " } }";
}
const std::string salt =
    "2\nLattice=\"8 0 0 0 9 0 0 0 10\" Properties=species:S:1:pos:R:3\nNa 1 2 3\nCl 4 5 6\n";

TEST(ScenesOfXyz, TakeBodiesWithTheirSpeciesAndTheBox) {
  const SceneText text(
      of_file("xyz { file = \"data/salt.xyz\", mass = 2 }",
              "domain = { file = \"data/salt.xyz\" }, species = { Na = {}, Cl = {} },"));
  text.with("data/salt.xyz", salt);
  const SceneDescription scene = text.read();
  const Bodies bodies = make_bodies(scene, 1);
  EXPECT_EQ(bodies.species, (std::vector<std::uint8_t>{2, 1}));
  EXPECT_EQ(bodies.mass, (std::vector<double>{2, 2}));
  EXPECT_EQ(bodies.position[1].z, 6);
  EXPECT_EQ(scene.domain->size.z, 10);
  EXPECT_EQ(scene.domain->center.x, 4);
  EXPECT_FALSE(scene.domain->file);
  // The expanded scene needs no other file.
  const SceneDescription again = read_scene_text("full.json", engine::json_text(scene.expanded, 1));
  EXPECT_EQ(*again.expanded, *scene.expanded);
  EXPECT_EQ(make_bodies(again, 1).species, bodies.species);
  EXPECT_EQ(again.domain->center.y, 4.5);
}

TEST(ScenesOfXyz, SetOneSpeciesForAllOrHaveNone) {
  const SceneText one(
      of_file("xyz { file = \"a.xyz\", species = \"Na\" }", "species = { Na = {} },"));
  one.with("a.xyz", salt);
  EXPECT_EQ(make_bodies(one.read(), 1).species, (std::vector<std::uint8_t>{1, 1}));
  const SceneText none(of_file("xyz { file = \"a.xyz\" }"));
  none.with("a.xyz", salt);
  EXPECT_TRUE(make_bodies(none.read(), 1).species.empty());
  const SceneText unknown(of_file("xyz { file = \"a.xyz\" }", "species = { Na = {} },"));
  unknown.with("a.xyz", salt);
  ASSERT_EQ(unknown.problems().size(), 1u);
  EXPECT_NE(unknown.problems()[0].find("a.xyz:4: the scene has no species \"Cl\""),
            std::string::npos)
      << unknown.problems()[0];
}

TEST(ScenesOfXyz, AreRefusedWithTheProblem) {
  const SceneText outside(
      of_file("xyz { file = \"../a.xyz\" }", "domain = { file = \"/etc/passwd\" },"));
  ASSERT_EQ(outside.problems().size(), 2u);
  EXPECT_EQ(
      outside.problems()[0],
      "1: domain.file: \"/etc/passwd\" is outside the folder of the scene; put the file beside the "
      "scene or below, or run with --trust if you trust the scene");
  EXPECT_NE(outside.problems()[1].find("outside the folder of the scene"), std::string::npos);
  const SceneText both(
      of_file("xyz { file = \"a.xyz\" }", "domain = { file = \"a.xyz\", size = { 9, 9, 9 } },"));
  both.with("a.xyz", salt);
  EXPECT_EQ(
      both.problems(),
      Lines{"1: domain.file: gives size and center, which the scene sets too; remove one of them"});
  const SceneText no_box(of_file("xyz { file = \"a.xyz\" }", "domain = { file = \"a.xyz\" },"));
  no_box.with("a.xyz", "1\nfree\nA 0 0 0\n");
  ASSERT_EQ(no_box.problems().size(), 1u);
  EXPECT_NE(no_box.problems()[0].find("a.xyz:2: defines no box"), std::string::npos);
  const SceneText small(of_file("xyz { file = \"a.xyz\" }", "domain = { file = \"a.xyz\" },"));
  small.with("a.xyz", "1\n3 9 9\nA 0 0 0\n");
  ASSERT_EQ(small.problems().size(), 1u);
  EXPECT_NE(small.problems()[0].find("lennard_jones.cutoff"), std::string::npos);
}

// A slab: the file says that z is not periodic, and the scene may say what it is instead.
TEST(ScenesOfXyz, AreOpenAlongTheAxesOfTheFileThatAreNotPeriodic) {
  const std::string slab =
      "2\nLattice=\"8 0 0 0 9 0 0 0 10\" pbc=\"T T F\" Properties=species:S:1:pos:R:3\n"
      "A 1 2 3\nA 4 5 6\n";
  const auto domain = [&](const std::string& more) {
    const SceneText text(
        of_file("xyz { file = \"a.xyz\" }", "domain = { file = \"a.xyz\"" + more + " },"));
    text.with("a.xyz", slab);
    return domain_of(*text.read().domain);
  };
  EXPECT_TRUE(domain("").periodic[0] && domain("").periodic[1]);
  EXPECT_FALSE(domain("").periodic[2] || domain("").walled[2]);
  EXPECT_TRUE(domain(", z = \"wall\"").walled[2]);
  EXPECT_TRUE(domain(", z = \"periodic\"").periodic[2]);
}

// A chain at rest, its rows in another order than its ids, as parallel programs write them.
TEST(ScenesOfXyz, BindBodiesByTheIdsOfTheFile) {
  const SceneText text(
      "return { integrator = { dt = 0.01 }, bond_kinds = { spring = { stiffness = 100, length = 1 "
      "} },"
      " bonds = { { kind = \"spring\", bodies = { { 0, 1 }, { 1, 2 }, { 2, 3 } } } },"
      " bodies = { xyz { file = \"a.xyz\" } } }");
  text.with(
      "a.xyz",
      "4\nProperties=id:I:1:species:S:1:pos:R:3\n3 C 3 0 0\n0 C 0 0 0\n2 C 2 0 0\n1 C 1 0 0\n");
  const Bodies bodies = make_bodies(text.read(), 1);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(bodies.position[k].x, static_cast<double>(k));
}

TEST(ScenesOfRadialDistributions, NeedAClosedDomainThatIsLargeEnough) {
  const std::string bodies = "{ mass = 1, position = { 0, 0, 0 } }";
  const auto problems = [&](const std::string& domain, const std::string& wanted) {
    return SceneText(of_file(bodies, domain + "radial_distribution = { " + wanted + " },"))
        .problems();
  };
  EXPECT_EQ(problems("domain = { size = { 8, 8, 6 } },", "range = 3"), Lines{});
  EXPECT_EQ(problems("domain = { size = { 8, 8, 6 }, z = \"wall\" },", "range = 4"), Lines{});
  EXPECT_EQ(problems("", "range = 3"),
            Lines{"1: radial_distribution: needs the mean density of a closed domain, which the "
                  "scene does not have; add domain = { size = { 10, 10, 10 } }"});
  EXPECT_EQ(
      problems("domain = { size = { 8, 8, 6 } },", "range = 3.5"),
      Lines{
          "1: radial_distribution.range: 3.5 is more than half of the periodic domain, 6 along z; "
          "beyond that, only some of the images of a body would be counted"});
  EXPECT_EQ(problems("domain = { size = { 8, 8, 6 } },", "range = 3, species = true"),
            Lines{"1: radial_distribution.species: needs 1 to 8 species, but the scene has 0; "
                  "leave it out"});
}

}  // namespace
}  // namespace mote::sim
