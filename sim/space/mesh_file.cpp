#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>

#include "engine/check.h"
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
    throw engine::InputError(path.string(), "is no mesh that can be read",
                             "its name ends in .obj, .stl or .ply");
  if (!std::filesystem::is_regular_file(path))
    throw engine::InputError(path.string(), "there is no such file", "");
  Assimp::Importer importer;
  // Only triangles are asked for: points and lines are sorted into meshes of their own, and left out.
  const aiScene* const scene = importer.ReadFile(
      path.string(), aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
  if (scene == nullptr)
    throw engine::InputError(path.string(), std::string("cannot be read: ") + importer.GetErrorString(), "");
  TriangleMesh mesh;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    if ((part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE) == 0) continue;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (unsigned v = 0; v < part.mNumVertices; ++v)
      mesh.vertices.push_back({part.mVertices[v].x, part.mVertices[v].y, part.mVertices[v].z});
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& polygon = part.mFaces[f];
      if (polygon.mNumIndices == 3)
        mesh.triangles.push_back(
            {first + polygon.mIndices[0], first + polygon.mIndices[1], first + polygon.mIndices[2]});
    }
  }
  if (mesh.triangles.empty()) throw engine::InputError(path.string(), "holds no triangles", "");
  return mesh;
}

}  // namespace mote::sim
