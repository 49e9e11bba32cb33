#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/division.h"
#include "sim/expansions/curve_shares.h"
#include "sim/expansions/multipole_kernel.h"
#include "sim/expansions/multipole_settings.h"
#include "sim/expansions/periodic_images.h"
#include "sim/expansions/tree.h"
#include "sim/force.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Charges that replace masses as what attracts, by species (0: bodies without one). Charges of
/// equal sign repel: a_i = -constant q_i / m_i sum_j q_j d_ij / r^3.
struct Charges {
  std::vector<double> of_species;  ///< [charge]; empty: there are none
  double constant = 0;             ///< [energy length / charge^2]

  double of(std::uint8_t species) const {
    return species < of_species.size() ? of_species[species] : 0;
  }
};

/// Gravity, or forces between charges, by a fast multipole method: O(N), with an error that is
/// asked for. Massless bodies are attracted but do not attract; coincident bodies do not interact.
/// Bitwise repeatable for any number of threads; forces are a function of positions, masses and ids
/// alone.
///
/// A tree of cells (Tree), their multipole moments about their centers of mass, then for each cell
/// the expansions of all cells that are far enough (Acceptance), passed on to its children, and
/// direct sums over what is left at the leaves. The field scale that decides what is far enough is
/// estimated in the same evaluation, from the masses of cells, so nothing is remembered. In a
/// periodic box masses are compared with the pull of a neighbour (decision 0065).
///
/// Charges of either sign are summed alike. The error is then compared with the field of
/// neighbouring charges, since those farther away cancel (Acceptance, FieldScale).
///
/// With ranks, each makes the tree of all bodies, and sums for the targets of a range along its
/// curve (CurveShares); the sums are then sent to all.
///
/// In a domain that is periodic along all axes the images of all bodies act too (PeriodicImages):
/// the nearest in the walk, the others by an expansion of their potential in the box.
class MultipoleSolver {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::positions;

  /// `domain`: open, or periodic along all axes.
  MultipoleSolver(const MultipoleSettings& settings, double softening, double gravitational,
                  const Domain& domain = {});
  /// Forces between charges instead of masses.
  MultipoleSolver(const MultipoleSettings& settings, const Charges& charges,
                  const Domain& domain = {});

  /// Scratch memory for `count` bodies [bytes]: an estimate, since the number of cells depends on
  /// where the bodies are.
  static std::uint64_t scratch_bytes(engine::Index count, const MultipoleSettings& settings);

  /// Interactions of an evaluation, as they are counted: an estimate.
  static double interactions(engine::Index count, const MultipoleSettings& settings) {
    // About as many pairs of bodies as of coefficients, for each body; more for a smaller error.
    const auto n = static_cast<double>(count);
    return n * std::min(n, 12.0 * expansion::count_of(settings.order) * settings.order);
  }

  void change_softening(double softening) { softening_ = softening; }

  /// Wraps bodies into a periodic domain, unless neighbour lists do. Adds to the accelerations of
  /// all bodies, and the counts to `report.interactions`.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report) {
    run(exec, state, ForceRequest{}, report);
  }
  /// Adds to the accelerations of chosen bodies, with the same bits: the walk skips leaves without
  /// chosen bodies. The request asks for no jerks.
  void run(const engine::Cpu& exec, State<engine::Host>& state, const ForceRequest& request,
           StepReport& report);

  /// Evaluates the forces again, and compares those of a sample with direct sums.
  ForceErrors errors(const engine::Cpu& exec, const State<engine::Host>& state);

  /// Potential energy [energy], in double; each pair counts once. In a periodic domain that of its
  /// bodies, each with its own images too.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);

  /// Sum over pairs of d . F, of charges (Force::virial): their energy, since the force falls as
  /// r^-2. Gravity takes no part in pressures.
  double virial() const { return charged() ? energy_ : 0; }

  /// The potential at each body per unit mass [velocity^2], in double; NaN if a number of the state
  /// is not finite. Empty for charges.
  std::vector<double> potentials(const engine::Cpu& exec, const State<engine::Host>& state);

  /// An evaluation has summed `near` pairs of bodies directly, and `far` pairs of cells by
  /// expansions.
  struct Counts {
    std::uint64_t near = 0, far = 0;
  };
  const Counts& counts() const { return counts_; }
  const Tree& tree() const { return tree_; }

 private:
  template <class Real>
  using Column = engine::Buffer<Real, engine::Host>;
  bool charged() const { return !charges_.of_species.empty(); }
  /// By slot: masses, or charges in `scratch`.
  template <class Real>
  const Real* weights(const StateView<const Real>& s, std::vector<Real>& scratch) const;
  template <class Real>
  class Forces;

  /// False if a number is not finite.
  bool build(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Into ax_, ay_, az_; returns the factor of these, NaN if a number is not finite.
  double evaluate(const engine::Cpu& exec, const State<engine::Host>& state,
                  const ChosenBodies& targets = {});
  void find_own_leaves(const engine::Cpu& exec);
  void find_wanted(const ChosenBodies& targets);
  void find_moments(const engine::Cpu& exec);
  void make_moments(std::uint32_t cell, const MultipoleKernels& kernels);
  void find_field_scale(const engine::Cpu& exec);
  void find_far_images(const engine::Cpu& exec);
  template <class Real>
  void find_forces(const engine::Cpu& exec, bool potential);

  CellColumns columns() const;
  CellFrame frame(std::uint32_t cell) const {
    return {tree_.cells()[cell].center, tree_.cells()[cell].scale};
  }
  double* moments(std::uint32_t cell) {
    return moments_.data() + std::size_t{cell} * std::size_t(stride_);
  }

  MultipoleSettings settings_;
  int stride_;  ///< stride of the coefficients of cells
  double softening_, gravitational_;
  Charges charges_;
  double energy_ = 0;  ///< result of the last potential_energy()
  Tree tree_;
  double squared_softening_ = 0;  ///< squared length in units of the tree

  // Used in a periodic domain alone.
  Domain domain_;
  std::unique_ptr<const PeriodicImages> periodic_;  ///< null if the domain is open
  std::vector<engine::Vec3d> images_{{0, 0, 0}};    ///< images of the box, in units of the tree
  std::vector<double> far_images_;                  ///< coefficients of their potential
  PeriodicImages::Frame box_{};

  // One number for each cell.
  Column<double> x_, y_, z_, radius_, scale_, power_[expansion::largest_order + 1];
  Column<double> moments_;
  Column<float> moments_single_;
  std::vector<double> field_;         ///< scale f
  std::vector<std::uint8_t> wanted_;  ///< 1 for cells that are targets; empty: all are
  std::vector<double> pull_;          ///< g of Acceptance, in a periodic box of masses
  std::vector<Counts> cell_counts_;

  // One number for each body, in the order of the tree.
  std::vector<double> ax_, ay_, az_, potential_;
  Counts counts_;

  // The ranges of the ranks along the curve.
  CurveShares shares_;
  std::vector<engine::Index> borders_;  ///< at leaves, as in CurveShares::borders
  engine::Range targets_;               ///< that of this rank
  std::vector<std::uint32_t> leaves_;   ///< along the curve; only with ranks
  std::vector<std::uint8_t> own_;       ///< 1 for cells with leaves of this rank; empty: all have
};

}  // namespace mote::sim
