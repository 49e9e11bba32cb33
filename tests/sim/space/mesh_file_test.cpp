// Valid and invalid mesh files.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

#include "engine/check.h"
#include "sim/space/mesh.h"
#include "sim/space/polygon.h"
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
        file.string() + ":17: face 4 refers to a vertex beyond the 4 of the file; write it again")
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
}

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
                (folder / "a.ply").string() + (element[0] == 'v' ? ":4" : ":8") +
                    ": announces more elements than it can contain; write or copy it again")
          << element;
    }
  std::string stl = binary_stl();
  stl.replace(80, 4, "\xff\xff\xff\x7f");
  EXPECT_EQ(refusal(folder.file("a.stl", stl)),
            (folder / "a.stl").string() +
                ": announces 2147483647 triangles, but ends after 4; write or copy it again");
}

// A block of 0.3 m at 4,649,776 m north: single precision is half a metre there.
TEST(MeshFiles, InMapCoordinatesKeepTheirShape) {
  const TemporaryFolder folder;
  const auto block = [](const auto& vertex) {
    std::string rows;
    for (int k = 0; k < 4; ++k) {
      char line[200];
      std::snprintf(line, sizeof line, "%.10f %.10f %.10f\n",
                    500000.1 + 0.3 * static_cast<double>(tetrahedron[k][0]),
                    4649776.1 + 0.3 * static_cast<double>(tetrahedron[k][1]),
                    100 + 0.3 * static_cast<double>(tetrahedron[k][2]));
      rows += vertex(std::string(line));
    }
    return rows;
  };
  std::string obj_faces, ply_faces, doubles = ply_header("ascii");
  for (const auto& f : faces) {
    obj_faces += "f";
    ply_faces += "3";
    for (const int corner : f) {
      obj_faces += " " + std::to_string(corner + 1);
      ply_faces += " " + std::to_string(corner);
    }
    obj_faces += "\n";
    ply_faces += "\n";
  }
  for (std::size_t at; (at = doubles.find("float")) != doubles.npos;)
    doubles.replace(at, 5, "double");
  std::string stl = "SOLID\n";
  std::vector<std::string> rows;
  block([&](const std::string& row) { return rows.push_back(row), row; });
  for (const auto& f : faces) {
    stl += "FACET NORMAL 0 0 0\nOUTER LOOP\n";
    for (const int corner : f) stl += "VERTEX " + rows[static_cast<std::size_t>(corner)];
    stl += "ENDLOOP\nENDFACET\n";
  }
  const auto same = [](const std::string& row) { return row; };
  for (const auto& file :
       {folder.file("a.obj", block([](const std::string& row) { return "v " + row; }) + obj_faces),
        folder.file("a.ply", doubles + block(same) + ply_faces),
        folder.file("a.stl", stl + "ENDSOLID\n")}) {
    const TriangleMesh surface = surface_in(file);
    ASSERT_EQ(surface.vertices.size(), 4u) << file;
    double low = 1e300, high = -1e300;
    for (const engine::Vec3d& v : surface.vertices)
      low = std::min(low, v.y), high = std::max(high, v.y);
    EXPECT_NEAR(high - low, 0.3, 2e-9) << file;  // two roundings of 4,649,776, to 1e-9 each
  }
}

// Of several bodies in a file, each is a solid, whichever way it faces.
TEST(MeshFiles, TurnEachPartOutwards) {
  const auto box = [](double x, double half, bool inside_out) {
    TriangleMesh mesh;
    for (const double a : {-half, half})
      for (const double b : {-half, half})
        for (const double c : {-half, half}) mesh.vertices.push_back({x + a, b, c});
    mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                      {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    if (inside_out)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
  };
  const auto with = [](TriangleMesh a, const TriangleMesh& b) {
    const auto first = static_cast<std::uint32_t>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles)
      a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    return a;
  };
  const auto volume = [](const TriangleMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
      sum += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6;
    return sum;
  };
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const auto apart = sim::closed_surface(with(box(0, 1, first), box(5, 0.5, second)), "a");
      EXPECT_NEAR(volume(apart), 8 + 1, 1e-12) << first << second;
      const TriangleMesh nested = with(box(0, 1, first), box(0, 0.5, second));
      if (first != second) {
        EXPECT_NEAR(volume(sim::closed_surface(nested, "a")), 8 - 1, 1e-12) << "a cavity";
        continue;
      }
      EXPECT_NE(message_of<engine::InputError>([&] {
                  sim::closed_surface(nested, "a");
                }).find("inside another one and faces the same way"),
                std::string::npos);
    }
  // A solid in the cavity of another one.
  const auto three = with(with(box(0, 2, true), box(0, 1, false)), box(0, 0.5, true));
  EXPECT_NEAR(volume(sim::closed_surface(three, "a")), 64 - 8 + 1, 1e-12);
}

