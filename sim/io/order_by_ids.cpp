#include "sim/io/order_by_ids.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "engine/check.h"

namespace mote::sim {
namespace {

template <class T>
void gather(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t i : order) sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

}  // namespace

std::optional<std::uint64_t> order_by_ids(Bodies& bodies, const std::vector<std::uint64_t>& ids) {
  MOTE_EXPECT(ids.size() == bodies.mass.size());
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end())
    return std::nullopt;
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ids[a] < ids[b] || (ids[a] == ids[b] && a < b);
  });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (ids[order[k]] == ids[order[k - 1]]) return ids[order[k]];
  gather(bodies.mass, order), gather(bodies.position, order), gather(bodies.velocity, order);
  gather(bodies.names, order), gather(bodies.species, order);
  return std::nullopt;
}

}  // namespace mote::sim
