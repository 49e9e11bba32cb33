#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/number_in_text.h"
#include "engine/text.h"
#include "sim/space/mesh.h"
#include "sim/space/polygon.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// Cutting a face takes up to the third power of its corners: of one, and of all faces of a file.
constexpr std::size_t max_corners = 2048;
constexpr double max_work = 3e10;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// A file in memory, read by words and lines or by bytes, and the mesh that it has given so far.
class MeshText {
 public:
  MeshText(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {}

  TriangleMesh mesh;

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const {
    const std::string place = line_ > 0 ? fmt::format("{}:{}", file_, line_) : file_;
    throw engine::InputError(place, problem, remedy);
  }

  /// The next line; false at the end. `continued`: a backslash at its end joins the next one.
  bool line(std::string& to, bool continued = false) {
    to.clear();
    if (rest_.empty()) return false;
    const bool comment = rest_.starts_with('#');
    for (bool more = true; more && !rest_.empty();) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view part = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      while (!part.empty() && blank(part.back())) part.remove_suffix(1);
      more = continued && !comment && part.ends_with('\\');
      if (more) part.remove_suffix(1);
      to.append(part).append(more ? " " : "");
    }
    return true;
  }

  /// The next word, of any line; "" at the end.
  std::string_view word() {
    while (!rest_.empty() && blank(rest_[0])) {
      line_ += rest_[0] == '\n';
      rest_.remove_prefix(1);
    }
    std::size_t end = 0;
    while (end < rest_.size() && !blank(rest_[end])) ++end;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  std::string_view bytes(std::size_t count) {
    if (rest_.size() < count) fail("ends too early", "write or copy it again");
    const std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }

  /// Binary data follow: errors have no line any more.
  void leave_text() { line_ = 0; }

  double number(std::string_view text) const {
    const auto [wrong, value] = engine::number_in(text);
    if (!wrong.empty()) fail(text.empty() ? "ends too early" : wrong);
    return value;
  }

  /// Adds a polygon as triangles. `corners` are counted from 0; those out of range are refused at
  /// the end, since vertices may follow.
  void face(const std::vector<std::int64_t>& corners) {
    ++faces_;
    if (corners.size() < 3) return;  // a point or a line
    if (corners.size() > 3) {
      const auto size = static_cast<double>(corners.size());
      work_ += size * size * size;
      if (corners.size() > max_corners || work_ > max_work)
        fail(fmt::format("face {} has {} corners", faces_, corners.size()),
             fmt::format(
                 "cut faces into triangles; one of more than {}, and many large ones, are not "
                 "cut here",
                 max_corners));
    }
    polygons_.push_back({faces_, line_, polygon_corners_.size(), corners.size()});
    polygon_corners_.insert(polygon_corners_.end(), corners.begin(), corners.end());
  }

  void finish() {
    std::vector<Vec3d> polygon;
    for (const Polygon& p : polygons_) {
      const std::int64_t* corner = &polygon_corners_[p.first];
      polygon.clear();
      for (std::size_t k = 0; k < p.count; ++k) {
        if (corner[k] < 0 || corner[k] >= static_cast<std::int64_t>(mesh.vertices.size())) {
          line_ = p.line;
          fail(fmt::format("face {} refers to a vertex beyond the {} of the file", p.face,
                           mesh.vertices.size()),
               "write it again");
        }
        polygon.push_back(mesh.vertices[static_cast<std::size_t>(corner[k])]);
      }
      for (const auto& t : triangles_of(polygon))
        mesh.triangles.push_back({static_cast<std::uint32_t>(corner[t[0]]),
                                  static_cast<std::uint32_t>(corner[t[1]]),
                                  static_cast<std::uint32_t>(corner[t[2]])});
    }
  }

 private:
  struct Polygon {
    std::size_t face, line, first, count;
  };
  std::string file_;
  std::string_view rest_;
  std::size_t line_ = 0, faces_ = 0;
  double work_ = 0;
  std::vector<Polygon> polygons_;
  std::vector<std::int64_t> polygon_corners_;
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && blank(line[at])) ++at;
    const std::size_t from = at;
    while (at < line.size() && !blank(line[at])) ++at;
    if (at > from) words.push_back(line.substr(from, at - from));
  }
  return words;
}

