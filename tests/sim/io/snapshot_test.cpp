#include "sim/io/snapshot.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "tests/sim/io/units_named.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

/// Bodies with distinct values that use all bits of their type.
template <class T>
struct Sample {
  std::vector<std::uint32_t> ids;
  std::array<std::vector<T>, 7> column;

  explicit Sample(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      ids.push_back(static_cast<std::uint32_t>(4294967295u - 3 * i));
    for (std::size_t c = 0; c < 7; ++c)
      for (std::size_t i = 0; i < n; ++i)
        column[c].push_back(static_cast<T>(c + 1) / static_cast<T>(3 * i + 7) *
                            (c > 0 && c < 4 && i % 2 ? -1 : 1));
  }
  SnapshotData data() const {
    const auto& c = column;
    return {.ids = ids,
            .arrays = SnapshotArrays<T>{c[1], c[2], c[3], c[4], c[5], c[6], c[0]},
            .time = 0.1,
            .step = 12345678901234567ull,
            .state_hash = 0x0123456789abcdefull,
            .units = units("galactic"),
            .gravitational = 43009.17,
            .softening = 0.02,
            .title = "Two galaxies \xC3\xA9"};
  }
};

template <class T>
class Snapshot : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Snapshot, Precisions);

TYPED_TEST(Snapshot, ReadsBackBitForBit) {
  const TemporaryFolder folder;
  for (const std::size_t n : {0u, 1u, 2u, 33u, 65535u, 65536u, 65537u, 140000u}) {
    Sample<TypeParam> sample(n);
    if (n > 1) {
      sample.column[1][1] = static_cast<TypeParam>(-0.0);
      sample.column[2][1] = std::numeric_limits<TypeParam>::denorm_min();
      sample.column[3][1] = std::numeric_limits<TypeParam>::max();
    }
    write_snapshot(folder / "a.hdf5", sample.data());
    const Bodies b = read_snapshot(folder / "a.hdf5", &units("galactic"));
    ASSERT_EQ(b.count(), static_cast<engine::Index>(n));
    ASSERT_EQ(b.position.size(), n);
    ASSERT_EQ(b.velocity.size(), n);
    EXPECT_TRUE(b.names.empty());
    std::size_t different = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::array<double, 7> read{b.mass[i],       b.position[i].x, b.position[i].y,
                                       b.position[i].z, b.velocity[i].x, b.velocity[i].y,
                                       b.velocity[i].z};
      for (std::size_t c = 0; c < 7; ++c)
        different += std::bit_cast<std::uint64_t>(read[c]) !=
                     std::bit_cast<std::uint64_t>(static_cast<double>(sample.column[c][i]));
    }
    EXPECT_EQ(different, 0u) << n;
  }
}

TYPED_TEST(Snapshot, IsReproducibleByteForByte) {
  const TemporaryFolder folder;
  const Sample<TypeParam> sample(50);
  write_snapshot(folder / "a.hdf5", sample.data());
  const std::string first = engine::read_file(folder / "a.hdf5");
  ::sleep(1);  // by default, HDF5 stores the time of creation in seconds
  write_snapshot(folder / "a.hdf5", sample.data());
  EXPECT_TRUE(first == engine::read_file(folder / "a.hdf5"));
}

constexpr const char* full_message =
    ": File too large; check that the folder exists and is writable and that the disk has space";

/// Writes with file sizes limited to `limit`; returns the message of the exception.
std::string write_with_limit(const std::filesystem::path& path, const Sample<double>& sample,
                             rlim_t limit) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit during{limit, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &during);
  const std::string message =
      message_of<engine::SystemError>([&] { write_snapshot(path, sample.data()); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  return message;
}

/// To be run in a separate process: simulates a full disk at each of these sizes, then writes with
/// enough space. Reports errors on standard error, like HDF5, and exits normally, through HDF5's
/// exit handlers.
[[noreturn]] void fill_disk(const std::filesystem::path& path, std::size_t bodies,
                            const std::vector<rlim_t>& sizes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const Sample<double> sample(bodies);
  const std::string old = engine::read_file(path);
  for (const rlim_t size : sizes) {
    const std::string message = write_with_limit(path, sample, size);
    if (message != "write " + path.string() + full_message ||
        std::filesystem::exists(engine::part_of(path)) || engine::read_file(path) != old)
      std::fprintf(stderr, "%ju: %s\n", static_cast<std::uintmax_t>(size), message.c_str());
  }
  write_snapshot(path, sample.data());
  std::exit(0);
}

TEST(SnapshotDeathTest, OnAFullDiskReportsItAndKeepsOnlyTheOldFile) {
  const TemporaryFolder folder;
  for (const std::size_t bodies : {0u, 1u, 100000u}) {
    write_snapshot(folder / "full.hdf5", Sample<double>(bodies).data());
    const rlim_t full = std::filesystem::file_size(folder / "full.hdf5");
    std::vector<rlim_t> sizes{full - 1};
    for (rlim_t size = 0; size < full; size += (bodies > 1 ? 777777 : 37)) sizes.push_back(size);
    const auto path = folder.file("a.hdf5", "old");
    EXPECT_EXIT(fill_disk(path, bodies, sizes), ::testing::ExitedWithCode(0), "^$") << bodies;
    EXPECT_EXIT(std::exit(write_with_limit(path, Sample<double>(bodies), full).empty() ? 0 : 1),
                ::testing::ExitedWithCode(0), "^$")
        << "exactly enough space";
  }
}

TEST(SnapshotFile, CannotBeMadeBelowAFile) {
  const TemporaryFolder folder;
  const auto path = folder.file("file", "") / "a.hdf5";
  EXPECT_EQ(message_of<engine::SystemError>([&] { write_snapshot(path, Sample<float>(3).data()); }),
            "open " + path.string() +
                ": Not a directory; check that the folder exists and is writable and that the disk "
                "has space");
}

TEST(SnapshotFile, IsNotRenamedOverAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.hdf5");
  EXPECT_NE(message_of<engine::SystemError>(
                [&] { write_snapshot(folder / "a.hdf5", Sample<float>(3).data()); }),
            "");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.hdf5.part"));
}

}  // namespace
}  // namespace mote::sim
