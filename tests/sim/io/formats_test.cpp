#include "sim/io/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/check.h"
#include "engine/files.h"
#include "sim/io/csv.h"
#include "sim/io/tipsy.h"
#include "sim/io/vtk.h"
#include "sim/io/xyz.h"
#include "tests/engine/full_disk.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/python.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::python;
using test::TemporaryFolder;

/// Bodies with values that use all bits, and names of species that need escapes in text and XML.
template <class T>
struct SampleSnapshot {
  std::vector<std::uint32_t> ids;
  std::vector<T> column[7];
  std::vector<std::uint8_t> species;
  std::vector<SnapshotSpecies> kinds{{"dark \xC3\xA9", "#0a0b0c"}, {"a \"b\", <c>", "#ffcc88"}};

  explicit SampleSnapshot(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      ids.push_back(static_cast<std::uint32_t>(4294967295u - 7 * i));
      species.push_back(static_cast<std::uint8_t>(i % 3));
      for (std::size_t c = 0; c < 7; ++c)
        column[c].push_back(static_cast<T>(c + 1) / static_cast<T>(3 * i + 7) *
                            (c > 0 && i % 2 ? -1 : 1));
    }
    if (n > 1)
      column[1][1] = std::numeric_limits<T>::denorm_min(),
      column[2][1] = std::numeric_limits<T>::max(), column[3][1] = static_cast<T>(-0.0);
  }
  SnapshotData data(bool with_species = true) const {
    const auto& c = column;
    SnapshotData data{.ids = ids,
                      .arrays = SnapshotArrays<T>{c[1], c[2], c[3], c[4], c[5], c[6], c[0]},
                      .time = 0.1,
                      .step = 12345678901234567ull,
                      .units = units("galactic"),
                      .gravitational = 43009.17,
                      .softening = 0.02,
                      .title = "Two \"galaxies\" \xC3\xA9"};
    if (with_species) data.kinds = kinds, data.species = species;
    return data;
  }
};

/// Compares with the HDF5 file of the same snapshot, values and types.
constexpr const char* compare_with_hdf5 = R"PY(
import sys, h5py, numpy
h = h5py.File(sys.argv[1], 'r')['PartType1']
names = {'id': 'ParticleIDs', 'position': 'Coordinates', 'velocity': 'Velocities', 'mass': 'Masses', 'species': 'Species'}
def same(name, array):
    b = h[names[name]][()]
    good = array.dtype == b.dtype and array.shape == b.shape and array.tobytes() == b.tobytes()
    print(name, 'good' if good else (array.dtype, b.dtype, array.shape, b.shape))
)PY";

constexpr const char* with_numpy = R"PY(
z = numpy.load(sys.argv[2], allow_pickle=False)
for name in z.files:
    if name in names: same(name, z[name])
    else: print(name, z[name].dtype.str, repr(z[name].tolist()))
)PY";

constexpr const char* with_vtk = R"PY(
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.util.numpy_support import vtk_to_numpy
r = vtkXMLPolyDataReader()
r.SetFileName(sys.argv[2])
r.Update()
p = r.GetOutput()
def plain(array): return vtk_to_numpy(array) if array.GetNumberOfTuples() else numpy.zeros(h[names[array.GetName()]].shape, h[names[array.GetName()]].dtype)
points = p.GetPoints().GetData()
print(points.GetInformation().Get(vtkDataArray.UNITS_LABEL()), p.GetNumberOfPoints(), p.GetNumberOfVerts())
points.SetName('position')
same('position', plain(points))
for i in range(p.GetPointData().GetNumberOfArrays()):
    a = p.GetPointData().GetArray(i)
    same(a.GetName(), plain(a))
    print(a.GetInformation().Get(vtkDataArray.UNITS_LABEL()))
f = p.GetFieldData()
for i in range(f.GetNumberOfArrays()):
    a = f.GetAbstractArray(i)
    print(a.GetName(), [a.GetValue(k) for k in range(a.GetNumberOfValues())])
if p.GetNumberOfVerts():
    cells = p.GetVerts()
    print((vtk_to_numpy(cells.GetConnectivityArray()) == numpy.arange(p.GetNumberOfPoints())).all(), cells.GetMaxCellSize())
)PY";

