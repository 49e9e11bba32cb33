#include "sim/io/tipsy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"

namespace mote::sim {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t header_bytes = 28, padding_bytes = 4, block = 4096;

/// A particle type of the format and its number of floats per particle.
struct ParticleType {
  const char* name;
  std::size_t floats;
};
constexpr std::array<ParticleType, 3> tipsy_types{{{"gas", 12}, {"dark", 9}, {"star", 11}}};

std::uint32_t word(const char* bytes, bool swapped) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return swapped ? __builtin_bswap32(value) : value;
}

struct Header {
  bool swapped = false;
  std::array<std::uint64_t, 3> counts{};
  std::size_t bytes = header_bytes;  // including padding
};

class TipsyReader {
 public:
  TipsyReader(const std::filesystem::path& path, const std::string& location)
      : path_(path.string()), in_(path, std::ios::binary) {
    if (!std::filesystem::exists(path))
      throw engine::InputError(location,
                               location == path_ ? "no such file" : "no such file: " + path_,
                               "check the path");
    std::error_code error;
    length_ = std::filesystem::file_size(path, error);
    if (error || !in_) wrong("cannot be read");
  }

  Bodies read() {
    const Header header = read_header();
    in_.seekg(static_cast<std::streamoff>(header.bytes));
    Bodies bodies;
    std::size_t count = 0;
    for (const std::uint64_t c : header.counts) count += c;
    bodies.mass.reserve(count), bodies.position.reserve(count), bodies.velocity.reserve(count);
    for (std::size_t s = 0; s < tipsy_types.size(); ++s)
      read_particles(tipsy_types[s], header.counts[s], header.swapped, bodies);
    return bodies;
  }

 private:
  [[noreturn]] void wrong(const std::string& problem) const {
    throw engine::InputError(path_, problem, "mote reads binary TIPSY files of three dimensions");
  }

  Header read_header() {
    std::array<char, header_bytes> bytes{};
    if (length_ < header_bytes || !in_.read(bytes.data(), bytes.size()))
      wrong("is too short for a TIPSY file");
    const auto number = [&](std::size_t at, bool swapped) {
      return word(&bytes[8 + 4 * at], swapped);
    };
    Header header;
    const auto is_three = [&](bool swapped) { return number(1, swapped) == 3; };
    if (!is_three(false) && !is_three(true))
      wrong("is not a TIPSY file: its header does not announce 3 dimensions");
    header.swapped = !is_three(false);
    std::uint64_t sum = 0, expected = header_bytes;
    for (std::size_t s = 0; s < tipsy_types.size(); ++s) {
      header.counts[s] = number(2 + s, header.swapped);
      sum += header.counts[s];
      expected += header.counts[s] * tipsy_types[s].floats * sizeof(float);
    }
    if (sum != number(0, header.swapped))
      wrong(fmt::format("its header announces {} bodies, but {} of gas, dark matter and stars",
                        number(0, header.swapped), sum));
    if (length_ == expected + padding_bytes)
      header.bytes += padding_bytes;
    else if (length_ != expected)
      wrong(fmt::format("has {} bytes, but its header announces {} bodies, which are {} bytes",
                        length_, sum, expected + padding_bytes));
    return header;
  }

  void read_particles(const ParticleType& type, std::uint64_t count, bool swapped, Bodies& bodies) {
    const std::size_t bytes = type.floats * sizeof(float);
    std::vector<char> rows(block * bytes);
    for (std::uint64_t first = 0; first < count; first += block) {
      const std::uint64_t some = std::min<std::uint64_t>(block, count - first);
      if (!in_.read(rows.data(), static_cast<std::streamsize>(some * bytes)))
        wrong("could not be read completely");
      for (std::uint64_t i = 0; i < some; ++i) {
        std::array<double, 7> v{};
        for (std::size_t k = 0; k < v.size(); ++k) {
          v[k] = static_cast<double>(std::bit_cast<float>(word(&rows[i * bytes + 4 * k], swapped)));
          if (!std::isfinite(v[k]))
            wrong(fmt::format("{} particle {} holds a number that is not finite", type.name,
                              first + i + 1));
        }
        if (v[0] < 0)
          wrong(fmt::format("{} particle {} has a negative mass", type.name, first + i + 1));
        bodies.mass.push_back(v[0]);
        bodies.position.push_back({v[1], v[2], v[3]});
        bodies.velocity.push_back({v[4], v[5], v[6]});
      }
    }
  }

  std::string path_;
  std::ifstream in_;
  std::uintmax_t length_ = 0;
};

}  // namespace

namespace {

/// Output buffer of a standard (big-endian) file.
class TipsyBlock {
 public:
  void word(std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void real(double value) { word(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
  void time(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    word(static_cast<std::uint32_t>(bits >> 32)), word(static_cast<std::uint32_t>(bits));
  }
  void to(engine::AtomicFile& file) {
    file.write(bytes_);
    bytes_.clear();
  }

 private:
  std::string bytes_;
};

template <class T>
void write_dark(engine::AtomicFile& file, const SnapshotData& data, const SnapshotArrays<T>& a,
                const std::string& path) {
  TipsyBlock bytes;
  const std::array<std::span<const T>, 7> columns{
      data.columns.mass ? a.mass : std::span<const T>(),
      a.x,
      a.y,
      a.z,
      data.columns.velocity ? a.vx : std::span<const T>(),
      data.columns.velocity ? a.vy : std::span<const T>(),
      data.columns.velocity ? a.vz : std::span<const T>()};
  for (std::size_t i = 0; i < data.ids.size(); ++i) {
    for (const std::span<const T>& column : columns) {
      const double value = column.empty() ? 0 : static_cast<double>(column[i]);
      if (std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
        throw engine::InputError(
            path,
            fmt::format("body {} has a value beyond single precision: {}", data.ids[i], value),
            "TIPSY is limited to single precision; choose another format");
      bytes.real(value);
    }
    bytes.real(data.softening);
    bytes.real(data.columns.potential ? data.potential[i] : 0);
    if (i % block == block - 1) bytes.to(file);
  }
  bytes.to(file);
}

}  // namespace

void write_tipsy(const std::filesystem::path& path, const SnapshotData& data) {
  engine::AtomicFile file(path);
  const auto count = static_cast<std::uint32_t>(data.ids.size());
  TipsyBlock header;
  header.time(data.time);
  for (const std::uint32_t number : {count, 3u, 0u, count, 0u, 0u})
    header.word(number);  // the last is padding
  header.to(file);
  std::visit([&](const auto& arrays) { write_dark(file, data, arrays, path.string()); },
             data.arrays);
  file.commit();
}

Bodies read_bodies_tipsy(const std::filesystem::path& path, const std::string& location) {
  return TipsyReader(path, location).read();
}

}  // namespace mote::sim
