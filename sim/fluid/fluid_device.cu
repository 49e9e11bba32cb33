#include "sim/fluid/fluid_device.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/fluid_forces.cuh"
#include "sim/fluid/fluid_tension.cuh"
#include "sim/space/move_obstacles.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Precision;
using engine::Values;
using fluid_forces::extrapolate;
using fluid_forces::fluid_threads;
using fluid_forces::FluidBounds;
using fluid_forces::FluidRecord;
using fluid_forces::FluidRecords;
using fluid_forces::FluidReductions;
using fluid_forces::gather_fluid_records;
using fluid_forces::rare_blocks;

/// Terms by body index; with grains, by slot in cell order.
template <class Real>
struct InternalEnergy {
  TaitFormula<double> tait;
  const Real *mass, *density, *porosity;
  const std::uint8_t* kinds;
  const std::int32_t* index;
  __device__ Values<1> operator()(Index p) const {
    const Index i = porosity ? index[p] : p;
    if (kinds[i] != static_cast<std::uint8_t>(FluidKind::fluid)) return {};
    const double pores = porosity ? static_cast<double>(porosity[p]) : 1.0;
    return {{static_cast<double>(mass[i]) * tait.energy(static_cast<double>(density[i]) / pores)}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

/// Neighbour counts, which doubles add exactly.
struct FluidInteractions {
  const std::int32_t* neighbours;
  __device__ Values<1> operator()(Index p) const { return {{static_cast<double>(neighbours[p])}}; }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

unsigned fluid_blocks(Index tasks) {
  return engine::blocks_for(tasks, fluid_threads);
}

template <auto value>
using constant = std::integral_constant<decltype(value), value>;

/// Calls `use` with the template arguments of the acceleration kernel.
template <class Use>
void with_kind(bool shifting, bool xsph, FluidBounds bounds, Use&& use) {
  const auto with_bounds = [&](auto more) {
    switch (bounds) {
      case FluidBounds::none:
        return use(more, constant<FluidBounds::none>{});
      case FluidBounds::walls:
        return use(more, constant<FluidBounds::walls>{});
      case FluidBounds::obstacles:
        return use(more, constant<FluidBounds::obstacles>{});
    }
  };
  if (shifting && xsph) return with_bounds(constant<3>{});
  if (xsph) return with_bounds(constant<2>{});
  if (shifting) return with_bounds(constant<1>{});
  with_bounds(constant<0>{});
}

/// Skin of the neighbour lists. At the expected largest speed, a tenth of that of sound, a particle
/// crosses half of it in four or five steps.
double skin_for(const Domain& domain, double radius) {
  double skin = 0.1 * radius;
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) skin = std::min(skin, lengths[axis] / 2 - radius);
  return std::max(skin, 0.0);
}

/// Capacity for the neighbours of an even distribution, and a sixth more.
NeighbourListSetup neighbour_list_setup(const Fluid& fluid, Index count) {
  constexpr double pi = 3.14159265358979323846;
  const double radius = 2.2 * smoothing_length(fluid) / fluid.spacing;
  const double even =
      fluid.dimensions == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius;
  return {.count = count,
          .selected = nullptr,
          .wrap_positions = false,
          .initial_capacity = static_cast<std::int32_t>(7.0 / 6 * even) + 8};
}

}  // namespace

struct DeviceFluidForce::Buffers {
  Buffers(const Cuda& exec, const Fluid& fluid, const Domain& domain,
          const std::vector<std::uint8_t>& kinds, Precision precision, int lanes)
      : near(near_of(exec, fluid, domain, kinds, precision, lanes)),
        kind(static_cast<Index>(kinds.size())),
        neighbours(near.slots()),
        reductions(1),
        reductions_host(1),
        sum(kind.size()) {}
  static DeviceNeighbours near_of(const Cuda& exec, const Fluid& fluid, const Domain& domain,
                                  const std::vector<std::uint8_t>& kinds, Precision precision,
                                  int lanes) {
    std::vector<std::uint8_t> chosen;
    for (const std::uint8_t kind : kinds)
      chosen.push_back(kind != static_cast<std::uint8_t>(FluidKind::other));
    NeighbourListSetup bodies = neighbour_list_setup(fluid, static_cast<Index>(kinds.size()));
    bodies.selected = &chosen;
    const double radius = 2 * smoothing_length(fluid);
    MOTE_EXPECT(lanes == 0 || lanes == 1 || lanes == 8);
    const auto others = std::count(chosen.begin(), chosen.end(), std::uint8_t{0});
    if (lanes == 0) lanes = neighbour_lanes_for(bodies.count - others);
    return {exec, domain, radius, skin_for(domain, radius), bodies, precision, lanes};
  }
  DeviceNeighbours near;
  engine::Buffer<std::uint8_t, Device> kind;
  engine::Buffer<std::int32_t, Device> neighbours;  ///< count, by slot
  engine::Buffer<FluidReductions, Device> reductions;
  engine::Buffer<FluidReductions, engine::Pinned> reductions_host;
  engine::Reduction<1> sum;
};

template <class Real>
struct DeviceFluidForce::Records {
  Records(const Cuda& exec, Index slots, Index bodies, bool walls, bool has_tension,
          const Obstacles& described)
      : obstacles(exec, described),
        pushes(static_cast<Index>(described.solids()) * fluid_forces::solid_chunks),
        record(slots),
        mass(slots),
        saved_acceleration(3 * bodies),
        slip(walls ? slots : 0),
        stress(has_tension ? slots : 0) {}
  DeviceObstacles<Real> obstacles;
  engine::Buffer<SolidLoad, Device> pushes;  ///< sums over chunks of particles, by solid
  engine::Buffer<FluidRecord<Real>, Device> record;
  engine::Buffer<Real, Device> mass;
  /// Accelerations after a step that was too long, axis by axis.
  engine::Buffer<Real, Device> saved_acceleration;
  engine::Buffer<Vec3<Real>, Device> slip;
  engine::Buffer<SurfaceStress<Real>, Device> stress;
  FluidRecords<Real> view() { return {record.data(), mass.data(), slip.data()}; }
};

template <class Real>
DeviceFluidForce::Records<Real>& DeviceFluidForce::records() {
  if constexpr (std::is_same_v<Real, float>)
    return *single_;
  else
    return *double_;
}

DeviceFluidForce::DeviceFluidForce(const Cuda& exec, const Fluid& parameters, const Domain& domain,
                                   engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                                   Precision precision, int lanes, const Obstacles& obstacles)
    : parameters_(parameters),
      domain_(domain),
      gravity_(gravity),
      weight_(weight_in(domain, gravity)),
      walls_(std::find(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(FluidKind::wall)) !=
             kinds.end()),
      solids_(obstacles.solids()),
      buffers_(std::make_unique<Buffers>(exec, parameters, domain, kinds, precision, lanes)) {
  const Index slots = buffers_->near.slots(), bodies = buffers_->kind.size();
  const bool has_tension = parameters.surface_tension > 0;
  if (precision == Precision::single)
    single_ = std::make_unique<Records<float>>(exec, slots, bodies, walls_, has_tension, obstacles);
  else
    double_ =
        std::make_unique<Records<double>>(exec, slots, bodies, walls_, has_tension, obstacles);
  engine::copy_to_device(buffers_->kind.data(), kinds.data(), bodies, exec.stream);
  const FluidReductions none{0, 0, 0, std::numeric_limits<double>::infinity()};
  engine::copy_to_device(buffers_->reductions.data(), &none, 1, exec.stream);
  engine::wait(exec);
}

DeviceFluidForce::DeviceFluidForce(DeviceFluidForce&&) noexcept = default;
DeviceFluidForce::~DeviceFluidForce() = default;

std::uint64_t DeviceFluidForce::device_bytes(const Fluid& fluid, Index count, Precision precision) {
  const std::uint64_t real = precision == Precision::single ? sizeof(float) : sizeof(double);
  return DeviceNeighbours::device_bytes(neighbour_list_setup(fluid, count), precision) +
         static_cast<std::uint64_t>(count) *
             ((fluid.surface_tension > 0 ? 21 : 15) * real + sizeof(std::int32_t) + 1) +
         engine::Reduction<1>::bytes(count);
}

void DeviceFluidForce::on_state_replaced(const Cuda& exec) {
  buffers_->near.invalidate(exec);
}

template <class Real>
void DeviceFluidForce::update(const Cuda& exec, const StateView<Real>& s, const StageTime& time) {
  buffers_->near.update(exec, s, time.record);
}

template <class Real>
void DeviceFluidForce::update_positions(const Cuda& exec, const StateView<Real>& s) {
  buffers_->near.update_positions(exec, s);
}

template <class Real>
DeviceCellView<Real> DeviceFluidForce::cells() const {
  return buffers_->near.cells<Real>();
}
template DeviceCellView<float> DeviceFluidForce::cells() const;
template DeviceCellView<double> DeviceFluidForce::cells() const;

template <class Real>
void DeviceFluidForce::accelerate(const Cuda& exec, const StateView<Real>& s, SolidState* solids,
                                  const StageTime& time, const DevicePores<Real>& pores) {
  const FluidNumbers<Real> numbers(parameters_, weight_);
  const DeviceNeighbourView<Real> near = buffers_->near.view<Real>();
  const FluidRecords<Real> r = records<Real>().view();
  const fluid_forces::FluidColumns<Real> columns{s[fields::density], s[fields::density_rate],
                                                 s[fields::transport_velocity]};
  const fluid_forces::FluidObstacleView<Real> obstacles{
      records<Real>().obstacles.view(solids),
      {domain_.periodic[0], domain_.periodic[1], domain_.periodic[2]},
      {domain_.length.x, domain_.length.y, domain_.length.z}};
  move_obstacles(exec, obstacles.view, time);
  FluidReductions* const reductions = buffers_->reductions.data();
  const StepClock* const clock = time.elapsed_fraction > 0 ? time.clock : nullptr;
  engine::launch(exec, {fluid_blocks(near.count), fluid_threads}, gather_fluid_records<Real>, near,
                 numbers, s, columns, buffers_->kind.data(), clock, pores.porosity, r, reductions);
  const FluidBounds bounds = obstacles.view.count > 0 ? FluidBounds::obstacles
                             : walls_                 ? FluidBounds::walls
                                                      : FluidBounds::none;
  const auto start = [&]<int lanes>(std::integral_constant<int, lanes>) {
    const engine::LaunchShape shape{fluid_blocks(static_cast<Index>(near.count) * lanes),
                                    fluid_threads};
    if (walls_) engine::launch(exec, shape, extrapolate<lanes, Real>, near, numbers, r);
    with_kind(numbers.shifting, numbers.xsph, bounds,
              [&]<int more, FluidBounds at>(constant<more>, constant<at>) {
                engine::launch(exec, shape, fluid_forces::accelerate<more, at, lanes, Real>, near,
                               numbers, s, columns, r, obstacles, buffers_->neighbours.data(),
                               pores.fluid_acceleration, reductions, time.record);
              });
    if (parameters_.surface_tension > 0) {
      const SmoothingKernel<Real> kernel = numbers.constants.kernel;
      SurfaceStress<Real>* const stress = records<Real>().stress.data();
      engine::launch(exec, shape, compute_surface_stress<lanes, Real, FluidRecord<Real>>, near,
                     numbers.tension, kernel, r.record, r.mass, stress);
      engine::launch(exec, shape, add_surface_tension<lanes, Real, FluidRecord<Real>>, near,
                     numbers.tension.link, kernel, r.record, r.mass, stress, s,
                     pores.fluid_acceleration, time.record);
    }
  };
  near.lanes == 1 ? start(std::integral_constant<int, 1>{})
                  : start(std::integral_constant<int, 8>{});
  if (solids_ == 0 || !solids) return;
  SolidLoad* const pushes = records<Real>().pushes.data();
  engine::launch(exec,
                 {.blocks = static_cast<unsigned>(solids_ * fluid_forces::solid_chunks),
                  .threads = fluid_threads,
                  .shared = fluid_threads * sizeof(SolidLoad)},
                 fluid_forces::push_solids<Real>, near, numbers, r, obstacles, pushes);
  engine::launch(exec, {1, fluid_threads}, fluid_forces::add_pushes, pushes, solids_, solids,
                 static_cast<const DeviceRecord*>(time.record));
}

template <class Real>
void DeviceFluidForce::check_step_size(const Cuda& exec, const StateView<Real>& s,
                                       const StageTime& time, const GrainStepLimits* limits,
                                       StepReport& report) {
  const StepSpeeds speeds{smoothing_length(parameters_),
                          sound_speed(parameters_),
                          0,
                          length(gravity_),
                          parameters_.viscosity,
                          parameters_.surface_tension / parameters_.density};
  const StepClock* const clock = time.elapsed_fraction > 0 ? time.clock : nullptr;
  engine::launch(exec, {std::min(fluid_blocks(s.count), rare_blocks), fluid_threads},
                 fluid_forces::check_step_size<Real>, s, speeds, clock, limits,
                 buffers_->reductions.data(), time.record,
                 records<Real>().saved_acceleration.data());
  report.interactions += interactions_;
}

template void DeviceFluidForce::update(const Cuda&, const StateView<float>&, const StageTime&);
template void DeviceFluidForce::update(const Cuda&, const StateView<double>&, const StageTime&);
template void DeviceFluidForce::update_positions(const Cuda&, const StateView<float>&);
template void DeviceFluidForce::update_positions(const Cuda&, const StateView<double>&);
template void DeviceFluidForce::accelerate(const Cuda&, const StateView<float>&, SolidState*,
                                           const StageTime&, const DevicePores<float>&);
template void DeviceFluidForce::accelerate(const Cuda&, const StateView<double>&, SolidState*,
                                           const StageTime&, const DevicePores<double>&);
template void DeviceFluidForce::check_step_size(const Cuda&, const StateView<float>&,
                                                const StageTime&, const GrainStepLimits*,
                                                StepReport&);
template void DeviceFluidForce::check_step_size(const Cuda&, const StateView<double>&,
                                                const StageTime&, const GrainStepLimits*,
                                                StepReport&);

void DeviceFluidForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                           StepReport& report) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    update(exec, s, time);
    accelerate(exec, s, solids_of(state), time, DevicePores<Real>{});
    check_step_size(exec, s, time, nullptr, report);
  });
}

