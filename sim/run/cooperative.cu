#include "sim/run/cooperative.cuh"

#include <algorithm>
#include <type_traits>

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned cluster_blocks = 8;  // what every device with clusters can do
constexpr int warps_of_block = cooperative_threads / 32;

int attribute(const Cuda& exec, cudaDeviceAttr what) {
  int value = 0;
  engine::cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
  return value;
}

/// Bodies of a warp at most: what the registers of 512 threads hold without spilling.
constexpr int most_bodies(Precision precision, CooperativeSteps::Kind kind) {
  return precision == Precision::full && kind == CooperativeSteps::Kind::grid ? 2 : 4;
}

int round_up_to_warp(Index count) {
  return static_cast<int>((count + 31) / 32 * 32);
}

template <Precision precision>
std::size_t shared_bytes(CooperativeSteps::Kind kind, int padded) {
  return kind == CooperativeSteps::Kind::grid
             ? direct::tile_ring_bytes
             : std::size_t{2} * 16 * Pairs<precision>::words * static_cast<std::size_t>(padded);
}

}  // namespace

Index CooperativeSteps::largest_count(const Cuda& exec, Precision precision, Kind kind) {
  if (kind == Kind::cluster)
    return attribute(exec, cudaDevAttrComputeCapabilityMajor) >= 9 ? largest_cluster_count : 0;
  if (attribute(exec, cudaDevAttrCooperativeLaunch) == 0 ||
      static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin)) <
          direct::tile_ring_bytes)
    return 0;
  return static_cast<Index>(attribute(exec, cudaDevAttrMultiProcessorCount)) * warps_of_block *
         most_bodies(precision, kind);
}

std::uint64_t CooperativeSteps::device_bytes(Index count) {
  return static_cast<std::uint64_t>(round_up_to_warp(count)) * 2 * 32;
}

CooperativeSteps::CooperativeSteps(const Cuda& exec, Kind kind, const State<Device>& state,
                                   const DeviceDirectGravity& gravity, const Step& stages, double dt)
    : kind_(kind),
      gravity_(gravity),
      stages_(stages),
      dt_(dt),
      multiprocessors_(attribute(exec, cudaDevAttrMultiProcessorCount)),
      sources_(static_cast<Index>(device_bytes(state.count()) / sizeof(double))) {
  MOTE_EXPECT(stages.size() <= static_cast<std::size_t>(largest_stage_count));
}

template <Precision precision>
void CooperativeSteps::run_on(const Cuda& exec, State<Device>& state, std::uint64_t steps, const Rows& rows,
                              DeviceRecord* record) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  state.visit([&]<class StateReal>(StateView<StateReal> s) {
    if constexpr (std::is_same_v<StateReal, Real>) {
      StepsTask<precision> task{};
      task.state = s;
      for (const Stage& stage : stages_) {
        task.stages.kind[task.stages.count] = stage.kind;
        task.stages.h[task.stages.count++] = static_cast<Real>(stage.fraction * dt_);
      }
      task.slots = gravity_.slots();
      task.gravitational = gravity_.gravitational();
      const auto softening = static_cast<typename P::Term>(gravity_.softening());
      task.squared_softening = softening * softening;
      task.steps = steps;
      task.record = record;
      task.rows = static_cast<Real*>(rows.to);
      task.first_row = rows.every > 0 ? rows.first : 0;
      task.row_every = rows.every;
      const int padded = round_up_to_warp(gravity_.sources());
      task.sources = {reinterpret_cast<typename P::Word*>(sources_.data()),
                      static_cast<int>(gravity_.sources()), padded};

      const bool grid = kind_ == Kind::grid;
      const Index blocks_at_most = grid ? multiprocessors_ : static_cast<Index>(cluster_blocks);
      const auto start = [&](auto bodies_of_warp, auto guard_constant) {
        constexpr int bodies = decltype(bodies_of_warp)::value;
        constexpr Guard guard = decltype(guard_constant)::value;
        // Few bodies are spread over many blocks of few warps rather than over few full ones.
        const Index warps = (s.count + bodies - 1) / bodies;
        const Index warps_a_block = (warps + blocks_at_most - 1) / blocks_at_most;
        const Index blocks = grid ? (warps + warps_a_block - 1) / warps_a_block : blocks_at_most;
        const engine::LaunchShape shape{.blocks = static_cast<unsigned>(blocks),
                                        .threads = static_cast<unsigned>(32 * warps_a_block),
                                        .shared = shared_bytes<precision>(kind_, padded),
                                        .cluster = grid ? 1 : cluster_blocks,
                                        .cooperative = grid};
        const auto launch = [&](auto kernel) {
          engine::allow_shared(kernel, shape.shared);
          engine::launch(exec, shape, kernel, task);
        };
        if (!grid)
          launch(take_steps<precision, guard, bodies, ClusterExchange<precision>>);
        else if constexpr (bodies <= most_bodies(precision, Kind::grid))
          launch(take_steps<precision, guard, bodies, GridExchange<precision>>);
      };
      const auto with_guard = [&](auto bodies) {
        if (guard_for(task.squared_softening) == Guard::none)
          start(bodies, std::integral_constant<Guard, Guard::none>{});
        else
          start(bodies, std::integral_constant<Guard, Guard::coincident>{});
      };
      const Index slots = blocks_at_most * warps_of_block;
      if (s.count <= slots)
        with_guard(std::integral_constant<int, 1>{});
      else if (s.count <= 2 * slots)
        with_guard(std::integral_constant<int, 2>{});
      else
        with_guard(std::integral_constant<int, 4>{});
    }
  });
}

void CooperativeSteps::run(const Cuda& exec, State<Device>& state, std::uint64_t steps, const Rows& rows,
                           DeviceRecord* record) {
  switch (state.precision()) {
    case Precision::single:
      return run_on<Precision::single>(exec, state, steps, rows, record);
    case Precision::mixed:
      return run_on<Precision::mixed>(exec, state, steps, rows, record);
    case Precision::full:
      return run_on<Precision::full>(exec, state, steps, rows, record);
  }
}

}  // namespace mote::sim
