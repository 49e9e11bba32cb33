#include "sim/molecular/start_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/check.h"
#include "engine/rounded_text.h"
#include "sim/space/cell_grid.h"
#include "sim/space/neighbour_runs.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::rounded_text;

/// Bodies closer than this fraction of sigma overlap.
constexpr double overlap = 0.5;

/// From the coefficients: sigma^6 = repulsion / attraction.
double sigma_of(const PairCoefficients<double>& c) {
  return c.attraction > 0 ? std::cbrt(std::sqrt(c.repulsion / c.attraction)) : 0;
}
double epsilon_of(const PairCoefficients<double>& c) {
  return c.repulsion > 0 ? 0.25 * c.attraction * c.attraction / c.repulsion : 0;
}

/// Packed copy of the checked fields of the bodies on which the forces act.
template <class Real>
class Members {
 public:
  Members(const StateView<const Real>& all, const std::vector<std::uint8_t>& members) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i] == 0) continue;
      id_.push_back(all.id[i]), species_.push_back(all.species ? all.species[i] : std::uint8_t{0});
      mass_.push_back(all.mass[i]), x_.push_back(all.x[i]), y_.push_back(all.y[i]),
          z_.push_back(all.z[i]);
    }
  }
  StateView<const Real> view() const {
    StateView<const Real> view{};
    view.count = static_cast<Index>(id_.size());
    view.id = id_.data(), view.species = species_.data(), view.mass = mass_.data();
    view.x = x_.data(), view.y = y_.data(), view.z = z_.data();
    return view;
  }

 private:
  std::vector<std::uint32_t> id_;
  std::vector<std::uint8_t> species_;
  std::vector<Real> mass_, x_, y_, z_;
};

template <class Real>
void check_bodies(const StateView<const Real>& s, const Domain& domain,
                  const std::string& location) {
  const double lows[3] = {domain.low.x, domain.low.y, domain.low.z};
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  const Real* const x[3] = {s.x, s.y, s.z};
  for (Index i = 0; i < s.count; ++i) {
    if (!(s.mass[i] > 0))
      throw engine::InputError(
          location, "body " + std::to_string(s.id[i]) + " has no mass: pair forces cannot move it",
          "give it a mass");
    for (int axis = 0; axis < 3; ++axis)
      if (domain.walled[axis] &&
          !(x[axis][i] >= lows[axis] && x[axis][i] <= lows[axis] + lengths[axis]))
        throw engine::InputError(
            location,
            "body " + std::to_string(s.id[i]) + " is beyond a wall: " + "xyz"[axis] + " is " +
                rounded_text(x[axis][i]) + ", the walls are at " + rounded_text(lows[axis]) +
                " and " + rounded_text(lows[axis] + lengths[axis]),
            "move it, or make the domain larger");
  }
}

/// Calls use(i, j, squared distance, coefficients) for every pair of bodies closer than `range`, as
/// (i, j) and as (j, i). Stops when `use` returns true.
template <class Real, class Use>
void for_each_pair(const engine::Cpu& exec, const StateView<const Real>& s, const PairTable& table,
                   const Domain& domain, double range, Use&& use) {
  if (!(range > 0) || s.count < 2) return;
  CellGrid<Real> grid;
  grid.build(exec, s, domain, range);
  const CellLayout& cells = grid.layout();
  bool done = false;
  for (Index p = 0; p < s.count && !done; ++p)
    for_each_neighbour_run(
        cells, grid.start(), grid.cell_at(p),
        [&](std::int32_t begin, std::int32_t end, engine::Vec3d shift) {
          for (std::int32_t q = begin; q < end && !done; ++q) {
            if (q == p) continue;
            const double dx = grid.x()[q] + shift.x - grid.x()[p],
                         dy = grid.y()[q] + shift.y - grid.y()[p],
                         dz = grid.z()[q] + shift.z - grid.z()[p];
            const double squared = dx * dx + dy * dy + dz * dz;
            if (!(squared < range * range)) continue;
            const std::int32_t i = grid.index()[p], j = grid.index()[q];
            const int a = s.species ? s.species[i] : 0, b = s.species ? s.species[j] : 0;
            done = use(i, j, squared, table.all[static_cast<std::size_t>(a * table.kinds + b)]);
          }
        });
}

/// "bodies 3 and 17"
template <class Real>
std::string pair_name(const StateView<const Real>& s, std::int32_t i, std::int32_t j) {
  return "bodies " + std::to_string(std::min(s.id[i], s.id[j])) + " and " +
         std::to_string(std::max(s.id[i], s.id[j]));
}

/// U'' at the squared distance q, of the potential without its switching function.
double curvature(const PairCoefficients<double>& c, const PairTerms& terms, double q) {
  const double u = 1 / q, u4 = u * u * u * u;
  const double core =
      q < c.squared_cutoff ? (156 * c.repulsion * u * u * u - 42 * c.attraction) * u4 : 0;
  if (terms.electric == Electric::none || q >= c.squared_electric) return core;
  const double r = std::sqrt(q), s = c.screening;
  return core + (terms.electric == Electric::yukawa
                     ? c.charges * std::exp(-s * r) * ((2 / r + 2 * s) / r + s * s) / r
                     : 2 * c.charges * (u * std::sqrt(u) + c.field));
}

