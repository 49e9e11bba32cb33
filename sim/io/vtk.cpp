#include "sim/io/vtk.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <functional>
#include <type_traits>

#include "engine/files.h"
#include "engine/text.h"
#include "sim/io/contact_columns.h"
#include "sim/io/snapshot_columns.h"

namespace mote::sim {
namespace {

static_assert(std::endian::native == std::endian::little);

const char* const index_head =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n";
constexpr std::string_view time_mark = "    <DataSet timestep=\"",
                           file_mark = "\" part=\"0\" file=\"", end_mark = "\"/>";

/// Characters that must be escaped in XML attributes.
constexpr std::pair<char, std::string_view> escapes[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto* found = std::find_if(std::begin(escapes), std::end(escapes),
                                     [c](const auto& e) { return e.first == c; });
    if (found == std::end(escapes))
      out += c;
    else
      out += found->second;
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(escapes), std::end(escapes),
                                     [&](const auto& e) { return text.starts_with(e.second); });
    const bool plain = found == std::end(escapes);
    out += plain ? text[0] : found->first;
    text.remove_prefix(plain ? 1 : found->second.size());
  }
  return out;
}

template <class T>
std::string type_of() {
  return fmt::format("{}{}",
                     std::is_floating_point_v<T> ? "Float"
                     : std::is_signed_v<T>       ? "Int"
                                                 : "UInt",
                     8 * sizeof(T));
}

/// XML text followed by the arrays in binary, each preceded by its size: "appended raw" data.
class PolyData {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit PolyData(const engine::UnitSystem& units) : units_(units) {}

  void line(const std::string& text) { head_ += text + '\n'; }

  void array(const SnapshotColumn& column) {
    std::visit(
        [&]<class T>(const Components<T>& numbers) {
          array<T>(std::string(column.name), numbers.count, numbers.rows(),
                   units_.label(column.quantity), [numbers](const Sink& to) {
                     for_each_block(numbers, [&](std::size_t, std::span<const T> part) {
                       to(bytes_of(part));
                     });
                   });
        },
        column.numbers);
  }

  /// An array of `rows` numbers first, first + by, ...
  void sequence(const std::string& name, std::size_t rows, std::int64_t first,
                std::int64_t by = 1) {
    array<std::int64_t>(name, 1, rows, "", [rows, first, by](const Sink& to) {
      std::vector<std::int64_t> part(std::min(rows, interleaved_rows));
      for (std::size_t row = 0; row < rows; row += part.size()) {
        part.resize(std::min(part.size(), rows - row));
        for (std::size_t k = 0; k < part.size(); ++k)
          part[k] = first + static_cast<std::int64_t>(row + k) * by;
        to(bytes_of(std::span<const std::int64_t>(part)));
      }
    });
  }

  void write(const std::filesystem::path& path) const {
    engine::AtomicFile file(path);
    file.write(head_ + "  <AppendedData encoding=\"raw\">\n   _");
    for (const Array& array : arrays_) {
      file.write(bytes_of(std::span<const std::uint64_t>(&array.bytes, 1)));
      array.emit([&](std::string_view bytes) { file.write(bytes); });
    }
    file.write("\n  </AppendedData>\n</VTKFile>\n");
    file.commit();
  }

 private:
  struct Array {
    std::uint64_t bytes;
    std::function<void(const Sink&)> emit;
  };

  template <class T>
  void array(const std::string& name, std::size_t components, std::size_t rows,
             const std::string& unit, std::function<void(const Sink&)> emit) {
    const std::string tag = fmt::format(
        R"(        <DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}")",
        type_of<T>(), name, components, offset_);
    line(unit.empty()
             ? tag + "/>"
             : tag + fmt::format(
                         ">\n          <InformationKey name=\"UNITS_LABEL\" "
                         "location=\"vtkDataArray\">{}</InformationKey>\n        </DataArray>",
                         escaped(unit)));
    arrays_.push_back({rows * components * sizeof(T), std::move(emit)});
    offset_ += sizeof(std::uint64_t) + arrays_.back().bytes;
  }

  const engine::UnitSystem& units_;
  std::string head_;
  std::vector<Array> arrays_;
  std::uint64_t offset_ = 0;
};

/// Strings in VTK's ASCII encoding: decimal byte values, each string terminated by 0.
std::string names_of(std::span<const SnapshotSpecies> kinds) {
  std::string numbers;
  for (const SnapshotSpecies& kind : kinds) {
    for (const char c : kind.name) numbers += std::to_string(static_cast<unsigned char>(c)) + ' ';
    numbers += "0 ";
  }
  return numbers;
}

