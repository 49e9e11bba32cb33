#include "render/mesh_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <string>

#include "engine/check.h"
#include "engine/files.h"

namespace mote::render {
namespace {

/// Text is passed on in pieces of this size [bytes].
constexpr std::size_t piece = std::size_t{1} << 20;

void pass_on(engine::AtomicFile& file, std::string& text, std::size_t from = piece) {
  if (text.size() < from) return;
  file.write(text);
  text.clear();
}

template <class T>
void put(std::string& bytes, T number) {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint32_t>;
  const auto bits = std::bit_cast<Bits>(number);
  for (std::size_t k = 0; k < sizeof(T); ++k)
    bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(bits) >> 8 * k & 0xffu));
}

std::size_t vertices_of(const std::vector<IndexedMesh>& surfaces) {
  std::size_t count = 0;
  for (const IndexedMesh& s : surfaces) count += s.vertices.size();
  if (count > 0x7fffffff)
    throw engine::InputError("", "the surfaces have more than 2^31 vertices",
                             "use a larger spacing");
  return count;
}

}  // namespace

void write_obj(const std::filesystem::path& path, const std::vector<IndexedMesh>& surfaces) {
  engine::AtomicFile file(path);
  std::string text = "# written by mote\n";
  const auto to = std::back_inserter(text);
  std::size_t first = 1;
  for (const IndexedMesh& s : surfaces) {
    fmt::format_to(to, "o {}\n", s.name);
    for (const glm::dvec3& v : s.vertices) {
      fmt::format_to(to, "v {:.9g} {:.9g} {:.9g}\n", v.x, v.y, v.z);
      pass_on(file, text);
    }
    for (const glm::vec3& n : s.normals) {
      fmt::format_to(to, "vn {:.5g} {:.5g} {:.5g}\n", n.x, n.y, n.z);
      pass_on(file, text);
    }
    for (const glm::uvec3& t : s.triangles) {
      text += 'f';
      for (int k = 0; k < 3; ++k) fmt::format_to(to, " {0}//{0}", first + t[k]);
      text += '\n';
      pass_on(file, text);
    }
    first += s.vertices.size();
  }
  pass_on(file, text, 0);
  file.commit();
}

void write_ply(const std::filesystem::path& path, const std::vector<IndexedMesh>& surfaces) {
  const std::size_t vertices = vertices_of(surfaces);
  std::size_t faces = 0;
  std::string head = "ply\nformat binary_little_endian 1.0\ncomment written by mote\n";
  for (std::size_t part = 0; part < surfaces.size(); ++part) {
    head += fmt::format("comment part {}: {}\n", part, surfaces[part].name);
    faces += surfaces[part].triangles.size();
  }
  head += fmt::format("element vertex {}\n", vertices);
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"})
    head += fmt::format("property float {}\n", name);
  head += fmt::format(
      "element face {}\nproperty list uchar int vertex_indices\nproperty int part\nend_header\n",
      faces);
  engine::AtomicFile file(path);
  file.write(head);
  std::string bytes;
  for (const IndexedMesh& s : surfaces)
    for (std::size_t i = 0; i < s.vertices.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) put(bytes, static_cast<float>(s.vertices[i][axis]));
      for (int axis = 0; axis < 3; ++axis) put(bytes, s.normals[i][axis]);
      pass_on(file, bytes);
    }
  std::uint32_t first = 0;
  for (std::size_t part = 0; part < surfaces.size(); ++part) {
    for (const glm::uvec3& t : surfaces[part].triangles) {
      put(bytes, std::uint8_t{3});
      for (int k = 0; k < 3; ++k) put(bytes, first + t[k]);
      put(bytes, static_cast<std::uint32_t>(part));
      pass_on(file, bytes);
    }
    first += static_cast<std::uint32_t>(surfaces[part].vertices.size());
  }
  pass_on(file, bytes, 0);
  file.commit();
}

}  // namespace mote::render
