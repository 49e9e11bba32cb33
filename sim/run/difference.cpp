#include "sim/run/difference.h"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/text.h"

namespace mote::sim {
namespace {

/// The first body whose vector differs; -1 for none.
template <class T>
std::ptrdiff_t differs(const T* const (&a)[3], const T* const (&b)[3], engine::Index count) {
  std::ptrdiff_t first = -1;
  for (int k = 0; k < 3; ++k)
    for (engine::Index i = 0; i < count && (first < 0 || i < first); ++i)
      if (std::memcmp(a[k] + i, b[k] + i, sizeof(T)) != 0) first = i;
  return first;
}

}  // namespace

std::optional<Difference> first_difference(Simulation& a, Simulation& b, std::uint64_t last,
                                           const std::string& forces) {
  while (true) {
    std::optional<Difference> found;
    a.state().visit([&](auto s) {
      b.state().visit([&](auto t) {
        if constexpr (std::is_same_v<decltype(s), decltype(t)>) {
          using Real = std::remove_const_t<std::remove_pointer_t<decltype(s.x)>>;
          const auto first = [&](const Real* x, const Real* y, const Real* z, const Real* u, const Real* v,
                                 const Real* w) {
            return differs<Real>({x, y, z}, {u, v, w}, s.count);
          };
          const std::ptrdiff_t x = first(s.x, s.y, s.z, t.x, t.y, t.z);
          const std::ptrdiff_t v = first(s.vx, s.vy, s.vz, t.vx, t.vy, t.vz);
          const std::ptrdiff_t f = first(s.ax, s.ay, s.az, t.ax, t.ay, t.az);
          if (x < 0 && v < 0 && f < 0) return;
          std::vector<std::string> columns;
          if (x >= 0) columns.emplace_back("position");
          if (v >= 0) columns.emplace_back("velocity");
          if (f >= 0) columns.emplace_back("acceleration");
          const std::ptrdiff_t body = x >= 0 ? x : f >= 0 ? f : v;
          found = Difference{a.step(), s.id[body], engine::joined(columns, ", "),
                             x >= 0   ? "kick or drift"
                             : f >= 0 ? forces
                                      : "kick"};
        }
      });
    });
    if (found || a.step() >= last) return found;
    a.advance(1, {});
    b.advance(1, {});
  }
}

}  // namespace mote::sim
