#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/exec/ranks.h"
#include "sim/run/calls.h"

namespace mote::sim {

/// The other ranks of a simulation that is divided between threads of this process. Each has a
/// simulation of its own, and repeats the calls of rank 0, which is the one that the program sees.
class Followers final : public CalledRanks {
 public:
  /// Opens a simulation on each of `ranks` by `open_on_rank(its number, the ranks)`, all at the
  /// same time, and returns that of rank 0. Throws what that of rank 0 throws, and SystemError if
  /// another fails.
  static std::unique_ptr<Simulation> open(
      int ranks,
      const std::function<std::unique_ptr<Simulation>(int, engine::Ranks&)>& open_on_rank);

  void end() override { team_.finish(); }
  void check() override { team_.check(); }

 protected:
  void begin(std::string call) override;

 private:
  explicit Followers(int ranks) : simulations_(static_cast<std::size_t>(ranks)), team_(ranks) {}

  // In this order: the threads end before what they use is gone.
  std::vector<std::unique_ptr<CalledSimulation>> simulations_;  ///< by rank; rank 0 is not here
  engine::RankTeam team_;
};

/// Rank 0 of processes, which sends its calls to the others. A program with a simulation that leads
/// them ends their work by end_calls().
class LedProcesses final : public CalledRanks {
 public:
  explicit LedProcesses(engine::Ranks& ranks) : ranks_(ranks) {}
  void end() override {}
  void check() override {}

 protected:
  void begin(std::string call) override;

 private:
  engine::Ranks& ranks_;
};

/// Sends a text from rank 0 to all others, which receive it.
void send_text(engine::Ranks& ranks, const std::string& text);
std::string receive_text(engine::Ranks& ranks);

/// On another rank: repeats the calls of rank 0 until that ends them.
void repeat_calls(engine::Ranks& ranks, std::unique_ptr<Simulation> simulation);
/// On rank 0.
void end_calls(engine::Ranks& ranks);

}  // namespace mote::sim
