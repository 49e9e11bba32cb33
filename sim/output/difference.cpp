#include "sim/output/difference.h"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/text.h"

namespace mote::sim {
namespace {

/// Index of the first body whose vector differs bitwise; -1 for none.
template <class T>
std::ptrdiff_t first_mismatch(T* const (&a)[3], T* const (&b)[3], engine::Index count) {
  std::ptrdiff_t first = -1;
  for (int k = 0; k < 3; ++k)
    for (engine::Index i = 0; i < count && (first < 0 || i < first); ++i)
      if (std::memcmp(a[k] + i, b[k] + i, sizeof(T)) != 0) first = i;
  return first;
}

template <class Real>
std::optional<Difference> difference_of(const StateView<Real>& s, const StateView<Real>& t,
                                        const std::string& forces) {
  const std::ptrdiff_t x = first_mismatch<Real>({s.x, s.y, s.z}, {t.x, t.y, t.z}, s.count);
  const std::ptrdiff_t v = first_mismatch<Real>({s.vx, s.vy, s.vz}, {t.vx, t.vy, t.vz}, s.count);
  const std::ptrdiff_t f = first_mismatch<Real>({s.ax, s.ay, s.az}, {t.ax, t.ay, t.az}, s.count);
  if (x < 0 && v < 0 && f < 0) return std::nullopt;
  std::vector<std::string> columns;
  if (x >= 0) columns.emplace_back("position");
  if (v >= 0) columns.emplace_back("velocity");
  if (f >= 0) columns.emplace_back("acceleration");
  const std::ptrdiff_t body = x >= 0 ? x : f >= 0 ? f : v;
  return Difference{0, s.id[body], engine::joined(columns, ", "),
                    x >= 0   ? "kick or drift"
                    : f >= 0 ? forces
                             : "kick"};
}

}  // namespace

std::optional<Difference> first_difference(Simulation& a, Simulation& b, std::uint64_t last,
                                           const std::string& forces) {
  while (true) {
    std::optional<Difference> found;
    a.state().visit([&]<class Real>(StateView<Real> s) {
      b.state().visit([&]<class Other>(StateView<Other> t) {
        if constexpr (std::is_same_v<Real, Other>) found = difference_of(s, t, forces);
      });
    });
    if (found) found->step = a.step();
    if (found || a.step() >= last) return found;
    a.advance(1, {});
    b.advance(1, {});
  }
}

}  // namespace mote::sim
