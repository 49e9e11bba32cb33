#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"

namespace mote::sim {

class Emission;
class StepControl;

/// A row of a table that a scene writes: columns with their values, in the order of their names.
using HookRow = std::vector<std::pair<std::string, engine::ParamValue>>;

/// What hooks ask of the program that runs a scene. There are two: a run without a window, and the
/// stepper of a window. What these throw as InputError is an error of the hook's line; anything
/// else ends the run as it would anywhere.
class HookHost {
 public:
  virtual ~HookHost() = default;
  /// Changes a live parameter now, and notes it as an edit. The value has been checked.
  virtual void edit(const std::string& path, const engine::ParamValue& value) = 0;
  /// Bodies come and go now (Simulation::change_bodies).
  virtual void change_bodies(const BodyChange& change) = 0;
  /// Appends to the file NAME.csv of the run.
  virtual void row(const std::string& name, const HookRow& row) = 0;
  virtual void snapshot() = 0;
  /// NAME.png of the run.
  virtual void picture(const std::string& name) = 0;
};

/// How a hook wants the run to end.
struct HookVerdict {
  enum class Kind { go_on, stop, fail };
  Kind kind = Kind::go_on;
  std::string reason;
};

/// Calls the hooks of a scene between the steps of a simulation, and before them its emitters and
/// drains and the control of its step. What they do follows from steps alone, never from the clock
/// or from how steps were sliced: they are due at certain steps, `math.random` starts anew in every
/// call from seed, hook and step, and what they keep is data that goes into checkpoints. A call is
/// bounded: 10^7 instructions, 10 s of its own time as a last resort, 256 MiB.
class Hooks {
 public:
  /// All three outlive this. `data`: of a checkpoint, when the run goes on from one; it has started
  /// then.
  Hooks(const SceneDescription& scene, Simulation& simulation, HookHost& host,
        const engine::JsonBox& data = nullptr);
  ~Hooks();
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  /// The first step behind that of now at which a hook is due, `never` for none: no slice of steps
  /// may go past it.
  std::uint64_t next() const;

  /// Before the first step: on_start, and times that have come already. Nothing where the run goes
  /// on from a checkpoint.
  void start();
  /// What is due at the step of now, which has just been reached for the first time.
  void run_due();
  /// At the end: on_end of a run that went well, on_unhealthy of one that did not. A hook that has
  /// failed is not followed by others.
  void end(bool healthy);

  /// Calls one of the scene's hooks although it is not due, to see whether it works; what is wrong
  /// with it, or "". The others can be called afterwards.
  std::string try_out(std::size_t index);

  /// The first stop or failure; a failure replaces a stop. Its reason is one line; that of a hook
  /// that failed begins with file, line and hook.
  const HookVerdict& verdict() const;
  /// A stop or a failure has been obeyed, and the run is to go on nevertheless. After a hook has
  /// failed none is called.
  void clear_verdict();

  /// What hooks keep in `sim.data`, for a checkpoint; at most 1 MiB as text.
  engine::Json data() const;
  /// From now on what data was at earlier steps is kept, in 64 MiB.
  void remember();
  /// Data as it was at a step: what lay behind it is given up.
  void rewind(std::uint64_t step);

 private:
  struct Running;

  std::uint64_t next_of(const Hook& hook, std::uint64_t step) const;
  void call(std::size_t index);
  void call_all(Hook::When when);
  void fail(const Hook& hook, const std::string& message);
  void take_bodies(std::string& message);
  void take_data(const Hook& hook);

  const SceneDescription& scene_;
  Simulation& simulation_;
  bool started_, broken_ = false;
  std::unique_ptr<Running> running_;      ///< the part that knows Lua
  std::unique_ptr<Emission> emission_;    ///< null without emitters and drains
  std::unique_ptr<StepControl> control_;  ///< null where steps are fixed
  HookVerdict emitted_;                   ///< of those
  std::string data_;                      ///< as text
  bool remembers_ = false;
  std::vector<std::pair<std::uint64_t, std::string>> past_;  ///< data from a step on
  std::size_t past_bytes_ = 0;
};

}  // namespace mote::sim
