#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/files.h"
#include "sim/io/snapshot.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/python.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::python;
using test::TemporaryFolder;

constexpr const char* list_all = R"(
import h5py, sys
f = h5py.File(sys.argv[1], 'r')
def text(v): return '%r' % (v.tolist() if hasattr(v, 'tolist') else v)
def show(name, node):
    kind = '%s %s' % (node.dtype, node.shape) if isinstance(node, h5py.Dataset) else 'group'
    print(name, kind)
    for k in sorted(node.attrs): print(' ', k, text(node.attrs[k]))
    if isinstance(node, h5py.Dataset): print(' ', text(node[()]))
f.visititems(show)
)";

TEST(SnapshotForPython, HasTheNamesShapesAndValuesOfGadget) {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> ids{7, 4294967295u};
  const std::vector<float> x{1, 2}, y{3, 4}, z{5, 6}, vx{0.5f, 7}, vy{8, 9}, vz{10, 11},
      mass{0, 0.25f};
  write_snapshot(folder / "a.hdf5", {.ids = ids,
                                     .arrays = SnapshotArrays<float>{x, y, z, vx, vy, vz, mass},
                                     .time = 2,
                                     .step = 3,
                                     .state_hash = 0xabc,
                                     .units = units("si"),
                                     .gravitational = 6.5e-11,
                                     .softening = 0.125,
                                     .title = "Two \xC3\xA9"});
  const auto listing = python("h5py", folder.file("list.py", list_all), {folder / "a.hdf5"});
  if (!listing) GTEST_SKIP() << "no python3 with h5py (package python3-h5py)";
  // Only the version changes between releases.
  std::string shown = *listing;
  if (const auto at = shown.find("  version '"); at != shown.npos)
    shown.erase(at, shown.find('\n', at) + 1 - at);
  EXPECT_EQ(shown, R"(Header group
  BoxSize 0.0
  Flag_Cooling 0
  Flag_DoublePrecision 0
  Flag_Entropy_ICs 0
  Flag_Feedback 0
  Flag_Metals 0
  Flag_Sfr 0
  Flag_StellarAge 0
  HubbleParam 1.0
  MassTable [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
  NumFilesPerSnapshot 1
  NumPart_ThisFile [0, 2, 0, 0, 0, 0]
  NumPart_Total [0, 2, 0, 0, 0, 0]
  NumPart_Total_HighWord [0, 0, 0, 0, 0, 0]
  Omega0 0.0
  OmegaBaryon 0.0
  OmegaLambda 0.0
  Redshift 0.0
  Time 2.0
  Time_GYR 6.33761756280579e-17
Mote group
  gravitational 6.5e-11
  softening 0.125
  state_hash '0000000000000abc'
  step 3
  title 'Two é'
  units 'si'
PartType1 group
PartType1/Coordinates float32 (2, 3)
  CGSConversionFactor 100.0
  VarDescription 'Positions, U_L [cm]'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit 'm'
  [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]
PartType1/Masses float32 (2,)
  CGSConversionFactor 1000.0
  VarDescription 'Masses, U_M [g]'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit 'kg'
  [0.0, 0.25]
PartType1/ParticleIDs uint32 (2,)
  CGSConversionFactor 1.0
  VarDescription 'Names of the bodies'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit ''
  [7, 4294967295]
PartType1/Velocities float32 (2, 3)
  CGSConversionFactor 100.0
  VarDescription 'Velocities, U_V [cm/s]'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit 'm/s'
  [[0.5, 8.0, 10.0], [7.0, 9.0, 11.0]]
Units group
  UnitLength_in_cm 100.0
  UnitMass_in_g 1000.0
  UnitTime_in_s 1.0
  UnitVelocity_in_cm_per_s 100.0
)");
}

TEST(SnapshotForPython, HasSpeciesWithNamesAndColours) {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> ids{0, 1, 2, 3};
  const std::vector<std::uint8_t> species{2, 0, 1, 255};
  const std::vector<double> some{1, 2, 3, 4};
  const std::vector<SnapshotSpecies> kinds{{"dark \xC3\xA9", "#0a0b0C"}, {"star", "#ffcc88"}};
  const auto write = [&](const char* name) {
    write_snapshot(folder / name,
                   {.ids = ids,
                    .arrays = SnapshotArrays<double>{some, some, some, some, some, some, some},
                    .units = units("nbody"),
                    .kinds = kinds,
                    .species = species});
  };
  write("a.hdf5"), write("b.hdf5");
  EXPECT_EQ(engine::read_file(folder / "a.hdf5"), engine::read_file(folder / "b.hdf5"));
  EXPECT_EQ(read_mote_fields(folder / "a.hdf5", {}).species, species);
  EXPECT_TRUE(read_snapshot(folder / "a.hdf5").species.empty())
      << "the numbers refer to another scene's species";
  const auto listing = python("h5py", folder.file("list.py", list_all), {folder / "a.hdf5"});
  if (!listing) GTEST_SKIP() << "no python3 with h5py (package python3-h5py)";
  for (const char* line :
       {"  species_colors ['#0a0b0C', '#ffcc88']\n", "  species_names ['dark é', 'star']\n",
        "PartType1/Species uint8 (4,)\n", "  [2, 0, 1, 255]\n"})
    EXPECT_NE(listing->find(line), listing->npos) << line << *listing;
}

TEST(SnapshotForPython, WithDimensionlessUnitsInDoubleCanBeOpened) {
  const TemporaryFolder folder;
  write_snapshot(folder / "a.hdf5",
                 {.ids = {}, .arrays = SnapshotArrays<double>{}, .units = units("nbody")});
  const auto listing = python("h5py", folder.file("list.py", list_all), {folder / "a.hdf5"});
  if (!listing) GTEST_SKIP() << "no python3 with h5py (package python3-h5py)";
  for (const char* line :
       {"PartType1/Coordinates float64 (0, 3)\n", "PartType1/ParticleIDs uint32 (0,)\n",
        "  Flag_DoublePrecision 1\n", "  UnitLength_in_cm 1.0\n", "  UnitTime_in_s 1.0\n"})
    EXPECT_NE(listing->find(line), listing->npos) << line << *listing;
  EXPECT_EQ(listing->find("Time_GYR"), listing->npos);
}

TEST(SnapshotForPython, HasCompressedColumnsAndOnlyTheChosenOnes) {
  const TemporaryFolder folder;
  std::vector<std::uint32_t> ids(70000);
  std::vector<double> some(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<std::uint32_t>(i), some[i] = 1 / (1.0 + static_cast<double>(i));
  SnapshotData data{.ids = ids,
                    .arrays = SnapshotArrays<double>{some, some, some, some, some, some, some},
                    .units = units("galactic"),
                    .columns = {.velocity = false, .mass = false, .species = false}};
  write_snapshot(folder / "plain.h5", data);
  data.compress = true;
  write_snapshot(folder / "a.h5", data);
  write_snapshot(folder / "b.h5", data);
  EXPECT_EQ(engine::read_file(folder / "a.h5"), engine::read_file(folder / "b.h5"));
  EXPECT_LT(std::filesystem::file_size(folder / "a.h5"),
            std::filesystem::file_size(folder / "plain.h5"));
  const auto shown = python("h5py", folder.file("look.py", R"(
import h5py, sys
a, b = (h5py.File(name, 'r')['PartType1'] for name in sys.argv[1:])
print(list(a), list(b))
for k in a: print(k, (a[k][()] == b[k][()]).all(), b[k].chunks, b[k].compression, b[k].shuffle, b[k].attrs['unit'])
)"),
                            {folder / "plain.h5", folder / "a.h5"});
  if (!shown) GTEST_SKIP() << "no python3 with h5py (package python3-h5py)";
  EXPECT_EQ(*shown,
            "['Coordinates', 'ParticleIDs'] ['Coordinates', 'ParticleIDs']\n"
            "Coordinates True (65536, 3) gzip True kpc\nParticleIDs True (65536,) gzip True \n");
}

// Units as the velocity has them, and those that pynbody finds in descriptions.
TEST(SnapshotForPython, HasAccelerationsAndPotentialsWithTheirUnits) {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> ids{7};
  const std::vector<float> one{1}, a{0.5f};
  const std::vector<double> potential{-0.1};
  write_snapshot(folder / "a.hdf5",
                 {.ids = ids,
                  .arrays = SnapshotArrays<float>{one, one, one, one, one, one, one, a, a, a},
                  .units = units("si"),
                  .potential = potential,
                  .columns = every_column});
  const auto listing = python("h5py", folder.file("list.py", list_all), {folder / "a.hdf5"});
  if (!listing) GTEST_SKIP() << "no python3 with h5py (package python3-h5py)";
  const auto part = [&](const std::string& name) {
    const auto at = listing->find("PartType1/" + name);
    return listing->substr(at, listing->find("PartType1/", at + 1) - at);
  };
  EXPECT_EQ(part("Acceleration"), R"(PartType1/Acceleration float32 (1, 3)
  CGSConversionFactor 100.0
  VarDescription 'Accelerations, U_V^2 /U_L [cm/s^2]'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit 'm/s/s'
  [[0.5, 0.5, 0.5]]
)");
  EXPECT_EQ(part("Potential"), R"(PartType1/Potential float64 (1,)
  CGSConversionFactor 10000.0
  VarDescription 'Potential of gravity per unit mass, U_V^2 [cm^2/s^2]'
  aexp-scale-exponent 0.0
  h-scale-exponent 0.0
  unit '(m/s)^2'
  [-0.1]
)");
}

}  // namespace
}  // namespace mote::sim
