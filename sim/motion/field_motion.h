#pragma once

#include "engine/check.h"
#include "sim/state.h"

namespace mote::sim {

/// How kicks and drifts change the fields of a state, as its layout says: columns, for kernels.
template <class Real>
struct FieldMotion {
  static constexpr int capacity = 8;
  int count = 0;
  Real* value[capacity] = {};  ///< kicks add h times the rate; null: only cleared
  Real* rate[capacity] = {};
  bool summed[capacity] = {};  ///< the rate is cleared with the accelerations
  const Real* drift[3] = {};   ///< velocities that drifts add, of each axis; or all null
};

template <class Real>
FieldMotion<Real> field_motion(const StateView<Real>& s) {
  FieldMotion<Real> motion;
  for (int k = 0; k < s.field_count; ++k) {
    const FieldInfo& field = *s.field_info[k];
    if (field.drifts_along >= 0) motion.drift[field.drifts_along] = s.field_column[k];
    if (!field.rate_of && !field.summed) continue;
    MOTE_EXPECT(motion.count < motion.capacity);
    motion.value[motion.count] = field.rate_of ? s[*field.rate_of] : nullptr;
    MOTE_EXPECT(!field.rate_of || motion.value[motion.count]);
    motion.rate[motion.count] = s.field_column[k];
    motion.summed[motion.count++] = field.summed;
  }
  MOTE_EXPECT(!motion.drift[0] == !motion.drift[1] && !motion.drift[0] == !motion.drift[2]);
  return motion;
}

}  // namespace mote::sim