/// Wavefront OBJ: `v x y z`, and `f` with the vertex first in each corner (7, 7/1, 7/1/3, 7//3),
/// counted from 1, or from the last one before it by negative numbers.
void read_obj(MeshText& in) {
  std::vector<std::int64_t> corners;
  for (std::string line; in.line(line, true);) {
    auto words = words_of(line);
    const auto note = std::find_if(words.begin(), words.end(),
                                   [](std::string_view part) { return part.starts_with('#'); });
    words.erase(note, words.end());
    if (words.empty()) continue;
    if (words[0] == "v") {
      if (words.size() < 4) in.fail("a vertex has fewer than three coordinates");
      in.mesh.vertices.push_back({in.number(words[1]), in.number(words[2]), in.number(words[3])});
    } else if (words[0] == "f") {
      corners.clear();
      for (std::size_t k = 1; k < words.size(); ++k) {
        const std::string_view vertex = words[k].substr(0, words[k].find('/'));
        std::int64_t number = 0;
        const auto [stop, error] =
            std::from_chars(vertex.data(), vertex.data() + vertex.size(), number);
        if (error != std::errc() || stop != vertex.data() + vertex.size() || number == 0)
          in.fail(engine::quoted(words[k]) + " is not the number of a vertex",
                  "vertices are counted from 1");
        const auto count = static_cast<std::int64_t>(in.mesh.vertices.size());
        corners.push_back(number > 0 ? number - 1 : count + number);
      }
      in.face(corners);
    }
  }
}

template <class T>
T number_at(std::string_view bytes, bool big_endian = false) {
  std::array<char, sizeof(T)> own{};
  std::memcpy(own.data(), bytes.data(), sizeof(T));
  static_assert(std::endian::native == std::endian::little);
  if (big_endian) std::reverse(own.begin(), own.end());
  return std::bit_cast<T>(own);
}

constexpr std::size_t stl_head = 84, stl_triangle = 50;

/// Binary STL: 80 bytes, the number of triangles, and for each a normal, three corners and two
/// bytes. Programs write colours and more after the triangles.
void read_binary_stl(MeshText& in, std::uint32_t count) {
  in.bytes(stl_head);
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::string_view triangle = in.bytes(stl_triangle);
    const auto first = static_cast<std::int64_t>(in.mesh.vertices.size());
    for (std::size_t corner = 0; corner < 3; ++corner) {
      double x[3];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        x[axis] = static_cast<double>(
            number_at<float>(triangle.substr(12 + 4 * (3 * corner + axis), sizeof(float))));
        if (!std::isfinite(x[axis]))
          in.fail(fmt::format("triangle {} has a coordinate that is not finite", t + 1));
      }
      in.mesh.vertices.push_back({x[0], x[1], x[2]});
    }
    in.face({first, first + 1, first + 2});
  }
}

/// STL as text, in any case: of each facet the three lines `vertex x y z`. Names follow solid and
/// endsolid.
void read_text_stl(MeshText& in) {
  const auto expect = [&](const char* wanted) {
    const std::string_view found = in.word();
    if (lower_case(found) != wanted)
      in.fail(found.empty() ? "ends within a facet"
                            : fmt::format("expected '{}', got {}", wanted, engine::quoted(found)),
              "write or copy it again");
  };
  std::string rest_of_line;
  for (std::string_view start; !(start = in.word()).empty();) {
    const std::string name = lower_case(start);
    if (name == "solid" || name == "endsolid") {
      in.line(rest_of_line);
      continue;
    }
    if (name != "facet")
      in.fail("expected 'facet', got " + engine::quoted(start), "write or copy it again");
    expect("normal");
    for (int k = 0; k < 3; ++k) in.word();  // follows from the corners
    expect("outer"), expect("loop");
    const auto first = static_cast<std::int64_t>(in.mesh.vertices.size());
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      const double x = in.number(in.word()), y = in.number(in.word()), z = in.number(in.word());
      in.mesh.vertices.push_back({x, y, z});
    }
    expect("endloop"), expect("endfacet");
    in.face({first, first + 1, first + 2});
  }
}