template <class T>
class Formats : public ::testing::Test {
 protected:
  /// Output of a Python script that compares a file of `format` with the HDF5 file.
  std::optional<std::string> shown(SnapshotFormat format, const SnapshotData& data,
                                   const std::string& modules, const std::string& script) {
    write_snapshot(folder_ / "a.h5", data);
    const auto file = folder_ / ("a" + info_of(format).ending).c_str();
    info_of(format).write(file, data);
    return python("h5py, numpy" + modules, folder_.file("look.py", compare_with_hdf5 + script),
                  {folder_ / "a.h5", file});
  }
  TemporaryFolder folder_;
};
using FloatsAndDoubles = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Formats, FloatsAndDoubles);

TYPED_TEST(Formats, GiveNumpyTheSameBits) {
  for (const std::size_t n : {0u, 70000u}) {
    const SampleSnapshot<TypeParam> sample(n);
    const auto shown = this->shown(SnapshotFormat::npz, sample.data(), "", with_numpy);
    if (!shown)
      GTEST_SKIP() << "no python3 with h5py and numpy (packages python3-h5py, python3-numpy)";
    EXPECT_EQ(
        *shown,
        "id good\nposition good\nvelocity good\nmass good\nspecies good\n"
        "time <f8 0.1\nstep <u8 12345678901234567\ngravitational <f8 43009.17\nsoftening <f8 0.02\n"
        "title <U16 'Two \"galaxies\" \xC3\xA9'\nunits <U8 'galactic'\n"
        "species_names <U10 ['dark \xC3\xA9', 'a \"b\", <c>']\n")
        << n;
  }
}

TYPED_TEST(Formats, GiveVtkTheSameBits) {
  for (const std::size_t n : {0u, 70000u}) {
    const SampleSnapshot<TypeParam> sample(n);
    const auto shown =
        this->shown(SnapshotFormat::vtk, sample.data(), ", vtkmodules.vtkIOXML", with_vtk);
    if (!shown)
      GTEST_SKIP() << "no python3 with h5py and VTK (packages python3-h5py, python3-vtk9)";
    const std::string count = std::to_string(n);
    EXPECT_EQ(*shown,
              "kpc " + count + " " + count +
                  "\nposition good\nid good\nNone\nvelocity good\nkm/s\nmass good\n1e10 Msun\n"
                  "species good\nNone\nTimeValue [0.1]\nstep [12345678901234567]\n"
                  "species_names ['dark \xC3\xA9', 'a \"b\", <c>']\n" +
                  (n == 0 ? "" : "True 1\n"));
  }
}

/// The bits of all numbers of bodies.
std::vector<std::uint64_t> number_bits(const Bodies& b) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < b.mass.size(); ++i)
    for (const double v : {b.mass[i], b.position[i].x, b.position[i].y, b.position[i].z,
                           b.velocity[i].x, b.velocity[i].y, b.velocity[i].z})
      bits.push_back(std::bit_cast<std::uint64_t>(v));
  return bits;
}

TYPED_TEST(Formats, ThatCanBeReadAreReadBackBitForBit) {
  const SampleSnapshot<TypeParam> sample(5000);
  for (const char* system : {"galactic", "nbody", "solar", "si"}) {
    SnapshotData data = sample.data();
    const SnapshotData in_units{.ids = data.ids,
                                .arrays = data.arrays,
                                .units = units(system),
                                .kinds = data.kinds,
                                .species = data.species};
    write_snapshot(this->folder_ / "a.h5", in_units);
    info_of(SnapshotFormat::csv).write(this->folder_ / "a.csv", in_units);
    const Bodies reference = read_snapshot(this->folder_ / "a.h5", &units(system));
    // In the order of ids, which descend here.
    Bodies ascending = reference;
    std::reverse(ascending.mass.begin(), ascending.mass.end());
    std::reverse(ascending.position.begin(), ascending.position.end());
    std::reverse(ascending.velocity.begin(), ascending.velocity.end());
    EXPECT_EQ(number_bits(read_bodies_csv(this->folder_ / "a.csv", units(system), "")),
              number_bits(ascending))
        << system;
    if constexpr (std::is_same_v<TypeParam, float>) {
      info_of(SnapshotFormat::tipsy).write(this->folder_ / "a.tipsy", in_units);
      EXPECT_EQ(number_bits(read_bodies_tipsy(this->folder_ / "a.tipsy")), number_bits(reference))
          << system;
    }
  }
}

