#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace mote::sim {

/// The purpose of a field of bodies.
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
  // How motion changes it.
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

/// Numbers of the system, not of bodies: what a thermostat remembers. Like a field, a constant of
/// who owns it.
struct GlobalInfo {
  std::string_view name;
  int count;  ///< doubles
};

/// Datasets of accelerations in checkpoints, where StateLayout::stores_accelerations.
inline constexpr std::array<std::string_view, 3> acceleration_names{
    "AccelerationX", "AccelerationY", "AccelerationZ"};

/// The optional parts of a state.
struct StateLayout {
  bool species = false;  ///< species indices
  /// Accelerations cannot be recomputed from positions and velocities: checkpoints contain them.
  bool stores_accelerations = false;
  FieldList fields = {};                 ///< in the order in which they were added, and are hashed
  std::vector<GlobalInfo> globals = {};  ///< likewise; always hashed and in checkpoints

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
  /// No effect if it is there already.
  StateLayout& add(const GlobalInfo& global) {
    if (!first_of(global)) globals.push_back(global);
    return *this;
  }
  /// Doubles of all globals.
  int global_count() const {
    return std::accumulate(globals.begin(), globals.end(), 0,
                           [](int sum, const GlobalInfo& own) { return sum + own.count; });
  }
  /// Where those of a global begin among all; empty if the layout does not have it.
  std::optional<int> first_of(const GlobalInfo& global) const {
    int first = 0;
    for (const GlobalInfo& own : globals) {
      if (own.name == global.name) return first;
      first += own.count;
    }
    return {};
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
    return same_columns(a, b) && a.stores_accelerations == b.stores_accelerations;
  }
  /// Compares the columns in memory.
  friend bool same_columns(const StateLayout& a, const StateLayout& b) {
    return a.species == b.species &&
           std::equal(a.globals.begin(), a.globals.end(), b.globals.begin(), b.globals.end(),
                      [](const GlobalInfo& x, const GlobalInfo& y) {
                        return x.name == y.name && x.count == y.count;
                      }) &&
           std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                      [](const FieldInfo* x, const FieldInfo* y) { return *x == *y; });
  }
};

}  // namespace mote::sim
