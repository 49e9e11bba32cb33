#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "engine/exec/ranks.h"
#include "engine/machine.h"
#include "tests/support/backend.h"

namespace mote::test {

/// The GPU of a rank: several may share one.
inline int device_of(int rank) {
  const auto devices = static_cast<int>(engine::cuda_info().devices.size());
  return rank % std::max(devices, 1);
}

/// Ranks that exchange messages and cannot read each other's memory, as those in processes.
class OnlyMessages : public engine::Ranks {
 public:
  explicit OnlyMessages(engine::Ranks& inner) : inner_(inner) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  bool share_memory() const override { return false; }

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override {
    inner_.exchange(send, receive);
  }
  engine::Ranks& inner_;
};

/// Opens a scene on several ranks and calls `use` on each. `with`: makes the ranks that it is
/// opened with, of those that it is given.
inline void open_on(int ranks, engine::Backend backend, const sim::SceneDescription& scene,
                    const std::function<void(engine::Ranks&, sim::Simulation&)>& use,
                    const std::function<std::unique_ptr<engine::Ranks>(engine::Ranks&)>& with = {},
                    int threads = 1) {
  engine::run_ranks(ranks, [&](engine::Ranks& own) {
    const std::unique_ptr<engine::Ranks> other = with ? with(own) : nullptr;
    engine::Ranks& taken = other ? *other : own;
    sim::RunOptions options{.backend = backend, .threads = threads, .ranks = &taken};
    if (backend == engine::Backend::cuda) options.device = device_of(own.rank());
    const auto simulation = sim::open_simulation(scene, sim::make_plan(scene, options));
    use(taken, *simulation);
  });
}

}  // namespace mote::test
