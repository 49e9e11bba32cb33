#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/io/snapshot.h"

/// Private to sim/io: one moment as a list of columns, for the writers of all formats.
namespace mote::sim {

/// The numbers of a column, one or three a body, each component in its own array of the same
/// length.
template <class T>
struct Components {
  std::array<std::span<const T>, 3> part{};
  std::size_t count = 1;

  std::size_t rows() const { return part[0].size(); }
};

struct SnapshotColumn {
  std::string_view name;      ///< of column_names()
  std::string_view quantity;  ///< as in engine/quantity.h; "" for a pure number
  std::variant<Components<float>, Components<double>, Components<std::uint32_t>,
               Components<std::uint8_t>>
      numbers;
};

/// Those that are chosen, in the order of column_names(); species only where the scene has some.
std::vector<SnapshotColumn> columns_of(const SnapshotData& data);

/// Bodies whose components are interleaved at a time.
inline constexpr std::size_t interleaved_bodies = 65536;

/// Calls `use(first row, numbers)` with the rows in their order, the components of each side by
/// side.
template <class T, class Use>
void in_blocks(const Components<T>& column, Use use) {
  std::vector<T> block(std::min(column.rows(), interleaved_bodies) * column.count);
  for (std::size_t first = 0; first < column.rows(); first += interleaved_bodies) {
    const std::size_t rows = std::min(interleaved_bodies, column.rows() - first);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < column.count; ++c)
        block[i * column.count + c] = column.part[c][first + i];
    use(first, std::span<const T>(block.data(), rows * column.count));
  }
}

/// The bytes of numbers, as they stand in memory.
template <class T>
std::string_view bytes_of(std::span<const T> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace mote::sim
