#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mote::sim {

/// What a field of bodies is for.
enum class FieldUse : std::uint8_t {
  physical,  ///< part of the physical state: in snapshots, checkpoints and the state hash
  carried,   ///< follows from the past, and cannot be recomputed: in checkpoints and the hash
  algorithm  ///< in checkpoints only, so that a resumed run has the same bits
};

/// An optional field of bodies, one array of the state's number type. Whoever owns a field declares
/// it as a constant; fields of equal names are the same.
struct FieldInfo {
  std::string_view name;           ///< of its dataset in files
  std::string_view quantity = "";  ///< as in engine/quantity.h; "" for a pure number
  FieldUse use = FieldUse::physical;
  // What motion does with it.
  const FieldInfo* rate_of = nullptr;  ///< kicks add h times this field to that one
  bool summed = false;                 ///< forces add to it: cleared with the accelerations
  int drifts_along = -1;  ///< axis of a velocity that drifts add to that of the body; -1: none
};

inline bool operator==(const FieldInfo& a, const FieldInfo& b) {
  return &a == &b || a.name == b.name;
}

/// A vector: fields of its x, y and z.
using FieldVector = std::array<FieldInfo, 3>;
using FieldList = std::vector<const FieldInfo*>;

/// Datasets of accelerations in checkpoints, where StateLayout::stores_accelerations.
inline constexpr std::array<std::string_view, 3> acceleration_names{
    "AccelerationX", "AccelerationY", "AccelerationZ"};

/// The optional parts of a state.
struct StateLayout {
  bool species = false;  ///< species indices
  /// Accelerations cannot be recomputed from positions and velocities: checkpoints contain them.
  bool stores_accelerations = false;
  int global_values = 0;  ///< values of the system, not of bodies: thermostat state
  FieldList fields = {};  ///< in the order in which they were added, and are hashed

  bool has(const FieldInfo& field) const {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const FieldInfo* own) { return *own == field; });
  }
  bool has(const FieldVector& vector) const { return has(vector[0]); }
  /// No effect if it is there already. `field` outlives the layout.
  StateLayout& add(const FieldInfo& field) {
    if (!has(field)) fields.push_back(&field);
    return *this;
  }
  StateLayout& add(const FieldVector& vector) {
    for (const FieldInfo& field : vector) add(field);
    return *this;
  }
  StateLayout& add(const FieldList& more) {
    for (const FieldInfo* field : more) add(*field);
    return *this;
  }
  FieldList fields_of(FieldUse use) const {
    FieldList found;
    for (const FieldInfo* field : fields)
      if (field->use == use) found.push_back(field);
    return found;
  }
  /// Fields of the state hash: all but those of algorithms.
  FieldList hashed_fields() const {
    FieldList found;
    for (const FieldInfo* field : fields)
      if (field->use != FieldUse::algorithm) found.push_back(field);
    return found;
  }
  friend bool operator==(const StateLayout& a, const StateLayout& b) {
    return a.species == b.species && a.stores_accelerations == b.stores_accelerations &&
           a.global_values == b.global_values &&
           std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                      [](const FieldInfo* x, const FieldInfo* y) { return *x == *y; });
  }
};

}  // namespace mote::sim
