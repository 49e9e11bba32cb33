#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "engine/params.h"
#include "sim/fluid/fluid_kernel.h"
#include "sim/module.h"
#include "sim/space/cell_grid.h"
#include "sim/step.h"

namespace mote::sim {

/// Parameters of a fluid.
struct Fluid {
  double spacing = 0;        ///< [length], > 0: of the particles at the reference density
  double largest_speed = 0;  ///< [velocity], > 0: that the flow is expected to reach
  std::optional<double> sound_speed = {};  ///< [velocity]; 10 times the largest speed
  double density = 1;                      ///< [density], > 0: of reference
  std::optional<double> smoothing = {};    ///< h / spacing; 2 in two, 1.5 in three dimensions
  std::int64_t dimensions = 3;             ///< 2 (x and y) or 3
  std::int64_t gamma = 7;
  double background_pressure = 0;   ///< [pressure]
  double viscosity = 0;             ///< nu [length^2 / time]
  double artificial_viscosity = 0;  ///< alpha
  double diffusion = 0.1;           ///< delta
  double shifting = 2;
  double xsph = 0;
  double surface_tension = 0;  ///< sigma [force / length]
  std::string walls = "no_slip";
  bool hydrostatic = false;  ///< starts with the pressure of its depth, rather than with the
                             ///< density of reference
};

const engine::ParamTable<Fluid>& fluid_table();

inline double smoothing_length(const Fluid& fluid) {
  return fluid.smoothing.value_or(fluid.dimensions == 2 ? 2 : 1.5) * fluid.spacing;
}
inline double sound_speed(const Fluid& fluid) {
  return fluid.sound_speed.value_or(10 * fluid.largest_speed);
}
TaitFormula<double> equation_of_state(const Fluid& fluid);

/// What a particle is. Others are neither felt nor moved.
enum class FluidKind : std::uint8_t { fluid, wall, other };

/// Columns of a fluid and its walls. Not owned.
template <class Real>
struct FluidView {
  engine::Index count;
  const std::uint8_t* kind;  ///< FluidKind; null where all are fluid
  const Real* mass;          ///< [mass], > 0; of a wall particle, that of fluid in its place
  const Real *x, *y, *z;     ///< [length]
  const Real *vx, *vy, *vz;  ///< [velocity]
  const Real* density;       ///< [density], > 0; that of walls is not read
  Real *ax, *ay, *az;        ///< [velocity / time]: added to, of the fluid
  Real* density_rate;        ///< [density / time]: read, then written, 0 for walls and others
  /// [velocity]: written, what positions move with besides v; null without shifting and XSPH.
  Real *ux, *uy, *uz;
  Real* pressure;  ///< [pressure]: written, of walls too, for those who look on; may be null
  /// Where grains take part of the place, what they leave to the fluid of each particle; null: all.
  /// The density is then mass in the whole volume, and that of the fluid itself density / porosity.
  const Real* porosity = nullptr;
  /// [velocity / time]: written, what the fluid adds to a; may be null.
  Real *own_x = nullptr, *own_y = nullptr, *own_z = nullptr;
};

/// What a fluid said of one evaluation.
struct FluidReport {
  double largest_step = 0;         ///< [time] that is stable
  std::uint64_t interactions = 0;  ///< directed pairs of the fluid with fluid and walls, within
                                   ///< reach
};

/// Weakly compressible SPH (docs/physics/fluids.md). Bitwise repeatable for any number of threads.
class FluidForce {
 public:
  using Parameters = Fluid;

  /// `gravity`: the even acceleration of other modules, which are those that add it. Known here for
  /// the pressure in walls and for diffusion; along periodic axes, where it has no weight to be
  /// carried, it is taken for none.
  FluidForce(const Fluid& parameters, const Domain& domain, engine::Vec3d gravity);

  static const ModuleInfo& info();

  /// How far particles feel each other [length]. Periodic axes are at least twice as long.
  double reach() const { return 2 * h_; }
  /// Whether positions move with more than their velocity, so that the columns u are needed.
  bool drifts() const { return parameters_.shifting > 0 || parameters_.xsph > 0; }
  bool tense() const { return parameters_.surface_tension > 0; }

  /// Evaluates accelerations, rates of density and drifts. In a step that kicks densities by their
  /// rates as it kicks velocities by accelerations, `ahead` is the time step: pressure is that of
  /// the density + ahead (the last rate). With the density itself, the density and the velocity of
  /// sound waves would be evaluated at one time, which is Euler's explicit step and makes them grow
  /// by (omega dt)^2 / 2 a step; so they grow by (omega dt)^4 / 2. 0 to evaluate what stands there.
  template <class Real>
  FluidReport run(const engine::Cpu& exec, const FluidView<Real>& view, double ahead);

  /// Internal energy of the fluid [energy], in double: with kinetic energy and that of gravity,
  /// what only viscosity, diffusion, shifting and impacts change.
  template <class Real>
  double internal_energy(const FluidView<Real>& view) const;

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Host>;

  /// Columns in the order of cells.
  template <class Real>
  struct Sorted {
    CellGrid<Real> grid;
    Column<Real> vx, vy, vz, ux, uy, uz, volume, pressure, dynamic;
    Column<Real> stress[6];  ///< with surface tension
    Column<std::uint8_t> kind;
  };
  /// Neighbours of one cell, for one task.
  template <class Real>
  struct Packed {
    std::vector<Real> column[21];
    FluidNeighbours<Real> neighbours(engine::Index count, bool shifted, bool stressed, Real far);
  };
  template <class Real>
  struct Scratch {
    Sorted<Real> sorted;
    std::vector<Packed<Real>> fluid, walls;  ///< by task
  };

  template <class Real>
  Scratch<Real>& scratch();
  template <class Real>
  void sort(const engine::Cpu& exec, const FluidView<Real>& view, double ahead,
            Sorted<Real>& sorted) const;
  /// `stressed`: with the stress of their surface.
  template <class Real>
  FluidNeighbours<Real> pack(const Sorted<Real>& sorted, Cell cell, FluidKind kind,
                             Packed<Real>& to, bool stressed = false) const;
  template <class Real>
  void extrapolate(const FluidLoops<Real>& loops, const FluidView<Real>& view,
                   const CellStretch& here, Packed<Real>& packed, Sorted<Real>& sorted) const;
  /// Finds the stress of the surface in particles of one cell.
  template <class Real>
  void stress(const FluidLoops<Real>& loops, const FluidView<Real>& view, const CellStretch& here,
              Packed<Real>& fluid, Packed<Real>& walls, Sorted<Real>& sorted) const;
  template <class Real>
  void accelerate(const FluidLoops<Real>& loops, const FluidView<Real>& view,
                  const CellStretch& here, Packed<Real>& fluid, Packed<Real>& walls,
                  const Sorted<Real>& sorted, struct FluidExtremes& extremes) const;

  Fluid parameters_;
  Domain domain_;
  engine::Vec3d gravity_, weight_;  ///< as given, and without its parts along periodic axes
  double h_, sound_;
  Scratch<float> single_;
  Scratch<double> double_;
};

}  // namespace mote::sim
