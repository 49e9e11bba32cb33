// Contact networks of runs: statics of stacks, sums of forces, files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/files.h"
#include "sim/io/vtk.h"
#include "sim/output/snapshot_writer.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;
using engine::Vec3d;
using sim::ContactNetwork;
using sim::ContactNumbers;

class ContactNetworks : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(ContactNetworks);

/// 48 elastic grains with friction that fall into a box with a slope, periodic along x.
const char* const rubbing = R"(return {
  domain = { size = { 0.9, 0, 0 }, x = "periodic", y = "open", z = "open" },
  grains = { radius = 0.07, spread = 0.2, density = 2500, young_modulus = 1e6, restitution = 1, friction = 0.5 },
  fields = { uniform { acceleration = { 1, 0.5, -9.81 } } },
  obstacles = { plane { normal = { 0, 0, 1 } }, plane { point = { 0, -0.45, 0 }, normal = { 0, 1, 0 } },
                plane { point = { 0, 0.45, 0 }, normal = { 0, -1, 0 } }, sphere { radius = 0.15 } },
  snapshots = { contacts = true },
  integrator = { dt = 0.0002 },
  bodies = { translate(lattice { counts = { 4, 4, 3 }, spacing = 0.2, mass = 1, dispersion = 0.3 }, { 0, 0, 0.5 }) },
})";

Vec3d at_row(const auto(&column)[3], std::size_t row) {
  return {double(column[0][row]), double(column[1][row]), double(column[2][row])};
}

TEST_P(ContactNetworks, OfAStackCarryTheWeightOfWhatIsAbove) {
  const double radius = 0.1, mass = 2.5, g = 9.81;
  const auto sim = open(
      "return { grains = { radius = 0.1, young_modulus = 1e5, restitution = 0.2 }, integrator = { "
      "dt = 5e-4 "
      "}, "
      "fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { sphere { center = { "
      "9, 9, 9 }, "
      "radius = 1 }, "
      "plane {} }, bodies = { { position = { 0, 0, 0.1 }, mass = 2.5 }, { position = { 0, 0, 0.3 "
      "}, mass = "
      "2.5 } } }",
      {.precision = Precision::double_});
  sim->advance(6000, {});
  const ContactNetwork network = sim->contacts();
  ASSERT_EQ(network.size(), 2u);
  EXPECT_EQ(network.grain, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(network.partner, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(network.obstacle, (std::vector<std::uint32_t>{0, 2}));
  const auto& n = std::get<ContactNumbers<double>>(network.numbers);
  // After three seconds, with contacts of about 20 ms, the fall has been damped out.
  EXPECT_NEAR(n.normal_force[0], mass * g, 1e-6 * mass * g);
  EXPECT_NEAR(n.normal_force[1], 2 * mass * g, 1e-6 * mass * g);
  const double low = body(*sim, 0).position.z, high = body(*sim, 1).position.z;
  EXPECT_NEAR(n.overlap[0], 2 * radius - (high - low), 1e-15);
  EXPECT_NEAR(n.overlap[1], radius - low, 1e-15);
  EXPECT_EQ(n.normal[2][0], 1);
  EXPECT_EQ(n.normal[2][1], -1);
  EXPECT_NEAR(n.branch[2][0], high - low, 1e-15);
  EXPECT_NEAR(n.branch[2][1], -low, 1e-15);
  EXPECT_EQ(n.center[2][1], low);
  EXPECT_NEAR(n.point[2][0], 0.5 * (low + high), 1e-15);
  EXPECT_NEAR(n.point[2][1], 0, 1e-15);
  EXPECT_EQ(engine::length(at_row(n.tangential_force, 0)), 0);
}

TEST_P(ContactNetworks, AddUpToTheAccelerationOfEachGrain) {
  // Without dashpots forces depend on positions and springs only, so that the network has those of
  // the step.
  const auto sim = open(rubbing, {.precision = Precision::double_});
  sim->advance(1500, {});
  const ContactNetwork network = sim->contacts();
  const auto& n = std::get<ContactNumbers<double>>(network.numbers);
  std::map<std::uint32_t, Vec3d> force;
  double rubbed = 0, largest = 0;
  for (std::size_t k = 0; k < network.size(); ++k) {
    const Vec3d tangential = at_row(n.tangential_force, k);
    const Vec3d f = tangential - n.normal_force[k] * at_row(n.normal, k);
    force[network.grain[k]] += f;
    if (network.obstacle[k] == 0) force[network.partner[k]] += -1.0 * f;
    rubbed = std::max(rubbed, engine::length(tangential)),
    largest = std::max(largest, engine::length(f));
    EXPECT_NEAR(dot(tangential, at_row(n.normal, k)), 0, 1e-12 * largest);
  }
  EXPECT_GT(network.size(), 30u);
  EXPECT_GT(rubbed, 0.01 * largest);
  sim->state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      const double m = double(s.mass[i]);
      const Vec3d a{double(s.ax[i]), double(s.ay[i]), double(s.az[i])};
      const Vec3d of_contacts = force[s.id[i]] + m * Vec3d{1, 0.5, -9.81};
      // A dozen contacts of some 200 roundings.
      EXPECT_LT(distance(of_contacts, m * a), 1e-12 * largest) << i;
    }
  });
}

