#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/check.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/molecular/bond_force.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::number_text;
using engine::Vec3d;

/// Looks at bonds one by one, as they start.
template <class Real>
class BondCheck {
 public:
  BondCheck(const BondForces& forces, const StateView<const Real>& s, const Domain& domain,
            const std::string& place)
      : forces_(forces), s_(s), domain_(domain), place_(place) {
    take_periods(domain, view_.length, view_.inverse);
  }

  void check(double dt) {
    for (const Bond& bond : forces_.bonds) look(bond);
    for (const Angle& angle : forces_.angles) look(angle);
    if (dt <= longest_) return;
    throw engine::InputError(place_,
                             "a step of " + number_text(dt) + " is not stable: " + fastest_ +
                                 ", and a step must be at most " +
                                 engine::rounded_down_text(longest_),
                             "a tenth of that conserves energy well; or take heavier bodies, or "
                             "less stiffness and damping");
  }

 private:
  double mass(std::uint32_t id) const {
    const double m = static_cast<double>(s_.mass[id]);
    if (!(m > 0))
      throw engine::InputError(
          place_, "body " + std::to_string(id) + " has a bond and no mass: no force could move it",
          "give it a mass");
    return m;
  }

  /// At the start ids are columns.
  Vec3d apart(std::uint32_t a, std::uint32_t b) const {
    return bond_separation<double>(view_, s_, static_cast<std::int32_t>(a),
                                   static_cast<std::int32_t>(b));
  }

  void note(double squared_rate, double damping_rate, const std::string& who) {
    const double limit =
        4 / (damping_rate + std::sqrt(damping_rate * damping_rate + 4 * squared_rate));
    if (!(limit < longest_)) return;
    longest_ = limit;
    fastest_ = who;
  }

  void look(const Bond& bond) {
    const BondKind& kind = forces_.bond_kinds[bond.kind];
    const BondCoefficients<double> c = coefficients_of(kind);
    const Vec3d d = apart(bond.a, bond.b);
    const double q = dot(d, d);
    const std::string who =
        "the bond of bodies " + std::to_string(bond.a) + " and " + std::to_string(bond.b);
    if (is_overstretched(c, q))
      throw engine::InputError(place_,
                               who + " starts " + engine::rounded_text(std::sqrt(q)) +
                                   " long, and its extension is " + number_text(*kind.extension),
                               "put them nearer to each other, or set a larger extension");
    const double inverse = 1 / mass(bond.a) + 1 / mass(bond.b),
                 x = c.squared_extension > 0 ? q / c.squared_extension : 0;
    const double steep = c.stiffness * (1 + x) / ((1 - x) * (1 - x));  // U''
    note(
        steep * inverse, c.damping * inverse,
        who + " swings in " + engine::rounded_text(6.283185307179586 / std::sqrt(steep * inverse)));
  }

  void look(const Angle& angle) {
    const AngleCoefficients<double> c = coefficients_of(forces_.angle_kinds[angle.kind]);
    const Vec3d a = apart(angle.first, angle.vertex), b = apart(angle.last, angle.vertex);
    const double qa = dot(a, a), qb = dot(b, b);
    if (!(qa > 0 && qb > 0)) return;
    const double inverse = 1 / mass(angle.first) / qa + 1 / mass(angle.last) / qb;
    // The vertex moves by both: at least by their difference.
    const double vertex = (1 / std::sqrt(qa) - 1 / std::sqrt(qb)) *
                          (1 / std::sqrt(qa) - 1 / std::sqrt(qb)) / mass(angle.vertex);
    const double squared_rate = c.stiffness * (inverse + vertex);
    note(squared_rate, 0,
         "the angle at body " + std::to_string(angle.vertex) + " swings in " +
             engine::rounded_text(6.283185307179586 / std::sqrt(squared_rate)));
  }

  const BondForces& forces_;
  const StateView<const Real>& s_;
  const Domain& domain_;
  const std::string& place_;
  BondView<double> view_{};
  double longest_ = std::numeric_limits<double>::infinity();
  std::string fastest_;
};

}  // namespace

void check_bonds(const BondForces& forces, const State<Host>& state, const Domain& domain,
                 double dt, const std::string& place) {
  state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    const StateView<const Real>& fixed = s;
    BondCheck<Real>(forces, fixed, domain, place).check(dt);
  });
}

}  // namespace mote::sim
