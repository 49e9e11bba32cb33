#pragma once

#include "engine/exec/ranks.h"
#include "engine/types.h"
#include "sim/state.h"

namespace mote::sim {

/// The columns of copies of other ranks' bodies that a force reads. Identity, mass and species of
/// copies are always there.
enum class CopiesNeeded {
  none,       ///< it acts on each body by itself
  positions,  ///< it reads the positions of all bodies
  velocities  ///< it reads their positions and velocities
};

/// The bodies of a simulation, divided between ranks: each owns a range of them, in the order that
/// they have where there is one rank.
///
/// Targets own their sums, which therefore have the same bits wherever they are formed. Sums over
/// bodies are formed by chunks of engine::loop_chunk: that of a chunk by the rank that owns its
/// first body, which has room for copies of the others.
class Division {
 public:
  /// Even, between multiples of the longest SIMD batch, so that the columns of own bodies are as
  /// aligned as those of all. Throws InputError if there are fewer bodies than that for a rank.
  Division(engine::Index bodies, int ranks, CopiesNeeded needed);

  engine::Index bodies() const { return bodies_; }
  int ranks() const { return ranks_; }
  /// The bodies that a rank owns.
  engine::Range own(int rank) const;
  /// The rank that owns a body.
  int owner(engine::Index body) const;
  /// The bodies whose chunks a rank sums: it has columns for all of them.
  engine::Range summed(int rank) const;
  /// The bodies that a rank has columns for: identity, mass, species and position.
  engine::Range held(int rank) const;
  /// Returns those held bodies for which a rank has all columns.
  engine::Range complete(int rank) const;
  /// How the held bodies of a rank stand about these, which are among them.
  Copies about(int rank, const engine::Range& bodies) const;
  /// Returns how many copies before and after the own bodies have all columns.
  Copies complete_about_own(int rank) const;

 private:
  engine::Index bodies_;
  int ranks_;
  CopiesNeeded needed_;
};

}  // namespace mote::sim
