#include "sim/io/hdf5_input.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "engine/machine.h"
#include "engine/text.h"

namespace mote::sim::hdf5 {
namespace {

/// Whether a type is one of the usual numbers, of either byte order. HDF5 itself allows any number of bits at any
/// place, and damages its own stack when it converts some of them.
bool is_usual_number(hid_t type) {
  for (const hid_t usual : {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I8LE,
                            H5T_STD_I8BE,   H5T_STD_U8LE,   H5T_STD_U8BE,   H5T_STD_I16LE,  H5T_STD_I16BE,
                            H5T_STD_U16LE,  H5T_STD_U16BE,  H5T_STD_I32LE,  H5T_STD_I32BE,  H5T_STD_U32LE,
                            H5T_STD_U32BE,  H5T_STD_I64LE,  H5T_STD_I64BE,  H5T_STD_U64LE,  H5T_STD_U64BE})
    if (H5Tequal(type, usual) > 0) return true;
  return false;
}

/// Refuses what would lead out of the file, or make much of little: data in other files, and more numbers than a
/// file of this length can hold. Deflate, the best of the filters, packs no more than 1032 bytes into one.
void expect_own_data(const Input& in, const std::string& name, hid_t dataset, double bytes) {
  const Handle made(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(made.get()) == H5D_VIRTUAL || H5Pget_external_count(made.get()) > 0)
    in.wrong(name + " has its data in other files", "join them into one file first");
  constexpr double best_filter = 1032;
  const auto length = static_cast<double>(std::filesystem::file_size(in.name()));
  if (bytes > length * best_filter || (H5Pget_nfilters(made.get()) == 0 && bytes > length))
    in.wrong(fmt::format("{} announces {}, but the file has {}", name, engine::bytes_text(bytes),
                         engine::bytes_text(length)));
}

}  // namespace

Input::Input(const std::filesystem::path& path, const std::string& place) : path_(path.string()) {
  errno = 0;
  const bool readable = std::ifstream(path).good() && !std::filesystem::is_directory(path);
  if (!std::filesystem::exists(path))
    throw engine::InputError(place, place == path_ ? "no such file" : "no such file: " + path_,
                             "check the path");
  if (!readable)
    throw engine::SystemError("read " + path_,
                              errno != 0 ? std::generic_category().message(errno) : "is not a file",
                              "check the path and its permissions");
  file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file_) wrong("is not a whole HDF5 file: " + hdf5::reason(), "write or copy it again");
}

bool Input::has(const std::string& name) const {
  for (std::size_t at = name.find('/'); at != name.npos; at = name.find('/', at + 1))
    if (!has_link(name.substr(0, at))) return false;
  return has_link(name);
}

Handle Input::attribute(const char* group, const char* name) const {
  if (!has(group) || H5Aexists_by_name(id(), group, name, H5P_DEFAULT) <= 0) return {};
  return {H5Aopen_by_name(id(), group, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
}

std::vector<double> Input::numbers(const char* group, const char* name) const {
  const Handle attribute = this->attribute(group, name);
  if (!attribute) return {};
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (!is_usual_number(type.get())) return {};
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count < 1 || count > 64) return {};
  std::vector<double> values(static_cast<std::size_t>(count));
  if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) return {};
  return values;
}

double Input::number(const char* group, const char* name, double otherwise) const {
  const std::vector<double> values = numbers(group, name);
  return values.empty() ? otherwise : values[0];
}

std::uint64_t Input::whole_number(const char* group, const char* name) const {
  const Handle attribute = this->attribute(group, name);
  if (numbers(group, name).size() != 1) return 0;
  std::uint64_t value = 0;
  return H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value) < 0 ? 0 : value;
}

std::vector<std::string> Input::texts(const char* group, const char* name) const {
  const Handle attribute = this->attribute(group, name);
  if (!attribute) return {};
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 || count < 1 ||
      count > 255)
    return {};
  std::vector<char*> starts(static_cast<std::size_t>(count), nullptr);
  if (H5Aread(attribute.get(), type.get(), starts.data()) < 0) return {};
  std::vector<std::string> texts;
  for (const char* start : starts) texts.emplace_back(start == nullptr ? "" : start);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, starts.data());
  return texts;
}

std::string Input::text(const char* group, const char* name) const {
  const std::vector<std::string> all = texts(group, name);
  return all.empty() ? "" : all[0];
}

