#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/check.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/molecular/bond_force.h"
#include "sim/space/fixed_field.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::number_text;
using engine::Vec3d;

/// Errors of the length of a rod at the start, and of the direction of its velocity, that are
/// accepted as round-off in single precision. The first step removes them.
constexpr double rod_start_tolerance = 1e-5;

/// Checks each bond and angle of the initial state.
template <class Real>
class BondCheck {
 public:
  BondCheck(const BondForces& forces, const StateView<const Real>& s, const Domain& domain,
            const std::string& location)
      : forces_(forces), s_(s), domain_(domain), location_(location) {
    fill_periods(domain, view_.length, view_.inverse);
  }

  void check(double dt) {
    for (const Bond& bond : forces_.bonds) check(bond);
    for (const Angle& angle : forces_.angles) check(angle);
    if (dt <= longest_) return;
    throw engine::InputError(location_,
                             "a step of " + number_text(dt) + " is not stable: " + fastest_ +
                                 "; a step must be at most " + engine::rounded_down_text(longest_),
                             "use a tenth of that for good energy conservation, heavier bodies, or "
                             "less stiffness and damping");
  }

 private:
  double mass(std::uint32_t id) const {
    const double m = static_cast<double>(s_.mass[id]);
    if (!(m > 0))
      throw engine::InputError(
          location_,
          "body " + std::to_string(id) + " has a bond and no mass: forces cannot move it",
          "give it a mass");
    return m;
  }

  /// In the initial state ids are body indices.
  Vec3d separation(std::uint32_t a, std::uint32_t b) const {
    return bond_separation<double>(view_, s_, static_cast<std::int32_t>(a),
                                   static_cast<std::int32_t>(b));
  }

  void limit_step(double squared_rate, double damping_rate, const std::string& oscillation) {
    const double limit =
        4 / (damping_rate + std::sqrt(damping_rate * damping_rate + 4 * squared_rate));
    if (!(limit < longest_)) return;
    longest_ = limit;
    fastest_ = oscillation;
  }

  void check(const Bond& bond) {
    const BondKind& kind = forces_.bond_kinds[bond.kind];
    if (is_rigid(kind)) return check_rod(bond, *kind.length);
    const BondCoefficients<double> c = coefficients_of(kind);
    const Vec3d d = separation(bond.a, bond.b);
    const double q = dot(d, d);
    const std::string name =
        "the bond of bodies " + std::to_string(bond.a) + " and " + std::to_string(bond.b);
    if (is_overstretched(c, q))
      throw engine::InputError(location_,
                               name + " has an initial length of " +
                                   engine::rounded_text(std::sqrt(q)) +
                                   ", not below its extension of " + number_text(*kind.extension),
                               "place them closer to each other, or set a larger extension");
    const double inverse = 1 / mass(bond.a) + 1 / mass(bond.b),
                 x = c.squared_extension > 0 ? q / c.squared_extension : 0;
    const double curvature = c.stiffness * (1 + x) / ((1 - x) * (1 - x));  // U''
    limit_step(curvature * inverse, c.damping * inverse,
               name + " has a period of " +
                   engine::rounded_text(6.283185307179586 / std::sqrt(curvature * inverse)));
  }

  void check_rod(const Bond& bond, double length) {
    const std::string name =
        "the rod of bodies " + std::to_string(bond.a) + " and " + std::to_string(bond.b);
    const Real* const fixed = s_[fields::fixed];
    if (fixed && fixed[bond.a] != 0 && fixed[bond.b] != 0)
      throw engine::InputError(location_, name + " connects two fixed bodies",
                               "remove it, or let one of them move");
    mass(bond.a), mass(bond.b);
    const Vec3d d = separation(bond.a, bond.b),
                u{static_cast<double>(s_.vx[bond.a]) - static_cast<double>(s_.vx[bond.b]),
                  static_cast<double>(s_.vy[bond.a]) - static_cast<double>(s_.vy[bond.b]),
                  static_cast<double>(s_.vz[bond.a]) - static_cast<double>(s_.vz[bond.b])};
    const double apart = engine::length(d);
    if (!(std::abs(apart - length) <= rod_start_tolerance * length))
      throw engine::InputError(location_,
                               name + " has a length of " + number_text(length) +
                                   ", and they are " + engine::rounded_text(apart) + " apart",
                               "place them at this distance, or set this length");
    if (!(std::abs(dot(d, u)) <= rod_start_tolerance * apart * engine::length(u)))
      throw engine::InputError(
          location_,
          name + " would change its length: they " + (dot(d, u) > 0 ? "separate" : "approach") +
              " with a speed of " + engine::rounded_text(std::abs(dot(d, u)) / apart),
          "give them velocities whose difference is at right angles to the rod");
  }

  void check(const Angle& angle) {
    const AngleCoefficients<double> c = coefficients_of(forces_.angle_kinds[angle.kind]);
    const Vec3d a = separation(angle.first, angle.vertex), b = separation(angle.last, angle.vertex);
    const double qa = dot(a, a), qb = dot(b, b);
    if (!(qa > 0 && qb > 0)) return;
    const double inverse = 1 / mass(angle.first) / qa + 1 / mass(angle.last) / qb;
    // Both arms move the vertex: at least by their difference.
    const double vertex = (1 / std::sqrt(qa) - 1 / std::sqrt(qb)) *
                          (1 / std::sqrt(qa) - 1 / std::sqrt(qb)) / mass(angle.vertex);
    const double squared_rate = c.stiffness * (inverse + vertex);
    limit_step(squared_rate, 0,
               "the angle at body " + std::to_string(angle.vertex) + " has a period of " +
                   engine::rounded_text(6.283185307179586 / std::sqrt(squared_rate)));
  }

  const BondForces& forces_;
  const StateView<const Real>& s_;
  const Domain& domain_;
  const std::string& location_;
  BondView<double> view_{};
  double longest_ = std::numeric_limits<double>::infinity();
  std::string fastest_;
};

}  // namespace

void check_bonds(const BondForces& forces, const State<Host>& state, const Domain& domain,
                 double dt, const std::string& location) {
  state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    const StateView<const Real>& fixed = s;
    BondCheck<Real>(forces, fixed, domain, location).check(dt);
  });
}

}  // namespace mote::sim
