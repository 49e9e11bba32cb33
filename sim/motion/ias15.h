#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/algo/for_each.h"
#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/ranks.h"
#include "sim/motion/ias15_body.h"
#include "sim/motion/integration.h"
#include "sim/motion/trial.h"
#include "sim/ranks/column_exchange.h"
#include "sim/space/list_fields.h"

namespace mote::sim {

/// Options of the integrator, as in a scene.
struct Ias15Options {
  double tolerance = 1e-9;  ///< limit of (step / shortest timescale)^7
};
const engine::ParamTable<Ias15Options>& ias15_table();

/// Gauss-Radau integrator of 15th order (Everhart 1985, ASSL 115, 185; Rein & Spiegel 2015, MNRAS
/// 446, 1424) that chooses its steps by the shortest timescale of the motion (Pham, Rein & Spiegel
/// 2024, OJAp 7, 1). Accelerations are polynomials of the time within a step,
///
///   a(t) = a0 + sum b_k s^(k + 1),  s = (t - t0) / dt,  k = 0 .. 6,
///
/// whose coefficients are iterated to convergence at the 7 nodes of the Radau quadrature, from
/// those of the step before. Positions, velocities and the time are compensated sums, so that the
/// error of the energy is a random walk of round-off (Brouwer's law). In double precision; for any
/// forces that are functions of positions, velocities and time. Where forces depend on differences
/// of positions only, they are evaluated at positions relative to the body with the shortest
/// timescale: the distance of a close pair is not rounded as its positions are.
///
/// With ranks, each has the coefficients of its own bodies; the largest numbers are those of all,
/// so that all ranks iterate as often and take the same steps, and the body that positions are
/// relative to is one of all: before each evaluation its owner sends its position.
///
/// One text for both backends, included by a file of each. On a GPU a step is some two hundred
/// launches, and waits for the largest numbers that decide how it goes on.
template <class Exec>
class Ias15 final : public Integrator<Exec> {
 public:
  using Space = typename Exec::Space;
  using Index = engine::Index;
  static constexpr int nodes = ias15_body::nodes;

  Ias15(const Ias15Options& options, bool translation_invariant)
      : tolerance_(options.tolerance), translation_invariant_(translation_invariant) {
    columns_.count = unknown;
  }

  StepTaken step(const Exec& exec, System<Exec>& system) override {
    MOTE_EXPECT(system.state.precision() == engine::Precision::double_);
    resize(exec, system.state.count());
    with(system.state, [&](StateView<double> s) {
      for_each(exec, s.count, ias15_body::Begin{columns(s), s, images_of(s)});
    });
    images_known_ = true;
    const double factor = std::pow(5040 * tolerance_, 1.0 / 7);
    double dt = system.clock.dt, next;
    // No step is short enough where a force jumps: it is as long as the rounding of the time then.
    const double least = 0x1p-53 * std::fabs(system.clock.base_time);
    while (true) {
      predict(exec, system, last_dt_ > 0 ? dt / last_dt_ : 0);
      const bool converged = converge(exec, system, dt);
      const double tau = timescale(exec, system);
      next = !converged ? dt / (2 * largest_ratio)
             : tau > 0  ? factor * tau * dt
                        : largest_ratio * dt;
      if (!(next < dt / largest_ratio) || dt <= least) break;
      dt = std::max(next, least);
    }
    with(system.state, [&](StateView<double> s) {
      for_each(exec, s.count, ias15_body::Finish{columns(s), s, images_of(s), dt});
    });
    last_dt_ = dt_ = dt;
    return {dt, std::min(next, largest_ratio * dt)};
  }

  void evaluate(const Exec& exec, System<Exec>& system) override {
    if (!translation_invariant_ || system.state.count() == 0) return add_forces(exec, system, 0);
    const Index size = 3 * system.state.count();
    if (saved_x_.size() != size) saved_x_ = Column(size);
    const ias15_body::Positions all{saved_x_.data(),
                                    lost_x_.size() == size ? lost_x_.data() : nullptr};
    with(system.state, [&](StateView<double> s) {
      const ias15_body::Columns& c = columns(s);
      for_each(exec, s.count, ias15_body::SavePositions{c, s, saved_x_.data()});
      for_each(exec, s.count, ias15_body::WriteRelative{c, s, all, origin(exec, system, all)});
    });
    add_forces(exec, system, 0);
    with(system.state, [&](StateView<double> s) {
      for_each(exec, s.count, ias15_body::RestorePositions{columns(s), s, saved_x_.data()});
    });
  }

