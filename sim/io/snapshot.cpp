#include "sim/io/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "engine/check.h"
#include "engine/machine.h"
#include "sim/io/contact_columns.h"
#include "sim/io/hdf5_handle.h"
#include "sim/io/snapshot_columns.h"

namespace mote::sim {
namespace {

using hdf5::Handle;
using hdf5::Output;

constexpr std::size_t gadget_types = 6;  // particle types of Gadget
constexpr std::size_t mote_type = 1;     // "halo": bodies that only feel gravity

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
}

/// File types are little-endian on every machine.
template <class T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_STD_U32LE;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_STD_U64LE;
}

/// A group or dataset of the output file, with its attributes.
class Node {
 public:
  Node(const Output& out, Handle handle) : out_(out), handle_(std::move(handle)) {
    out.check(handle_.get());
  }

  hid_t get() const { return handle_.get(); }

  template <class T>
  void attribute(const char* name, T value) const {
    const Handle space(out_.check(H5Screate(H5S_SCALAR)), H5Sclose);
    write(name, file_type<T>(), memory_type<T>(), space.get(), &value);
  }
  template <class T, std::size_t n>
  void attribute(const char* name, const std::array<T, n>& values) const {
    const hsize_t count = n;
    const Handle space(out_.check(H5Screate_simple(1, &count, nullptr)), H5Sclose);
    write(name, file_type<T>(), memory_type<T>(), space.get(), values.data());
  }
  void attribute(const char* name, const std::string& text) const {
    const Handle space(out_.check(H5Screate(H5S_SCALAR)), H5Sclose);
    const char* const start = text.c_str();
    write_texts(name, space.get(), &start);
  }
  void attribute(const char* name, const std::vector<std::string>& texts) const {
    const hsize_t count = texts.size();
    const Handle space(out_.check(H5Screate_simple(1, &count, nullptr)), H5Sclose);
    std::vector<const char*> starts;
    for (const std::string& text : texts) starts.push_back(text.c_str());
    write_texts(name, space.get(), starts.data());
  }

 private:
  void write_texts(const char* name, hid_t space, const char* const* texts) const {
    const Handle type(out_.check(H5Tcopy(H5T_C_S1)), H5Tclose);
    out_.check(H5Tset_size(type.get(), H5T_VARIABLE));
    out_.check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    write(name, type.get(), type.get(), space, texts);
  }
  void write(const char* name, hid_t in_file, hid_t in_memory, hid_t space,
             const void* data) const {
    const Handle attribute(
        out_.check(H5Acreate2(handle_.get(), name, in_file, space, H5P_DEFAULT, H5P_DEFAULT)),
        H5Aclose);
    out_.check(H5Awrite(attribute.get(), in_memory, data));
  }

  const Output& out_;
  Handle handle_;
};

Node make_group(const Output& out, const char* name) {
  return {out, Handle(H5Gcreate2(out.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose)};
}

constexpr unsigned deflate_level = 4;  // higher levels gain little on nearly random mantissas

/// Creation properties (chunks, filters) of a dataset.
Handle layout_of(const Output& out, hsize_t rows, hsize_t columns, bool compress) {
  Handle creation(out.check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  out.check(H5Pset_obj_track_times(creation.get(), false));  // makes files reproducible
  out.check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
  if (!compress || rows == 0) return creation;
  const std::array<hsize_t, 2> chunk{std::min<hsize_t>(rows, interleaved_rows), columns};
  out.check(H5Pset_chunk(creation.get(), columns == 1 ? 1 : 2, chunk.data()));
  out.check(H5Pset_shuffle(creation.get()));
  out.check(H5Pset_deflate(creation.get(), deflate_level));
  return creation;
}

/// Writes a dataset with one row per body.
template <class T>
Node write_rows(const Output& out, const Node& group, const char* name, const Components<T>& column,
                bool compress) {
  const std::array<hsize_t, 2> shape{column.rows(), column.count};
  const int rank = column.count == 1 ? 1 : 2;
  const Handle space(out.check(H5Screate_simple(rank, shape.data(), nullptr)), H5Sclose);
  const Handle creation = layout_of(out, shape[0], shape[1], compress);
  Node dataset(out, Handle(H5Dcreate2(group.get(), name, file_type<T>(), space.get(), H5P_DEFAULT,
                                      creation.get(), H5P_DEFAULT),
                           H5Dclose));
  for_each_block(column, [&](std::size_t first, std::span<const T> numbers) {
    const std::array<hsize_t, 2> start{first, 0},
        count{numbers.size() / column.count, column.count};
    const Handle memory(out.check(H5Screate_simple(rank, count.data(), nullptr)), H5Sclose);
    out.check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                  nullptr));
    out.check(H5Dwrite(dataset.get(), memory_type<T>(), memory.get(), space.get(), H5P_DEFAULT,
                       numbers.data()));
  });
  return dataset;
}

