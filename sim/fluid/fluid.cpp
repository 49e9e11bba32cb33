#include "sim/fluid/fluid.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/algo/reduce.h"
#include "engine/exec/parallel.h"
#include "sim/fluid/fluid_numbers.h"
#include "sim/fluid/half_space_formula.h"
#include "sim/space/neighbour_runs.h"

namespace mote::sim {

/// Extremes over one task, which the time step depends on.
struct FluidExtremes {
  double squared_speed = 0, squared_acceleration = 0, least_porosity = 1;
  engine::Index interactions = 0;
};

namespace {

using engine::Cpu;
using engine::Index;
using engine::Vec3d;

/// Columns of Packed, in the order of FluidNeighbours.
enum PackedColumn {
  X,
  Y,
  Z,
  ShiftX,
  ShiftY,
  ShiftZ,
  Vx,
  Vy,
  Vz,
  Ux,
  Uy,
  Uz,
  Volume,
  Pressure,
  Dynamic,
  Stress
};
constexpr int packed_columns = Stress + 6;

/// Number of tasks: enough to balance the load of the threads.
Index tasks_for(Index cells, int threads) {
  return std::min<Index>(cells, threads == 1 ? 1 : 16 * static_cast<Index>(threads));
}

template <class T>
void ensure_size(engine::Buffer<T, engine::Host>& array, Index size) {
  if (array.size() < size) array = engine::Buffer<T, engine::Host>(size + size / 8);
}

}  // namespace

const FluidKernels& fluid_kernels(engine::SimdLevel level) {
  return engine::kernels_for(level, fluid_kernels_scalar, fluid_kernels_sse4_2, fluid_kernels_avx2,
                             fluid_kernels_avx512);
}

FluidForce::FluidForce(const Fluid& parameters, const Domain& domain, Vec3d gravity)
    : parameters_(parameters),
      domain_(domain),
      gravity_(gravity),
      weight_(weight_in(domain, gravity)),
      h_(smoothing_length(parameters)),
      sound_(sim::sound_speed(parameters)) {}

template <class Real>
FluidForce::Scratch<Real>& FluidForce::scratch() {
  if constexpr (std::is_same_v<Real, float>)
    return single_;
  else
    return double_;
}

/// Pointers to `count` packed neighbours, padded with particles of zero volume outside every
/// support.
template <class Real>
FluidNeighbours<Real> FluidForce::Packed<Real>::neighbours(Index count, bool shifted, bool stressed,
                                                           Real far) {
  for (std::vector<Real>& c : columns) std::fill_n(c.begin() + count, fluid_padding, Real(0));
  if (count > 0) std::fill_n(columns[X].begin() + count, fluid_padding, columns[X][0] + far);
  const auto at = [&](int k) -> const Real* { return columns[k].data(); };
  const Real* none = nullptr;
  const auto stress = [&](int part) { return stressed ? at(Stress + part) : none; };
  return {count,
          at(X),
          at(Y),
          at(Z),
          shifted ? at(ShiftX) : none,
          shifted ? at(ShiftY) : none,
          shifted ? at(ShiftZ) : none,
          at(Vx),
          at(Vy),
          at(Vz),
          at(Ux),
          at(Uy),
          at(Uz),
          at(Volume),
          at(Pressure),
          at(Dynamic),
          {stress(0), stress(1), stress(2), stress(3), stress(4), stress(5)}};
}

template <class Real>
void FluidForce::sort(const Cpu& exec, const FluidView<Real>& view, double ahead,
                      Sorted<Real>& s) const {
  StateView<const Real> positions{};
  positions.count = view.count;
  positions.x = view.x;
  positions.y = view.y;
  positions.z = view.z;
  s.grid.build(exec, positions, domain_, support_radius());
  for (Column<Real>* c :
       {&s.vx, &s.vy, &s.vz, &s.ux, &s.uy, &s.uz, &s.volume, &s.pressure, &s.dynamic})
    ensure_size(*c, view.count);
  ensure_size(s.kind, view.count);
  const FluidNumbers<Real> numbers(parameters_, weight_);
  const auto dt = static_cast<Real>(ahead);
  engine::parallel_chunks(exec.threads, view.count, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index i = s.grid.index()[k];
      s.kind.data()[k] = view.kind ? view.kind[i] : 0;
      s.vx.data()[k] = view.vx[i];
      s.vy.data()[k] = view.vy[i];
      s.vz.data()[k] = view.vz[i];
      const Real density = view.density[i] + dt * view.density_rate[i];
      s.volume.data()[k] = view.mass[i] / density;
      const Real intrinsic = view.porosity ? density / view.porosity[i] : density;
      s.pressure.data()[k] = numbers.tait.pressure(intrinsic);
      s.dynamic.data()[k] = intrinsic - dot(numbers.hydrostatic_gradient,
                                            Vec3<Real>{view.x[i], view.y[i], view.z[i]});
    }
  });
}

