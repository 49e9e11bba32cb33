#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/exec/ranks.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// The other ranks of a simulation that is divided between threads of this process. Each has a
/// simulation of its own, and repeats the calls of rank 0, which is the one that the program sees.
class Followers final : public FollowingRanks {
 public:
  /// Opens a simulation on each of `ranks` by `open_on_rank(its number, the ranks)`, all at the
  /// same time, and returns that of rank 0. Throws what that of rank 0 throws, and SystemError if
  /// another fails.
  static std::unique_ptr<Simulation> open(
      int ranks,
      const std::function<std::unique_ptr<Simulation>(int, engine::Ranks&)>& open_on_rank);

  void begin(std::function<void(Simulation&, int rank)> call) override;
  void end() override { team_.finish(); }
  void check() override { team_.check(); }

 private:
  explicit Followers(int ranks) : simulations_(static_cast<std::size_t>(ranks)), team_(ranks) {}

  // In this order: the threads end before what they use is gone.
  std::vector<std::unique_ptr<Simulation>> simulations_;  ///< by rank; rank 0 is not here
  engine::RankTeam team_;
};

}  // namespace mote::sim
