// Valid and invalid mesh files, read by mote-read.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>

#include "engine/check.h"
#include "engine/read_process.h"
#include "sim/space/mesh.h"
#include "tests/support/mutation.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

using sim::TriangleMesh;

constexpr float tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

std::string text(const float (&v)[3]) {
  return std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + "\n";
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ply_header(const char* format) {
  return std::string("ply\nformat ") + format +
         " 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty float x\nproperty float "
         "y\nproperty float "
         "z\n"
         "element face 4\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string ascii_ply(const std::string& last_face = "3 0 3 2\n") {
  std::string file = ply_header("ascii");
  for (const auto& v : tetrahedron) file += text(v);
  for (int f = 0; f < 3; ++f)
    file += "3 " + std::to_string(faces[f][0]) + " " + std::to_string(faces[f][1]) + " " +
            std::to_string(faces[f][2]) + "\n";
  return file + last_face;
}

std::string binary_ply() {
  std::string file = ply_header("binary_little_endian");
  for (const auto& v : tetrahedron)
    for (const float x : v) put(file, x);
  for (const auto& f : faces) {
    put(file, std::uint8_t{3});
    for (const int corner : f) put(file, corner);
  }
  return file;
}

std::string obj(const std::string& first = "") {
  std::string file = first + "o tetrahedron\n";
  for (const auto& v : tetrahedron) file += "v " + text(v);
  for (const auto& f : faces)
    file += "f " + std::to_string(f[0] + 1) + " " + std::to_string(f[1] + 1) + " " +
            std::to_string(f[2] + 1) + "\n";
  return file;
}

std::string ascii_stl() {
  std::string file = "solid tetrahedron\n";
  for (const auto& f : faces) {
    file += "facet normal 0 0 0\n outer loop\n";
    for (const int corner : f) file += "  vertex " + text(tetrahedron[corner]);
    file += " endloop\nendfacet\n";
  }
  return file + "endsolid tetrahedron\n";
}

std::string binary_stl() {
  std::string file(80, ' ');
  put(file, std::uint32_t{4});
  for (const auto& f : faces) {
    for (int k = 0; k < 3; ++k) put(file, 0.0f);
    for (const int corner : f)
      for (const float x : tetrahedron[corner]) put(file, x);
    put(file, std::uint16_t{0});
  }
  return file;
}

TriangleMesh surface_in(const std::filesystem::path& file) {
  return sim::closed_surface(sim::read_mesh(file), file.string());
}

std::string refusal(const std::filesystem::path& file) {
  return message_of<engine::InputError>([&] { surface_in(file); });
}

TEST(MeshFiles, OfAllFormatsHoldTheSameTetrahedron) {
  const TemporaryFolder folder;
  for (const auto& file : {folder.file("a.ply", ascii_ply()), folder.file("b.ply", binary_ply()),
                           folder.file("a.obj", obj()), folder.file("a.STL", ascii_stl()),
                           folder.file("b.stl", binary_stl())}) {
    const TriangleMesh surface = surface_in(file);
    EXPECT_EQ(surface.vertices.size(), 4u) << file;
    EXPECT_EQ(surface.triangles.size(), 4u) << file;
  }
}

TEST(MeshFiles, WithAFaceOfAVertexThatIsNotThereAreRefused) {
  const TemporaryFolder folder;
  for (const char* last :
       {"3 0 3 99999999\n", "3 0 3 4\n", "3 0 3 -1\n", "3 0 3 4294967295\n", "4 0 3 2 70\n"}) {
    const auto file = folder.file("a.ply", ascii_ply(last));
    EXPECT_EQ(
        refusal(file),
        file.string() + ": face 4 refers to a vertex beyond the 4 of the file; write it again")
        << last;
  }
}

TEST(MeshFiles, ATriangleOfAVertexThatIsNotThereIsNoSurface) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 99999999}};
  EXPECT_EQ(
      message_of<engine::InputError>([&] { sim::closed_surface(mesh, "a.ply"); }),
      "a.ply: a triangle refers to vertex 99999999, but there are 3, counted from 0; write the "
      "mesh again");
}