/// Packs the particles of one kind in a cell and its neighbour cells.
template <class Real>
FluidNeighbours<Real> FluidForce::pack(const Sorted<Real>& s, Cell cell, FluidKind kind,
                                       Packed<Real>& to, bool stressed) const {
  const CellGrid<Real>& grid = s.grid;
  const Real* from[packed_columns] = {
      grid.x(),    grid.y(),    grid.z(),        nullptr,           nullptr,
      nullptr,     s.vx.data(), s.vy.data(),     s.vz.data(),       s.ux.data(),
      s.uy.data(), s.uz.data(), s.volume.data(), s.pressure.data(), s.dynamic.data()};
  if (stressed)
    for (int part = 0; part < 6; ++part) from[Stress + part] = s.stress[part].data();
  const int columns = stressed ? packed_columns : Stress;
  Index capacity = fluid_padding;
  for_each_neighbour_run(
      grid.layout(), grid.start(), cell,
      [&](std::int32_t begin, std::int32_t end, Vec3d) { capacity += end - begin; });
  for (std::vector<Real>& c : to.columns)
    if (static_cast<Index>(c.size()) < capacity)
      c.resize(static_cast<std::size_t>(capacity + capacity / 4));
  Index count = 0;
  bool shifted = false;
  const auto copy = [&](Index begin, Index end, Vec3<Real> shift) {
    const Real by[3] = {shift.x, shift.y, shift.z};
    for (int array = X; array < columns; ++array) {
      Real* const target = to.columns[array].data() + count;
      if (from[array])
        std::copy(from[array] + begin, from[array] + end, target);
      else
        std::fill_n(target, end - begin, by[array - ShiftX]);
    }
    count += end - begin;
  };
  for_each_neighbour_run(grid.layout(), grid.start(), cell,
                         [&](std::int32_t begin, std::int32_t end, Vec3d by) {
                           const Vec3<Real> shift = narrowed<Real>(by);
                           shifted = shifted || by.x != 0 || by.y != 0 || by.z != 0;
                           // Copies runs of one kind at once.
                           const auto wanted = static_cast<std::uint8_t>(kind);
                           const std::uint8_t* const kinds = s.kind.data();
                           for (Index k = begin; k < end;) {
                             while (k < end && kinds[k] != wanted) ++k;
                             const Index first = k;
                             while (k < end && kinds[k] == wanted) ++k;
                             if (k > first) copy(first, k, shift);
                           }
                         });
  return to.neighbours(count, shifted, stressed, static_cast<Real>(100 * support_radius()));
}

