#include "sim/hand/hand.h"

#include <algorithm>

#include "sim/space/fixed_field.h"
#include "sim/space/periods.h"

namespace mote::sim {

using engine::Cpu;
using engine::Host;
using engine::Index;

const engine::ParamTable<Hand>& hand_table() {
  using engine::param;
  static const engine::ParamTable<Hand> table{
      "hand",
      "A damped spring that pulls one body to a point: what a drag with the mouse is, and a way to "
      "pull a molecule or a grain by a script. It gives the body momentum and energy from outside; "
      "errors of the energy are not counted while it pulls.",
      {param(&Hand::body, {.name = "body",
                           .help = "number of the body (its id, from 0)",
                           .minimum = 0,
                           .maximum = 4294967294.0,
                           .live = true}),
       param(&Hand::x, {.name = "x",
                        .help = "x of the point to which the body is pulled",
                        .unit = "length",
                        .live = true}),
       param(&Hand::y, {.name = "y", .help = "its y", .unit = "length", .live = true}),
       param(&Hand::z, {.name = "z", .help = "its z", .unit = "length", .live = true}),
       param(&Hand::stiffness,
             {.name = "stiffness",
              .help = "acceleration per distance, in units of 1/time^2: the square of the angular "
                      "frequency; 0: nothing is pulled",
              .minimum = 0,
              .live = true}),
       param(&Hand::damping, {.name = "damping",
                              .help = "rate at which the hand slows the body; with it the motion "
                                      "is of first order in dt, whatever the integrator (ias15 "
                                      "and hermite: of their own)",
                              .unit = "rate",
                              .minimum = 0,
                              .live = true})}};
  return table;
}

template <class T>
HandFormula<T> formula_of(const Hand& hand, const Domain& domain) {
  HandFormula<T> formula{{static_cast<T>(hand.x), static_cast<T>(hand.y), static_cast<T>(hand.z)},
                         static_cast<T>(hand.stiffness),
                         static_cast<T>(hand.damping),
                         {},
                         {}};
  fill_periods(domain, formula.period, formula.inverse_period);
  return formula;
}
template HandFormula<float> formula_of<float>(const Hand&, const Domain&);
template HandFormula<double> formula_of<double>(const Hand&, const Domain&);

void HandForce::run(const Cpu&, State<Host>& state, const ForceRequest& request, StepReport&) {
  const std::uint32_t* const ids = state.id();
  const auto body = static_cast<std::uint32_t>(hand_.body);
  if (slot_ >= state.count() || ids[slot_] != body) {
    slot_ = 0;
    while (slot_ < state.count() && ids[slot_] != body) ++slot_;
  }
  if (slot_ >= state.count()) return;
  const auto& [slots, chosen] = request.targets;
  if (slots && !std::binary_search(slots, slots + chosen, static_cast<std::uint32_t>(slot_)))
    return;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const Index i = slot_;
    const Real* const fixed = s[fields::fixed];
    if (fixed && fixed[i] != 0) return;  // it would be given nothing
    const HandFormula<Real> formula = formula_of<Real>(hand_, domain_);
    const Vec3<Real> v{s.vx[i], s.vy[i], s.vz[i]};
    const Vec3<Real> a = formula(Vec3<Real>{s.x[i], s.y[i], s.z[i]}, v);
    s.ax[i] += a.x;
    s.ay[i] += a.y;
    s.az[i] += a.z;
    if (request.with_jerks()) {
      const Vec3<Real> jerk = formula.jerk(v, {s.ax[i], s.ay[i], s.az[i]});
      request.jerks[0][i] += static_cast<double>(jerk.x);
      request.jerks[1][i] += static_cast<double>(jerk.y);
      request.jerks[2][i] += static_cast<double>(jerk.z);
    }
    const auto m = static_cast<double>(s.mass[i]);
    impulse_.add(time_of(request.time), m * engine::Vec3d{double(a.x), double(a.y), double(a.z)});
  });
}

}  // namespace mote::sim
