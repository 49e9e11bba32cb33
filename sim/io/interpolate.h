#pragma once

#include <utility>
#include <vector>

#include "sim/io/loaded_snapshot.h"

namespace mote::sim {

/// Interpolates between two snapshots of a simulation: cubic Hermite curves through the positions
/// and velocities of each body; bodies are matched by id. Bodies present in only one of them appear
/// at its time only. If a snapshot has no velocities, positions are interpolated linearly. Species
/// and radii are those of the earlier snapshot.
class SnapshotInterpolator {
 public:
  /// `a` is the earlier snapshot; both must outlive this object. They may be the same.
  SnapshotInterpolator(const LoadedSnapshot& a, const LoadedSnapshot& b);

  /// The state at `time`, between those of `a` and `b`; at these two times the stored state itself,
  /// with all its bodies. In between: double precision, without accelerations. Valid until the next
  /// call.
  const State<engine::Host>& at(double time);
  /// The potentials of these bodies, interpolated linearly; empty if a snapshot has none.
  std::vector<double> potentials(double time) const;

 private:
  const LoadedSnapshot *a_, *b_;
  std::vector<std::pair<engine::Index, engine::Index>> pairs_;  ///< indices of a body in `a`, `b`
  State<engine::Host> state_;
};

}  // namespace mote::sim