template <class Real>
double DeviceFluidForce::internal_energy(const Cuda& exec, const StateView<Real>& s,
                                         const Real* porosity) {
  const DeviceNeighbourView<Real> near = buffers_->near.view<Real>();
  const Index terms = porosity ? static_cast<Index>(near.count) : s.count;
  if (terms == 0) return 0;
  return buffers_->sum
      .run(exec,
           InternalEnergy<Real>{equation_of_state(parameters_), s.mass, s[fields::density],
                                porosity, buffers_->kind.data(), near.index},
           terms)
      .v[0];
}
template double DeviceFluidForce::internal_energy(const Cuda&, const StateView<float>&,
                                                  const float*);
template double DeviceFluidForce::internal_energy(const Cuda&, const StateView<double>&,
                                                  const double*);

double DeviceFluidForce::potential_energy(const Cuda& exec, const State<Device>& state) {
  return const_cast<State<Device>&>(state).visit([&]<class Real>(const StateView<Real>& s) {
    return internal_energy<Real>(exec, s, nullptr);
  });
}

bool DeviceFluidForce::grow_buffers(const Cuda& exec) {
  // One wait for all numbers: it comes after every slice of steps.
  Buffers& b = *buffers_;
  engine::copy_to_host(b.reductions_host.data(), b.reductions.data(), 1, exec.stream);
  b.near.fetch(exec);
  const Index count = b.neighbours.size();
  if (count > 0)
    interactions_ = static_cast<std::uint64_t>(
        b.sum.run(exec, FluidInteractions{b.neighbours.data()}, count).v[0]);
  else
    engine::wait(exec);
  largest_step_ = b.reductions_host.data()[0].largest_step;
  return b.near.grow_to_fit(exec);
}

}  // namespace mote::sim
