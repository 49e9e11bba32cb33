#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/exec/simd.h"
#include "engine/json_fwd.h"
#include "sim/run/edits.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// Everything that a run needs to go on where it stopped, in one file: a snapshot in the format of
/// write_snapshot, which every reader of those opens, with texts in its group Mote:
/// - checkpoint: JSON with what is below, format 1 (2 where bodies have come or gone, which older
/// motes cannot read);
/// - scene: the scene in full, JSON, as `mote check --json` prints it;
/// - scene_text: of the scene file as it was;
/// - checksum: 16 hexadecimal digits over the three, as the state hash is over the state;
/// - files: bytes of the files that were read through the scene, where there were any; their list
/// and checksum are in
///   checkpoint;
/// - forces: what forces remember beside the state (Simulation::force_memory), where there is some;
/// its checksum is in
///   checkpoint.
struct Checkpoint {
  std::filesystem::path file;  ///< of the checkpoint, for messages
  std::filesystem::path scene_file;
  std::string scene_text;
  std::string scene;             ///< in full, JSON
  std::vector<SceneFile> files;  ///< that its text includes and its hooks have read
  bool trusted = false;          ///< whether the run was begun with --trust
  engine::JsonBox parameters;    ///< what the scene's `param`s were set to, by name

  engine::Backend backend;
  engine::Precision precision;
  engine::SimdLevel simd;
  std::string device;   ///< name of the processor or GPU
  std::string version;  ///< of the mote that wrote it

  Clockwork clockwork;
  double time = 0;
  LiveSettings live;
  std::vector<Edit> edits;    ///< all that were made, in order
  engine::JsonBox hook_data;  ///< what hooks keep (Hooks::data); null for a scene without hooks
  engine::JsonBox run;  ///< what the program that ran it adds, to go on with its outputs; null for
                        ///< none
  std::string memory;   ///< Simulation::force_memory
  std::uint64_t hash = 0;
  std::shared_ptr<const State<engine::Host>> state;  ///< without accelerations; with species if the
                                                     ///< scene has any
  std::vector<std::string> names;  ///< of the bodies in the order of their ids; empty when no body
                                   ///< has one
};

/// Writes one, of a healthy simulation. The file appears under its name when it is whole and on the
/// disk; on failure nothing is left and SystemError is thrown. `edits`: those made so far
/// (History::edits_so_far); `hook_data`: of Hooks::data; `run`: an object for Checkpoint::run.
void write_checkpoint(const std::filesystem::path& path, Simulation& simulation,
                      const SceneDescription& scene, const Plan& plan, std::span<const Edit> edits,
                      const engine::JsonBox& hook_data = nullptr,
                      const engine::JsonBox& run = nullptr);

/// Reads one. A file that is cut off, altered, none of ours or of a newer format is refused by
/// InputError, one that cannot be read by SystemError.
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// The scene of a checkpoint, as from its file, but with the bodies and the live settings of the
/// checkpoint. Hooks come from running the text of its script again, with the same parameters and
/// seed, and with the files of the checkpoint. `trust` is what this command says, not what the
/// first one did.
SceneDescription scene_of(const Checkpoint& checkpoint, Trust trust = Trust::no);

/// `options` with what is not asked for as it was: precision, backend and instruction set, where
/// this machine has them. Throws InputError for another precision.
RunOptions options_of(const Checkpoint& checkpoint, RunOptions options);

/// Continues: on the same machine and backend bit for bit as if there had been no stop, in states,
/// times and energy errors. The scene and the plan are those of scene_of and options_of.
std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const RunOptions& options);
/// For those who have made the scene and the plan already.
std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