// An L of six corners: a fan of triangles from its first corner would leave it.
TEST(MeshFiles, CutFacesThatAreNotConvex) {
  const TemporaryFolder folder;
  const std::string file =
      "v 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\n"
      "v 0 2 1\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\n"
      "f 6 5 4 3 2 1\nf 7/1 8/2/3 9//4 10 \\\n 11 12\n"
      "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 -6 -1\n";
  const TriangleMesh surface = surface_in(folder.file("a.obj", file));
  EXPECT_EQ(surface.triangles.size(), 2u * 4 + 6 * 2);
  double area = 0, volume = 0;
  for (const auto& t : surface.triangles) {
    const auto a = surface.vertices[t[0]], b = surface.vertices[t[1]], c = surface.vertices[t[2]];
    area += length(cross(b - a, c - a)) / 2;
    volume += dot(a, cross(b, c)) / 6;
  }
  EXPECT_NEAR(area, 2 * 3 + 8, 1e-12);
  EXPECT_NEAR(volume, 3, 1e-12);
}

// A square with a square hole, whose outline goes there and back over a bridge; a convex polygon of
// many corners.
TEST(MeshFiles, CutFacesWithHolesAndOfManyCorners) {
  const auto area_of = [](const std::vector<engine::Vec3d>& corners) {
    double area = 0;
    const auto triangles = sim::triangles_of(corners);
    EXPECT_EQ(triangles.size(), corners.size() - 2);
    for (const auto& t : triangles) {
      const double part = cross(corners[t[1]] - corners[t[0]], corners[t[2]] - corners[t[0]]).z / 2;
      EXPECT_GE(part, 0);
      area += part;
    }
    return area;
  };
  EXPECT_NEAR(area_of({{0, 0, 0},
                       {3, 0, 0},
                       {3, 3, 0},
                       {0, 3, 0},
                       {0, 0, 0},
                       {1, 1, 0},
                       {1, 2, 0},
                       {2, 2, 0},
                       {2, 1, 0},
                       {1, 1, 0}}),
              9 - 1, 1e-12);
  std::vector<engine::Vec3d> circle;
  constexpr int n = 1000;
  for (int k = 0; k < n; ++k)
    circle.push_back({std::cos(2 * M_PI * k / n), std::sin(2 * M_PI * k / n), 5});
  EXPECT_NEAR(area_of(circle), n * std::sin(2 * M_PI / n) / 2, 1e-12);
}

// Other programs write points of nothing, comments, and numbers that are none where none is read.
TEST(MeshFiles, WithMoreThanASurfaceAreReadAllTheSame) {
  const TemporaryFolder folder;
  std::string more = obj("\xEF\xBB\xBF# C:\\models\\\n") + "v 900 0 0\nl 1 5\n";
  more.insert(more.find("\nf ") + 8, " # a note");
  const TriangleMesh surface = surface_in(folder.file("a.obj", more));
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_EQ(surface.vertices.size(), 4u) << "one belongs to no triangle";
  std::string ply = ascii_ply();
  ply.replace(ply.find("element face"), 0, "property float quality\n");
  for (const auto& v : tetrahedron) {
    const std::string row = text(v);
    ply.insert(ply.find(row, ply.find("end_header")) + row.size() - 1, " nan");
  }
  EXPECT_EQ(surface_in(folder.file("a.ply", ply)).triangles.size(), 4u);
}

// SolidWorks writes bytes after the triangles, and "solid" at the start of a binary file.
TEST(MeshFiles, OfBinaryStlMayHaveMoreAfterTheirTriangles) {
  const TemporaryFolder folder;
  std::string file = binary_stl();
  file.replace(0, 5, "solid");
  EXPECT_EQ(surface_in(folder.file("a.STL", file + std::string(30, '\1'))).triangles.size(), 4u);
  EXPECT_EQ(refusal(folder.file("b.stl", file.substr(0, file.size() - 1))),
            (folder / "b.stl").string() +
                ": announces 4 triangles, but ends after 3; write or copy it again");
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
  // A limit for busy machines.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  for (int i = 0; i < GetParam().count && std::chrono::steady_clock::now() < deadline;
       ++i, ++done) {
    const auto file =
        folder.file(GetParam().name, mutated(GetParam().file(), static_cast<std::uint64_t>(i)));
    const std::string message = refusal(file);  // any other exception fails the test
    if (message.empty()) ++good;
    EXPECT_TRUE(message.empty() || message.starts_with(file.string() + ":"))
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
