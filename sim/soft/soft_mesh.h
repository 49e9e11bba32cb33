#pragma once

#include <cstdint>
#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

enum class ConstraintKind : std::uint8_t { distance, bending, volume };
inline constexpr int constraint_kinds = 3;

/// Bodies that a constraint of this kind holds.
constexpr int bodies_of(ConstraintKind kind) {
  return kind == ConstraintKind::distance ? 2 : 4;
}

/// One constraint, as in constraint_formula.h.
struct Constraint {
  ConstraintKind kind;
  std::uint32_t body[4];  ///< numbers of bodies; a distance has two
  double rest;            ///< length, angle or volume
  double compliance;      ///< alpha: length / force, 1 / energy, length^3 / pressure
};

/// What holds bodies of soft things together, and which of them nothing moves. Bodies are numbered
/// as they are made.
struct SoftMesh {
  std::vector<Constraint> constraints;
  std::vector<std::uint32_t> pinned;

  bool empty() const { return constraints.empty() && pinned.empty(); }
  /// Adds another one, whose bodies stand behind `first` others.
  void append(const SoftMesh& more, std::uint32_t first);
  /// All lengths times a factor. Compliances stay, but that of a volume, which belongs to the
  /// compressibility.
  void scale(double length);

  /// At rest where the bodies are now.
  void add_distance(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                    double compliance);
  /// Triangles a b c and b a d.
  void add_bending(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                   std::uint32_t c, std::uint32_t d, double compliance);
  /// A tetrahedron with this compressibility [1 / pressure]; its corners are ordered so that its
  /// volume is positive.
  void add_volume(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                  std::uint32_t c, std::uint32_t d, double compressibility);
};

/// Constraints in the order in which they are met: those next to each other that have one kind and
/// colour touch no body twice, so that they can be met at the same time, with the same bits in any
/// order. Colours are given greedily in the order of the list, each the lowest that none of its
/// bodies has yet, kind after kind.
struct ColouredConstraints {
  struct Batch {
    ConstraintKind kind;
    std::size_t begin, end;
  };
  std::vector<Constraint> constraints;
  std::vector<Batch> batches;
};
/// Of bodies numbered from 0 to `bodies` - 1.
ColouredConstraints coloured(const std::vector<Constraint>& constraints, std::size_t bodies);

}  // namespace mote::sim