/// Sizes of the units in CGS.
struct UnitsInCgs {
  double length = 1, mass = 1, velocity = 1, time = 1;
  double acceleration = 1, specific_energy = 1;

  explicit UnitsInCgs(const engine::UnitSystem& units) {
    if (units.length_si == 0) return;
    length = units.length_si * 100;
    mass = units.mass_si * 1000;
    time = units.time_si;
    velocity = length / time;
    acceleration = velocity / time;
    specific_energy = velocity * velocity;
  }
};

/// Gadget's name of a column. pynbody infers its unit from the symbol in `description`: U_L, U_V,
/// U_M.
struct GadgetName {
  std::string_view column;
  const char* name;
  const char* description;
  double UnitsInCgs::*unit;  ///< null if dimensionless
};
constexpr GadgetName gadget_names[] = {
    {"position", "Coordinates", "Positions, U_L [cm]", &UnitsInCgs::length},
    {"velocity", "Velocities", "Velocities, U_V [cm/s]", &UnitsInCgs::velocity},
    {"mass", "Masses", "Masses, U_M [g]", &UnitsInCgs::mass},
    {"id", "ParticleIDs", "Names of the bodies", nullptr},
    {"species", "Species", "Species: index into Mote/species_names from 1, 0 for none", nullptr},
    {"acceleration", "Acceleration", "Accelerations, U_V^2 /U_L [cm/s^2]",
     &UnitsInCgs::acceleration},
    {"potential", "Potential", "Potential of gravity per unit mass, U_V^2 [cm^2/s^2]",
     &UnitsInCgs::specific_energy}};

void write_header(const Output& out, const SnapshotData& data) {
  std::array<std::uint32_t, gadget_types> count{}, no_count{};
  count[mote_type] = static_cast<std::uint32_t>(data.ids.size());
  const Node header = make_group(out, "Header");
  header.attribute("NumPart_ThisFile", count);
  header.attribute("NumPart_Total", count);
  header.attribute("NumPart_Total_HighWord", no_count);
  header.attribute("MassTable", std::array<double, gadget_types>{});
  header.attribute("Time", data.time);
  // Without this, pynbody uses the age of a universe instead.
  if (data.units.time_si > 0)
    header.attribute("Time_GYR",
                     data.time * data.units.time_si / (1e9 * engine::constant::julian_year));
  header.attribute("NumFilesPerSnapshot", std::int32_t{1});
  for (const char* name : {"Redshift", "BoxSize", "Omega0", "OmegaLambda", "OmegaBaryon"})
    header.attribute(name, 0.0);
  header.attribute("HubbleParam", 1.0);
  for (const char* name : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                           "Flag_Feedback", "Flag_Entropy_ICs"})
    header.attribute(name, std::int32_t{0});
  const bool in_double = std::holds_alternative<SnapshotArrays<double>>(data.arrays);
  header.attribute("Flag_DoublePrecision", std::int32_t{in_double ? 1 : 0});
}