// assimp 5.2 opens any file that a mesh refers to.
TEST(MeshFiles, OpenNoOtherFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "scene");
  folder.file("secret.mtl", "newmtl a\nmap_Kd secret.png\n");
  folder.file("scene/beside.mtl", "newmtl a\n");
  ASSERT_EQ(::mkfifo((folder / "scene/pipe.mtl").c_str(), 0600), 0);
  const int watch = ::inotify_init1(IN_NONBLOCK);
  ASSERT_GE(watch, 0);
  for (const char* name : {"secret.mtl", "scene/beside.mtl"})
    ASSERT_GE(::inotify_add_watch(watch, (folder / name).c_str(), IN_OPEN), 0);
  const std::string absolute = (folder / "secret.mtl").string();
  for (const std::string& name : {std::string("../secret.mtl"), absolute, std::string("beside.mtl"),
                                  std::string("pipe.mtl"), std::string("/dev/zero")}) {
    const TriangleMesh surface =
        surface_in(folder.file("scene/a.obj", obj("mtllib " + name + "\nusemtl a\n")));
    EXPECT_EQ(surface.triangles.size(), 4u) << name;
  }
  char event[4096];
  EXPECT_LT(::read(watch, event, sizeof event), 0) << "a file was opened";
  ::close(watch);
}

TEST(MeshFiles, ThatAreNoFilesAreNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe.ply").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder / "pipe.ply"),
            (folder / "pipe.ply").string() + ": is not a file; check the path");
  // Nor by the reader, if the file is replaced before it reads.
  const std::string pipe = (folder / "pipe.ply").string();
  const std::string request = engine::Packer().text("mesh").text(pipe).text(".ply").bytes();
  EXPECT_EQ(message_of<engine::InputError>(
                [&] { engine::ReadSession().call(pipe, request, engine::read_limits(pipe)); }),
            pipe + ": is not a file");
}

// assimp 5.2 searches for the end of a header forever.
TEST(MeshFiles, OfPlyNeedACompleteHeader) {
  const TemporaryFolder folder;
  const std::string whole = ascii_ply();
  for (const std::string& header :
       {whole.substr(0, whole.find("end_header")), std::string("ply\nformat ascii 1.0\nelement")})
    EXPECT_NE(refusal(folder.file("a.ply", header)).find("; write or copy it again"),
              std::string::npos)
        << header;
}

// Four billion vertices in a file of a few bytes.
TEST(MeshFiles, ThatPromiseMoreThanTheyHoldTakeNeitherMemoryNorTime) {
  const TemporaryFolder folder;
  for (const std::string& file : {ascii_ply(), binary_ply()})
    for (const char* element : {"vertex 4", "face 4"}) {
      std::string more = file;
      more.replace(file.find(element) + std::strlen(element) - 1, 1, "4000000000");
      EXPECT_EQ(refusal(folder.file("a.ply", more)),
                (folder / "a.ply").string() +
                    ": announces more elements than it can contain; write or copy it again")
          << element;
    }
  std::string stl = binary_stl();
  stl.replace(80, 4, "\xff\xff\xff\x7f");
  EXPECT_NE(refusal(folder.file("a.stl", stl)), "");
}

/// A format, and the number of mutated files.
struct Mutations {
  const char* name;
  std::string (*file)();
  int count;
};

class MutatedMeshes : public ::testing::TestWithParam<Mutations> {};

TEST_P(MutatedMeshes, AreGoodOrRefusedInOneLine) {
  const TemporaryFolder folder;
  int good = 0, done = 0;
  const engine::ReadSession one_reader;
  // A limit for busy machines.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  for (int i = 0; i < GetParam().count && std::chrono::steady_clock::now() < deadline;
       ++i, ++done) {
    const auto file =
        folder.file(GetParam().name, mutated(GetParam().file(), static_cast<std::uint64_t>(i)));
    const std::string message = refusal(file);  // any other exception fails the test
    if (message.empty()) ++good;
    EXPECT_TRUE(message.empty() || message.starts_with(file.string() + ": "))
        << i << ": " << message;
    EXPECT_EQ(message.find('\n'), message.npos) << i << ": " << message;
  }
  EXPECT_GT(done, 5);
  EXPECT_GT(good, 0);
  EXPECT_LT(good, done);
}

INSTANTIATE_TEST_SUITE_P(
    OfAllFormats, MutatedMeshes,
    ::testing::Values(Mutations{"a.ply", [] { return ascii_ply(); }, 150},
                      Mutations{"b.ply", binary_ply, 80},
                      Mutations{"a.obj", [] { return obj("mtllib a.mtl\n"); }, 80},
                      Mutations{"a.stl", ascii_stl, 60}, Mutations{"b.stl", binary_stl, 60}),
    [](const auto& test) {
      std::string name = test.param.name;
      name[1] = '_';
      return name;
    });

}  // namespace
}  // namespace mote::test
