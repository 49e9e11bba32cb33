#include "sim/io/xyz.h"

#include <fmt/format.h>

#include "engine/text.h"
#include "sim/io/text_columns.h"

namespace mote::sim {
namespace {

/// Columns of columns_of, as OVITO names and describes them: S text, I whole number, R real number.
struct Property {
  std::string_view column, words;
};
constexpr Property properties[] = {{"id", "id:I:1"},
                                   {"position", "pos:R:3"},
                                   {"velocity", "velo:R:3"},
                                   {"mass", "mass:R:1"},
                                   {"species", "species:S:1"}};

std::string properties_of(const std::vector<SnapshotColumn>& columns) {
  std::string text;
  for (const SnapshotColumn& column : columns)
    for (const Property& p : properties)
      if (p.column == column.name) text += (text.empty() ? "" : ":") + std::string(p.words);
  return text;
}

std::string one_word(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return text;
}

/// What stands between quotes there.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return '"' + out + '"';
}

}  // namespace

void add_xyz_frame(engine::WholeFile& file, const SnapshotData& data) {
  const std::vector<SnapshotColumn> columns = columns_of(data);
  std::vector<std::string> species{"X"};
  for (const SnapshotSpecies& kind : data.kinds) species.push_back(one_word(kind.name));
  file.write(fmt::format("{}\nProperties={} Time={} step={} units={} title={} pbc=\"F F F\"\n",
                         data.ids.size(), properties_of(columns), engine::number_text(data.time), data.step,
                         data.units.name, in_quotes(data.title)));
  write_lines(file, columns, ' ', species);
}

void write_xyz(const std::filesystem::path& path, const SnapshotData& data) {
  engine::WholeFile file(path);
  add_xyz_frame(file, data);
  file.commit();
}

}  // namespace mote::sim
