#include "sim/field/field_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "sim/stability.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Largest number of bodies checked; of more, every n-th.
constexpr Index largest_sample = 4096;

/// Largest eigenvalue of a symmetric matrix with diagonal d and xy, xz, yz off it (Smith 1961,
/// Commun. ACM 4, 168).
double largest_eigenvalue(Vec3d d, double xy, double xz, double yz) {
  const double q = (d.x + d.y + d.z) / 3, off = xy * xy + xz * xz + yz * yz;
  const Vec3d e{d.x - q, d.y - q, d.z - q};
  const double p = std::sqrt((dot(e, e) + 2 * off) / 6);
  if (!(p > 0)) return q;
  const double half_determinant =
      (e.x * (e.y * e.z - yz * yz) - xy * (xy * e.z - yz * xz) + xz * (xy * yz - e.y * xz)) /
      (2 * p * p * p);
  return q + 2 * p * std::cos(std::acos(std::clamp(half_determinant, -1.0, 1.0)) / 3);
}

struct Body {
  Vec3d x, v;
  double mass;
};

/// Acceleration of a body at time 0 by formulas and traps about the origin.
class Formulas {
 public:
  /// `squared_rates`: sum over the traps, along each axis.
  Formulas(std::vector<const ExpressionField*> fields, Vec3d squared_rates)
      : fields_(std::move(fields)), squared_rates_(squared_rates) {}

  Vec3d operator()(const Body& body) {
    Vec3d sum{-squared_rates_.x * body.x.x, -squared_rates_.y * body.x.y,
              -squared_rates_.z * body.x.z};
    for (const ExpressionField* field : fields_) sum += acceleration_of(*field, body);
    return sum;
  }

 private:
  Vec3d acceleration_of(const ExpressionField& field, const Body& body) {
    values_.resize(field.graph.nodes().size());
    const double values[variable_count] = {body.x.x, body.x.y, body.x.z,  body.v.x,
                                           body.v.y, body.v.z, body.mass, 0};
    const auto& nodes = field.graph.nodes();
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto& node = nodes[k];
      const auto which = static_cast<std::size_t>(node.operation);
      values_[k] = which < variable_count ? values[which]
                   : node.operation == Operation::constant
                       ? node.value
                       : apply(node.operation, values_[node.a], values_[node.b]);
    }
    return {values_[field.acceleration[0]], values_[field.acceleration[1]],
            values_[field.acceleration[2]]};
  }

  std::vector<const ExpressionField*> fields_;
  Vec3d squared_rates_;
  std::vector<double> values_;
};

/// The largest curvature of the potential at a body [1 / time^2], by central differences of step h.
double curvature_over(Formulas& formula, const Body& body, double h) {
  Vec3d rows[3];  // -da/dx, -da/dy, -da/dz
  for (int axis = 0; axis < 3; ++axis) {
    Body before = body, after = body;
    (axis == 0 ? before.x.x : axis == 1 ? before.x.y : before.x.z) -= h;
    (axis == 0 ? after.x.x : axis == 1 ? after.x.y : after.x.z) += h;
    rows[axis] = (0.5 / h) * (formula(before) - formula(after));
  }
  return largest_eigenvalue({rows[0].x, rows[1].y, rows[2].z}, 0.5 * (rows[0].y + rows[1].x),
                            0.5 * (rows[0].z + rows[2].x), 0.5 * (rows[1].z + rows[2].y));
}

/// The curvature if two difference steps agree on it; they do not where accelerations jump.
std::optional<double> curvature_at(Formulas& formula, const Body& body, double size) {
  const double h = 1e-4 * size, wide = curvature_over(formula, body, h),
               narrow = curvature_over(formula, body, 0.25 * h);
  if (!(std::fabs(wide - narrow) <= 0.1 * std::fabs(wide))) return std::nullopt;
  return narrow;
}

double size_of(Vec3d v) {
  return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
}

class StepCheck {
 public:
  StepCheck(double phase, double dt, const std::string& location)
      : phase_(phase), dt_(dt), location_(location) {}

  void expect(double squared_rate, const std::string& what) const {
    if (!(squared_rate > 0)) return;
    const double rate = std::sqrt(squared_rate), limit = phase_ / rate;
    if (dt_ < limit) return;
    throw engine::InputError(
        location_,
        fmt::format("a step of {:.4g} is not stable: {} oscillate with a period of {:.4g}; steps "
                    "must be below {:.4g}",
                    dt_, what, 2 * std::numbers::pi / rate, limit),
        fmt::format("use {:.4g}, a fortieth of the period, for good energy conservation",
                    std::numbers::pi / (20 * rate)));
  }

 private:
  double phase_, dt_;
  const std::string& location_;
};

template <class View>
void check_formulas(Formulas formula, const std::string& name, const View& s,
                    const StepCheck& check, double dt) {
  const auto body_at = [&](Index i) {
    return Body{
        {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])},
        {static_cast<double>(s.vx[i]), static_cast<double>(s.vy[i]), static_cast<double>(s.vz[i])},
        static_cast<double>(s.mass[i])};
  };
  const Index stride = std::max<Index>(1, s.count / largest_sample);
  double all = 0;
  for (Index i = 0; i < s.count; i += stride) all = std::max(all, size_of(body_at(i).x));
  for (Index i = 0; i < s.count; i += stride) {
    const Body body = body_at(i);
    const double own = std::max(size_of(body.x), dt * size_of(body.v));
    const auto squared = curvature_at(formula, body, own > 0 ? own : all > 0 ? all : 1);
    if (squared)
      check.expect(*squared, "bodies such as " + std::to_string(s.id[i]) + " in " + name);
  }
}

}  // namespace

void check_fields(const std::vector<Field>& fields, const State<engine::Host>& state,
                  const Step& step, double dt, const std::string& location) {
  const StepCheck check(largest_phase(step), dt, location);
  Vec3d traps{0, 0, 0};
  for (const Field& field : fields)
    if (const auto* trap = std::get_if<HarmonicTrap>(&field))
      traps += Vec3d{trap->rates.x * trap->rates.x, trap->rates.y * trap->rates.y,
                     trap->rates.z * trap->rates.z};
  check.expect(size_of(traps), "bodies in the harmonic trap");
  std::vector<const ExpressionField*> all;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (const auto* field = std::get_if<ExpressionField>(&fields[i])) {
      all.push_back(field);
      state.visit([&](const auto& s) {
        check_formulas({{field}, {0, 0, 0}}, "fields." + std::to_string(i + 1), s, check, dt);
      });
    }
  // Squared rates of several fields add up. A field that jumps makes the curvature undefined and
  // hides the others here.
  if (!all.empty() && all.size() + (size_of(traps) > 0 ? 1 : 0) > 1)
    state.visit([&](const auto& s) {
      check_formulas({all, traps}, "all fields together", s, check, dt);
    });
}

}  // namespace mote::sim