  /// Before any derivative is known: a small part of the time in which a velocity changes by
  /// itself, or of that in which the bodies fall by their distances. Too long a step is rejected,
  /// and one too short grows by `largest_ratio` each.
  double first_step(const Exec& exec, const State<Space>& state, double limit) override {
    constexpr double part = 0.01;
    Scales all;
    with(state, [&](StateView<const double> s) {
      if (s.count == 0) return;
      std::vector<std::vector<double>> on_host;
      for (const double* column : s.common())
        on_host.push_back(Trial<Exec>::to_host(exec, column, s.count));
      const auto vector = [&](std::size_t first, std::size_t i) {
        return engine::Vec3d{on_host[first][i], on_host[first + 1][i], on_host[first + 2][i]};
      };
      const auto length = [](const engine::Vec3d& v) { return std::hypot(v.x, v.y, v.z); };
      const engine::Vec3d first = engine::gather_one(exec.ranks, vector(1, 0)).front();
      Scales own;
      for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i) {
        const double v = length(vector(4, i)), a = length(vector(7, i));
        if (v > 0 && a > 0) own.shortest = std::min(own.shortest, part * v / a);
        own.fastest = std::max(own.fastest, v), own.largest = std::max(own.largest, a);
        own.size = std::max(own.size, length(vector(1, i) - first));
      }
      for (const Scales& one : engine::gather_one(exec.ranks, own)) {
        all.shortest = std::min(all.shortest, one.shortest);
        all.fastest = std::max(all.fastest, one.fastest);
        all.largest = std::max(all.largest, one.largest);
        all.size = std::max(all.size, one.size);
      }
    });
    double shortest = all.shortest;
    if (all.size > 0 && all.largest > 0)
      shortest = std::min(shortest, part * std::sqrt(all.size / all.largest));
    if (all.size > 0 && all.fastest > 0)
      shortest = std::min(shortest, part * all.size / all.fastest);
    if (!std::isnormal(shortest)) shortest = limit > 0 ? limit : part;
    return limit > 0 ? std::min(shortest, limit) : shortest;
  }

  Kept<Space> kept() override {
    Kept<Space> all{{&last_dt_, &reference_, &dt_}, {}};
    for (auto* coefficients : {&last_b_, &last_e_, &b_})
      for (Column& column : *coefficients) all.columns.push_back(&column);
    for (Column* column : {&lost_x_, &lost_v_, &x0_, &v0_, &a0_, &lost_x0_, &lost_v0_})
      all.columns.push_back(column);
    return all;
  }

  void on_restored() override { columns_.count = unknown, images_known_ = false; }

  bool has_dense_output() const override { return true; }

  bool write_within(const Exec& exec, double before_end, State<Space>& to) override {
    const bool known = dt_ > 0 && x0_.size() == 3 * to.count();
    if (!known || before_end < 0 || before_end > dt_ * (1 + 0x1p-40)) return false;
    resize(exec, to.count());
    with(to, [&](StateView<double> s) {
      // After a restore the images at the start of that step are not known: the present ones stay.
      ias15_body::WriteAt write{columns(s), s, images_known_ ? images_of(s) : ias15_body::Images{},
                                dt_};
      write.set((dt_ - before_end) / dt_);
      for_each(exec, s.count, write);
    });
    return true;
  }

 private:
  using Column = engine::Buffer<double, Space>;
  using Coefficients = Column[nodes];

  /// Largest ratio of consecutive steps, up and down: a step that should have been shorter than
  /// this is rejected.
  static constexpr double largest_ratio = 4;
  /// Beyond this ratio, coefficients of the last step predict nothing.
  static constexpr double largest_predicted = 20;
  static constexpr int most_iterations = 12;
  /// Relative change of the last coefficient above which iterations have not converged.
  static constexpr double largest_error = 1e-6;

  /// The scales of the bodies at the start, from which first_step() estimates a step.
  struct Scales {
    double shortest = std::numeric_limits<double>::infinity();  ///< part of a |v| / |a| [time]
    double fastest = 0, largest = 0;                            ///< |v| and |a|
    double size = 0;                                            ///< distance from the first body
  };

