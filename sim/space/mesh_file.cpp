#include <algorithm>
#include <cctype>
#include <iterator>
#include <system_error>

#include "engine/check.h"
#include "engine/packed.h"
#include "engine/read_process.h"
#include "sim/space/mesh.h"

namespace mote::sim {
namespace {

constexpr const char* mesh_formats[] = {".obj", ".stl", ".ply"};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (std::find(std::begin(mesh_formats), std::end(mesh_formats), ending) == std::end(mesh_formats))
    throw engine::InputError(path.string(), "is not a mesh format that can be read",
                             "use a file named *.obj, *.stl or *.ply");
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))
    throw engine::InputError(
        path.string(),
        std::filesystem::exists(path, unknown) ? "is not a file" : "there is no such file",
        "check the path");
  const std::string file = std::filesystem::absolute(path, unknown).string();
  engine::Unpacker reply = engine::ReadSession().call(
      path, engine::Packer().text("mesh").text(file).text(ending).bytes(),
      engine::read_limits(path));
  TriangleMesh mesh;
  for (const auto& [x, y, z] : reply.list<std::array<double, 3>>())
    mesh.vertices.push_back({x, y, z});
  mesh.triangles = reply.list<std::array<std::uint32_t, 3>>();
  if (mesh.triangles.empty()) throw engine::InputError(path.string(), "contains no triangles", "");
  return mesh;
}

}  // namespace mote::sim
