// Surfaces of fluids as closed meshes, and files of meshes.
#include "render/particle_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <glm/geometric.hpp>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include "render/mesh_file.h"
#include "tests/support/temporary_folder.h"

namespace mote::render {
namespace {

/// Particles of a ball on a cubic lattice of this spacing, beside the origin of the lattice, so
/// that no two are mirror images.
std::vector<float> ball(double radius, double spacing, const glm::dvec3& center = {}) {
  std::vector<float> places;
  const int most = static_cast<int>(radius / spacing) + 2;
  const glm::dvec3 shift(0.21, -0.13, 0.37);
  for (int x = -most; x <= most; ++x)
    for (int y = -most; y <= most; ++y)
      for (int z = -most; z <= most; ++z) {
        const glm::dvec3 at = spacing * (glm::dvec3(x, y, z) + shift);
        if (glm::length(at) > radius) continue;
        for (int axis = 0; axis < 3; ++axis)
          places.push_back(static_cast<float>(at[axis] + center[axis]));
      }
  return places;
}

double volume_of(const IndexedMesh& mesh) {
  double sum = 0;
  for (const glm::uvec3& t : mesh.triangles)
    sum += glm::dot(mesh.vertices[t[0]], glm::cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6;
  return sum;
}

/// Each edge is in two triangles, once in either direction.
void expect_closed(const IndexedMesh& mesh) {
  std::map<std::pair<unsigned, unsigned>, int> times;
  for (const glm::uvec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++times[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : times) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(times.contains({edge.second, edge.first}));
  }
}

// The volume of the particles is that of the half-space that they would fill, less 0.43 spacing^2 /
// r all around: a fraction 3 * 0.43 (spacing / r)^2. Linear interpolation between nodes half a
// spacing apart, where the sum falls over 1.25 spacings on either side, errs by at most
// 0.25^2 / 1.25 / 2 = 0.025 spacings; 3 * 0.025 spacing / r.
TEST(ParticleSurface, OfABallOfFluidIsClosedAndHasItsVolume) {
  for (const double radius : {0.5, 1.0}) {
    const double spacing = 0.1, q = spacing / radius;
    const std::vector<float> places = ball(radius, spacing, {3, -2, 1});
    const IndexedMesh mesh = particle_surface(places, spacing);
    ASSERT_GT(mesh.triangles.size(), 100u);
    expect_closed(mesh);
    const double fluid = static_cast<double>(places.size() / 3) * spacing * spacing * spacing;
    const double shrunk = 1 - 3 * 0.43 * q * q;
    EXPECT_NEAR(volume_of(mesh) / fluid, shrunk, 3 * 0.025 * q) << radius;
    // The lattice roughens the ball by half a spacing. Normals point away from its centre.
    ASSERT_EQ(mesh.normals.size(), mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const glm::dvec3 out = mesh.vertices[i] - glm::dvec3(3, -2, 1);
      EXPECT_NEAR(glm::length(out), radius, spacing);
      EXPECT_NEAR(glm::length(glm::dvec3(mesh.normals[i])), 1, 1e-6);
      EXPECT_GT(glm::dot(glm::dvec3(mesh.normals[i]), out), 0.7 * glm::length(out));
    }
  }
}

TEST(ParticleSurface, OfApartBallsIsClosedAroundEach) {
  std::vector<float> places = ball(0.3, 0.1);
  const std::vector<float> far = ball(0.3, 0.1, {40, 0, -3});
  const std::size_t of_one = particle_surface(places, 0.1).triangles.size();
  places.insert(places.end(), far.begin(), far.end());
  const IndexedMesh both = particle_surface(places, 0.1);
  expect_closed(both);
  EXPECT_NEAR(static_cast<double>(both.triangles.size()), 2.0 * static_cast<double>(of_one),
              0.2 * static_cast<double>(of_one))
      << "the grid lies differently";
}

TEST(ParticleSurface, SkipsWhatIsNotFinite) {
  std::vector<float> places = ball(0.3, 0.1);
  const std::size_t triangles = particle_surface(places, 0.1).triangles.size();
  places.insert(places.end(), {std::numeric_limits<float>::quiet_NaN(), 0, 0});
  EXPECT_EQ(particle_surface(places, 0.1).triangles.size(), triangles);
  EXPECT_TRUE(particle_surface({}, 0.1).triangles.empty());
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Reads what write_ply writes, by the rules of the format.
IndexedMesh read_ply(const std::filesystem::path& file, std::vector<std::uint32_t>& parts) {
  const std::string text = text_of(file);
  const std::string end = "end_header\n";
  const std::size_t head = text.find(end);
  EXPECT_NE(head, std::string::npos);
  std::istringstream lines(text.substr(0, head));
  std::size_t vertices = 0, faces = 0;
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "ply");
  std::getline(lines, line);
  EXPECT_EQ(line, "format binary_little_endian 1.0");
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string element, name;
    std::size_t count = 0;
    words >> element >> name >> count;
    if (element == "element") (name == "vertex" ? vertices : faces) = count;
  }
  const char* at = text.data() + head + end.size();
  const auto next = [&at]<class T>(T& number) {
    std::memcpy(&number, at, sizeof number);
    at += sizeof number;
  };
  IndexedMesh mesh;
  for (std::size_t i = 0; i < vertices; ++i) {
    glm::vec3 v, n;
    for (glm::vec3* of : {&v, &n})
      for (int axis = 0; axis < 3; ++axis) next((*of)[axis]);
    mesh.vertices.emplace_back(v);
    mesh.normals.push_back(n);
  }
  for (std::size_t i = 0; i < faces; ++i) {
    std::uint8_t corners = 0;
    next(corners);
    EXPECT_EQ(corners, 3);
    glm::uvec3 t;
    for (int k = 0; k < 3; ++k) next(t[k]);
    mesh.triangles.push_back(t);
    next(parts.emplace_back());
  }
  EXPECT_EQ(at, text.data() + text.size()) << "nothing follows";
  return mesh;
}

TEST(MeshFiles, HoldAllPartsWithTheirNormals) {
  const test::TemporaryFolder folder;
  const IndexedMesh a = particle_surface(ball(0.3, 0.1), 0.1);
  IndexedMesh b = particle_surface(ball(0.2, 0.1, {1, 0, 0}), 0.1);
  b.name = "other";
  write_ply(folder.path() / "a.ply", {a, b});
  std::vector<std::uint32_t> parts;
  const IndexedMesh read = read_ply(folder.path() / "a.ply", parts);
  ASSERT_EQ(read.vertices.size(), a.vertices.size() + b.vertices.size());
  ASSERT_EQ(read.triangles.size(), a.triangles.size() + b.triangles.size());
  expect_closed(read);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_FLOAT_EQ(static_cast<float>(read.vertices.front()[axis]),
                    static_cast<float>(a.vertices.front()[axis]));
  EXPECT_EQ(read.normals.back(), b.normals.back());
  EXPECT_EQ(std::count(parts.begin(), parts.end(), 1u),
            static_cast<std::ptrdiff_t>(b.triangles.size()));
  // Floats: 24 bits.
  EXPECT_NEAR(volume_of(read), volume_of(a) + volume_of(b), 1e-5);

  write_obj(folder.path() / "a.obj", {a, b});
  std::istringstream lines(text_of(folder.path() / "a.obj"));
  std::size_t vertices = 0, normals = 0, faces = 0, largest = 0;
  std::string names, line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind;
    vertices += kind == "v" ? 1u : 0u;
    normals += kind == "vn" ? 1u : 0u;
    faces += kind == "f" ? 1u : 0u;
    if (kind == "o") names += line + ";";
    while (kind == "f" && words >> word) largest = std::max(largest, std::stoul(word));
  }
  EXPECT_EQ(vertices, read.vertices.size());
  EXPECT_EQ(normals, read.vertices.size());
  EXPECT_EQ(faces, read.triangles.size());
  EXPECT_EQ(largest, vertices) << "counted from 1 over all objects";
  EXPECT_EQ(names, "o fluid;o other;");
}

}  // namespace
}  // namespace mote::render
