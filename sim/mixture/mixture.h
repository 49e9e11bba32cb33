#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/fluid/fluid.h"
#include "sim/mixture/drag_formula.h"
#include "sim/space/cell_grid.h"

namespace mote::sim {

/// Columns of a fluid, its walls and the grains in it. Non-owning.
template <class Real>
struct MixtureView {
  engine::Index count;
  const std::uint8_t* kind;   ///< FluidKind
  const std::uint8_t* grain;  ///< 1: a grain, of FluidKind `other`
  const Real *mass, *radius;  ///< radius: of grains
  const Real *x, *y, *z;      ///< [length]
  const Real *vx, *vy, *vz;   ///< [velocity]
  const Real* density;        ///< [density] of the fluid: mass per total volume, as in FluidView
  /// [velocity / time], the fluid's own contribution to a, see FluidView.
  const Real *fluid_ax, *fluid_ay, *fluid_az;
  Real *ax, *ay, *az;  ///< [velocity / time]: added to, fluid and grains
};

/// Two-way coupling of a fluid and grains smaller than its resolution (docs/physics/mixtures.md).
/// An evaluation is a call of `porosities`, one of FluidForce::run with these, and one of `run`.
/// The forces on grains and fluid sum to zero up to round-off. Each body gathers its forces in cell
/// order: bitwise reproducible for any number of threads.
template <class Real>
class MixtureForce {
 public:
  MixtureForce(const Fluid& fluid, const Domain& domain);

  /// Computes the volume fraction that grains leave to the fluid at each particle, by body index; 1
  /// for all other bodies.
  void porosities(const engine::Cpu& exec, const MixtureView<Real>& view, Real* porosity);

  /// Adds accelerations, at the positions of the last call of `porosities`. Returns the largest
  /// stable step [time].
  double run(const engine::Cpu& exec, const MixtureView<Real>& view, const Real* porosity);

 private:
  /// A subset of the bodies, in cell order.
  struct SortedBodies {
    std::vector<std::int32_t> selected, index;  ///< body indices, ascending and by slot
    std::vector<Real> x, y, z;
    CellGrid<Real> grid;
    engine::Index count() const { return static_cast<engine::Index>(index.size()); }
  };
  struct FluidSample {
    Real volume, porosity;  ///< porosity 0: a wall
    Vec3<Real> v, force_density;
  };
  struct GrainSample {
    Real volume;
    Vec3<Real> reaction;  ///< force per fluid volume and W
    Real drag_reaction;   ///< drag likewise
    Real rate;            ///< drag / mass
  };

  template <class Choose>
  void sort(const engine::Cpu& exec, const MixtureView<Real>& view, SortedBodies& bodies,
            Choose&& choose) const;
  template <class Use>
  void for_each_in_support(const SortedBodies& bodies, Vec3<Real> position, Use&& use) const;

  Fluid parameters_;
  Domain domain_;
  SmoothingKernel<Real> kernel_;
  double support_radius_;
  SortedBodies grains_, fluid_;
  std::vector<FluidSample> fluid_samples_;
  std::vector<GrainSample> grain_samples_;
  std::vector<Real> fluid_rate_;  ///< drag / mass
};

}  // namespace mote::sim
