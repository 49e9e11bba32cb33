#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "sim/motion/integrator.h"

// Kept numbers and columns as bytes: the numbers, then the columns one after the other.
namespace mote::sim {

/// `read(to, from, count)` copies doubles to the host.
template <class Space, class Read>
std::string kept_as_bytes(const Kept<Space>& kept, const Read& read) {
  if (kept.numbers.empty() && kept.columns.empty()) return {};
  std::vector<double> all;
  for (const double* number : kept.numbers) all.push_back(*number);
  for (const engine::Buffer<double, Space>* column : kept.columns) {
    const std::size_t begin = all.size();
    all.resize(begin + static_cast<std::size_t>(column->size()));
    read(all.data() + begin, column->data(), column->size());
  }
  std::string bytes(all.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return bytes;
}

/// `write(to, from, count)` copies doubles from the host, and is done with `from` when it returns.
template <class Space, class Write>
void restore_from_bytes(const Kept<Space>& kept, std::string_view bytes, const Write& write) {
  std::vector<double> all(bytes.size() / sizeof(double));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(double));
  for (double* number : kept.numbers) *number = 0;
  for (engine::Buffer<double, Space>* column : kept.columns) *column = {};
  if (all.empty()) return;
  MOTE_EXPECT(all.size() >= kept.numbers.size());
  const double* next = all.data();
  for (double* number : kept.numbers) *number = *next++;
  if (kept.columns.empty()) return;
  const std::size_t size = (all.size() - kept.numbers.size()) / kept.columns.size();
  MOTE_EXPECT(kept.numbers.size() + size * kept.columns.size() == all.size());
  const auto count = static_cast<engine::Index>(size);
  for (engine::Buffer<double, Space>* column : kept.columns) {
    *column = engine::Buffer<double, Space>(count);
    write(column->data(), next, count);
    next += size;
  }
}

}  // namespace mote::sim
