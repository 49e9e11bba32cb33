#include <fmt/format.h>

#include <cmath>

#include "sim/io/hdf5_input.h"
#include "sim/io/order_by_ids.h"
#include "sim/io/snapshot.h"

namespace mote::sim {
namespace {

using hdf5::Input;

void check_units(const Input& in, const engine::UnitSystem& units) {
  const bool pure = units.length_si == 0;
  struct Row {
    hdf5::FileUnit unit;
    const char* kind;
    double expected;
    const char* cgs;
  };
  for (const Row& r :
       {Row{hdf5::FileUnit::length, "length", pure ? 1 : units.length_si * 100, "cm"},
        Row{hdf5::FileUnit::mass, "mass", pure ? 1 : units.mass_si * 1000, "g"},
        Row{hdf5::FileUnit::velocity, "velocity", pure ? 1 : units.length_si * 100 / units.time_si,
            "cm/s"}}) {
    const std::optional<double> found = hdf5::file_unit(in, r.unit);
    if (found && std::abs(*found / r.expected - 1) > hdf5::unit_slack)
      in.fail(
          fmt::format("its unit of {} is {:.6g} {}, but that of the unit system '{}' is {:.6g} {}",
                      r.kind, *found, r.cgs, units.name, r.expected, r.cgs),
          "choose the units of the file in the scene, or convert the file");
  }
}

}  // namespace

MoteFields read_mote_fields(const std::filesystem::path& path, std::span<const std::string> texts,
                            const std::string& location) {
  const Input in(path, location.empty() ? path.string() : location);
  MoteFields own;
  for (const std::string& name : texts)
    if (in.has("Mote/" + name)) own.texts[name] = hdf5::read_text(in, "Mote/" + name);
  const std::vector<std::uint64_t> counts = hdf5::read_counts(in);
  if (counts.size() < 2 || !in.has("PartType1")) return own;
  hdf5::read_whole_numbers(in, "PartType1/ParticleIDs", counts[1], own.ids);
  if (in.has("PartType1/Species"))
    hdf5::read_whole_numbers(in, "PartType1/Species", counts[1], own.species);
  return own;
}

std::map<std::string, std::vector<double>> read_columns(const std::filesystem::path& path,
                                                        std::span<const std::string> names,
                                                        const std::string& location) {
  const Input in(path, location.empty() ? path.string() : location);
  std::map<std::string, std::vector<double>> columns;
  const std::vector<std::uint64_t> counts = hdf5::read_counts(in);
  if (counts.size() < 2 || !in.has("PartType1")) return columns;
  for (const std::string& name : names) {
    if (!in.has("PartType1/" + name)) continue;
    std::vector<double>& numbers = columns[name];
    hdf5::read_rows(in, "PartType1/" + name, counts[1], 1,
                    [&](std::uint64_t, const double* number) { numbers.push_back(*number); });
  }
  return columns;
}

Bodies read_snapshot(const std::filesystem::path& path, const engine::UnitSystem* units,
                     const std::string& location) {
  const Input in(path, location.empty() ? path.string() : location);
  const std::vector<std::uint64_t> counts = hdf5::read_counts(in);
  if (units != nullptr) check_units(in, *units);
  Bodies bodies = hdf5::read_bodies(in, counts);
  if (in.has("Mote")) return bodies;  // they are in the order of ids
  std::vector<std::uint64_t> ids;
  for (std::size_t type = 0; type < counts.size(); ++type)
    if (const std::string name = fmt::format("PartType{}/ParticleIDs", type); in.has(name))
      hdf5::read_rows(in, name, counts[type], 1, [&](std::uint64_t, const double* id) {
        constexpr double most = 1.8e19;  // beyond 2^53, some have the same double
        ids.push_back(*id >= 0 && *id < most ? static_cast<std::uint64_t>(*id) : 0);
      });
  if (ids.size() == bodies.mass.size()) order_by_ids(bodies, ids);
  return bodies;
}

}  // namespace mote::sim