TEST_P(ContactNetworks, AreThereForBodiesThatStayWhenOthersGoAndNoneWithoutGrains) {
  const auto sim = open(rubbing, {.precision = Precision::single});
  sim->advance(1500, {});
  const ContactNetwork before = sim->contacts();
  sim->change_bodies({.removed = {7}});
  const ContactNetwork after = sim->contacts();
  std::size_t of_seven = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    of_seven += before.grain[k] == 7 || before.partner[k] == 7;
  EXPECT_GT(of_seven, 0u);
  EXPECT_EQ(after.size(), before.size() - of_seven);
  EXPECT_EQ(open("return { bodies = { { position = { 0, 0, 0 }, mass = 1 } }, gravity = {}, "
                 "integrator = { "
                 "dt = 1 } }")
                ->contacts()
                .size(),
            0u);
}

TEST_P(ContactNetworks, ComeBackFromTheirFilesBitForBit) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const TemporaryFolder folder;
    const sim::SceneDescription scene = scene_of(rubbing);
    const auto sim = open(scene, {.precision = precision});
    sim->advance(1500, {});
    sim::SnapshotWriter writer({sim::SnapshotFormat::hdf5, sim::SnapshotFormat::csv,
                                sim::SnapshotFormat::vtk, sim::SnapshotFormat::npz});
    writer.write(folder.path() / "heap", *sim, scene);
    writer.drain();
    const sim::LoadedSnapshot loaded = sim::load_snapshot(folder.path() / "heap.h5");
    ASSERT_TRUE(loaded.contacts.has_value());
    const ContactNetwork network = sim->contacts();
    EXPECT_EQ(loaded.contacts->numbers.index(), network.numbers.index());
    std::vector<std::vector<double>> columns[2];
    for (int k = 0; k < 2; ++k)
      for_each_column(k == 0 ? network : *loaded.contacts,
                      [&](const char*, const char*, const auto&... parts) {
                        (columns[k].emplace_back(parts.begin(), parts.end()), ...);
                      });
    EXPECT_EQ(columns[0], columns[1]);
    EXPECT_EQ(columns[0].size(), 20u);
    const std::string csv = engine::read_file(folder.path() / "heap.contacts.csv");
    EXPECT_NE(csv.find("\ngrain,partner,obstacle,center_x,center_y,center_z,point_x,"),
              std::string::npos);
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')),
              network.size() + 2);
    EXPECT_EQ(sim::read_vtk_index(folder.path() / sim::SnapshotWriter::vtk_index).size(), 1u);
    const std::string vtk = engine::read_file(folder.path() / "heap.contacts.vtp");
    EXPECT_NE(vtk.find("NumberOfLines=\"" + std::to_string(network.size()) + "\""),
              std::string::npos);
    EXPECT_NE(engine::read_file(folder.path() / "heap.npz").find("contact_normal_force.npy"),
              std::string::npos);
  }
}

TEST(ContactsOfSnapshots, AreRefusedWithoutGrains) {
  try {
    scene_of(
        "return { snapshots = { contacts = true }, gravity = {}, bodies = { { position = { 0, 0, 0 "
        "}, mass = "
        "1 } }, integrator = { dt = 1 } }");
    FAIL();
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is for grains, which the scene does not have"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace mote::test
