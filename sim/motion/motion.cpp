#include "sim/motion/motion.h"

#include <algorithm>

#include "engine/algo/for_each.h"
#include "engine/exec/parallel.h"
#include "sim/motion/clear_chosen.h"
#include "sim/motion/field_motion.h"
#include "sim/motion/motion_formula.h"

namespace mote::sim {
namespace {

using engine::Index;

/// target = update(target, rate, h) over one array.
template <class Real, class Update>
void update_column(Real* target, const Real* rate, Real h, Index begin, Index end, Update update) {
  for (Index i = begin; i < end; ++i) target[i] = update(target[i], rate[i], h);
}

}  // namespace

void kick(const engine::Cpu& exec, State<engine::Host>& state, double h) {
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto update = [](Real v, Real a, Real step) { return kick(v, a, step); };
    const FieldMotion<Real> moved = field_motion(s);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      update_column(s.vx, s.ax, static_cast<Real>(h), begin, end, update);
      update_column(s.vy, s.ay, static_cast<Real>(h), begin, end, update);
      update_column(s.vz, s.az, static_cast<Real>(h), begin, end, update);
      for (int k = 0; k < moved.count; ++k)
        if (moved.value[k])
          update_column(moved.value[k], moved.rate[k], static_cast<Real>(h), begin, end, update);
    });
  });
}

void drift(const engine::Cpu& exec, State<engine::Host>& state, double h) {
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto update = [](Real x, Real v, Real step) { return drift(x, v, step); };
    const FieldMotion<Real> moved = field_motion(s);
    Real* const x[3] = {s.x, s.y, s.z};
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      update_column(s.x, s.vx, static_cast<Real>(h), begin, end, update);
      update_column(s.y, s.vy, static_cast<Real>(h), begin, end, update);
      update_column(s.z, s.vz, static_cast<Real>(h), begin, end, update);
      for (int axis = 0; axis < 3; ++axis)
        if (moved.drift[axis])
          update_column(x[axis], moved.drift[axis], static_cast<Real>(h), begin, end, update);
    });
  });
}

void clear_accelerations(const engine::Cpu& exec, State<engine::Host>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    const FieldMotion<Real> moved = field_motion(s);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      for (Real* array : {s.ax, s.ay, s.az}) std::fill(array + begin, array + end, Real(0));
      for (int k = 0; k < moved.count; ++k)
        if (moved.summed[k]) std::fill(moved.rate[k] + begin, moved.rate[k] + end, Real(0));
    });
  });
}

void clear_chosen(const engine::Cpu& exec, State<engine::Host>& state,
                  const ForceRequest& request) {
  state.visit([&]<class Real>(StateView<Real> s) {
    for_each(exec, request.targets.of(s.count),
             ClearChosen<Real>{s, request.targets.slots, request.jerks});
  });
}

}  // namespace mote::sim
