#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <assimp/BaseImporter.h>
#include <assimp/MemoryIOWrapper.h>

#include <array>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "reader/reader.h"

namespace mote::reader {
namespace {

/// Reads a regular file; does not block on pipes.
std::string read_regular(const std::string& path) {
  const struct Descriptor {
    int number;
    ~Descriptor() {
      if (number >= 0) close(number);
    }
  } opened{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  const int file = opened.number;
  if (file < 0) throw Refusal("cannot be read: " + std::generic_category().message(errno));
  struct stat info {};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) throw Refusal("is not a file");
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  for (ssize_t count; have < bytes.size(); have += static_cast<std::size_t>(count)) {
    count = read(file, bytes.data() + have, bytes.size() - have);
    if (count < 0) throw Refusal("cannot be read: " + std::generic_category().message(errno));
    if (count == 0) break;
  }
  bytes.resize(have);
  return bytes;
}

/// Shows assimp a single file. Materials and other files that a mesh refers to are not opened.
class OneFile : public Assimp::IOSystem {
 public:
  OneFile(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}
  bool Exists(const char* name) const override { return name == name_; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    return name == name_ && std::strchr(mode, 'w') == nullptr
               ? new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes_.data()),
                                            bytes_.size())
               : nullptr;
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string name_;
  std::string_view bytes_;
};

/// Unregisters the importers of all other formats; otherwise assimp guesses the format from the
/// contents.
void keep_only(Assimp::Importer& importer, const std::string& ending) {
  std::vector<Assimp::BaseImporter*> others;
  const std::size_t kept = importer.GetImporterIndex(ending.c_str());
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i)
    if (i != kept) others.push_back(importer.GetImporter(i));
  for (Assimp::BaseImporter* other : others) importer.UnregisterLoader(other);
}

/// Checks the header of a PLY file: assimp relies on its end, and allocates as many elements as it
/// announces. Each takes at least one byte of the file.
void check_header(const std::string& ply) {
  std::istringstream lines(ply);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, name, count;
    words >> word >> name >> count;
    if (word == "end_header") return;
    if (word != "element") continue;
    std::uint64_t number = 0;
    const auto read = std::from_chars(count.data(), count.data() + count.size(), number);
    if (read.ec != std::errc() || read.ptr != count.data() + count.size() || number > ply.size())
      throw Refusal("announces more elements than it can contain", "write or copy it again");
  }
  throw Refusal("has a header without an end", "write or copy it again");
}

/// Makes an error message of assimp, which may quote the file, a short printable line.
std::string one_line(std::string text) {
  if (text.size() > 200) text = text.substr(0, 200) + "..";
  for (char& c : text)
    if (c < ' ' || c == 0x7f) c = ' ';  // also non-ASCII bytes, which may not be valid text
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Checks vertex indices; the code below does not.
void check_indices(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[m];
    for (unsigned f = 0; f < part.mNumFaces; ++f)
      for (unsigned k = 0; k < part.mFaces[f].mNumIndices; ++k)
        if (part.mFaces[f].mIndices[k] >= part.mNumVertices)
          throw Refusal("face " + std::to_string(f + 1) + " refers to a vertex beyond the " +
                            std::to_string(part.mNumVertices) + " of the file",
                        "write it again");
  }
}

}  // namespace

void mesh(engine::Unpacker& request, engine::Packer& answer) {
  const std::string path = request.text(), ending = request.text(), bytes = read_regular(path);
  const std::string name = "mesh" + ending;
  if (ending == ".ply") check_header(bytes);
  Assimp::Importer importer;
  importer.SetIOHandler(new OneFile(name, bytes));  // deleted by the importer
  keep_only(importer, ending);
  const auto expect_success = [&](const aiScene* scene) {
    const std::string error = importer.GetErrorString();
    if (scene == nullptr && error.find("bad_alloc") != error.npos) throw std::bad_alloc();
    if (scene == nullptr) throw Refusal("cannot be read: " + one_line(error));
  };
  expect_success(importer.ReadFile(name, 0));
  check_indices(*importer.GetScene());
  // Points and lines are sorted into separate meshes, which are skipped below.
  const aiScene* const scene = importer.ApplyPostProcessing(
      aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
  expect_success(scene);
  check_indices(*scene);
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    if ((part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE) == 0) continue;
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (unsigned v = 0; v < part.mNumVertices; ++v)
      vertices.push_back({part.mVertices[v].x, part.mVertices[v].y, part.mVertices[v].z});
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& polygon = part.mFaces[f];
      if (polygon.mNumIndices == 3)
        triangles.push_back({first + polygon.mIndices[0], first + polygon.mIndices[1],
                             first + polygon.mIndices[2]});
    }
  }
  answer.list(vertices).list(triangles);
}

}  // namespace mote::reader
