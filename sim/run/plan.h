#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/division.h"
#include "sim/scene/description.h"
#include "sim/step.h"

namespace mote::engine {
class Lockstep;
class Ranks;
}  // namespace mote::engine

namespace mote::sim {

/// Options of a simulation from the command line; what is not given is chosen by make_plan.
struct RunOptions {
  engine::Backend backend = engine::Backend::automatic;
  std::optional<engine::Precision> precision = {};
  std::optional<int> threads = {};
  std::optional<engine::SimdLevel> simd = {};
  std::optional<int> device = {};  ///< CUDA device number among the visible ones
  Stepping stepping = Stepping::automatic;
  /// States that the caller will hold beside the simulation: required copies, such as those in
  /// flight in a SnapshotWriter, and optional ones from Simulation::save, without which the run
  /// continues if there is no memory.
  int copies = 0, saved_states = 0;
  /// The turns of the job that this is part of: small systems on a GPU are then stepped in batches.
  engine::Lockstep* lockstep = nullptr;
  /// The ranks that share the bodies of the scene between them: each opens it, with the same
  /// options but for its device. Null: this one has all.
  engine::Ranks* ranks = nullptr;
  /// Several GPUs of this machine that share the bodies, a rank each; one or none: `device`. On the
  /// CPU their number is that of the ranks.
  std::vector<int> devices = {};
  /// The first of `devices` takes all bodies if they are too few to gain from several.
  bool as_many_as_gain = false;
  /// With N > 0 the plan is that of each of N processes, of which none is started: it tells what
  /// they would need, and no simulation is opened by it. 0: it is that of this process.
  int processes = 0;
};

/// The fewest bodies that `--devices all` divides between several GPUs where steps are launched;
/// one GPU evaluates fewer sooner. Both are estimates: two H200 take 0.132 ms for direct sums of
/// 16,384 where one takes 0.103, and 11.0 for 262,144 where one takes 20.8; of expansions only 10^6
/// and more were measured, 2.93 and 3.91.
inline constexpr engine::Index shared_by_direct_sums_from = 65'536,
                               shared_by_expansions_from = 200'000;

/// The most bodies that hooks read on several GPUs or processes: a read gathers all of them in the
/// memory of the first, here 10 GB.
inline constexpr engine::Index most_gathered_for_hooks = 100'000'000;

/// Sets RunOptions::devices by --devices: those in a list such as "0,1", or for "all" as many of
/// this machine as gain. Throws InputError.
void take_devices(RunOptions& options, const std::string& list);
/// The GPU that is requested, the first of several, or 0.
int device_of(const RunOptions& options);

/// How a scene will run on this machine; made before anything is allocated.
struct Plan {
  engine::Backend backend;
  engine::Cpu cpu;  ///< generates the bodies, whichever backend steps them
  engine::Precision precision;
  int device = 0;                            ///< CUDA device number, if the backend is cuda
  std::string device_name = {};              ///< "" if the backend is cpu
  Stepping stepping = Stepping::automatic;   ///< never automatic if the backend is cuda
  engine::Lockstep* lockstep = nullptr;      ///< null: not batched; must outlive the simulation
  engine::Ranks* ranks = nullptr;            ///< as in RunOptions; likewise
  std::vector<int> devices = {};             ///< as in RunOptions; empty if one takes all bodies
  int processes = 0;                         ///< as in RunOptions
  std::vector<Evaluation> evaluations = {};  ///< of the present bodies, by module
  std::int64_t series_steps;                 ///< steps between measurements
  int copies = 0;                            ///< as in RunOptions
  bool needs_copy = true;                    ///< the bodies at the start (BodySource)
  std::uint64_t memory;              ///< host memory of simulation, copies and saved states [bytes]
  std::uint64_t device_memory;       ///< with saved states [bytes]; 0 if the backend is cpu
  std::vector<std::string> reasons;  ///< a line for each choice that was left to the plan
  engine::Index most_gathered = most_gathered_for_hooks;  ///< fewer in tests
};

/// The module that is all that acts on the bodies, or null.
const Physics* only_module(const Model& model);

/// Largest numbers of bodies for which this GPU takes whole steps of this physics.
WholeStepLimits stepping_limits(const Model& model, int device, engine::Precision precision);

/// Finds the memory that a plan needs; a part of make_plan(). Throws InputError if it is not free;
/// the error names the largest number of bodies that fits.
void plan_memory(const SceneDescription& scene, const RunOptions& options, Plan& plan);

/// The columns of `count` bodies on one of so many ranks [bytes].
std::uint64_t state_bytes_of_rank(const Model& model, engine::Index count,
                                  engine::Precision precision, int ranks);

/// Device memory for `count` bodies on one of so many ranks [bytes], without their exchange.
std::uint64_t device_bytes_for(const Model& model, engine::Index count, engine::Precision precision,
                               int ranks);

/// The number of ranks that share the bodies.
int ranks_of(const Plan& plan);

/// Chooses backend, precision and the rest. Throws InputError if the machine cannot meet the
/// options: the backend is missing, or memory is short (the error names the largest number of
/// bodies that fits).
Plan make_plan(const SceneDescription& scene, const RunOptions& options);

/// True if a simulation can be stepped in a batch with others (WholeSteps).
bool steps_in_batch(const Plan& plan, const Model& model, engine::Index count);

/// Throws InputError where expansions that were chosen by the number of bodies cannot be combined
/// with the integrator: as those that a scene asks for.
void refuse_expansions(const Model& model, engine::Index bodies,
                       const std::vector<Evaluation>& evaluations);

/// Returns what copies_needed() of the forces has found. Throws InputError if the forces cannot be
/// divided between ranks.
CopiesNeeded need_of_copies(const std::optional<CopiesNeeded>& of_forces, const Model& model);

/// Throws InputError if a simulation of `now` bodies has no memory for `more`; the error names the
/// largest number that fits.
void check_memory_for(const Model& model, const Plan& plan, engine::Index now, engine::Index more);

/// The kind of stepping after the number of bodies has changed: as planned, or the closest that
/// `count` allows. All kinds give the same bits.
Stepping stepping_for(const Plan& plan, const Model& model, engine::Index count);

}  // namespace mote::sim
