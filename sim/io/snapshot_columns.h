#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/io/snapshot_data.h"

/// Private to sim/io: a snapshot as a list of columns, for the writers of all formats.
namespace mote::sim {

/// The data of a column, one or three numbers per row, each component in its own array.
template <class T>
struct Components {
  std::array<std::span<const T>, 3> part{};
  std::size_t count = 1;

  std::size_t rows() const { return part[0].size(); }
};

struct SnapshotColumn {
  std::string_view name;      ///< one of column_names()
  std::string_view quantity;  ///< kind as in engine/quantity.h; "" if dimensionless
  std::variant<Components<float>, Components<double>, Components<std::uint32_t>,
               Components<std::uint8_t>>
      numbers;
};

/// The chosen columns, in the order of column_names(); species only if the scene has some.
std::vector<SnapshotColumn> columns_of(const SnapshotData& data);

/// Rows per block of for_each_block.
inline constexpr std::size_t interleaved_rows = 65536;

/// Calls `use(first row, numbers)` for consecutive blocks of rows, with interleaved components.
template <class T, class Use>
void for_each_block(const Components<T>& column, Use use) {
  std::vector<T> block(std::min(column.rows(), interleaved_rows) * column.count);
  for (std::size_t first = 0; first < column.rows(); first += interleaved_rows) {
    const std::size_t rows = std::min(interleaved_rows, column.rows() - first);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < column.count; ++c)
        block[i * column.count + c] = column.part[c][first + i];
    use(first, std::span<const T>(block.data(), rows * column.count));
  }
}

/// The memory of `numbers` as bytes.
template <class T>
std::string_view bytes_of(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace mote::sim
