#include "sim/io/snapshot_columns.h"

#include "engine/check.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

template <class T>
void add_numbers(std::vector<SnapshotColumn>& columns, const SnapshotArrays<T>& a,
                 ColumnChoice choice) {
  columns.push_back({"position", "length", Components<T>{{a.x, a.y, a.z}, 3}});
  if (choice.velocity)
    columns.push_back({"velocity", "velocity", Components<T>{{a.vx, a.vy, a.vz}, 3}});
  if (choice.mass) columns.push_back({"mass", "mass", Components<T>{{a.mass}}});
}

/// The columns that follow from the others.
void add_derived(std::vector<SnapshotColumn>& columns, const SnapshotData& data) {
  if (data.columns.acceleration)
    std::visit(
        [&]<class T>(const SnapshotArrays<T>& a) {
          columns.push_back({"acceleration", "acceleration", Components<T>{{a.ax, a.ay, a.az}, 3}});
        },
        data.arrays);
  if (data.columns.potential)
    columns.push_back({"potential", "specific energy", Components<double>{{data.potential}}});
}

}  // namespace

const std::vector<std::string>& column_names() {
  static const std::vector<std::string> names{"id",      "position",     "velocity", "mass",
                                              "species", "acceleration", "potential"};
  return names;
}

ColumnChoice columns_named(std::span<const std::string> names, const std::string& location) {
  if (names.empty()) return {};
  std::vector<engine::Diagnostic> problems;
  ColumnChoice choice{false, false, false};
  for (const std::string& name : names) {
    if (std::find(column_names().begin(), column_names().end(), name) == column_names().end())
      problems.push_back({location, "", "unknown column " + engine::quoted(name),
                          engine::did_you_mean(name, column_names(), "known: ")});
    choice.velocity |= name == "velocity";
    choice.mass |= name == "mass";
    choice.species |= name == "species";
    choice.acceleration |= name == "acceleration";
    choice.potential |= name == "potential";
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return choice;
}

ColumnChoice common(ColumnChoice a, ColumnChoice b) {
  return {a.velocity && b.velocity, a.mass && b.mass, a.species && b.species,
          a.acceleration && b.acceleration, a.potential && b.potential};
}

std::vector<SnapshotColumn> columns_of(const SnapshotData& data) {
  std::vector<SnapshotColumn> columns;
  columns.push_back({"id", "", Components<std::uint32_t>{{data.ids}}});
  std::visit([&](const auto& arrays) { add_numbers(columns, arrays, data.columns); }, data.arrays);
  if (data.columns.species && !data.kinds.empty())
    columns.push_back({"species", "", Components<std::uint8_t>{{data.species}}});
  add_derived(columns, data);
  for ([[maybe_unused]] const SnapshotColumn& column : columns)
    std::visit(
        [&](const auto& numbers) {
          for (std::size_t c = 0; c < numbers.count; ++c)
            MOTE_EXPECT(numbers.part[c].size() == data.ids.size());
        },
        column.numbers);
  return columns;
}

}  // namespace mote::sim