void add_field_data(PolyData& poly, const SnapshotData& data) {
  constexpr const char* one =
      R"(      <DataArray type="{}" Name="{}" NumberOfTuples="1" format="ascii">{}</DataArray>)";
  poly.line("    <FieldData>");
  poly.line(fmt::format(one, "Float64", "TimeValue", engine::number_text(data.time)));
  poly.line(fmt::format(one, "UInt64", "step", data.step));
  if (!data.kinds.empty())
    poly.line(fmt::format(
        R"(      <Array type="String" Name="species_names" NumberOfTuples="{}" format="ascii">{}</Array>)",
        data.kinds.size(), names_of(data.kinds)));
  poly.line("    </FieldData>");
}

void begin(PolyData& poly, const SnapshotData& data, std::size_t points, std::size_t verts,
           std::size_t lines) {
  poly.line("<?xml version=\"1.0\"?>");
  poly.line(
      R"(<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">)");
  poly.line("  <PolyData>");
  add_field_data(poly, data);
  poly.line(fmt::format(
      R"(    <Piece NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="{}" NumberOfStrips="0" NumberOfPolys="0">)",
      points, verts, lines));
}

void end(PolyData& poly, const std::filesystem::path& path) {
  poly.line("    </Piece>");
  poly.line("  </PolyData>");
  poly.write(path);
}

/// The two end points of each contact's line, consecutive.
template <class Real>
std::array<std::vector<Real>, 3> ends_of(const ContactNumbers<Real>& contacts) {
  std::array<std::vector<Real>, 3> ends;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < contacts.overlap.size(); ++i) {
      const Real from = contacts.center[axis][i];
      ends[axis].insert(ends[axis].end(), {from, from + contacts.branch[axis][i]});
    }
  return ends;
}

}  // namespace

void write_vtk(const std::filesystem::path& path, const SnapshotData& data) {
  const std::vector<SnapshotColumn> columns = columns_of(data);
  const std::size_t n = data.ids.size();
  PolyData poly(data.units);
  begin(poly, data, n, n, 0);
  poly.line("      <PointData>");
  for (const SnapshotColumn& column : columns)
    if (column.name != "position") poly.array(column);
  poly.line("      </PointData>");
  poly.line("      <Points>");
  for (const SnapshotColumn& column : columns)
    if (column.name == "position") poly.array(column);
  poly.line("      </Points>");
  poly.line("      <Verts>");
  poly.sequence("connectivity", n, 0);
  poly.sequence("offsets", n, 1);
  poly.line("      </Verts>");
  end(poly, path);
}

void write_vtk_contacts(const std::filesystem::path& path, const SnapshotData& data) {
  const ContactNetwork& contacts = *data.contacts;
  const std::size_t n = contacts.size();
  std::visit(
      [&]<class Real>(const ContactNumbers<Real>& numbers) {
        const auto ends = ends_of(numbers);
        PolyData poly(data.units);
        begin(poly, data, 2 * n, 0, n);
        poly.line("      <CellData>");
        for (const SnapshotColumn& column : columns_of(contacts)) poly.array(column);
        poly.line("      </CellData>");
        poly.line("      <Points>");
        poly.array({"position", "length", Components<Real>{{ends[0], ends[1], ends[2]}, 3}});
        poly.line("      </Points>");
        poly.line("      <Lines>");
        poly.sequence("connectivity", 2 * n, 0);
        poly.sequence("offsets", n, 2, 2);
        poly.line("      </Lines>");
        end(poly, path);
      },
      contacts.numbers);
}

void write_vtk_index(const std::filesystem::path& path, const std::vector<VtkFrame>& frames) {
  std::string text = index_head;
  for (const VtkFrame& frame : frames) {
    text += time_mark;
    text += engine::number_text(frame.time);
    text += file_mark;
    text += escaped(frame.file);
    text += end_mark;
    text += '\n';
  }
  engine::write_file(path, text + "  </Collection>\n</VTKFile>\n");
}

std::vector<VtkFrame> read_vtk_index(const std::filesystem::path& path) {
  std::vector<VtkFrame> frames;
  if (!std::filesystem::exists(path)) return frames;
  const std::string text = engine::read_file(path);
  if (!text.starts_with(index_head)) return frames;
  std::string_view rest = std::string_view(text).substr(std::string_view(index_head).size());
  while (rest.starts_with(time_mark)) {
    rest.remove_prefix(time_mark.size());
    const std::size_t file = rest.find(file_mark), end = rest.find(end_mark),
                      line = rest.find('\n');
    if (file == rest.npos || end == rest.npos || line == rest.npos || !(file < end && end < line))
      return {};
    VtkFrame frame;
    const auto read = std::from_chars(rest.data(), rest.data() + file, frame.time);
    if (read.ec != std::errc() || read.ptr != rest.data() + file) return {};
    frame.file = unescaped(rest.substr(file + file_mark.size(), end - file - file_mark.size()));
    frames.push_back(std::move(frame));
    rest.remove_prefix(line + 1);
  }
  return frames;
}

}  // namespace mote::sim
