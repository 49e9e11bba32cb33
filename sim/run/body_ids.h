#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/model/body_events.h"
#include "sim/state.h"

namespace mote::sim {

/// Ids of the bodies of a state by index, ascending. Null: 0 to count - 1, as at the start.
using BodyIds = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Numbers of all bodies, in the order of their ids; empty: as they are.
struct BodyValues {
  std::span<const double> mass = {};                     ///< [mass], >= 0
  std::span<const double> position = {}, velocity = {};  ///< x, y, z of each [length, velocity]
};

/// Ids are below this.
inline constexpr engine::Index largest_id = 4294967295;

/// Ids of a state; they must ascend.
BodyIds ids_of(const State<engine::Host>& state);
std::uint32_t id_of(const BodyIds& ids, engine::Index index);
/// Empty if there is no such body.
std::optional<engine::Index> index_of(const BodyIds& ids, engine::Index count, std::uint32_t id);

/// The state after a change of bodies, without accelerations: the remaining bodies in the same
/// order, then the added ones with ids from `next_id` on. Throws InputError if a value overflows
/// the precision.
State<engine::Host> changed(const State<engine::Host>& state, const BodyChange& change,
                            std::uint32_t next_id);

/// Why bodies cannot be added to states of this layout, in a scene with this number of species; or
/// "".
std::string problem_of_added(const Bodies& added, std::size_t species, const StateLayout& layout);

/// Writes bodies into a new state from index `first` on, without ids. Throws InputError at this
/// location if a value overflows the precision.
void put_bodies(State<engine::Host>& state, engine::Index first, const Bodies& bodies,
                const std::string& location, int threads = 1);

/// Writes numbers of all bodies into a state. Throws InputError for other counts, for numbers that
/// are not finite in its precision, and for negative masses.
void put_values(State<engine::Host>& state, const BodyValues& values);

}  // namespace mote::sim
