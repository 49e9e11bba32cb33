#include "sim/io/csv_write.h"

#include <fmt/format.h>

#include "engine/text.h"
#include "sim/io/contact_columns.h"
#include "sim/io/csv_columns.h"
#include "sim/io/series.h"
#include "sim/io/text_columns.h"

namespace mote::sim {
namespace {

std::string header_of(const std::vector<SnapshotColumn>& columns, const engine::UnitSystem& units) {
  std::string header;
  for (const SnapshotColumn& column : columns) {
    const std::string suffix = csv_suffix(column.quantity, units);
    const std::string name(column.name);
    const std::string before = name == "position" ? "" : name == "velocity" ? "v" : name + "_";
    const bool vector =
        std::visit([](const auto& numbers) { return numbers.count == 3; }, column.numbers);
    for (const std::string& part :
         vector ? std::vector<std::string>{before + "x", before + "y", before + "z"}
                : std::vector<std::string>{name})
      header += (header.empty() ? "" : ",") + part + suffix;
  }
  return header;
}

/// The title on one line.
std::string title_of(std::string title) {
  for (char& c : title)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return title;
}

void write_columns(const std::filesystem::path& path, const SnapshotData& data,
                   const std::vector<SnapshotColumn>& columns) {
  std::vector<std::string> species{""};
  for (const SnapshotSpecies& kind : data.kinds) species.push_back(series_field(kind.name));
  engine::AtomicFile file(path);
  file.write(fmt::format("# time {}{}, step {}, units {}{}\n", engine::number_text(data.time),
                         data.units.time.empty() ? "" : " " + data.units.time, data.step,
                         data.units.name, data.title.empty() ? "" : ": " + title_of(data.title)));
  file.write(header_of(columns, data.units) + '\n');
  write_lines(file, columns, ',', species);
  file.commit();
}

}  // namespace

void write_csv(const std::filesystem::path& path, const SnapshotData& data) {
  write_columns(path, data, columns_of(data));
}

void write_csv_contacts(const std::filesystem::path& path, const SnapshotData& data) {
  write_columns(path, data, columns_of(*data.contacts));
}

}  // namespace mote::sim
