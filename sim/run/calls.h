#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/simulation.h"

namespace mote::sim {

/// Other ranks that are sent the calls as bytes.
class CalledRanks : public FollowingRanks {
 public:
  void advance() override;
  void measure() override;
  void hash() override;
  void state() override;
  void potentials() override;
  void force_errors() override;
  void rank_work() override;
  void hidden_state() override;
  void block_steps() override;
  void show_time(double time) override;
  void show_present_time() override;
  void histogram(const HistogramRequest& request) override;
  void pack(const FrameKind& kind, const PackRequest& request) override;
  void check_capacity(engine::Index more) override;
  void change(const LiveSettings& live) override;
  void change_bodies(const BodyChange& change) override;
  void change_values(const BodyValues& values) override;
  void resume(const State<engine::Host>& state, const RunClock& run_clock, const LiveSettings& live,
              const HiddenState& hidden) override;
  std::shared_ptr<const std::uint64_t> save() override;
  void restore(std::uint64_t number) override;

 protected:
  /// Begins a call on each of them.
  virtual void begin(std::string call) = 0;

 private:
  /// Begins a call, after calls that free saved states which the program holds no more.
  void call(std::string bytes);

  struct Forgotten {
    std::mutex mutex;
    std::vector<std::uint64_t> numbers;
  };
  std::uint64_t saved_ = 0;
  std::shared_ptr<Forgotten> forgotten_ = std::make_shared<Forgotten>();
};

/// A simulation of another rank, which repeats calls.
class CalledSimulation {
 public:
  explicit CalledSimulation(std::unique_ptr<Simulation> simulation)
      : simulation_(std::move(simulation)) {}
  /// Makes a call. Throws what it throws.
  void repeat(const std::string& call);

 private:
  std::unique_ptr<Simulation> simulation_;
  std::map<std::uint64_t, std::unique_ptr<SavedState>> saved_;  ///< by number
};

}  // namespace mote::sim