/// Links by name, which may lead into other files, count as missing.
bool Input::has_link(const std::string& name) const {
  H5L_info_t info{};
  return H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0 &&
         H5Lget_info(id(), name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

hsize_t rows_of(const Input& in, const std::string& name) {
  if (!in.has(name)) in.wrong("there is no dataset " + name);
  const Handle dataset(H5Dopen2(in.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) in.wrong(name + " is not a dataset");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  return H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) > 0 ? shape[0] : 0;
}

Handle open_rows(const Input& in, const std::string& name, hsize_t rows, hsize_t columns) {
  if (!in.has(name)) in.wrong("there is no dataset " + name);
  Handle dataset(H5Dopen2(in.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) in.wrong(name + " is not a dataset");
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  if (!is_usual_number(type.get())) in.wrong(name + " does not hold numbers");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  const int rank = H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  const bool right =
      columns == 1 ? rank == 1 || (rank == 2 && shape[1] == 1) : rank == 2 && shape[1] == columns;
  if (!right || shape[0] != rows)
    in.wrong(fmt::format("{} has the shape {}, but Header announces {}", name,
                         fmt::join(shape.begin(), shape.begin() + std::max(rank, 0), " x "),
                         columns == 1 ? fmt::format("{}", rows) : fmt::format("{} x {}", rows, columns)));
  expect_own_data(in, name, dataset.get(),
                  static_cast<double>(rows) * static_cast<double>(columns * H5Tget_size(type.get())));
  return dataset;
}

void read_block_of(const Input& in, const std::string& name, const Handle& dataset, hsize_t first,
                   hsize_t rows, hsize_t columns, double* buffer) {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const std::array<hsize_t, 2> start{first, 0}, count{rows, columns};
  const hsize_t size = rows * columns;
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, buffer) < 0)
    throw engine::SystemError("read " + name + " of " + in.name(), reason(), "copy the file again");
  for (hsize_t i = 0; i < size; ++i)
    if (!std::isfinite(buffer[i]))
      in.wrong(fmt::format("{}: row {} holds a number that is not finite", name, first + i / columns));
}

/// A damaged file may announce any size, but not more than the file has.
std::string read_text(const Input& in, const std::string& name) {
  const Handle dataset(H5Dopen2(in.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(space.get());
  const bool bytes = is_usual_number(type.get()) && H5Tget_size(type.get()) == 1;
  if (!bytes || size < 0 || static_cast<std::uintmax_t>(size) > std::filesystem::file_size(in.name()))
    in.wrong(name + " is not a text");
  std::string text(static_cast<std::size_t>(size), '\0');
  if (H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
    throw engine::SystemError("read " + name + " of " + in.name(), reason(), "copy the file again");
  return text;
}

std::vector<hsize_t> read_counts(const Input& in) {
  if (!in.has("Header")) in.wrong("there is no group Header", "mote reads the HDF5 format of Gadget");
  const double files = in.number("Header", "NumFilesPerSnapshot", 1);
  if (files > 1)
    in.wrong(fmt::format("this is one of the {} files of a snapshot", files),
             "join them into one file first");
  if (in.number("Header", "OmegaLambda", 0) != 0)
    in.wrong("this is a cosmological snapshot (Header/OmegaLambda is not 0)",
             "mote has no expansion; convert comoving to physical quantities and set OmegaLambda to 0");
  std::vector<hsize_t> counts;
  double sum = 0;
  for (const double n : in.numbers("Header", "NumPart_ThisFile")) {
    if (!(n >= 0 && n <= std::numeric_limits<std::uint32_t>::max()))
      in.wrong(fmt::format("Header/NumPart_ThisFile holds {}", n),
               "a file may hold up to 2^32 - 1 bodies of a type");
    counts.push_back(static_cast<hsize_t>(n));
    sum += n;
  }
  if (counts.empty()) in.wrong("Header has no attribute NumPart_ThisFile");
  const auto bytes = sum * (sizeof(double) + 2 * sizeof(engine::Vec3d));
  if (const auto memory = engine::machine_info().memory; bytes > static_cast<double>(memory))
    in.wrong(fmt::format("its {:.0f} bodies need {}, but this machine has {}", sum, engine::bytes_text(bytes),
                         engine::bytes_text(static_cast<double>(memory))));
  return counts;
}

std::optional<double> file_unit(const Input& in, const char* name) {
  for (const char* group : {"Units", "Header", "Parameters"})
    if (const auto values = in.numbers(group, name); !values.empty()) return values[0];
  return std::nullopt;
}

namespace {

void read_vectors(const Input& in, const std::string& name, hsize_t rows, std::vector<engine::Vec3d>& to) {
  read_rows(in, name, rows, 3, [&](hsize_t, const double* row) { to.push_back({row[0], row[1], row[2]}); });
}

void read_masses(const Input& in, const std::string& group, hsize_t rows, double table,
                 std::vector<double>& to, ColumnChoice* present) {
  const std::string name = group + "/Masses";
  if (!in.has(name)) {
    if (!(table > 0) && rows > 0 && present != nullptr) present->mass = false;
    if (!(table > 0) && present == nullptr)
      in.wrong("there is no dataset " + name + " and Header/MassTable has no mass for " + group);
    to.insert(to.end(), rows, table > 0 ? table : 0);
    return;
  }
  read_rows(in, name, rows, 1, [&](hsize_t row, const double* mass) {
    if (*mass < 0)
      in.wrong(fmt::format("{}: row {} holds a negative mass, {}", name, row, engine::number_text(*mass)));
    to.push_back(*mass);
  });
}

}  // namespace

Bodies read_bodies(const Input& in, const std::vector<hsize_t>& counts, ColumnChoice* present) {
  std::vector<double> table = in.numbers("Header", "MassTable");
  table.resize(std::max(table.size(), counts.size()));

  Bodies bodies;
  for (std::size_t type = 0; type < counts.size(); ++type) {
    const std::string group = fmt::format("PartType{}", type);
    if (!in.has(group)) {
      if (counts[type] > 0)
        in.wrong(fmt::format("Header announces {} bodies in {}, which is missing", counts[type], group));
      continue;
    }
    if (counts[type] == 0 && !in.has(group + "/Coordinates")) continue;
    read_vectors(in, group + "/Coordinates", counts[type], bodies.position);
    if (present != nullptr && counts[type] > 0 && !in.has(group + "/Velocities")) {
      present->velocity = false;
      bodies.velocity.resize(bodies.position.size());
    } else {
      read_vectors(in, group + "/Velocities", counts[type], bodies.velocity);
    }
    read_masses(in, group, counts[type], table[type], bodies.mass, present);
  }
  return bodies;
}

std::uint64_t room_for(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::uintmax_t length = std::filesystem::file_size(path, unknown);
  constexpr std::uint64_t usual = std::uint64_t{1} << 30, of_a_byte = 4096;  // deflated, and doubles of it
  return usual + (unknown ? 0 : std::min(length, usual * of_a_byte) * of_a_byte);
}

}  // namespace mote::sim::hdf5
