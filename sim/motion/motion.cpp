#include "sim/motion/motion.h"

#include <algorithm>

#include "engine/exec/parallel.h"
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
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      update_column(s.vx, s.ax, static_cast<Real>(h), begin, end, update);
      update_column(s.vy, s.ay, static_cast<Real>(h), begin, end, update);
      update_column(s.vz, s.az, static_cast<Real>(h), begin, end, update);
      if (s[Extra::density_rate])
        update_column(s[Extra::density], s[Extra::density_rate], static_cast<Real>(h), begin, end,
                      update);
      for (int axis = 0; axis < 3 && s[Extra::spin_rate_x]; ++axis)
        update_column(s.extra[static_cast<int>(Extra::spin_x) + axis],
                      s.extra[static_cast<int>(Extra::spin_rate_x) + axis], static_cast<Real>(h),
                      begin, end, update);
    });
  });
}

void drift(const engine::Cpu& exec, State<engine::Host>& state, double h) {
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto update = [](Real x, Real v, Real step) { return drift(x, v, step); };
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      update_column(s.x, s.vx, static_cast<Real>(h), begin, end, update);
      update_column(s.y, s.vy, static_cast<Real>(h), begin, end, update);
      update_column(s.z, s.vz, static_cast<Real>(h), begin, end, update);
      if (s[Extra::transport_velocity_x]) {
        update_column(s.x, s[Extra::transport_velocity_x], static_cast<Real>(h), begin, end,
                      update);
        update_column(s.y, s[Extra::transport_velocity_y], static_cast<Real>(h), begin, end,
                      update);
        update_column(s.z, s[Extra::transport_velocity_z], static_cast<Real>(h), begin, end,
                      update);
      }
    });
  });
}

void clear_accelerations(const engine::Cpu& exec, State<engine::Host>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      for (Real* array : {s.ax, s.ay, s.az}) std::fill(array + begin, array + end, Real(0));
      for (const Extra rate : {Extra::spin_rate_x, Extra::spin_rate_y, Extra::spin_rate_z})
        if (Real* const array = s[rate]) std::fill(array + begin, array + end, Real(0));
    });
  });
}

}  // namespace mote::sim
