#include "sim/space/cells.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"

namespace mote::sim {

CellLayout layout_cells(const Domain& domain, engine::Vec3d low, engine::Vec3d high, double reach,
                        std::int64_t most_cells) {
  MOTE_EXPECT(reach > 0 && most_cells >= 1);
  CellLayout grid{};
  const double lows[3]{low.x, low.y, low.z}, highs[3]{high.x, high.y, high.z};
  const double domain_low[3]{domain.low.x, domain.low.y, domain.low.z};
  const double domain_length[3]{domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    grid.periodic[axis] = domain.periodic[axis];
    grid.low[axis] = domain.periodic[axis] ? domain_low[axis] : lows[axis];
    grid.length[axis] =
        domain.periodic[axis] ? domain_length[axis] : std::max(highs[axis] - lows[axis], reach);
    MOTE_EXPECT(!domain.periodic[axis] || domain_length[axis] >= 2 * reach);
  }
  // A little larger than the reach: bodies at the borders of cells must not be two cells apart by rounding.
  double size = reach * (1 + 1e-9);
  const auto cells_along = [&](int axis) { return std::max(1.0, std::floor(grid.length[axis] / size)); };
  while (cells_along(0) * cells_along(1) * cells_along(2) > static_cast<double>(most_cells)) size *= 1.125;
  for (int axis = 0; axis < 3; ++axis) {
    grid.count[axis] = static_cast<int>(cells_along(axis));
    grid.inverse[axis] = grid.count[axis] / grid.length[axis];
  }
  return grid;
}

}  // namespace mote::sim