/// The head of a binary file, too, may start with "solid". Four characters of a text, as a number
/// of triangles, are beyond 150 million, and announce more bytes than it has.
void read_stl(MeshText& in, std::string_view file) {
  const std::size_t size = file.size();
  const std::uint32_t count = size < stl_head ? 0 : number_at<std::uint32_t>(file.substr(80, 4));
  if (size >= stl_head && count <= (size - stl_head) / stl_triangle)
    return read_binary_stl(in, count);
  const std::string_view head = file.substr(0, stl_head);
  const std::size_t start = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  const bool text = std::none_of(head.begin(), head.end(), [](char c) { return c >= 0 && c < 9; });
  if (text && lower_case(head.substr(start, 5)) == "solid") return read_text_stl(in);
  if (size < stl_head) in.fail("is too short for an STL file", "write or copy it again");
  in.fail(fmt::format("announces {} triangles, but ends after {}", count,
                      (size - stl_head) / stl_triangle),
          "write or copy it again");
}

enum class PlyFormat { text, little_endian, big_endian };

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

PlyType ply_type(const MeshText& in, std::string_view name) {
  struct Named {
    std::string_view name, other;
    PlyType type;
  };
  constexpr Named types[] = {
      {"char", "int8", PlyType::int8},        {"uchar", "uint8", PlyType::uint8},
      {"short", "int16", PlyType::int16},     {"ushort", "uint16", PlyType::uint16},
      {"int", "int32", PlyType::int32},       {"uint", "uint32", PlyType::uint32},
      {"float", "float32", PlyType::float32}, {"double", "float64", PlyType::float64}};
  for (const Named& t : types)
    if (name == t.name || name == t.other) return t.type;
  in.fail(engine::quoted(name) + " is not a type of PLY");
}

struct PlyProperty {
  std::string name;
  PlyType type;
  std::optional<PlyType> count;  ///< type of a list's length
};

struct PlyElement {
  std::string name;
  std::uint64_t count;
  std::vector<PlyProperty> properties;
};

/// Stanford PLY, as text or binary: of `vertex` x, y and z, of `face` the list vertex_indices or
/// vertex_index; other elements and properties are passed over.
class PlyReader {
 public:
  PlyReader(MeshText& in, std::uint64_t size) : in_(in), size_(size) {}

  void read() {
    read_header();
    if (format_ != PlyFormat::text) in_.leave_text();
    for (const PlyElement& element : elements_)
      for (std::uint64_t row = 0; row < element.count; ++row)
        if (element.name == "vertex")
          vertex(element);
        else if (element.name == "face")
          face(element);
        else if (element.properties.empty())
          break;
        else
          for (const PlyProperty& p : element.properties) values(p, false);
  }

 private:
  void read_header() {
    std::string line;
    in_.line(line);
    if (line != "ply") in_.fail("is not a PLY file: its first line is not 'ply'");
    while (in_.line(line)) {
      const auto words = words_of(line);
      if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
      if (words[0] == "end_header") {
        if (!format_known_) in_.fail("has no line 'format'", "write or copy it again");
        return;
      }
      if (words[0] == "format" && words.size() == 3)
        format(words[1]);
      else if (words[0] == "element" && words.size() == 3)
        element(words);
      else if (words[0] == "property" && words.size() >= 3 && !elements_.empty())
        property(words);
      else
        in_.fail(engine::quoted(line.substr(0, 40)) + " is not a line of a PLY header",
                 "write or copy it again");
    }
    in_.fail("has a header without an end", "write or copy it again");
  }

  void format(std::string_view name) {
    if (name == "ascii")
      format_ = PlyFormat::text;
    else if (name == "binary_little_endian")
      format_ = PlyFormat::little_endian;
    else if (name == "binary_big_endian")
      format_ = PlyFormat::big_endian;
    else
      in_.fail(engine::quoted(name) + " is not a format of PLY");
    format_known_ = true;
  }

  void element(const std::vector<std::string_view>& words) {
    std::uint64_t count = 0;
    const auto [stop, error] =
        std::from_chars(words[2].data(), words[2].data() + words[2].size(), count);
    // Each element takes at least one byte.
    if (error != std::errc() || stop != words[2].data() + words[2].size() || count > size_)
      in_.fail("announces more elements than it can contain", "write or copy it again");
    elements_.push_back({std::string(words[1]), count, {}});
  }

