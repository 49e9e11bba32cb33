#pragma once

#include "sim/space/cell_walk.cuh"

namespace mote::sim {

/// Lanes per slot: one if the slots alone fill a GPU.
inline int neighbour_lanes_for(engine::Index slots) {
  return slots >= 300'000 ? 1 : 8;
}

/// Calls use(q, record[q], d) for the neighbours of slot p that belong to lane `lane`; q is their
/// slot and d = x_q - x_p the minimum-image separation. Includes neighbours that have left the
/// cutoff; they must contribute exactly zero, so that results depend on the time of the list build
/// only by the order of neighbours. `record`: by slot, with the x, y, z of `lists.position`. No-op
/// for p >= lists.count.
///
/// Helps long formulas: prefetches the next record and the slot after it.
template <int lanes, class Record, class Real, class Use>
__device__ __forceinline__ void for_each_neighbour_record(const DeviceNeighbourView<Real>& lists,
                                                          const Record* record, int p, int lane,
                                                          Use&& use) {
  if (p >= lists.count) return;
  const std::int32_t word = lists.neighbour_counts[p], count = word & (at_border - 1);
  const Real own[3] = {record[p].x, record[p].y, record[p].z};
  const bool minimum_image = (word & at_border) != 0;
  const auto visit = [&](std::int32_t q, const Record& other, bool image) {
    engine::Vec3<Real> d{other.x - own[0], other.y - own[1], other.z - own[2]};
    if (image)
      d = {nearest_image(d.x, lists.length[0], lists.inverse[0]),
           nearest_image(d.y, lists.length[1], lists.inverse[1]),
           nearest_image(d.z, lists.length[2], lists.inverse[2])};
    use(q, other, d);
  };
  if (count > lists.capacity) {
    for_each_neighbour_in_cells<lanes>(lists, p, [&](std::int32_t k, std::int32_t q) {
      if (k % lanes == lane) visit(q, record[q], true);
    });
    return;
  }
  const std::int32_t* entry = lists.neighbour + neighbour_entry(p, lanes, lists.capacity) + lane;
  const auto slot = [&](std::int32_t k) {
    const std::int32_t q = k < count ? *entry : p;
    entry += interleave_width;
    return q;
  };
  std::int32_t q = slot(lane), next = slot(lane + lanes);
  Record other = record[q];
  for (std::int32_t k = lane; k < count; k += lanes) {
    const Record now = other;
    const std::int32_t at = q;
    q = next;
    other = record[q];
    next = slot(k + 2 * lanes);
    visit(at, now, minimum_image);
  }
}

}  // namespace mote::sim
