#include "sim/fluid/fluid_device.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "sim/fluid/fluid_loads.cuh"
#include "sim/fluid/fluid_tension.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Precision;
using engine::Values;
using fluid_loads::extrapolate;
using fluid_loads::fluid_threads;
using fluid_loads::FluidRecord;
using fluid_loads::FluidRecords;
using fluid_loads::judge_step;
using fluid_loads::rare_blocks;
using fluid_loads::take_fluid;
using fluid_loads::Tally;

/// By column; with grains, by place in the order of cells.
template <class Real>
struct InternalEnergy {
  TaitFormula<double> tait;
  const Real *mass, *density, *porosity;
  const std::uint8_t* kinds;
  const std::int32_t* column;
  __device__ Values<1> operator()(Index p) const {
    const Index i = porosity ? column[p] : p;
    if (kinds[i] != static_cast<std::uint8_t>(FluidKind::fluid)) return {};
    const double pores = porosity ? static_cast<double>(porosity[p]) : 1.0;
    return {{static_cast<double>(mass[i]) * tait.energy(static_cast<double>(density[i]) / pores)}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

/// Numbers of neighbours, which doubles add without rounding.
struct FluidInteractions {
  const std::int32_t* neighbours;
  __device__ Values<1> operator()(Index p) const { return {{static_cast<double>(neighbours[p])}}; }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

unsigned fluid_blocks(Index tasks) {
  return static_cast<unsigned>((tasks + fluid_threads - 1) / fluid_threads);
}

/// Calls use with what the kernel that accelerates needs as constants.
template <class Use>
void with_kind(bool shifting, bool xsph, bool walls, Use&& use) {
  const auto with_walls = [&](auto more) {
    walls ? use(more, std::true_type{}) : use(more, std::false_type{});
  };
  if (shifting && xsph) return with_walls(std::integral_constant<int, 3>{});
  if (xsph) return with_walls(std::integral_constant<int, 2>{});
  if (shifting) return with_walls(std::integral_constant<int, 1>{});
  with_walls(std::integral_constant<int, 0>{});
}

/// How much further than they feel each other particles are listed. At the speed that a fluid
/// expects, and a tenth of that of sound, a particle goes through half of it in four or five steps.
double skin_of(const Domain& domain, double reach) {
  double skin = 0.1 * reach;
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) skin = std::min(skin, lengths[axis] / 2 - reach);
  return std::max(skin, 0.0);
}

/// With room for as many neighbours as there are where particles are even, and a sixth more.
ListedBodies listed_bodies(const Fluid& fluid, Index count) {
  constexpr double pi = 3.14159265358979323846;
  const double reach = 2.2 * smoothing_length(fluid) / fluid.spacing;
  const double even =
      fluid.dimensions == 2 ? pi * reach * reach : 4 * pi / 3 * reach * reach * reach;
  return {.count = count,
          .chosen = nullptr,
          .come_back = false,
          .usual = static_cast<std::int32_t>(7.0 / 6 * even) + 8};
}

}  // namespace

struct DeviceFluidForce::Memory {
  Memory(const Cuda& exec, const Fluid& fluid, const Domain& domain,
         const std::vector<std::uint8_t>& kinds, Precision precision, int lanes)
      : near(near_of(exec, fluid, domain, kinds, precision, lanes)),
        kind(static_cast<Index>(kinds.size())),
        neighbours(near.places()),
        tally(1),
        sum(kind.size()) {}
  static DeviceNeighbours near_of(const Cuda& exec, const Fluid& fluid, const Domain& domain,
                                  const std::vector<std::uint8_t>& kinds, Precision precision,
                                  int lanes) {
    std::vector<std::uint8_t> chosen;
    for (const std::uint8_t kind : kinds)
      chosen.push_back(kind != static_cast<std::uint8_t>(FluidKind::other));
    ListedBodies bodies = listed_bodies(fluid, static_cast<Index>(kinds.size()));
    bodies.chosen = &chosen;
    const double reach = 2 * smoothing_length(fluid);
    MOTE_EXPECT(lanes == 0 || lanes == 1 || lanes == 8);
    const auto others = std::count(chosen.begin(), chosen.end(), std::uint8_t{0});
    if (lanes == 0) lanes = near_lanes_for(bodies.count - others);
    return {exec, domain, reach, skin_of(domain, reach), bodies, precision, lanes};
  }
  DeviceNeighbours near;
  engine::Buffer<std::uint8_t, Device> kind;
  engine::Buffer<std::int32_t, Device> neighbours;  ///< how many, by place
  engine::Buffer<Tally, Device> tally;
  engine::Reduction<1> sum;
};

template <class Real>
struct DeviceFluidForce::Records {
  Records(Index places, Index bodies, bool walls, bool tense)
      : record(places),
        mass(places),
        kept(3 * bodies),
        slip(walls ? places : 0),
        stress(tense ? places : 0) {}
  engine::Buffer<FluidRecord<Real>, Device> record;
  engine::Buffer<Real, Device> mass,
      kept;  ///< kept: accelerations behind a step that was too long, axis by axis
  engine::Buffer<Vec3<Real>, Device> slip;
  engine::Buffer<SurfaceStress<Real>, Device> stress;
  FluidRecords<Real> view() { return {record.data(), mass.data(), slip.data()}; }
};

template <class Real>
DeviceFluidForce::Records<Real>& DeviceFluidForce::records() {
  if constexpr (std::is_same_v<Real, float>)
    return *single_;
  else
    return *full_;
}

DeviceFluidForce::DeviceFluidForce(const Cuda& exec, const Fluid& parameters, const Domain& domain,
                                   engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                                   Precision precision, int lanes)
    : parameters_(parameters),
      gravity_(gravity),
      weight_(weight_in(domain, gravity)),
      walls_(std::find(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(FluidKind::wall)) !=
             kinds.end()),
      memory_(std::make_unique<Memory>(exec, parameters, domain, kinds, precision, lanes)) {
  const Index places = memory_->near.places(), bodies = memory_->kind.size();
  const bool tense = parameters.surface_tension > 0;
  if (precision == Precision::single)
    single_ = std::make_unique<Records<float>>(places, bodies, walls_, tense);
  else
    full_ = std::make_unique<Records<double>>(places, bodies, walls_, tense);
  engine::copy_to_device(memory_->kind.data(), kinds.data(), bodies, exec.stream);
  const Tally none{0, 0, 0, std::numeric_limits<double>::infinity()};
  engine::copy_to_device(memory_->tally.data(), &none, 1, exec.stream);
  engine::wait(exec);
}

DeviceFluidForce::DeviceFluidForce(DeviceFluidForce&&) noexcept = default;
DeviceFluidForce::~DeviceFluidForce() = default;

std::uint64_t DeviceFluidForce::device_bytes(const Fluid& fluid, Index count, Precision precision) {
  const std::uint64_t real = precision == Precision::single ? sizeof(float) : sizeof(double);
  return DeviceNeighbours::device_bytes(listed_bodies(fluid, count), precision) +
         static_cast<std::uint64_t>(count) *
             ((fluid.surface_tension > 0 ? 21 : 15) * real + sizeof(std::int32_t) + 1) +
         engine::Reduction<1>::bytes(count);
}

void DeviceFluidForce::replaced(const Cuda& exec) {
  memory_->near.forget(exec);
}

template <class Real>
void DeviceFluidForce::update(const Cuda& exec, const StateView<Real>& s, const StageTime& time) {
  memory_->near.update(exec, s, time.record);
}

template <class Real>
void DeviceFluidForce::follow(const Cuda& exec, const StateView<Real>& s) {
  memory_->near.follow(exec, s);
}

template <class Real>
DeviceCellView<Real> DeviceFluidForce::cells() const {
  return memory_->near.cells<Real>();
}
template DeviceCellView<float> DeviceFluidForce::cells() const;
template DeviceCellView<double> DeviceFluidForce::cells() const;

template <class Real>
void DeviceFluidForce::accelerate(const Cuda& exec, const StateView<Real>& s, const StageTime& time,
                                  const DevicePores<Real>& pores) {
  const FluidNumbers<Real> numbers(parameters_, weight_);
  const DeviceNeighbourView<Real> near = memory_->near.view<Real>();
  const FluidRecords<Real> r = records<Real>().view();
  Tally* const tally = memory_->tally.data();
  const StepClock* const clock = time.passed > 0 ? time.clock : nullptr;
  engine::launch(exec, {fluid_blocks(near.count), fluid_threads}, take_fluid<Real>, near, numbers,
                 s, memory_->kind.data(), clock, pores.porosity, r, tally);
  const auto start = [&]<int lanes>(std::integral_constant<int, lanes>) {
    const engine::LaunchShape shape{fluid_blocks(static_cast<Index>(near.count) * lanes),
                                    fluid_threads};
    if (walls_) engine::launch(exec, shape, extrapolate<lanes, Real>, near, numbers, r);
    with_kind(
        numbers.shifting, numbers.xsph, walls_,
        [&]<int more, bool walls>(std::integral_constant<int, more>, std::bool_constant<walls>) {
          engine::launch(exec, shape, fluid_loads::accelerate<more, walls, lanes, Real>, near,
                         numbers, s, r, memory_->neighbours.data(), pores.own, tally, time.record);
        });
    if (parameters_.surface_tension > 0) {
      const SmoothingKernel<Real> kernel = numbers.constants.kernel;
      SurfaceStress<Real>* const stress = records<Real>().stress.data();
      engine::launch(exec, shape, find_stress<lanes, Real, FluidRecord<Real>>, near,
                     numbers.tension, kernel, r.record, r.mass, stress);
      engine::launch(exec, shape, pull_surface<lanes, Real, FluidRecord<Real>>, near,
                     numbers.tension.link, kernel, r.record, r.mass, stress, s, pores.own,
                     time.record);
    }
  };
  near.lanes == 1 ? start(std::integral_constant<int, 1>{})
                  : start(std::integral_constant<int, 8>{});
}

template <class Real>
void DeviceFluidForce::judge(const Cuda& exec, const StateView<Real>& s, const StageTime& time,
                             const CrowdedStep* crowded, StepReport& report) {
  const StepSpeeds speeds{smoothing_length(parameters_),
                          sound_speed(parameters_),
                          0,
                          length(gravity_),
                          parameters_.viscosity,
                          parameters_.surface_tension / parameters_.density};
  const StepClock* const clock = time.passed > 0 ? time.clock : nullptr;
  engine::launch(exec, {std::min(fluid_blocks(s.count), rare_blocks), fluid_threads},
                 judge_step<Real>, s, speeds, clock, crowded, memory_->tally.data(), time.record,
                 records<Real>().kept.data());
  report.interactions += interactions_;
}

template void DeviceFluidForce::update(const Cuda&, const StateView<float>&, const StageTime&);
template void DeviceFluidForce::update(const Cuda&, const StateView<double>&, const StageTime&);
template void DeviceFluidForce::follow(const Cuda&, const StateView<float>&);
template void DeviceFluidForce::follow(const Cuda&, const StateView<double>&);
template void DeviceFluidForce::accelerate(const Cuda&, const StateView<float>&, const StageTime&,
                                           const DevicePores<float>&);
template void DeviceFluidForce::accelerate(const Cuda&, const StateView<double>&, const StageTime&,
                                           const DevicePores<double>&);
template void DeviceFluidForce::judge(const Cuda&, const StateView<float>&, const StageTime&,
                                      const CrowdedStep*, StepReport&);
template void DeviceFluidForce::judge(const Cuda&, const StateView<double>&, const StageTime&,
                                      const CrowdedStep*, StepReport&);

void DeviceFluidForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                           StepReport& report) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    update(exec, s, time);
    accelerate(exec, s, time, DevicePores<Real>{});
    judge(exec, s, time, nullptr, report);
  });
}

template <class Real>
double DeviceFluidForce::internal_energy(const Cuda& exec, const StateView<Real>& s,
                                         const Real* porosity) {
  const DeviceNeighbourView<Real> near = memory_->near.view<Real>();
  const Index terms = porosity ? static_cast<Index>(near.count) : s.count;
  if (terms == 0) return 0;
  return memory_->sum
      .run(exec,
           InternalEnergy<Real>{equation_of_state(parameters_), s.mass, s.column(Extra::density),
                                porosity, memory_->kind.data(), near.column},
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

bool DeviceFluidForce::settle(const Cuda& exec) {
  const Index count = memory_->neighbours.size();
  if (count > 0)
    interactions_ = static_cast<std::uint64_t>(
        memory_->sum.run(exec, FluidInteractions{memory_->neighbours.data()}, count).v[0]);
  Tally tally;
  engine::copy_to_host(&tally, memory_->tally.data(), 1, exec.stream);
  engine::wait(exec);
  largest_step_ = tally.largest_step;
  return memory_->near.settle(exec);
}

}  // namespace mote::sim
