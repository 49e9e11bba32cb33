#include "sim/io/npz.h"

#include <fmt/format.h>

#include <bit>
#include <type_traits>

#include "engine/text.h"
#include "sim/io/contact_columns.h"
#include "sim/io/snapshot_columns.h"
#include "sim/io/zip.h"

namespace mote::sim {
namespace {

static_assert(std::endian::native == std::endian::little);

/// NumPy's name of a type, "<f4".
template <class T>
std::string dtype_of() {
  static_assert(std::is_floating_point_v<T> || std::is_unsigned_v<T>);
  return fmt::format("<{}{}", std::is_floating_point_v<T> ? 'f' : 'u', sizeof(T));
}

/// Header of a .npy file (NumPy enhancement proposal 1, format 1.0), padded to a multiple of 64
/// bytes. `shape`: "100, 3"; "" of a scalar.
std::string npy_head(const std::string& type, const std::string& shape) {
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t prefix = 10, alignment = 64;
  dictionary.resize(
      (prefix + dictionary.size() + 1 + alignment - 1) / alignment * alignment - prefix - 1, ' ');
  dictionary += '\n';
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  return std::string("\x93NUMPY\x01", 7) + '\0' + static_cast<char>(length & 0xff) +
         static_cast<char>(length >> 8) + dictionary;
}

void add_member(ZipFile& zip, std::string_view name, const std::string& type,
                const std::string& shape, const std::string& bytes) {
  const std::string head = npy_head(type, shape);
  zip.member(std::string(name) + ".npy", [&](const ZipFile::Sink& to) { to(head), to(bytes); });
}

template <class T>
void add_column(ZipFile& zip, std::string_view name, const Components<T>& column) {
  const std::string head = npy_head(
      dtype_of<T>(), column.count == 1 ? fmt::format("{},", column.rows())
                                       : fmt::format("{}, {}", column.rows(), column.count));
  zip.member(std::string(name) + ".npy", [&](const ZipFile::Sink& to) {
    to(head);
    for_each_block(column, [&](std::size_t, std::span<const T> numbers) { to(bytes_of(numbers)); });
  });
}

template <class T>
void add_number(ZipFile& zip, std::string_view name, T value) {
  add_member(zip, name, dtype_of<T>(), "", std::string(bytes_of(std::span<const T>(&value, 1))));
}

/// Converts UTF-8 to UTF-32, which numpy stores. Of an invalid sequence each byte becomes the code
/// point of the same value.
std::u32string characters_of(const std::string& text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned lead = byte(i);
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
    if (more == 0 || !engine::is_utf8(std::string_view(text).substr(i, more + 1))) {
      out += static_cast<char32_t>(byte(i++));
      continue;
    }
    char32_t code = lead & (0x3Fu >> more);
    for (std::size_t k = 1; k <= more; ++k) code = code << 6 | (byte(i + k) & 0x3F);
    out += code;
    i += more + 1;
  }
  return out;
}

/// Adds an array of strings, or a scalar one if `scalar`.
void add_texts(ZipFile& zip, std::string_view name, const std::vector<std::string>& texts,
               bool scalar) {
  std::vector<std::u32string> rows;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    rows.push_back(characters_of(text));
    longest = std::max(longest, rows.back().size());
  }
  std::string bytes;
  for (std::u32string& row : rows) {
    row.resize(longest, U'\0');
    bytes += bytes_of(std::span<const char32_t>(row));
  }
  add_member(zip, name, fmt::format("<U{}", longest),
             scalar ? "" : fmt::format("{},", texts.size()), bytes);
}

}  // namespace

void write_npz(const std::filesystem::path& path, const SnapshotData& data) {
  ZipFile zip(path);
  for (const SnapshotColumn& column : columns_of(data))
    std::visit([&](const auto& numbers) { add_column(zip, column.name, numbers); }, column.numbers);
  if (data.contacts)
    for (const SnapshotColumn& column : columns_of(*data.contacts))
      std::visit(
          [&](const auto& numbers) {
            add_column(zip, "contact_" + std::string(column.name), numbers);
          },
          column.numbers);
  add_number(zip, "time", data.time);
  add_number(zip, "step", data.step);
  add_number(zip, "gravitational", data.gravitational);
  add_number(zip, "softening", data.softening);
  add_texts(zip, "title", {data.title}, true);
  add_texts(zip, "units", {data.units.name}, true);
  if (!data.kinds.empty()) {
    std::vector<std::string> names;
    for (const SnapshotSpecies& kind : data.kinds) names.push_back(kind.name);
    add_texts(zip, "species_names", names, false);
  }
  zip.commit();
}

}  // namespace mote::sim