/// Extrapolates pressure and velocity of the fluid to the wall particles of a cell.
template <class Real>
void FluidForce::extrapolate(const FluidLoops<Real>& loops, const FluidView<Real>& view,
                             const CellRun& here, Packed<Real>& packed, Sorted<Real>& s) const {
  const CellGrid<Real>& grid = s.grid;
  const auto [cell, begin, end] = here;
  const auto wall = static_cast<std::uint8_t>(FluidKind::wall);
  if (std::find(s.kind.data() + begin, s.kind.data() + end, wall) == s.kind.data() + end) return;
  const FluidNeighbours<Real> fluid = pack(s, cell, FluidKind::fluid, packed);
  const FluidNumbers<Real> numbers(parameters_, weight_);
  for (Index k = begin; k < end; ++k) {
    if (s.kind.data()[k] != wall) continue;
    const Index i = grid.index()[k];
    WallSums<Real> sums{};
    loops.wall(numbers.constants.kernel, fluid, {grid.x()[k], grid.y()[k], grid.z()[k]}, sums);
    const WallPoint<Real> point = wall_point(sums, {s.vx.data()[k], s.vy.data()[k], s.vz.data()[k]},
                                             numbers.weight_density, numbers.tait.background);
    s.pressure.data()[k] = point.pressure;
    s.volume.data()[k] = view.mass[i] / wall_density(numbers.tait, point.pressure);
    s.ux.data()[k] = point.v.x;
    s.uy.data()[k] = point.v.y;
    s.uz.data()[k] = point.v.z;
  }
}

template <class Real>
void FluidForce::stress(const FluidLoops<Real>& loops, const FluidView<Real>& view,
                        const CellRun& here, Packed<Real>& fluid_packed, Packed<Real>& walls_packed,
                        Sorted<Real>& s) const {
  const CellGrid<Real>& grid = s.grid;
  const auto [cell, begin, end] = here;
  const FluidNeighbours<Real> fluid = pack(s, cell, FluidKind::fluid, fluid_packed);
  FluidNeighbours<Real> walls{};
  if (view.kind) walls = pack(s, cell, FluidKind::wall, walls_packed);
  const FluidNumbers<Real> numbers(parameters_, weight_);
  for (Index k = begin; k < end; ++k) {
    const Vec3<Real> at{grid.x()[k], grid.y()[k], grid.z()[k]};
    Vec3<Real> of_fluid{0, 0, 0}, of_walls{0, 0, 0};
    loops.gradient(numbers.constants.kernel, fluid, at, of_fluid);
    if (walls.count > 0) loops.gradient(numbers.constants.kernel, walls, at, of_walls);
    const SurfaceStress<Real> found = surface_stress(numbers.tension, of_fluid, of_walls);
    const Real part[6] = {found.xx, found.xy, found.xz, found.yy, found.yz, found.zz};
    for (int n = 0; n < 6; ++n) s.stress[n].data()[k] = part[n];
  }
}