TYPED_TEST(Formats, AreReproducibleAndWrittenAtomically) {
  const SampleSnapshot<TypeParam> sample(3000);
  SnapshotData data = sample.data();
  data.columns.velocity = false;
  data.compress = true;
  std::vector<TypeParam> ones(3000, 1);
  const auto& c = sample.column;
  data.arrays = SnapshotArrays<TypeParam>{ones, ones, ones, c[4], c[5], c[6], c[0]};
  for (const SnapshotFormatInfo& info : snapshot_formats()) {
    const auto first = this->folder_ / ("a" + info.ending).c_str(),
               second = this->folder_ / ("b" + info.ending).c_str();
    info.write(first, data);
    info.write(second, data);
    EXPECT_EQ(engine::read_file(first), engine::read_file(second)) << info.name;
    const engine::FullDisk full(std::filesystem::file_size(first) - 1);
    const auto third = this->folder_ / ("c" + info.ending).c_str();
    EXPECT_NE(
        message_of<engine::SystemError>([&] { info.write(third, data); }).find("File too large"),
        std::string::npos)
        << info.name;
    EXPECT_FALSE(std::filesystem::exists(third)) << info.name;
    EXPECT_FALSE(std::filesystem::exists(engine::part_of(third))) << info.name;
  }
}

TEST(SnapshotCsv, HasUnitsInItsHeaderAndTheNamesOfSpecies) {
  const TemporaryFolder folder;
  const SampleSnapshot<double> sample(3);
  SnapshotData data = sample.data();
  const std::vector<double> x{0.1, -0.0, 5e-324};
  data.arrays = SnapshotArrays<double>{x, x, x, x, x, x, x};
  info_of(SnapshotFormat::csv).write(folder / "a.csv", data);
  EXPECT_EQ(
      engine::read_file(folder / "a.csv"),
      "# time 0.1 kpc/(km/s), step 12345678901234567, units galactic: Two \"galaxies\" \xC3\xA9\n"
      "id,x_kpc,y_kpc,z_kpc,vx_km_s,vy_km_s,vz_km_s,mass_1e10msun,species\n"
      "4294967295,0.1,0.1,0.1,0.1,0.1,0.1,0.1,\n"
      "4294967288,-0,-0,-0,-0,-0,-0,-0,dark \xC3\xA9\n"
      "4294967281,5e-324,5e-324,5e-324,5e-324,5e-324,5e-324,5e-324,\"a \"\"b\"\", <c>\"\n");
}

TEST(SnapshotXyz, NamesItsPropertiesAsOvitoDoesAndCanHaveSeveralFrames) {
  const TemporaryFolder folder;
  const SampleSnapshot<float> sample(2);
  SnapshotData data = sample.data();
  const std::vector<float> x{0.5f, 3};
  data.arrays = SnapshotArrays<float>{x, x, x, x, x, x, x};
  engine::AtomicFile file(folder / "a.xyz");
  add_xyz_frame(file, data);
  data.columns = {.velocity = false, .mass = true, .species = false};
  data.title = "";
  add_xyz_frame(file, data);
  file.commit();
  EXPECT_EQ(
      engine::read_file(folder / "a.xyz"),
      "2\nProperties=id:I:1:pos:R:3:velo:R:3:mass:R:1:species:S:1 Time=0.1 step=12345678901234567 "
      "units=galactic title=\"Two \\\"galaxies\\\" \xC3\xA9\" pbc=\"F F F\"\n"
      "4294967295 0.5 0.5 0.5 0.5 0.5 0.5 0.5 X\n"
      "4294967288 3 3 3 3 3 3 3 dark_\xC3\xA9\n"
      "2\nProperties=id:I:1:pos:R:3:mass:R:1 Time=0.1 step=12345678901234567 units=galactic "
      "title=\"\" "
      "pbc=\"F F F\"\n"
      "4294967295 0.5 0.5 0.5 0.5\n4294967288 3 3 3 3\n");
}

