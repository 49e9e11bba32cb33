#include "sim/io/xyz.h"

#include <fmt/format.h>

#include "engine/text.h"
#include "sim/io/text_columns.h"
#include "sim/io/xyz_read.h"

namespace mote::sim {
namespace {

/// OVITO's name and type of a column: S text, I integer, R real.
struct Property {
  std::string_view column, descriptor;
};
constexpr Property known_columns[] = {{"id", "id:I:1"},
                                      {"position", "pos:R:3"},
                                      {"velocity", "velo:R:3"},
                                      {"mass", "mass:R:1"},
                                      {"species", "species:S:1"},
                                      {"acceleration", "acceleration:R:3"},
                                      {"potential", "potential:R:1"}};

std::string properties_of(const std::vector<SnapshotColumn>& columns) {
  std::string text;
  for (const SnapshotColumn& column : columns)
    for (const Property& p : known_columns)
      if (p.column == column.name) text.append(text.empty() ? "" : ":").append(p.descriptor);
  return text;
}

/// A quoted and escaped value.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return '"' + out + '"';
}

/// The box of a closed domain and its periodic axes: ` Lattice="..." Origin="..." pbc="T T F"`.
std::string box_of(const std::optional<Domain>& domain) {
  const auto flag = [&](int axis) { return domain && domain->periodic[axis] ? 'T' : 'F'; };
  const auto number = [](double value) { return engine::number_text(value); };
  std::string box;
  if (domain && domain->closed())
    box = fmt::format(" Lattice=\"{} 0 0 0 {} 0 0 0 {}\" Origin=\"{} {} {}\"",
                      number(domain->length.x), number(domain->length.y), number(domain->length.z),
                      number(domain->low.x), number(domain->low.y), number(domain->low.z));
  return box + fmt::format(" pbc=\"{} {} {}\"", flag(0), flag(1), flag(2));
}

}  // namespace

void add_xyz_frame(engine::AtomicFile& file, const SnapshotData& data) {
  const std::vector<SnapshotColumn> columns = columns_of(data);
  std::vector<std::string> species{"X"};
  for (const SnapshotSpecies& kind : data.kinds) species.push_back(xyz_word(kind.name));
  file.write(fmt::format("{}\nProperties={} Time={} step={} units={} title={}{}\n", data.ids.size(),
                         properties_of(columns), engine::number_text(data.time), data.step,
                         data.units.name, in_quotes(data.title), box_of(data.domain)));
  write_lines(file, columns, ' ', species);
}

void write_xyz(const std::filesystem::path& path, const SnapshotData& data) {
  engine::AtomicFile file(path);
  add_xyz_frame(file, data);
  file.commit();
}

}  // namespace mote::sim
