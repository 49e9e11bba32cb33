#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/exec/simd.h"
#include "engine/json_fwd.h"
#include "sim/history/edits.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// Everything needed to resume a run, in one file: a snapshot as write_snapshot writes it, readable
/// by every snapshot reader, with text datasets in its group Mote:
/// - checkpoint: JSON with the members below, format 1 (2 where bodies were added or removed, 3
/// where they have optional fields, 4 where they have an order in memory; older versions cannot
/// read these);
/// - scene: the expanded scene, JSON, as `mote check --json` prints it;
/// - scene_text: the scene file verbatim;
/// - checksum: 16 hexadecimal digits over these three, hashed like the state;
/// - files: concatenated bytes of the files that the scene read, if any; `checkpoint` has their
/// index and checksum;
/// - forces, integrator, order: the members of HiddenState that are not empty; `checkpoint` has
/// their checksums.
struct Checkpoint {
  std::filesystem::path file;  ///< path of the checkpoint, for messages
  std::filesystem::path scene_file;
  std::string scene_text;
  std::string scene;             ///< expanded, JSON
  std::vector<SceneFile> files;  ///< included by its text or read by its hooks
  bool trusted = false;          ///< the run was started with --trust
  engine::JsonBox parameters;    ///< values of the scene's `param`s, by name
  /// Lists of paths of those that the scene made `live`, by name; null in older files.
  engine::JsonBox live_names;

  engine::Backend backend;
  engine::Precision precision;
  engine::SimdLevel simd;
  std::string device;   ///< name of the processor or GPU
  std::string version;  ///< version of mote that wrote the file

  RunClock run_clock;
  double time = 0;
  LiveSettings live;
  std::vector<Edit> edits;    ///< all so far, in order
  engine::JsonBox hook_data;  ///< Hooks::data; null for a scene without hooks
  engine::JsonBox run;        ///< added by the program, to resume its outputs; null for none
  HiddenState hidden;
  std::uint64_t hash = 0;
  /// Without accelerations; with species if the scene has any.
  std::shared_ptr<const State<engine::Host>> state;
  /// Names of the bodies in the order of their ids; empty when no body has one.
  std::vector<std::string> names;
  /// Looks of the bodies in the order of their ids; empty when no body has one.
  std::vector<BodyLook> looks;
};

/// Writes a checkpoint of a healthy simulation. The file appears under its name once complete and
/// synced to disk; on failure nothing is left and SystemError is thrown. `edits`: those so far
/// (History::edits_so_far); `hook_data`: Hooks::data; `run`: an object for Checkpoint::run.
void write_checkpoint(const std::filesystem::path& path, Simulation& simulation,
                      const SceneDescription& scene, const Plan& plan, std::span<const Edit> edits,
                      const engine::JsonBox& hook_data = nullptr,
                      const engine::JsonBox& run = nullptr);

/// Reads a checkpoint. Throws InputError for a file that is truncated, altered, not a checkpoint or
/// of a newer format, SystemError for one that cannot be read.
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Returns the scene as read from its file, but with the bodies and live settings of the
/// checkpoint. The stored script is run again for its hooks, with the same parameters, seed and
/// stored files. `trust` is that of this command, not of the one that started the run.
SceneDescription scene_of(const Checkpoint& checkpoint, Trust trust = Trust::no);

/// Fills unset options from the checkpoint: precision, backend and instruction set, where this
/// machine supports them. Throws InputError for a different precision.
RunOptions options_of(const Checkpoint& checkpoint, RunOptions options);

/// Opens a simulation that continues the run; on the same machine and backend its states, times and
/// energy errors are bitwise those of an uninterrupted run. Uses scene_of and options_of.
std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const RunOptions& options);
/// Opens the simulation with a scene and plan made from scene_of and options_of already.
std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const SceneDescription& scene, const Plan& plan);

/// The state hash as it was before fields were known by name: with the positions at which neighbour
/// lists were built. Runs of that time have it in their run.json.
std::uint64_t state_hash_before_fields(const engine::Cpu& exec, const State<engine::Host>& state,
                                       double time, std::uint64_t step);

}  // namespace mote::sim
