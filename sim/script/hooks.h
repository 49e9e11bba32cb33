#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/json_fwd.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"
#include "sim/script/hook_host.h"

namespace mote::sim {

class Emission;

/// Calls the hooks of a scene between steps, after its emitters and drains. Results do not depend
/// on time or on the slicing of steps: hooks are due at certain steps, `math.random`
/// is seeded for every call from seed, hook and step, and persistent data is part of checkpoints. A
/// call is limited to 10^7 instructions, 256 MiB and, as a last resort, 10 s of its own run time.
class Hooks {
 public:
  /// All three outlive this. `data`: from the checkpoint of a resumed run, for which start() is
  /// skipped.
  Hooks(const SceneDescription& scene, Simulation& simulation, HookHost& host,
        const engine::JsonBox& data = nullptr);
  ~Hooks();
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  /// The first step after the present one at which a hook is due or the length of steps may change;
  /// `never` if none. Advance no further at once.
  std::uint64_t next() const;

  /// Call before the first step: on_start, and on_time hooks due at the start. No effect in a
  /// resumed run.
  void start();
  /// Runs what is due at the present step, just reached for the first time.
  void run_due();
  /// Calls on_end after a healthy run, on_unhealthy after an unhealthy one; none after a hook has
  /// failed.
  void end(bool healthy);

  /// Calls one hook although it is not due, to check it. Returns its error, or "". Later calls are
  /// not affected.
  std::string try_out(std::size_t index);

  /// The first stop or failure; a failure replaces a stop. The reason is one line; that of a failed
  /// hook starts with file, line and hook.
  const HookVerdict& verdict() const;
  /// Continue the run after a stop or failure. After a failure no hook is called any more.
  void clear_verdict();

  /// The contents of `sim.data`, for a checkpoint; at most 1 MiB as text.
  engine::Json data() const;
  /// From now on records data of past steps, in at most 64 MiB, for rewind().
  void record_data();
  /// Restores data as it was at a step, and discards later versions.
  void rewind(std::uint64_t step);

 private:
  struct Running;

  static std::uint64_t next_of(const Hook& hook, const Clock& clock);
  void call(std::size_t index);
  void call_all(Hook::When when);
  void fail(const Hook& hook, const std::string& message);
  void apply_bodies(std::string& message);
  void store_data(const Hook& hook);

  const SceneDescription& scene_;
  Simulation& simulation_;
  bool started_, failed_ = false;
  std::unique_ptr<Running> running_;    ///< the Lua part; null without hooks
  std::unique_ptr<Emission> emission_;  ///< null without emitters and drains
  HookVerdict emission_verdict_;
  std::string data_;  ///< JSON text
  bool records_data_ = false;
  std::vector<std::pair<std::uint64_t, std::string>> past_;  ///< data, each from a step on
  std::size_t past_bytes_ = 0;
};

}  // namespace mote::sim
