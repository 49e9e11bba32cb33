#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/motion/integration.h"

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
class Ias15 final : public Integrator<engine::Cpu> {
 public:
  Ias15(const Ias15Options& options, bool translation_invariant)
      : tolerance_(options.tolerance), translation_invariant_(translation_invariant) {}

  StepTaken step(const engine::Cpu& exec, System<engine::Cpu>& system) override;
  void evaluate(const engine::Cpu& exec, System<engine::Cpu>& system) override;
  double first_step(const State<engine::Host>& state, double limit) const override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  bool has_dense_output() const override { return true; }
  bool write_within(double before_end, State<engine::Host>& to) override;

  static constexpr int nodes = 7;  ///< beside the start of the step

 private:
  /// Forgets what it keeps from step to step.
  void restart();
  using Column = std::vector<double>;  ///< x, y, z of all bodies, one after the other
  using Coefficients = Column[nodes];

  void resize(std::size_t size);
  void predict(double ratio);
  /// Positions and velocities at s, from those at the start and the coefficients. `relative`: to
  /// the reference body.
  void write_at(double s, double dt, StateView<double> state, bool relative);
  /// Replaces coefficients by those of the acceleration at a node; returns the largest change of
  /// the last one, and the largest acceleration.
  struct Change {
    double last = 0, acceleration = 0;
  };
  Change correct(int node, const StateView<double>& state);
  /// Iterates the coefficients of a step of this length; false if they do not converge.
  bool converge(const engine::Cpu& exec, System<engine::Cpu>& system, double dt);
  double timescale();
  void finish(double dt, StateView<double> state);
  void write_relative(const Column& x, const Column& more, StateView<double> state) const;
  /// Accelerations with what depends on velocities, at the positions and velocities of the state.
  void add_forces(const engine::Cpu& exec, System<engine::Cpu>& system, double fraction) const;
  void restore_images(const StateView<double>& state) const;

  double tolerance_;
  bool translation_invariant_;
  // Kept from step to step.
  double last_dt_ = 0;            ///< [time]; 0: no step yet
  Coefficients last_b_, last_e_;  ///< coefficients found in the last step, and predicted for it
  Column lost_x_, lost_v_;        ///< rounding that sums of positions and velocities have lost
  std::size_t reference_ = 0;     ///< index of the body with the shortest timescale
  // The present step.
  double dt_ = 0;  ///< length of the last complete step; 0: none
  Coefficients b_, e_, g_, lost_b_;
  Column x0_, v0_, a0_;
  Column lost_x0_, lost_v0_, moved_;
  Column images_[3];  ///< crossed periods at the start, of axes that have them
};

IntegratorInfo ias15();

}  // namespace mote::sim
