#pragma once

#include "sim/space/walk.cuh"

namespace mote::sim {

/// Threads a place, where many places fill a GPU by themselves.
inline int near_lanes_for(engine::Index places) {
  return places >= 300'000 ? 1 : 8;
}

/// Calls use(q, record[q], d) for those neighbours of place p that are lane `lane` of it: q is
/// their place, and d the separation x_q - x_p of the nearest images. All that were listed, those
/// that have gone out of reach too, which must add nothing: when a body was listed changes no bit
/// of what is added up but by the order of its neighbours. `record`: by place, with x, y, z as
/// those of `near.place`. Beyond the last place, nothing.
///
/// For long formulas: a record is on its way while the one before it is used, and the number of the
/// one behind it.
template <int lanes, class Record, class Real, class Use>
__device__ __forceinline__ void for_each_near(const DeviceNeighbourView<Real>& near,
                                              const Record* record, int p, int lane, Use&& use) {
  if (p >= near.count) return;
  const std::int32_t word = near.neighbours[p], count = word & (at_border - 1);
  const Real own[3] = {record[p].x, record[p].y, record[p].z};
  const bool borders = (word & at_border) != 0;
  const auto meet = [&](std::int32_t q, const Record& other, bool image) {
    engine::Vec3<Real> d{other.x - own[0], other.y - own[1], other.z - own[2]};
    if (image)
      d = {nearest_image(d.x, near.length[0], near.inverse[0]),
           nearest_image(d.y, near.length[1], near.inverse[1]),
           nearest_image(d.z, near.length[2], near.inverse[2])};
    use(q, other, d);
  };
  if (count > near.capacity) {
    for_each_listed_by_walking<lanes>(near, p, [&](std::int32_t k, std::int32_t q) {
      if (k % lanes == lane) meet(q, record[q], true);
    });
    return;
  }
  const std::int32_t* entry = near.neighbour + neighbour_entry(p, lanes, near.capacity) + lane;
  const auto number = [&](std::int32_t k) {
    const std::int32_t q = k < count ? *entry : p;
    entry += neighbour_row;
    return q;
  };
  std::int32_t q = number(lane), then = number(lane + lanes);
  Record other = record[q];
  for (std::int32_t k = lane; k < count; k += lanes) {
    const Record now = other;
    const std::int32_t at = q;
    q = then;
    other = record[q];
    then = number(k + 2 * lanes);
    meet(at, now, borders);
  }
}

}  // namespace mote::sim