TEST(SnapshotCsv, NamesAccelerationsAndPotentialsAndIsReadWithoutThem) {
  const TemporaryFolder folder;
  const SampleSnapshot<double> sample(1);
  SnapshotData data = sample.data();
  const std::vector<double> x{0.5}, a{2}, potential{-3};
  data.arrays = SnapshotArrays<double>{x, x, x, x, x, x, x, a, a, a};
  data.potential = potential;
  data.columns = {.velocity = false, .species = false, .acceleration = true, .potential = true};
  info_of(SnapshotFormat::csv).write(folder / "a.csv", data);
  const std::string text = engine::read_file(folder / "a.csv");
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "id,x_kpc,y_kpc,z_kpc,mass_1e10msun,acceleration_x_km2_s2_kpc,"
            "acceleration_y_km2_s2_kpc,acceleration_z_km2_s2_kpc,potential_km2_s2\n4294967295,0.5,"
            "0.5,0.5,0.5,2,2,2,-3\n");
  EXPECT_EQ(read_bodies_csv(folder / "a.csv", units("galactic"), "").mass, x);
}

TEST(VtkIndex, ReadsBackWithItsTimesAndNames) {
  const TemporaryFolder folder;
  const std::vector<VtkFrame> frames{{0, "a.vtp"}, {0.1, "b & \"c\" <d>.vtp"}, {1e300, "e.vtp"}};
  write_vtk_index(folder / "a.pvd", frames);
  const std::vector<VtkFrame> read = read_vtk_index(folder / "a.pvd");
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].time, frames[i].time);
    EXPECT_EQ(read[i].file, frames[i].file);
  }
  EXPECT_TRUE(read_vtk_index(folder / "none.pvd").empty());
  EXPECT_TRUE(read_vtk_index(folder.file("other.pvd", "<VTKFile/>")).empty());
  const auto shown = python("xml.dom.minidom", folder.file("look.py", R"(
import sys, xml.dom.minidom
for d in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName('DataSet'):
    print(float(d.getAttribute('timestep')), d.getAttribute('file'))
)"),
                            {folder / "a.pvd"});
  if (!shown) GTEST_SKIP() << "no python3";
  EXPECT_EQ(*shown, "0.0 a.vtp\n0.1 b & \"c\" <d>.vtp\n1e+300 e.vtp\n");
}

TEST(SnapshotTipsy, RejectsValuesBeyondSinglePrecision) {
  const TemporaryFolder folder;
  const SampleSnapshot<double> sample(2);
  EXPECT_NE(message_of<engine::InputError>([&] {
              info_of(SnapshotFormat::tipsy).write(folder / "a.tipsy", sample.data());
            }).find("a.tipsy: body 4294967288 has a value beyond single precision: 1.79"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.tipsy.part"));
}

TEST(SnapshotColumnNames, AreParsedAndAllWrongOnesAreReported) {
  EXPECT_EQ(columns_named({}, "--columns"), ColumnChoice{});
  EXPECT_EQ(columns_named(std::vector<std::string>{"position", "mass"}, "--columns"),
            (ColumnChoice{false, true, false}));
  EXPECT_EQ(columns_named(std::vector<std::string>{"potential", "acceleration"}, "--columns"),
            (ColumnChoice{false, false, false, true, true}));
  EXPECT_EQ(message_of<engine::InputError>([] {
              columns_named(std::vector<std::string>{"velocities", "mass", "q"}, "--columns");
            }),
            "--columns: unknown column \"velocities\"; did you mean 'velocity'?\n"
            "--columns: unknown column \"q\"; known: id, position, velocity, mass, species, "
            "acceleration, potential");
  EXPECT_EQ(message_of<engine::InputError>([] { snapshot_format_named("hdf", "--format"); }),
            "--format: unknown format \"hdf\"; did you mean 'hdf5'?");
}

}  // namespace
}  // namespace mote::sim