/// Accelerations, density rates and transport velocities of the particles of a cell.
template <class Real>
void FluidForce::accelerate(const FluidLoops<Real>& loops, const FluidView<Real>& view,
                            const CellRun& here, Packed<Real>& fluid_packed,
                            Packed<Real>& walls_packed, const Sorted<Real>& s,
                            const std::vector<Obstacle<Real>>& obstacles,
                            FluidExtremes& extremes) const {
  const CellGrid<Real>& grid = s.grid;
  const auto [cell, begin, end] = here;
  const FluidNeighbours<Real> fluid =
      pack(s, cell, FluidKind::fluid, fluid_packed, has_surface_tension());
  FluidNeighbours<Real> walls{};
  if (view.kind) walls = pack(s, cell, FluidKind::wall, walls_packed);

  const FluidNumbers<Real> numbers(parameters_, weight_);
  const auto with_fluid = loops.with_fluid[(numbers.shifting ? 1 : 0) + (numbers.xsph ? 2 : 0)];

  for (Index k = begin; k < end; ++k) {
    const Index i = grid.index()[k];
    if (view.pressure) view.pressure[i] = s.pressure.data()[k];
    FluidRates<Real> rates{};
    if (s.kind.data()[k] == static_cast<std::uint8_t>(FluidKind::fluid)) {
      const Vec3<Real> v{s.vx.data()[k], s.vy.data()[k], s.vz.data()[k]};
      const FluidTarget<Real> target{
          {grid.x()[k], grid.y()[k], grid.z()[k]},
          {v, s.volume.data()[k], s.pressure.data()[k], s.dynamic.data()[k]}};
      FluidSums<Real> sums{}, wall{};
      Index neighbours = -1;  // the particle itself is counted too
      with_fluid(numbers.constants, fluid, target, sums, neighbours);
      if (walls.count > 0) loops.with_walls(numbers.at_walls, walls, target, wall, neighbours);
      FluidSums<Real> solid{};
      for (const Obstacle<Real>& o : obstacles)
        add_sums(
            obstacle_sums(numbers.at_obstacles, o,
                          image_at(grid.layout(), Vec3<Real>{grid.x()[k], grid.y()[k], grid.z()[k]},
                                   o.frame.origin),
                          target.point),
            solid);
      rates = fluid_rates(numbers.factors, numbers.shifting, sums, wall, solid, view.mass[i],
                          target.point.volume);
      if (view.porosity)
        extremes.least_porosity = std::min<double>(extremes.least_porosity, view.porosity[i]);
      extremes.interactions += neighbours;
      extremes.squared_speed = std::max<double>(extremes.squared_speed, dot(v, v));
      extremes.squared_acceleration =
          std::max<double>(extremes.squared_acceleration, dot(rates.a, rates.a));
      if (has_surface_tension()) {
        const auto own = [&](int part) { return s.stress[part].data()[k]; };
        Vec3<Real> force{0, 0, 0};
        loops.tension(numbers.constants.kernel, numbers.tension.link, fluid, target,
                      {own(0), own(1), own(2), own(3), own(4), own(5)}, force);
        rates.a = rates.a + Real(1) / view.mass[i] * force;
      }
      view.ax[i] += rates.a.x;
      view.ay[i] += rates.a.y;
      view.az[i] += rates.a.z;
    }
    view.density_rate[i] = rates.density;
    if (view.fluid_ax)
      view.fluid_ax[i] = rates.a.x, view.fluid_ay[i] = rates.a.y, view.fluid_az[i] = rates.a.z;
    if (!view.ux) continue;
    view.ux[i] = rates.u.x;
    view.uy[i] = rates.u.y;
    view.uz[i] = rates.u.z;
  }
}

template <class Real>
void FluidForce::push(const Cpu& exec, const Sorted<Real>& s, Index count,
                      const std::vector<Obstacle<Real>>& obstacles,
                      const FluidObstacles& of) const {
  const FluidNumbers<Real> numbers(parameters_, weight_);
  for (int solid = 0; solid < of.all->solids(); ++solid) {
    std::vector<const Obstacle<Real>*> parts;
    for (int k = 0; k < of.all->count(); ++k)
      if (of.all->motion(k).solid == solid)
        parts.push_back(&obstacles[static_cast<std::size_t>(k)]);
    const SolidLoad load =
        engine::ordered_sum(exec.threads, count, SolidLoad{}, [&](Index begin, Index end) {
          SolidLoad sum;
          for (Index k = begin; k < end; ++k) {
            if (s.kind.data()[k] != static_cast<std::uint8_t>(FluidKind::fluid)) continue;
            const Vec3<Real> x{s.grid.x()[k], s.grid.y()[k], s.grid.z()[k]};
            const FluidPoint<Real> point{{s.vx.data()[k], s.vy.data()[k], s.vz.data()[k]},
                                         s.volume.data()[k],
                                         s.pressure.data()[k],
                                         s.dynamic.data()[k]};
            for (const Obstacle<Real>* o : parts) {
              const Vec3<Real> at = image_at(s.grid.layout(), x, o->frame.origin);
              sum.add_reaction(at - o->frame.pivot,
                               obstacle_sums(numbers.at_obstacles, *o, at, point).force);
            }
          }
          return sum;
        });
    load.add_to(of.solids[solid]);
  }
}