void write_units(const Node& group, const UnitsInCgs& cgs) {
  group.attribute("UnitLength_in_cm", cgs.length);
  group.attribute("UnitMass_in_g", cgs.mass);
  group.attribute("UnitVelocity_in_cm_per_s", cgs.velocity);
  group.attribute("UnitTime_in_s", cgs.time);
}

void write_text(const Output& out, const Node& group, const SnapshotText& text) {
  const hsize_t size = text.text.size();
  const Handle space(out.check(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Handle creation(out.check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  out.check(H5Pset_obj_track_times(creation.get(), false));
  const Handle dataset(out.check(H5Dcreate2(group.get(), text.name.c_str(), H5T_STD_U8LE,
                                            space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT)),
                       H5Dclose);
  out.check(
      H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.text.data()));
}

void write_mote_group(const Output& out, const Node& group, const SnapshotData& data) {
  group.attribute("version", engine::build_info().version);
  group.attribute("title", data.title);
  group.attribute("units", data.units.name);
  group.attribute("step", data.step);
  group.attribute("state_hash", fmt::format("{:016x}", data.state_hash));
  group.attribute("gravitational", data.gravitational);
  group.attribute("softening", data.softening);
  if (!data.kinds.empty()) {
    std::vector<std::string> names, colors;
    for (const SnapshotSpecies& kind : data.kinds)
      names.push_back(kind.name), colors.push_back(kind.color);
    group.attribute("species_names", names);
    group.attribute("species_colors", colors);
  }
  for (const SnapshotText& text : data.texts) write_text(out, group, text);
}

void write_bodies(const Output& out, const SnapshotData& data) {
  const UnitsInCgs cgs(data.units);
  const std::vector<SnapshotColumn> columns = columns_of(data);
  const Node group = make_group(out, "PartType1");
  for (const GadgetName& gadget : gadget_names)
    for (const SnapshotColumn& column : columns) {
      if (column.name != gadget.column) continue;
      const Node dataset = std::visit(
          [&](const auto& numbers) {
            return write_rows(out, group, gadget.name, numbers, data.compress);
          },
          column.numbers);
      dataset.attribute("VarDescription", std::string(gadget.description));
      dataset.attribute("CGSConversionFactor", gadget.unit == nullptr ? 1.0 : cgs.*gadget.unit);
      dataset.attribute("aexp-scale-exponent", 0.0);
      dataset.attribute("h-scale-exponent", 0.0);
      dataset.attribute("unit", data.units.label(column.quantity));
    }
  for (const SnapshotField& field : data.fields)
    std::visit(
        [&]<class T>(std::span<const T> numbers) {
          const Node dataset = write_rows(out, group, std::string(field.name).c_str(),
                                          Components<T>{{numbers}}, data.compress);
          dataset.attribute("unit", data.units.label(field.quantity));
        },
        field.numbers);
}

void write_contacts(const Output& out, const ContactNetwork& contacts, const SnapshotData& data) {
  const Node group = make_group(out, "Contacts");
  for (const SnapshotColumn& column : columns_of(contacts)) {
    const Node dataset = std::visit(
        [&](const auto& numbers) {
          return write_rows(out, group, std::string(column.name).c_str(), numbers, data.compress);
        },
        column.numbers);
    dataset.attribute("unit", data.units.label(column.quantity));
  }
}

}  // namespace

void write_snapshot(const std::filesystem::path& path, const SnapshotData& data) {
  const hdf5::Exclusive alone;
  const hdf5::Quiet quiet;
  Output out(path);
  write_header(out, data);
  write_units(make_group(out, "Units"), UnitsInCgs(data.units));
  write_bodies(out, data);
  if (data.contacts) write_contacts(out, *data.contacts, data);
  write_mote_group(out, make_group(out, "Mote"), data);
  out.commit(data.durable);
}

}  // namespace mote::sim