  /// Calls use(view), of a state in double precision.
  template <class AnyState, class Use>
  static void with(AnyState& state, const Use& use) {
    state.visit([&]<class Real>(StateView<Real> s) {
      if constexpr (std::is_same_v<std::remove_const_t<Real>, double>) use(s);
    });
  }

  static ias15_body::Images images_of(const StateView<double>& s) {
    const VectorColumns<double> of = s[fields::image];
    return {{of[0], of[1], of[2]}};
  }

  /// Columns for so many bodies; new ones are zero.
  void resize(const Exec& exec, Index count) {
    const auto fit = [&](Column& column, Index size) {
      if (column.size() == size) return;
      columns_.count = unknown;
      column = Column(size);
      for_each(exec, size, ias15_body::Clear{column.data()});
    };
    for (auto* all : {&last_b_, &last_e_, &b_, &e_, &g_, &lost_b_})
      for (Column& column : *all) fit(column, 3 * count);
    for (Column* column : {&lost_x_, &lost_v_, &x0_, &v0_, &a0_, &lost_x0_, &lost_v0_, &moved_})
      fit(*column, 3 * count);
    for (Column& column : images_) fit(column, count);
    fit(timescale_, count);
    if (largest_count_ >= count && largest_) return;
    largest_.emplace(count), pair_.emplace(count);
    largest_count_ = count;
  }

  const ias15_body::Columns& columns(const StateView<double>& s) {
    ias15_body::Columns& c = columns_;
    if (c.count == s.count) return c;
    c.count = s.count;
    for (int k = 0; k < nodes; ++k) {
      c.last_b[k] = last_b_[k].data(), c.last_e[k] = last_e_[k].data();
      c.b[k] = b_[k].data(), c.e[k] = e_[k].data();
      c.g[k] = g_[k].data(), c.lost_b[k] = lost_b_[k].data();
    }
    c.lost_x = lost_x_.data(), c.lost_v = lost_v_.data();
    c.x0 = x0_.data(), c.v0 = v0_.data(), c.a0 = a0_.data();
    c.lost_x0 = lost_x0_.data(), c.lost_v0 = lost_v0_.data();
    c.moved = moved_.data(), c.timescale = timescale_.data();
    for (int axis = 0; axis < 3; ++axis) c.image[axis] = images_[axis].data();
    return c;
  }

  /// The body that positions are relative to. With ranks, its owner sends it to the others.
  ias15_body::Origin origin(const Exec& exec, const System<Exec>& system,
                            const ias15_body::Positions& from) {
    const Division* const division = system.forces.division;
    const Index count = system.state.count(), bodies = division ? division->bodies() : count,
                kept = static_cast<Index>(reference_), body = kept < bodies ? kept : 0;
    const auto in_columns = [&](Index i) {
      return ias15_body::Origin{{from.x + i, from.more ? from.more + i : nullptr}, count};
    };
    if (!division) return in_columns(body);
    if (origin_.size() == 0) origin_ = Column(6);
    double *const x = origin_.data(), *const more = x + 3;
    const int owner = division->owner(body);
    if (owner == exec.ranks->rank())
      for_each(exec, 3,
               ias15_body::CopyOrigin{in_columns(body - division->own(owner).begin), x, more});
    copy_from_rank(exec, owner, std::span(x, 6));
    return {{x, more}, 1};
  }

  void predict(const Exec& exec, System<Exec>& system, double ratio) {
    const bool known = last_dt_ > 0 && ratio <= largest_predicted;
    with(system.state, [&](StateView<double> s) {
      for_each(exec, s.count,
               ias15_body::Predict{columns(s), ratio, known, ias15_body::binomials,
                                   ias15_body::conversion});
    });
  }

  /// Accelerations with what depends on velocities, at the positions and velocities of the state.
  void add_forces(const Exec& exec, System<Exec>& system, double fraction) const {
    const StageTime time = system.at(fraction);
    const std::uint64_t counted = system.report.interactions;
    do {
      system.report.interactions = counted;
      system.forces.evaluate(exec, system.state, time, system.report);
    } while (Trial<Exec>::grow_buffers(exec, system));
    if (system.forces.kicking) system.forces.kicking->add_velocity_terms(exec, system.state, time);
  }

