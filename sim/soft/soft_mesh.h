#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/math/vec.h"
#include "sim/body_links.h"

namespace mote::sim {

enum class ConstraintKind : std::uint8_t { distance, bending, volume };
inline constexpr int constraint_kinds = 3;

/// Number of bodies in a constraint of this kind.
constexpr int bodies_of(ConstraintKind kind) {
  return kind == ConstraintKind::distance ? 2 : 4;
}

/// Parameters of a constraint function in constraint_formula.h.
struct Constraint {
  ConstraintKind kind;
  std::uint32_t body[4];  ///< ids or indices; a distance has two
  double rest;            ///< length, angle or volume
  double compliance;      ///< alpha: length / force, 1 / energy, length^3 / pressure
};

/// Constraints and pinned bodies of soft bodies. Bodies are numbered in the order of their
/// creation.
struct SoftMesh {
  std::vector<Constraint> constraints;
  std::vector<std::uint32_t> pinned;
  /// Triangles of sheets, for drawing; those around tetrahedra follow from these (links_of).
  std::vector<std::array<std::uint32_t, 3>> triangles = {};

  bool empty() const { return constraints.empty() && pinned.empty(); }
  /// Appends another mesh, whose body numbers are shifted by `first`.
  void append(const SoftMesh& more, std::uint32_t first);
  /// Multiplies all lengths by a factor. Compliances stay, except those of volumes, which scale so
  /// that the compressibility stays.
  void scale(double length);

  /// Adds a constraint that is at rest at the given positions; so do the next two.
  void add_distance(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                    double compliance);
  /// Triangles a b c and b a d.
  void add_bending(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                   std::uint32_t c, std::uint32_t d, double compliance);
  /// A tetrahedron with this compressibility [1 / pressure]. Orders its corners so that the volume
  /// is positive.
  void add_volume(const std::vector<engine::Vec3d>& x, std::uint32_t a, std::uint32_t b,
                  std::uint32_t c, std::uint32_t d, double compressibility);
};

/// The drawn parts of a mesh: its sheets, the faces of tetrahedra that no second one shares, and
/// distances between bodies of neither, as ropes have them.
BodyLinks links_of(const SoftMesh& mesh);

/// Constraints in the order of projection. A batch has one kind and one colour: no body occurs in
/// it twice, so that its constraints can be projected in parallel, with the same bits in any order.
/// Greedy colouring, kind by kind and in the order given: each constraint gets the lowest colour
/// that none of its bodies has yet.
struct ColouredConstraints {
  struct Batch {
    ConstraintKind kind;
    std::size_t begin, end;
  };
  std::vector<Constraint> constraints;
  std::vector<Batch> batches;
};
/// Colours constraints of bodies 0 to `bodies` - 1.
ColouredConstraints coloured(const std::vector<Constraint>& constraints, std::size_t bodies);

}  // namespace mote::sim
