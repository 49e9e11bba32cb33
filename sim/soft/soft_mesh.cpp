#include "sim/soft/soft_mesh.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "sim/soft/constraint_formula.h"

namespace mote::sim {

using engine::Vec3d;

void SoftMesh::append(const SoftMesh& more, std::uint32_t first) {
  const std::size_t added = more.constraints.size(), pins = more.pinned.size(),
                    sheets = more.triangles.size();
  // By index, so that a mesh can be appended to itself.
  for (std::size_t i = 0; i < added; ++i) {
    Constraint c = more.constraints[i];
    for (int k = 0; k < bodies_of(c.kind); ++k) c.body[k] += first;
    constraints.push_back(c);
  }
  for (std::size_t i = 0; i < pins; ++i) pinned.push_back(more.pinned[i] + first);
  for (std::size_t i = 0; i < sheets; ++i) {
    std::array<std::uint32_t, 3> triangle = more.triangles[i];
    for (std::uint32_t& body : triangle) body += first;
    triangles.push_back(triangle);
  }
}

void SoftMesh::scale(double length) {
  for (Constraint& c : constraints) {
    if (c.kind == ConstraintKind::distance) c.rest *= length;
    if (c.kind == ConstraintKind::volume) {
      c.rest *= length * length * length;
      c.compliance *= length * length * length;
    }
  }
}

void SoftMesh::add_distance(const std::vector<Vec3d>& x, std::uint32_t a, std::uint32_t b,
                            double compliance) {
  constraints.push_back(
      {ConstraintKind::distance, {a, b, 0, 0}, engine::length(x[a] - x[b]), compliance});
}

void SoftMesh::add_bending(const std::vector<Vec3d>& x, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c, std::uint32_t d, double compliance) {
  const Vec3d at[4] = {x[a], x[b], x[c], x[d]};
  constraints.push_back(
      {ConstraintKind::bending, {a, b, c, d}, bending_constraint(at, 0.0).value, compliance});
}

void SoftMesh::add_volume(const std::vector<Vec3d>& x, std::uint32_t a, std::uint32_t b,
                          std::uint32_t c, std::uint32_t d, double compressibility) {
  const Vec3d at[4] = {x[a], x[b], x[c], x[d]};
  double volume = volume_constraint(at, 0.0).value;
  if (volume < 0) std::swap(c, d), volume = -volume;
  constraints.push_back({ConstraintKind::volume, {a, b, c, d}, volume, compressibility * volume});
}

BodyLinks links_of(const SoftMesh& mesh) {
  using Triangle = std::array<std::uint32_t, 3>;
  BodyLinks links{{}, mesh.triangles, {}};
  std::set<std::uint32_t> covered;
  for (const Triangle& t : mesh.triangles) covered.insert(t.begin(), t.end());
  // Outward faces of a tetrahedron of positive volume, by their corners in ascending order: what is
  // there twice is inside.
  std::map<Triangle, std::pair<int, Triangle>> faces;
  for (const Constraint& c : mesh.constraints) {
    if (c.kind != ConstraintKind::volume) continue;
    const auto& [p, q, r, s] = c.body;
    covered.insert(std::begin(c.body), std::end(c.body));
    for (const Triangle& face : {Triangle{p, r, q}, {p, q, s}, {q, r, s}, {r, p, s}}) {
      Triangle key = face;
      std::sort(key.begin(), key.end());
      const auto found = faces.try_emplace(key, 0, face).first;
      ++found->second.first;
    }
  }
  for (const auto& [key, face] : faces)
    if (face.first == 1) links.triangles.push_back(face.second);
  for (const Constraint& c : mesh.constraints)
    if (c.kind == ConstraintKind::distance && !covered.contains(c.body[0]) &&
        !covered.contains(c.body[1]))
      links.rods.push_back({c.body[0], c.body[1], 1});
  links.covered.assign(covered.begin(), covered.end());
  return links;
}

namespace {

/// Returns the lowest colour that no body of the constraint has, and marks it for all of them.
/// `taken`: a bit set of colours for each body.
std::size_t colour_of(const Constraint& c, std::vector<std::vector<std::uint64_t>>& taken) {
  const int bodies = bodies_of(c.kind);
  for (std::size_t word = 0;; ++word) {
    std::uint64_t used = 0;
    for (int k = 0; k < bodies; ++k)
      if (word < taken[c.body[k]].size()) used |= taken[c.body[k]][word];
    if (used == ~std::uint64_t{0}) continue;
    const auto bit = static_cast<std::size_t>(__builtin_ctzll(~used));
    for (int k = 0; k < bodies; ++k) {
      std::vector<std::uint64_t>& own = taken[c.body[k]];
      if (own.size() <= word) own.resize(word + 1);
      own[word] |= std::uint64_t{1} << bit;
    }
    return 64 * word + bit;
  }
}

}  // namespace

ColouredConstraints coloured(const std::vector<Constraint>& constraints, std::size_t bodies) {
  ColouredConstraints all;
  all.constraints.reserve(constraints.size());
  for (int k = 0; k < constraint_kinds; ++k) {
    const auto kind = static_cast<ConstraintKind>(k);
    std::vector<std::vector<std::uint64_t>> taken(bodies);
    std::vector<std::vector<std::uint32_t>> members;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].kind != kind) continue;
      const std::size_t colour = colour_of(constraints[i], taken);
      if (members.size() <= colour) members.resize(colour + 1);
      members[colour].push_back(static_cast<std::uint32_t>(i));
    }
    for (const auto& colour : members) {
      const std::size_t begin = all.constraints.size();
      for (const std::uint32_t i : colour) all.constraints.push_back(constraints[i]);
      all.batches.push_back({kind, begin, all.constraints.size()});
    }
  }
  return all;
}

}  // namespace mote::sim