  /// Iterates the coefficients of a step of this length; false if they do not converge.
  bool converge(const Exec& exec, System<Exec>& system, double dt) {
    bool converged = false;
    with(system.state, [&](StateView<double> s) { converged = converge(exec, system, s, dt); });
    return converged;
  }

  /// Until the last coefficient changes by round-off only, or no longer less than before.
  bool converge(const Exec& exec, System<Exec>& system, const StateView<double>& s, double dt) {
    const ias15_body::Columns& c = columns(s);
    ias15_body::WriteAt write{c, s, images_of(s), dt};
    const ias15_body::Positions all{x0_.data(), moved_.data()};
    ias15_body::CorrectAlone correct{{c, s}};
    // Health reported at positions that are not final is discarded.
    StepReport report;
    System<Exec> trial = trial_.system(exec, system, dt, report);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 1; k <= most_iterations; ++k) {
      engine::Values<2> change{};
      for (int node = 1; node <= nodes; ++node) {
        write.set(ias15_body::radau[node]);
        for_each(exec, s.count, write);
        if (translation_invariant_)
          for_each(exec, s.count, ias15_body::WriteRelative{c, s, all, origin(exec, system, all)});
        add_forces(exec, trial, ias15_body::radau[node]);
        correct.correct.set(node);
        if (node < nodes)
          for_each(exec, s.count, correct);
        else
          change = pair_->run(exec, correct.correct, s.count);
      }
      const double error = change.v[1] > 0 ? change.v[0] / change.v[1] : 0;
      if (error < 1e-16 || (k > 2 && error >= before) || k == most_iterations) {
        system.report.interactions += report.interactions;
        return error < largest_error;
      }
      before = error;
    }
    return false;
  }

  /// The shortest timescale of a body at the end of the step, in units of the step; 0 if none moves
  /// on a curve.
  double timescale(const Exec& exec, System<Exec>& system) {
    double found = 0;
    with(system.state, [&](StateView<double> s) {
      const ias15_body::Columns& c = columns(s);
      const double largest = largest_->run(exec, ias15_body::LargestAtStart(c), s.count).v[0];
      const double shortest = largest_->run(exec, ias15_body::Timescale{c, largest}, s.count).v[0];
      if (!std::isfinite(shortest)) return;
      const Division* const division = system.forces.division;
      const Index begin = division ? division->own(exec.ranks->rank()).begin : 0;
      reference_ = largest_->run(exec, ias15_body::FirstOf{c, shortest, begin}, s.count).v[0];
      found = std::sqrt(shortest);
    });
    return found;
  }

  double tolerance_;
  bool translation_invariant_;
  // Kept from step to step.
  double last_dt_ = 0;            ///< [time]; 0: no step yet
  double reference_ = 0;          ///< index of the body with the shortest timescale, among all
  double dt_ = 0;                 ///< [time] length of the last complete step; 0: none
  Coefficients last_b_, last_e_;  ///< coefficients found in the last step, and predicted for it
  Column lost_x_, lost_v_;        ///< rounding that sums of positions and velocities have lost
  // The present step (ias15_body::Columns).
  Coefficients b_, e_, g_, lost_b_;
  Column x0_, v0_, a0_, lost_x0_, lost_v0_, moved_, timescale_, images_[3];
  bool images_known_ = false;  ///< the images are those of the last step
  Column origin_;   ///< with ranks: the position of the body that positions are relative to
  Column saved_x_;  ///< positions of the bodies while forces are evaluated at relative ones
  static constexpr Index unknown = -1;
  ias15_body::Columns columns_{};  ///< as columns() has found them
  std::optional<engine::Reducer<Exec, 1>> largest_;
  std::optional<engine::Reducer<Exec, 2>> pair_;
  Index largest_count_ = 0;  ///< number of bodies that the reducers are for
  Trial<Exec> trial_;
};

/// In the list of integrators.
struct Ias15Method {
  static IntegratorInfo info();
  template <class Exec>
  static std::unique_ptr<Integrator<Exec>> make(const Integration& scene,
                                                const ForceTraits& forces) {
    return std::make_unique<Ias15<Exec>>(options_of(scene, ias15_table()),
                                         forces.translation_invariant);
  }
};

}  // namespace mote::sim
