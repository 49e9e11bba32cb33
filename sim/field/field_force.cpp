#include "sim/field/field_force.h"

#include <vector>

#include "engine/algo/reduce.h"
#include "engine/exec/parallel.h"

namespace mote::sim {

using engine::Cpu;
using engine::Host;
using engine::Index;

FieldForce::FieldForce(const std::vector<Field>& fields, double gravitational, int order)
    : fields_(fields),
      gravitational_(gravitational),
      flows_(has_velocity_flow(fields)),
      expressions_(fields, evaluations_of_kick(order)) {}

void FieldForce::run(const Cpu& exec, State<Host>& state, const StageTime& time, StepReport&) {
  const double t = time_of(time);
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto formulas = position_formulas<Real>(fields_, gravitational_);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      const auto add = [&](const auto formula) {
        for (Index i = begin; i < end; ++i) {
          const Vec3<Real> a = formula.acceleration({s.x[i], s.y[i], s.z[i]});
          s.ax[i] += a.x;
          s.ay[i] += a.y;
          s.az[i] += a.z;
        }
      };
      for (const auto& formula : formulas) std::visit(add, formula);
      expressions_.add(s, t, begin, end);
    });
  });
}

void FieldForce::kick(const Cpu& exec, State<Host>& state, double h, const StageTime& time) {
  const double t = time_of(time);
  state.visit([&]<class Real>(StateView<Real> s) {
    const VelocityFlow<Real> flow = velocity_flow<Real>(fields_, 0.5 * h);
    const auto step = static_cast<Real>(h);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      const auto flow_all = [&] {
        for (Index i = begin; flows_ && i < end; ++i) {
          const Vec3<Real> v = flow({s.vx[i], s.vy[i], s.vz[i]});
          s.vx[i] = v.x;
          s.vy[i] = v.y;
          s.vz[i] = v.z;
        }
      };
      flow_all();
      if (expressions_.velocity_dependent()) {
        expressions_.kick(s, h, t, begin, end);
      } else {
        for (Index i = begin; i < end; ++i) {
          s.vx[i] = sim::kick<Real>(s.vx[i], s.ax[i], step);
          s.vy[i] = sim::kick<Real>(s.vy[i], s.ay[i], step);
          s.vz[i] = sim::kick<Real>(s.vz[i], s.az[i], step);
        }
      }
      flow_all();
    });
  });
}

void FieldForce::add_velocity_terms(const Cpu& exec, State<Host>& state, const StageTime& time) {
  const double t = time_of(time);
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto acceleration = velocity_acceleration<Real>(fields_);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      for (Index i = begin; flows_ && i < end; ++i) {
        const Vec3<Real> a = acceleration({s.vx[i], s.vy[i], s.vz[i]});
        s.ax[i] += a.x;
        s.ay[i] += a.y;
        s.az[i] += a.z;
      }
      expressions_.add_velocity_terms(s, t, begin, end);
    });
  });
}

double FieldForce::potential_energy(const Cpu& exec, const State<Host>& state,
                                    const StageTime& time) {
  const double t = time_of(time);
  const auto formulas = position_formulas<double>(fields_, gravitational_);
  return state.visit([&]<class Const>(StateView<Const> s) {
    return engine::ordered_sum(exec, s.count, 0.0, [&](Index begin, Index end) {
      std::vector<double> phi(static_cast<std::size_t>(end - begin), 0.0);
      const auto add = [&](const auto formula) {
        for (Index i = begin; i < end; ++i)
          phi[static_cast<std::size_t>(i - begin)] +=
              formula.potential({static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                                 static_cast<double>(s.z[i])});
      };
      for (const auto& formula : formulas) std::visit(add, formula);
      expressions_.add_potentials<std::remove_const_t<Const>>(s, t, begin, end, phi.data());
      double sum = 0;
      for (Index i = begin; i < end; ++i)
        sum += static_cast<double>(s.mass[i]) * phi[static_cast<std::size_t>(i - begin)];
      return sum;
    });
  });
}

}  // namespace mote::sim
