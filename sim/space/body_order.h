#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/state.h"

namespace mote::sim {

/// The order of the bodies of a state in memory. Outside of a simulation a body is its id, and
/// arrays are in the order of ids. Inside, a force may ask for another order (Force::find_order),
/// for instance along a curve through space, so that bodies close to each other are so in memory,
/// too. All columns of the state move together, the ids among them.
///
/// The index of a body is its rank by id; its slot is its index in the columns.
template <class Exec>
class BodyOrder {
 public:
  using Space = typename Exec::Space;

  /// True if slots are indices, as at the start.
  bool by_id() const { return slots_.size() == 0; }
  /// Slot by index, in memory of the space; null if by_id().
  const std::uint32_t* slots() const { return slots_.data(); }
  engine::Index slot(const Exec& exec, engine::Index index) const;

  /// Moves the bodies of a state: slot k receives the body of slot from[k], a permutation.
  void move_bodies(const Exec& exec, State<Space>& state, const std::uint32_t* from);
  /// Copies the state in the order of ids. `To` is Host or Space. Waits if `To` is Host.
  template <class To>
  void copy_by_id(const Exec& exec, State<To>& to, const State<Space>& from) const;

  /// Forgets the order, for a state in the order of ids.
  void reset() { slots_ = {}; }
  void copy(const Exec& exec, const BodyOrder& from);

  /// Writes it for checkpoints; empty if by_id().
  std::string serialize(const Exec& exec) const;
  /// Moves the bodies of a state in the order of ids to their slots. `bytes`: from serialize(), for
  /// this number of bodies (is_body_order).
  void restore(const Exec& exec, State<Space>& state, std::string_view bytes);

 private:
  engine::Buffer<std::uint32_t, Space> slots_;
};

/// True if BodyOrder::serialize() may have written these bytes for so many bodies.
bool is_body_order(std::string_view bytes, engine::Index count);

/// The slots of serialize(), and their inverse: indices by slot.
std::vector<std::uint32_t> slots_of(std::string_view bytes);
std::vector<std::uint32_t> inverse_of(const std::vector<std::uint32_t>& slots);

}  // namespace mote::sim
