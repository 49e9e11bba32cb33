#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/fluid/fluid.h"
#include "sim/mixture/drag_formula.h"
#include "sim/space/cell_grid.h"

namespace mote::sim {

/// Columns of a fluid, its walls and the grains in it. Not owned.
template <class Real>
struct MixtureView {
  engine::Index count;
  const std::uint8_t* kind;   ///< FluidKind
  const std::uint8_t* grain;  ///< 1: a grain, of the kind `other`
  const Real *mass, *radius;  ///< radius: of grains
  const Real *x, *y, *z;      ///< [length]
  const Real *vx, *vy, *vz;   ///< [velocity]
  const Real* density;  ///< [density] of the fluid, as FluidView has it: mass in a volume that
                        ///< grains are in, too
  const Real *own_x, *own_y, *own_z;  ///< [velocity / time], what the fluid does to itself
                                      ///< (FluidView)
  Real *ax, *ay, *az;                 ///< [velocity / time]: added to, of fluid and grains
};

/// A fluid and the grains in it, which are smaller than its resolution: each feels the other
/// (docs/physics/mixtures.md). An evaluation is a call of `porosities`, one of FluidForce::run with
/// them, and a call of `run`. What a grain gets the fluid loses, to rounding. Everybody gathers
/// what acts on it, in the order of cells: the same bits for any number of threads.
template <class Real>
class MixtureForce {
 public:
  MixtureForce(const Fluid& fluid, const Domain& domain);

  /// The part of the place of each particle of the fluid that grains leave, by column; 1 for all
  /// others.
  void porosities(const engine::Cpu& exec, const MixtureView<Real>& view, Real* porosity);

  /// Adds accelerations, where the bodies of the last call of `porosities` stand. Returns the
  /// longest stable step [time].
  double run(const engine::Cpu& exec, const MixtureView<Real>& view, const Real* porosity);

 private:
  /// Some of the bodies, in the order of cells.
  struct Side {
    std::vector<std::int32_t> chosen, column;
    std::vector<Real> x, y, z;
    CellGrid<Real> grid;
    engine::Index count() const { return static_cast<engine::Index>(column.size()); }
  };
  struct FluidAt {
    Real volume, porosity;  ///< porosity 0: a wall
    Vec3<Real> v, push;
  };
  struct GrainAt {
    Real volume;
    Vec3<Real> share;  ///< of its force, for a volume of fluid and W
    Real drag_share;
    Real rate;  ///< drag over mass
  };

  template <class Choose>
  void sort(const engine::Cpu& exec, const MixtureView<Real>& view, Side& side,
            Choose&& choose) const;
  template <class Use>
  void for_each_near(const Side& side, Vec3<Real> at, Use&& use) const;

  Fluid fluid_of_;
  Domain domain_;
  SmoothingKernel<Real> kernel_;
  double reach_;
  Side grains_, fluid_;
  std::vector<FluidAt> fluid_at_;
  std::vector<GrainAt> grain_at_;
  std::vector<Real> fluid_rate_;
};

}  // namespace mote::sim
