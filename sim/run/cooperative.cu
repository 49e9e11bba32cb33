#include <algorithm>
#include <type_traits>

#include "sim/run/cooperative.cuh"
#include "sim/run/steps_task.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned cluster_blocks = 8;  // what every device with clusters can do
constexpr unsigned warps_of_block = cooperative_threads / 32;

int attribute(const Cuda& exec, cudaDeviceAttr what) {
  int value = 0;
  engine::cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
  return value;
}

/// Bodies of a warp at most: what the registers of its block's threads hold without spilling in the inner loop.
constexpr int most_bodies(Precision precision, CooperativeSteps::Kind kind) {
  return precision == Precision::full && kind == CooperativeSteps::Kind::grid ? 2 : 4;
}

/// Who steps: `bodies` of a warp, `warps` of a block. Over a grid every block has a body: StampExchange relies on it.
struct Crew {
  int bodies;
  unsigned warps, blocks;
};

/// Bodies are spread over as many warps as there can be, these over few blocks of four first (so that a block has the
/// threads to fetch the places of all), then over all blocks. Of a cluster all take part.
Crew crew_for(Index count, int most, unsigned blocks, bool all) {
  constexpr unsigned few = 4;
  Crew crew{1, 0, 0};
  for (;; crew.bodies *= 2) {
    const auto warps = static_cast<unsigned>((count + crew.bodies - 1) / crew.bodies);
    crew.warps = std::max((warps + blocks - 1) / blocks, all ? 1u : std::min(few, warps));
    crew.blocks = all ? blocks : (warps + crew.warps - 1) / crew.warps;
    if (crew.warps <= warps_of_block || crew.bodies == most) return crew;
  }
}

int round_up_to_warp(Index count) {
  return static_cast<int>((count + 31) / 32 * 32);
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
      shared_limit_(static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin))),
      sources_(static_cast<Index>(device_bytes(state.count()) / sizeof(double))) {
  // No packet bears a stamp that somebody waits for.
  engine::fill_bytes(sources_.data(), 0xff, static_cast<std::size_t>(sources_.size()) * sizeof(double),
                     exec.stream);
}

template <Precision precision>
void CooperativeSteps::run_on(const Cuda& exec, State<Device>& state, std::uint64_t steps, const Rows& rows,
                              DeviceRecord* record) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  state.visit([&]<class StateReal>(StateView<StateReal> s) {
    if constexpr (std::is_same_v<StateReal, Real>) {
      StepsTask<precision> task = steps_task<precision>(s, gravity_, stages_, dt_, steps, rows, record);
      const int padded = round_up_to_warp(gravity_.sources());
      task.sources = {reinterpret_cast<typename P::Word*>(sources_.data()),
                      static_cast<int>(gravity_.sources()), padded};

      task.packets = reinterpret_cast<engine::Stamped*>(sources_.data());
      task.first_stamp = next_stamp_;
      next_stamp_ += static_cast<unsigned>(steps) * static_cast<unsigned>(task.leaps.count);

      const bool grid = kind_ == Kind::grid;
      constexpr int most_of_grid = most_bodies(precision, Kind::grid);
      const Crew crew = crew_for(s.count, most_bodies(precision, kind_),
                                 grid ? static_cast<unsigned>(multiprocessors_) : cluster_blocks, !grid);
      const auto start = [&]<class Exchange, int bodies>(std::size_t shared) {
        const engine::LaunchShape shape{.blocks = crew.blocks,
                                        .threads = 32 * crew.warps,
                                        .shared = shared,
                                        .cluster = grid ? 1 : cluster_blocks,
                                        .cooperative = grid};
        const auto launch = [&](auto kernel) {
          engine::allow_shared(kernel, shape.shared);
          engine::launch(exec, shape, kernel, task);
        };
        if (guard_for(task.squared_softening) == Guard::none)
          launch(take_steps<precision, Guard::none, bodies, Exchange>);
        else
          launch(take_steps<precision, Guard::coincident, bodies, Exchange>);
      };
      const auto with_bodies = [&]<class Exchange, int most>(std::size_t shared) {
        if (crew.bodies == 1) return start.template operator()<Exchange, 1>(shared);
        if (crew.bodies == 2) return start.template operator()<Exchange, 2>(shared);
        if constexpr (most == 4) start.template operator()<Exchange, 4>(shared);
      };
      const std::size_t places = StampExchange<precision>::shared_bytes(32 * crew.warps, task.sources.count);
      if (!grid)
        with_bodies.template operator()<ClusterExchange<precision>, 4>(std::size_t{2} * 16 * P::words *
                                                                       static_cast<std::size_t>(padded));
      else if (!gravity_.slots() && places <= shared_limit_)
        with_bodies.template operator()<StampExchange<precision>, most_of_grid>(places);
      else
        with_bodies.template operator()<GridExchange<precision>, most_of_grid>(direct::tile_ring_bytes);
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