  void property(const std::vector<std::string_view>& words) {
    PlyElement& element = elements_.back();
    if (words[1] != "list") {
      element.properties.push_back({std::string(words[2]), ply_type(in_, words[1]), {}});
      return;
    }
    if (words.size() != 5) in_.fail("a list has two types and a name", "write or copy it again");
    element.properties.push_back(
        {std::string(words[4]), ply_type(in_, words[3]), ply_type(in_, words[2])});
  }

  double value(PlyType type) {
    if (format_ == PlyFormat::text) return in_.number(in_.word());
    const bool big = format_ == PlyFormat::big_endian;
    const auto read = [&]<class T>(T) {
      return static_cast<double>(number_at<T>(in_.bytes(sizeof(T)), big));
    };
    switch (type) {
      case PlyType::int8:
        return read(std::int8_t{});
      case PlyType::uint8:
        return read(std::uint8_t{});
      case PlyType::int16:
        return read(std::int16_t{});
      case PlyType::uint16:
        return read(std::uint16_t{});
      case PlyType::int32:
        return read(std::int32_t{});
      case PlyType::uint32:
        return read(std::uint32_t{});
      case PlyType::float32:
        return read(float{});
      case PlyType::float64:
        return read(double{});
    }
    return 0;
  }

  /// The values of a property of one row; none of one that is not `wanted`, which may be anything.
  const std::vector<double>& values(const PlyProperty& p, bool wanted) {
    values_.clear();
    const double count = p.count ? value(*p.count) : 1;
    if (!(count >= 0 && count <= static_cast<double>(size_) && count == std::floor(count)))
      in_.fail(fmt::format("a list announces {} elements", count), "write or copy it again");
    for (double k = 0; k < count; ++k)
      if (wanted || format_ != PlyFormat::text)
        values_.push_back(value(p.type));
      else if (in_.word().empty())
        in_.fail("ends too early", "write or copy it again");
    return values_;
  }

  void vertex(const PlyElement& element) {
    double x[3] = {0, 0, 0};
    int found = 0;
    for (const PlyProperty& p : element.properties) {
      const bool wanted = !p.count && p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z';
      const std::vector<double>& own = values(p, wanted);
      if (!wanted) continue;
      x[p.name[0] - 'x'] = own[0], ++found;
      if (!std::isfinite(own[0])) in_.fail("a vertex has a coordinate that is not finite");
    }
    if (found != 3) in_.fail("vertices need x, y and z", "write it again");
    in_.mesh.vertices.push_back({x[0], x[1], x[2]});
  }

  void face(const PlyElement& element) {
    bool found = false;
    for (const PlyProperty& p : element.properties) {
      const bool wanted = p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
      const std::vector<double>& own = values(p, wanted);
      if (!wanted) continue;
      corners_.clear();
      for (const double corner : own)
        corners_.push_back(corner >= 0 && corner < 4294967296.0 && corner == std::floor(corner)
                               ? static_cast<std::int64_t>(corner)
                               : -1);
      in_.face(corners_);
      found = true;
    }
    if (!found) in_.fail("faces need a list vertex_indices", "write it again");
  }

  MeshText& in_;
  std::uint64_t size_;
  PlyFormat format_ = PlyFormat::text;
  bool format_known_ = false;
  std::vector<PlyElement> elements_;
  std::vector<double> values_;
  std::vector<std::int64_t> corners_;
};

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending != ".obj" && ending != ".stl" && ending != ".ply")
    throw engine::InputError(path.string(), "is not a mesh format that can be read",
                             "use a file named *.obj, *.stl or *.ply");
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown))  // opening a pipe would block
    throw engine::InputError(
        path.string(),
        std::filesystem::exists(path, unknown) ? "is not a file" : "there is no such file",
        "check the path");
  const std::string all = engine::read_file(path);
  std::string_view file = all;
  if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
  MeshText in(path.string(), file);
  if (ending == ".obj")
    read_obj(in);
  else if (ending == ".stl")
    read_stl(in, file);
  else
    PlyReader(in, file.size()).read();
  in.finish();
  if (in.mesh.triangles.empty())
    throw engine::InputError(path.string(), "contains no triangles", "");
  return std::move(in.mesh);
}

}  // namespace mote::sim