/// Rejects overlaps, and steps too long for pairs that start closer than the minimum of their
/// potential, where its curvature is larger than at the minimum.
template <class Real>
void check_close_pairs(const engine::Cpu& exec, const StateView<const Real>& s,
                       const PairTable& table, const Domain& domain, double dt, double phase,
                       const std::string& location) {
  double largest = 0;
  for (const PairCoefficients<double>& c : table.all) largest = std::max(largest, sigma_of(c));
  const double range = std::min(std::cbrt(std::sqrt(2.0)) * largest, table.cutoff);
  double omega2 = 0, distance = 0;  // values of the fastest pair
  std::string fastest_pair;
  for_each_pair(
      exec, s, table, domain, std::max(range, overlap * largest),
      [&](std::int32_t i, std::int32_t j, double squared, const PairCoefficients<double>& c) {
        const double sigma = sigma_of(c), r = std::sqrt(squared);
        if (r < overlap * sigma)
          throw engine::InputError(
              location,
              pair_name(s, i, j) + " overlap: they start " + rounded_text(r) +
                  " apart, with a sigma of " + rounded_text(sigma),
              "place them further apart, for instance on a lattice, or use a smaller sigma");
        const double pair_omega2 =
            curvature(c, table.terms, squared) *
            (1 / static_cast<double>(s.mass[i]) + 1 / static_cast<double>(s.mass[j]));
        if (pair_omega2 > omega2)
          omega2 = pair_omega2, distance = r, fastest_pair = pair_name(s, i, j);
        return false;
      });
  const double omega = std::sqrt(omega2), limit = phase / omega,
               period = 2 * std::numbers::pi / omega;
  if (omega2 > 0 && dt >= limit)
    throw engine::InputError(location,
                             "a step of " + rounded_text(dt) + " is not stable: " + fastest_pair +
                                 " start " + rounded_text(distance) +
                                 " apart, where a step must be below " + rounded_text(limit),
                             "place them further apart, or use a fortieth of the period there, " +
                                 rounded_text(period / 40));
}

template <class Real>
void check_step(const StateView<const Real>& s, const PairTable& table, double dt, double phase,
                const std::string& location) {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> lightest(static_cast<std::size_t>(table.kinds), none);
  for (Index i = 0; i < s.count; ++i) {
    double& mass = lightest[s.species ? s.species[i] : 0];
    mass = std::min(mass, static_cast<double>(s.mass[i]));
  }
  double omega2 = 0;  // value of the fastest pair
  for (int a = 0; a < table.kinds; ++a)
    for (int b = 0; b < table.kinds; ++b) {
      const double one = lightest[static_cast<std::size_t>(a)],
                   other = lightest[static_cast<std::size_t>(b)];
      const PairCoefficients<double>& c = table.all[static_cast<std::size_t>(a * table.kinds + b)];
      const double sigma = sigma_of(c);
      if (one == none || other == none || sigma == 0) continue;
      // At the minimum U'' is 72 / 2^(1/3) epsilon / sigma^2.
      omega2 = std::max(
          omega2, 72 / std::cbrt(2.0) * epsilon_of(c) / (sigma * sigma) * (1 / one + 1 / other));
    }
  const double omega = std::sqrt(omega2), limit = phase / omega,
               period = 2 * std::numbers::pi / omega;
  if (omega2 > 0 && dt >= limit)
    throw engine::InputError(
        location,
        "a step of " + rounded_text(dt) +
            " is not stable: two bodies in their potential well oscillate with a period of " +
            rounded_text(period) + "; a step must be below " + rounded_text(limit),
        "use a fortieth of the period, " + rounded_text(period / 40) +
            ", for good energy conservation");
}

}  // namespace

void check_start(const engine::Cpu& exec, const State<engine::Host>& state,
                 const std::vector<std::uint8_t>& members, const PairTable& table,
                 const Domain& domain, double dt, double phase, const std::string& location) {
  state.visit([&]<class Const>(const StateView<Const>& all) {
    using Real = std::remove_const_t<Const>;
    const Members<Real> selected(all, members);
    const StateView<const Real> s = members.empty() ? StateView<const Real>(all) : selected.view();
    check_bodies<Real>(s, domain, location);
    check_step<Real>(s, table, dt, phase, location);
    check_close_pairs<Real>(exec, s, table, domain, dt, phase, location);
  });
}

bool any_pair_interacts(const engine::Cpu& exec, const State<engine::Host>& state,
                        const std::vector<std::uint8_t>& members, const PairTable& table,
                        const Domain& domain) {
  bool found = false;
  state.visit([&]<class Const>(const StateView<Const>& all) {
    using Real = std::remove_const_t<Const>;
    const Members<Real> selected(all, members);
    const StateView<const Real> s = members.empty() ? StateView<const Real>(all) : selected.view();
    for_each_pair<Real>(
        exec, s, table, domain, table.cutoff,
        [&](std::int32_t, std::int32_t, double squared, const PairCoefficients<double>& c) {
          return found = (c.repulsion > 0 && squared < c.squared_cutoff) ||
                         (c.charges != 0 && squared < c.squared_electric);
        });
  });
  return found;
}

}  // namespace mote::sim
