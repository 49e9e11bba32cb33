#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/initial/bodies.h"
#include "sim/state.h"

namespace mote::sim {

/// Ids of the bodies in the columns of a state; they rise. Null: 0 to count - 1, as at the start of
/// a scene.
using BodyIds = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Ids end below this.
inline constexpr engine::Index largest_id = 4294967295;

/// Those of a state whose ids rise.
BodyIds ids_of(const State<engine::Host>& state);
std::uint32_t id_of(const BodyIds& ids, engine::Index column);
/// Nothing when no column has this body.
std::optional<engine::Index> column_of(const BodyIds& ids, engine::Index count, std::uint32_t id);

/// Bodies that come and go between two steps.
struct BodyChange {
  std::vector<std::uint32_t> removed = {};  ///< ids of bodies that are there, each once
  Bodies added = {};                        ///< they get the next ids, in their order
  bool routine = false;                     ///< of emitters and drains: too often to be told

  bool empty() const { return removed.empty() && added.count() == 0; }
};

/// The state behind such a change, without accelerations: who stays, in the same order, and behind
/// them who comes, with ids from `next_id` on. Throws InputError when a number does not fit the
/// precision.
State<engine::Host> changed(const State<engine::Host>& state, const BodyChange& change,
                            std::uint32_t next_id);

/// Writes bodies into the columns of a new state from `first` on, without ids. Throws InputError
/// with this place when a number does not fit the precision.
void put_bodies(State<engine::Host>& state, engine::Index first, const Bodies& bodies,
                const std::string& place);

}  // namespace mote::sim