template <class Real>
FluidReport FluidForce::run(const Cpu& exec, const FluidView<Real>& view, double ahead,
                            const FluidObstacles& obstacles) {
  MOTE_EXPECT(view.ux || !has_transport_velocity());
  Scratch<Real>& work = scratch<Real>();
  const FluidKernels& kernels = fluid_kernels(exec.simd);
  const FluidLoops<Real>* loops;
  if constexpr (std::is_same_v<Real, float>)
    loops = &kernels.single;
  else
    loops = &kernels.full;
  sort(exec, view, ahead, work.sorted);
  const CellGrid<Real>& grid = work.sorted.grid;
  const Index buckets = grid.layout().buckets, tasks = tasks_for(buckets, exec.threads);
  const auto task_count = static_cast<std::size_t>(tasks);
  if (work.fluid.size() < task_count) work.fluid.resize(task_count);
  if (work.walls.size() < task_count) work.walls.resize(task_count);
  const auto for_cells = [&](auto&& use) {
    engine::parallel_tasks(exec.threads, tasks, [&](Index task) {
      for (Index bucket = task * buckets / tasks; bucket < (task + 1) * buckets / tasks; ++bucket)
        grid.for_each_run(static_cast<int>(bucket),
                          [&](const CellRun& here) { use(here, static_cast<std::size_t>(task)); });
    });
  };
  if (view.kind)
    for_cells([&](const CellRun& here, std::size_t task) {
      extrapolate(*loops, view, here, work.fluid[task], work.sorted);
    });
  if (has_surface_tension()) {
    for (Column<Real>& c : work.sorted.stress) ensure_size(c, view.count);
    for_cells([&](const CellRun& here, std::size_t task) {
      stress(*loops, view, here, work.fluid[task], work.walls[task], work.sorted);
    });
  }
  work.obstacles.clear();
  if (obstacles.all) obstacles.all->at(obstacles.time, obstacles.solids, work.obstacles);
  std::vector<FluidExtremes> extremes(task_count);
  for_cells([&](const CellRun& here, std::size_t task) {
    accelerate(*loops, view, here, work.fluid[task], work.walls[task], work.sorted, work.obstacles,
               extremes[task]);
  });
  if (obstacles.all && obstacles.solids)
    push(exec, work.sorted, view.count, work.obstacles, obstacles);
  FluidExtremes all;
  for (const FluidExtremes& e : extremes) {
    all.squared_speed = std::max(all.squared_speed, e.squared_speed);
    all.squared_acceleration = std::max(all.squared_acceleration, e.squared_acceleration);
    all.least_porosity = std::min(all.least_porosity, e.least_porosity);
    all.interactions += e.interactions;
  }
  const double acceleration =
      std::sqrt(std::max(all.squared_acceleration, dot(gravity_, gravity_)));
  // Sound is faster by 1 / sqrt(porosity): the same stiffness, less mass.
  const double sound = sound_ / std::sqrt(all.least_porosity);
  return {largest_fluid_step({h_, sound, std::sqrt(all.squared_speed), acceleration,
                              parameters_.viscosity,
                              parameters_.surface_tension / parameters_.density}),
          static_cast<std::uint64_t>(all.interactions)};
}

template <class Real>
double FluidForce::internal_energy(const FluidView<Real>& view) const {
  const TaitFormula<double> tait = equation_of_state(parameters_);
  double sum = 0;
  for (Index i = 0; i < view.count; ++i)
    if (!view.kind || view.kind[i] == static_cast<std::uint8_t>(FluidKind::fluid))
      sum += static_cast<double>(view.mass[i]) *
             tait.energy(static_cast<double>(view.density[i]) /
                         (view.porosity ? static_cast<double>(view.porosity[i]) : 1.0));
  return sum;
}

template FluidReport FluidForce::run(const Cpu&, const FluidView<float>&, double,
                                     const FluidObstacles&);
template FluidReport FluidForce::run(const Cpu&, const FluidView<double>&, double,
                                     const FluidObstacles&);
template double FluidForce::internal_energy(const FluidView<float>&) const;
template double FluidForce::internal_energy(const FluidView<double>&) const;

}  // namespace mote::sim
