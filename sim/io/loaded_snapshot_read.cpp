#include <charconv>
#include <numeric>

#include "sim/io/hdf5_input.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/space/ball_fields.h"

namespace mote::sim {
namespace {

using engine::Host;
using hdf5::Input;

/// The unit system of a file: by name, else by its unit sizes, else dimensionless.
engine::UnitSystem units_of(const Input& in) {
  if (const auto* named = engine::unit_system_named(in.text("Mote", "units"))) return *named;
  const auto matches = [&](hdf5::FileUnit kind, double ours) {
    const auto unit = hdf5::file_unit(in, kind);
    return unit && std::abs(*unit / ours - 1) <= hdf5::unit_slack;
  };
  for (const engine::UnitSystem& u : engine::unit_systems())
    if (u.length_si > 0 && matches(hdf5::FileUnit::length, u.length_si * 100) &&
        matches(hdf5::FileUnit::mass, u.mass_si * 1000) &&
        matches(hdf5::FileUnit::velocity, u.length_si * 100 / u.time_si))
      return u;
  return *engine::unit_system_named("nbody");
}

std::optional<std::uint64_t> hash_of(const Input& in) {
  const std::string text = in.text("Mote", "state_hash");
  std::uint64_t hash = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  const bool complete =
      read.ec == std::errc() && read.ptr == text.data() + text.size() && text.size() == 16;
  return complete ? std::optional(hash) : std::nullopt;
}

std::vector<SnapshotSpecies> kinds_of(const Input& in) {
  const std::vector<std::string> names = in.texts("Mote", "species_names"),
                                 colors = in.texts("Mote", "species_colors");
  std::vector<SnapshotSpecies> kinds;
  for (std::size_t i = 0; i < names.size(); ++i)
    kinds.push_back({names[i], i < colors.size() ? colors[i] : "#ffffff"});
  return kinds;
}

std::string group_of(std::size_t type) {
  return "PartType" + std::to_string(type);
}

/// True if every type that has bodies has this dataset.
bool all_have(const Input& in, const std::vector<std::uint64_t>& counts,
              const std::string& dataset) {
  for (std::size_t type = 0; type < counts.size(); ++type)
    if (counts[type] > 0 && !in.has(group_of(type) + "/" + dataset)) return false;
  return true;
}

/// Single if the positions of the first type with bodies are floats, else double.
engine::Precision precision_of(const Input& in, const std::vector<std::uint64_t>& counts) {
  for (std::size_t type = 0; type < counts.size(); ++type) {
    const std::string name = group_of(type) + "/Coordinates";
    if (!in.has(name)) continue;
    if (hdf5::expect_rows(in, name, counts[type], 3) > sizeof(float))
      return engine::Precision::double_;
    if (counts[type] > 0) return engine::Precision::single;
  }
  return engine::Precision::double_;
}

bool has_species(const Input& in, const std::vector<std::uint64_t>& counts,
                 const SnapshotMetadata& metadata) {
  return !metadata.kinds.empty() && counts.size() > 1 && all_have(in, counts, "Species");
}

SnapshotHead head_of(const Input& in, const std::vector<std::uint64_t>& counts) {
  SnapshotHead head;
  SnapshotMetadata& metadata = head.metadata;
  metadata.time = in.number("Header", "Time", 0);
  metadata.step = in.whole_number("Mote", "step");
  metadata.hash = hash_of(in);
  metadata.units = units_of(in);
  metadata.gravitational = in.number("Mote", "gravitational", metadata.units.gravitational);
  metadata.softening = in.number("Mote", "softening", 0);
  metadata.title = in.text("Mote", "title");
  metadata.kinds = kinds_of(in);
  if (!has_species(in, counts, metadata)) metadata.kinds.clear();
  const std::vector<double> table = in.numbers("Header", "MassTable");
  metadata.columns.velocity = all_have(in, counts, "Velocities");
  metadata.columns.mass =
      all_have(in, counts, "Masses") ||
      std::any_of(table.begin(), table.end(), [](double mass) { return mass > 0; });
  metadata.columns.species = !metadata.kinds.empty();
  metadata.columns.acceleration = all_have(in, counts, "Acceleration");
  metadata.columns.potential = all_have(in, counts, "Potential");
  for (const std::uint64_t n : counts) head.count += static_cast<engine::Index>(n);
  head.precision = precision_of(in, counts);
  head.version = in.text("Mote", "version");
  head.checkpoint = in.has("Mote/checkpoint");
  return head;
}

/// Reads the ids if mote wrote the file; else numbers from 0.
void read_ids(const Input& in, const std::vector<std::uint64_t>& counts, std::uint32_t* ids,
              engine::Index count) {
  std::vector<std::uint32_t> own;
  const bool ours =
      in.has("Mote") && counts.size() > 1 && counts[1] == static_cast<std::uint64_t>(count);
  if (ours && count > 0) hdf5::read_whole_numbers(in, "PartType1/ParticleIDs", counts[1], own);
  if (ours)
    std::copy(own.begin(), own.end(), ids);
  else
    std::iota(ids, ids + count, 0u);
}

template <class T>
void read_column(const Input& in, const std::string& name, std::uint64_t rows,
                 std::vector<T>& one) {
  if constexpr (std::is_integral_v<T>)
    hdf5::read_whole_numbers(in, name, rows, one);
  else
    hdf5::read_rows(in, name, rows, 1,
                    [&](std::uint64_t, const double* x) { one.push_back(static_cast<T>(*x)); });
}
template <class T>
void read_column(const Input& in, const std::string& name, std::uint64_t rows, std::vector<T>& x,
                 std::vector<T>& y, std::vector<T>& z) {
  hdf5::read_rows(in, name, rows, 3, [&](std::uint64_t, const double* v) {
    x.push_back(static_cast<T>(v[0])), y.push_back(static_cast<T>(v[1])),
        z.push_back(static_cast<T>(v[2]));
  });
}

std::optional<ContactNetwork> contacts_of(const Input& in, engine::Precision precision) {
  if (!in.has("Contacts")) return {};
  ContactNetwork contacts;
  if (precision == engine::Precision::double_) contacts.numbers = ContactNumbers<double>();
  const std::uint64_t rows = hdf5::rows_of(in, "Contacts/grain");
  for_each_column(contacts, [&](const std::string& name, const char*, auto&... components) {
    read_column(in, "Contacts/" + name, rows, components...);
  });
  return contacts;
}

void read_accelerations(const Input& in, const std::vector<std::uint64_t>& counts,
                        State<Host>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::Index i = 0;
    for (std::size_t type = 0; type < counts.size(); ++type)
      if (counts[type] > 0)
        hdf5::read_rows(in, group_of(type) + "/Acceleration", counts[type], 3,
                        [&](std::uint64_t, const double* a) {
                          s.ax[i] = static_cast<Real>(a[0]), s.ay[i] = static_cast<Real>(a[1]);
                          s.az[i++] = static_cast<Real>(a[2]);
                        });
  });
}

