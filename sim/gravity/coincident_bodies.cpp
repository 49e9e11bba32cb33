#include "sim/gravity/coincident_bodies.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/exec/parallel.h"

namespace mote::sim {

using engine::Index;

namespace {

struct Hashed {
  std::uint32_t hash, body;
};

/// Equal for equal positions; both zeros are equal.
std::uint32_t hash_of(double x, double y, double z) {
  std::uint64_t hash = 0;
  for (const double component : {x, y, z}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(component + 0.0)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

constexpr std::size_t parts = 1024;  ///< of the bodies, by the upper bits of their hash
std::size_t part_of(std::uint32_t hash) {
  return hash >> 22;
}

}  // namespace

// Bodies are divided by their hash into parts that are sorted independently.
CoincidentBodies find_coincident(const engine::Cpu& exec, const State<engine::Host>& state) {
  return state.visit([&](const auto& s) {
    constexpr Index block = 1 << 18;
    const Index blocks = (s.count + block - 1) / block;
    const auto for_block = [&](Index k, const auto& use) {
      for (Index i = k * block; i < std::min(s.count, (k + 1) * block); ++i)
        use(static_cast<std::uint32_t>(i), hash_of(s.x[i], s.y[i], s.z[i]));
    };
    // Of each part the bodies of the first block, then of the second, ...
    std::vector<std::size_t> place(parts * static_cast<std::size_t>(blocks) + 1);
    const auto at = [&](std::size_t part, Index k) -> std::size_t& {
      return place[part * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(k)];
    };
    engine::parallel_tasks(exec.threads, blocks, [&](Index k) {
      std::vector<std::size_t> counts(parts);
      for_block(k, [&](std::uint32_t, std::uint32_t hash) { ++counts[part_of(hash)]; });
      for (std::size_t part = 0; part < parts; ++part) at(part, k) = counts[part];
    });
    std::size_t total = 0;
    for (std::size_t& count : place) {
      const std::size_t own = count;
      count = total, total += own;
    }
    std::vector<Hashed> bodies(static_cast<std::size_t>(s.count));
    engine::parallel_tasks(exec.threads, blocks, [&](Index k) {
      std::vector<std::size_t> next(parts);
      for (std::size_t part = 0; part < parts; ++part) next[part] = at(part, k);
      for_block(k, [&](std::uint32_t i, std::uint32_t hash) {
        bodies[next[part_of(hash)]++] = {hash, i};
      });
    });
    std::vector<CoincidentBodies> found(parts);
    engine::parallel_tasks(exec.threads, static_cast<Index>(parts), [&](Index task) {
      const auto part = static_cast<std::size_t>(task);
      const std::size_t begin = blocks > 0 ? at(part, 0) : 0,
                        end = blocks > 0 ? place[(part + 1) * static_cast<std::size_t>(blocks)] : 0;
      const auto key = [&](const Hashed& b) {
        return std::tuple(b.hash, s.x[b.body], s.y[b.body], s.z[b.body]);
      };
      std::sort(bodies.begin() + static_cast<std::ptrdiff_t>(begin),
                bodies.begin() + static_cast<std::ptrdiff_t>(end),
                [&](const Hashed& a, const Hashed& b) {
                  if (a.hash != b.hash) return a.hash < b.hash;
                  const auto first = key(a), second = key(b);
                  return first != second ? first < second : a.body < b.body;
                });
      CoincidentBodies& own = found[part];
      for (std::size_t k = begin + 1; k < end; ++k) {
        const Hashed &a = bodies[k - 1], &b = bodies[k];
        if (a.hash != b.hash || key(a) != key(b) || !(s.mass[a.body] > 0 || s.mass[b.body] > 0))
          continue;
        if (++own.pairs == 1 || static_cast<Index>(a.body) < own.first)
          own.first = a.body, own.second = b.body;
      }
    });
    CoincidentBodies all;
    for (const CoincidentBodies& own : found) {
      if (own.pairs > 0 && (all.pairs == 0 || own.first < all.first))
        all.first = own.first, all.second = own.second;
      all.pairs += own.pairs;
    }
    return all;
  });
}

}  // namespace mote::sim
