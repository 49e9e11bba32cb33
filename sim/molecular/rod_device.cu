#include "sim/molecular/rod_device.h"

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/memory/on_device.h"
#include "sim/molecular/rod_motion.h"
#include "sim/molecular/rods.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::on_device;
using engine::Values;

/// Few: clusters differ in size, and a warp takes as long as its largest.
constexpr unsigned rod_threads = 32;

template <class Real>
__global__ void __launch_bounds__(rod_threads)
    restore_all_lengths(RodView rods, StateView<Real> s, double h, DeviceRecord* record) {
  const Index k = static_cast<Index>(blockIdx.x) * rod_threads + threadIdx.x;
  if (k >= rods.count || record->halted != 0 || record->stalled != 0) return;
  if (!restore_lengths(rods, s, rods.cluster[k], h))
    record->too_long = 1;  // a benign race: all threads write the same value
}

template <class Real>
__global__ void __launch_bounds__(rod_threads)
    stop_all_stretching(RodView rods, StateView<Real> s, const DeviceRecord* record) {
  const Index k = static_cast<Index>(blockIdx.x) * rod_threads + threadIdx.x;
  if (k >= rods.count || record->halted != 0 || record->stalled != 0) return;
  stop_stretching(rods, s, rods.cluster[k]);
}

template <class Const>
__global__ void __launch_bounds__(rod_threads)
    find_virials(RodView rods, StateView<Const> s, double* virials) {
  const Index k = static_cast<Index>(blockIdx.x) * rod_threads + threadIdx.x;
  if (k < rods.count) virials[k] = rod_virial(rods, s, rods.cluster[k]);
}

struct VirialTerm {
  const double* virials;
  __device__ Values<1> operator()(Index k) const { return {{virials[k]}}; }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

}  // namespace

struct DeviceRodForce::Buffers {
  Buffers(const Cuda& exec, const RodLists& lists, const Domain& in)
      : rods(on_device(exec, lists.rods)),
        clusters(on_device(exec, lists.clusters)),
        work(rods.size()),
        matrix(static_cast<Index>(lists.elements)),
        virials(clusters.size()),
        sum(clusters.size()),
        domain(in) {}
  RodView view() {
    RodView view{static_cast<std::int32_t>(clusters.size()),
                 clusters.data(),
                 rods.data(),
                 work.data(),
                 matrix.data(),
                 {},
                 {}};
    fill_periods(domain, view.length, view.inverse);
    return view;
  }
  engine::Buffer<Rod, Device> rods;
  engine::Buffer<RodCluster, Device> clusters;
  engine::Buffer<RodWork, Device> work;
  engine::Buffer<double, Device> matrix, virials;
  engine::Reduction<1> sum;
  Domain domain;
};

DeviceRodForce::DeviceRodForce(const Cuda& exec, const BondForces& forces, const Domain& domain,
                               const State<engine::Host>& initial)
    : buffers_(std::make_unique<Buffers>(exec, make_rod_lists(forces, initial), domain)) {}
DeviceRodForce::DeviceRodForce(DeviceRodForce&&) noexcept = default;
DeviceRodForce::~DeviceRodForce() = default;

std::uint64_t DeviceRodForce::device_bytes(const BondForces& forces) {
  const std::uint64_t most_clusters = forces.any_rigid() ? forces.bonds.size() : 0;
  return RodForce::bytes(forces) + most_clusters * sizeof(double) +
         engine::Reduction<1>::bytes(static_cast<Index>(most_clusters));
}

void DeviceRodForce::constrain(const Cuda& exec, State<Device>& state, double h,
                               const StageTime& time) {
  const RodView rods = buffers_->view();
  if (rods.count == 0) return;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (h == 0)
      engine::launch(exec, {engine::blocks_for(rods.count, rod_threads), rod_threads},
                     stop_all_stretching<Real>, rods, s,
                     static_cast<const DeviceRecord*>(time.record));
    else
      engine::launch(exec, {engine::blocks_for(rods.count, rod_threads), rod_threads},
                     restore_all_lengths<Real>, rods, s, h, time.record);
  });
}

Index DeviceRodForce::constraint_count() const {
  return buffers_->rods.size();
}

double DeviceRodForce::potential_energy(const Cuda& exec, const State<Device>& state) {
  const RodView rods = buffers_->view();
  virial_ = 0;
  if (rods.count == 0) return 0;
  state.visit([&]<class Const>(const StateView<Const>& s) {
    engine::launch(exec, {engine::blocks_for(rods.count, rod_threads), rod_threads},
                   find_virials<Const>, rods, s, buffers_->virials.data());
  });
  virial_ = buffers_->sum.run(exec, VirialTerm{buffers_->virials.data()}, rods.count).v[0];
  return 0;
}

}  // namespace mote::sim