std::vector<double> read_potentials(const Input& in, const std::vector<std::uint64_t>& counts) {
  std::vector<double> potential;
  for (std::size_t type = 0; type < counts.size(); ++type)
    if (counts[type] > 0) read_column(in, group_of(type) + "/Potential", counts[type], potential);
  return potential;
}

LoadedSnapshot snapshot_of(const Input& in) {
  const std::vector<std::uint64_t> counts = hdf5::read_counts(in);
  SnapshotHead head = head_of(in, counts);
  const Bodies bodies = hdf5::read_bodies(in, counts, &head.metadata.columns);
  StateLayout layout{.species = head.metadata.columns.species};
  const std::string name(fields::radius.name);
  const bool sized = head.count > 0 && all_have(in, counts, name);
  if (sized) layout.add(fields::radius);
  State<Host> state = state_of(bodies, head.precision, layout);
  read_ids(in, counts, state.id(), state.count());
  if (head.metadata.columns.species) {
    std::vector<std::uint8_t> species;
    for (std::size_t type = 0; type < counts.size(); ++type)
      if (counts[type] > 0)
        hdf5::read_whole_numbers(in, group_of(type) + "/Species", counts[type], species);
    std::copy(species.begin(), species.end(), state.species());
  }
  if (sized)
    state.visit([&]<class Real>(StateView<Real> s) {
      Real* to = s[fields::radius];
      for (std::size_t type = 0; type < counts.size(); ++type)
        if (counts[type] > 0)
          hdf5::read_rows(
              in, group_of(type) + "/" + name, counts[type], 1,
              [&](std::uint64_t, const double* radius) { *to++ = static_cast<Real>(*radius); });
    });
  if (head.metadata.columns.acceleration) read_accelerations(in, counts, state);
  std::vector<double> potential;
  if (head.metadata.columns.potential) potential = read_potentials(in, counts);
  return {std::move(head.metadata), std::move(state), contacts_of(in, head.precision),
          std::move(potential)};
}

}  // namespace

SnapshotHead read_snapshot_head(const std::filesystem::path& path, const std::string& location) {
  const Input in(path, location.empty() ? path.string() : location);
  return head_of(in, hdf5::read_counts(in));
}

LoadedSnapshot load_snapshot(const std::filesystem::path& path, const std::string& location) {
  return snapshot_of(Input(path, location.empty() ? path.string() : location));
}

}  // namespace mote::sim
