#include "sim/io/csv_write.h"

#include <fmt/format.h>

#include "engine/text.h"
#include "sim/io/csv_columns.h"
#include "sim/io/series.h"
#include "sim/io/text_columns.h"

namespace mote::sim {
namespace {

std::string header_of(const std::vector<SnapshotColumn>& columns, const engine::UnitSystem& units) {
  std::string header;
  for (const SnapshotColumn& column : columns) {
    const std::string suffix = csv_suffix(column.quantity, units);
    const bool vector = column.name == "position" || column.name == "velocity";
    const std::string before = column.name == "velocity" ? "v" : "";
    for (const std::string& name : vector ? std::vector<std::string>{before + "x", before + "y", before + "z"}
                                          : std::vector<std::string>{std::string(column.name)})
      header += (header.empty() ? "" : ",") + name + suffix;
  }
  return header;
}

/// In one line.
std::string title_of(std::string title) {
  for (char& c : title)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return title;
}

}  // namespace

void write_csv(const std::filesystem::path& path, const SnapshotData& data) {
  const std::vector<SnapshotColumn> columns = columns_of(data);
  std::vector<std::string> species{""};
  for (const SnapshotSpecies& kind : data.kinds) species.push_back(series_field(kind.name));
  engine::WholeFile file(path);
  file.write(fmt::format("# time {}{}, step {}, units {}{}\n", engine::number_text(data.time),
                         data.units.time.empty() ? "" : " " + data.units.time, data.step, data.units.name,
                         data.title.empty() ? "" : ": " + title_of(data.title)));
  file.write(header_of(columns, data.units) + '\n');
  write_lines(file, columns, ',', species);
  file.commit();
}

}  // namespace mote::sim
