#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/fluid/fluid_kernel.h"
#include "sim/fluid/fluid_table.h"
#include "sim/space/cell_grid.h"
#include "sim/space/obstacles.h"
#include "sim/step.h"

namespace mote::sim {

/// Particles of kind `other` neither act on the fluid nor are moved.
enum class FluidKind : std::uint8_t { fluid, wall, other };

/// Columns of a fluid and its walls. Non-owning.
template <class Real>
struct FluidView {
  engine::Index count;
  const std::uint8_t* kind;  ///< FluidKind; null where all are fluid
  const Real* mass;          ///< [mass], > 0; of a wall particle, that of the fluid it displaces
  const Real *x, *y, *z;     ///< [length]
  const Real *vx, *vy, *vz;  ///< [velocity]
  const Real* density;       ///< [density], > 0; not read for walls
  Real *ax, *ay, *az;        ///< [velocity / time]: added to, fluid only
  Real* density_rate;        ///< [density / time]: read, then written; 0 for walls and others
  /// [velocity]: written, transport velocity added to v in the drift; null without shifting and
  /// XSPH.
  Real *ux, *uy, *uz;
  Real* pressure;  ///< [pressure]: written, of walls too, for output; may be null
  /// Volume fraction that grains leave to the fluid at each particle; null: 1. Then `density` is
  /// mass per total volume, and the fluid's intrinsic density is density / porosity.
  const Real* porosity = nullptr;
  /// [velocity / time]: written, the fluid's own contribution to a; may be null.
  Real *fluid_ax = nullptr, *fluid_ay = nullptr, *fluid_az = nullptr;
};

/// Obstacles around a fluid in an evaluation; none if `all` is null.
struct FluidObstacles {
  const Obstacles* all = nullptr;
  double time = 0;
  /// At this time: the forces on them are added. Null without solids.
  SolidState* solids = nullptr;
};

/// Results of one evaluation.
struct FluidReport {
  double largest_step = 0;  ///< [time], the largest stable step
  /// Directed pairs of fluid with fluid and walls within the support.
  std::uint64_t interactions = 0;
};

/// Weakly compressible SPH (docs/physics/fluids.md). Bitwise reproducible for any number of
/// threads.
class FluidForce {
 public:
  using Parameters = Fluid;

  /// `gravity`: the uniform acceleration, which other modules add. Used here for the pressure in
  /// walls and for density diffusion. Its components along periodic axes are ignored: there is no
  /// hydrostatic pressure along them.
  FluidForce(const Fluid& parameters, const Domain& domain, engine::Vec3d gravity);

  /// Support radius [length]. Periodic axes must be at least twice as long.
  double support_radius() const { return 2 * h_; }
  /// Whether positions move with a transport velocity besides v, so that the columns u are needed.
  bool has_transport_velocity() const { return parameters_.shifting > 0 || parameters_.xsph > 0; }
  bool has_surface_tension() const { return parameters_.surface_tension > 0; }

  /// Evaluates accelerations, density rates and transport velocities. In a step that kicks
  /// densities by their rates, as velocities by accelerations, `ahead` is the time step: the
  /// pressure is that of density + ahead * (last rate). Without this extrapolation, density and
  /// velocity of sound waves would be evaluated at the same time (explicit Euler), and waves would
  /// grow by (omega dt)^2 / 2 a step; with it they grow by (omega dt)^4 / 2. Pass 0 to evaluate the
  /// state as it is.
  template <class Real>
  FluidReport run(const engine::Cpu& exec, const FluidView<Real>& view, double ahead,
                  const FluidObstacles& obstacles = {});

  /// Internal energy of the fluid [energy], in double. The sum with kinetic and gravitational
  /// energy changes only by viscosity, diffusion, shifting and impacts.
  template <class Real>
  double internal_energy(const FluidView<Real>& view) const;

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Host>;

  /// Columns in cell order.
  template <class Real>
  struct Sorted {
    CellGrid<Real> grid;
    Column<Real> vx, vy, vz, ux, uy, uz, volume, pressure, dynamic;
    Column<Real> stress[6];  ///< empty without surface tension
    Column<std::uint8_t> kind;
  };
  /// Packed neighbours of one cell; one buffer a task.
  template <class Real>
  struct Packed {
    std::vector<Real> columns[21];
    FluidNeighbours<Real> neighbours(engine::Index count, bool shifted, bool stressed, Real far);
  };
  template <class Real>
  struct Scratch {
    Sorted<Real> sorted;
    std::vector<Packed<Real>> fluid, walls;  ///< one per task
    std::vector<Obstacle<Real>> obstacles;
  };

  template <class Real>
  Scratch<Real>& scratch();
  template <class Real>
  void sort(const engine::Cpu& exec, const FluidView<Real>& view, double ahead,
            Sorted<Real>& sorted) const;
  /// `stressed`: packs the surface stress too.
  template <class Real>
  FluidNeighbours<Real> pack(const Sorted<Real>& sorted, Cell cell, FluidKind kind,
                             Packed<Real>& to, bool stressed = false) const;
  template <class Real>
  void extrapolate(const FluidLoops<Real>& loops, const FluidView<Real>& view, const CellRun& here,
                   Packed<Real>& packed, Sorted<Real>& sorted) const;
  /// Computes the surface stress of the particles of one cell.
  template <class Real>
  void stress(const FluidLoops<Real>& loops, const FluidView<Real>& view, const CellRun& here,
              Packed<Real>& fluid, Packed<Real>& walls, Sorted<Real>& sorted) const;
  template <class Real>
  void accelerate(const FluidLoops<Real>& loops, const FluidView<Real>& view, const CellRun& here,
                  Packed<Real>& fluid, Packed<Real>& walls, const Sorted<Real>& sorted,
                  const std::vector<Obstacle<Real>>& obstacles,
                  struct FluidExtremes& extremes) const;
  /// Adds the forces of the fluid on solids.
  template <class Real>
  void push(const engine::Cpu& exec, const Sorted<Real>& sorted, engine::Index count,
            const std::vector<Obstacle<Real>>& obstacles, const FluidObstacles& of) const;

  Fluid parameters_;
  Domain domain_;
  engine::Vec3d gravity_, weight_;  ///< gravity as given; without components along periodic axes
  double h_, sound_;
  Scratch<float> single_;
  Scratch<double> double_;
};

}  // namespace mote::sim
