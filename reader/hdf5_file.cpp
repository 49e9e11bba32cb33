#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/text.h"
#include "reader/reader.h"
#include "sim/io/hdf5_handle.h"

namespace mote::reader {
namespace {

using sim::hdf5::Handle;

/// True for the standard number types in either byte order. HDF5 allows arbitrary widths and
/// offsets of bits, and corrupts its stack when it converts some of them.
bool is_standard_number(hid_t type) {
  for (const hid_t standard :
       {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I8LE,
        H5T_STD_I8BE,   H5T_STD_U8LE,   H5T_STD_U8BE,   H5T_STD_I16LE,  H5T_STD_I16BE,
        H5T_STD_U16LE,  H5T_STD_U16BE,  H5T_STD_I32LE,  H5T_STD_I32BE,  H5T_STD_U32LE,
        H5T_STD_U32BE,  H5T_STD_I64LE,  H5T_STD_I64BE,  H5T_STD_U64LE,  H5T_STD_U64BE})
    if (H5Tequal(type, standard) > 0) return true;
  return false;
}

/// The file opened last, and its dataset opened last.
struct File {
  std::string path;
  Handle id;
  std::string name;  ///< name of the dataset
  Handle dataset, space;
};

File& file() {
  static File open;
  return open;
}

constexpr const char* again = "write or copy it again";

/// Rejects datasets with data in other files and those larger than the file can hold. Deflate, the
/// most effective filter, compresses by at most a factor 1032.
void expect_own_data(double bytes) {
  const Handle properties(H5Dget_create_plist(file().dataset.get()), H5Pclose);
  if (H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) > 0)
    throw Refusal(file().name + " has its data in other files", "join them into one file first");
  constexpr double max_compression = 1032;
  const auto length = static_cast<double>(std::filesystem::file_size(file().path));
  if (bytes > length * max_compression ||
      (H5Pget_nfilters(properties.get()) == 0 && bytes > length))
    throw Refusal(fmt::format("{} announces {}, but the file has {}", file().name,
                              engine::bytes_text(bytes), engine::bytes_text(length)));
}

void open_dataset(const std::string& name) {
  File& open = file();
  if (open.dataset && open.name == name) return;
  open.space = {};
  open.dataset = {};
  open.name = name;
  open.dataset = Handle(H5Dopen2(open.id.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!open.dataset) throw Refusal(name + " is not a dataset");
  open.space = Handle(H5Dget_space(open.dataset.get()), H5Sclose);
}

std::vector<double> numbers_of(hid_t attribute) {
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (!is_standard_number(type.get()) || count < 1 || count > 64) return {};
  std::vector<double> values(static_cast<std::size_t>(count));
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) < 0) return {};
  return values;
}

std::vector<std::string> texts_of(hid_t attribute) {
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 || count < 1 ||
      count > 255)
    return {};
  std::vector<char*> starts(static_cast<std::size_t>(count), nullptr);
  if (H5Aread(attribute, type.get(), starts.data()) < 0) return {};
  std::vector<std::string> texts;
  for (const char* start : starts) texts.emplace_back(start == nullptr ? "" : start);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, starts.data());
  return texts;
}

using Names = std::vector<std::string>;

/// The names collected by an iteration with status `status` over `where`, sorted.
Names sorted(Names& names, herr_t status, const std::string& where) {
  if (status < 0)
    throw Refusal("the contents of " + where + " cannot be read: " + sim::hdf5::reason(), again);
  std::sort(names.begin(), names.end());
  return std::move(names);
}

/// Names in a group. Soft and external links, which may lead into other files, are skipped.
Names links_of(hid_t group, const std::string& where) {
  Names names;
  const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* to) -> herr_t {
    if (info->type == H5L_TYPE_HARD) static_cast<Names*>(to)->emplace_back(name);
    return 0;
  };
  return sorted(names, H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names),
                where);
}

Names attributes_of(hid_t group, const std::string& where) {
  Names names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
    static_cast<Names*>(to)->emplace_back(name);
    return 0;
  };
  return sorted(names, H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names),
                where);
}

bool is_group(hid_t object) {
  return H5Iget_type(object) == H5I_GROUP;
}

}  // namespace

/// Answers with the names of the root group and its subgroups and the attributes of the subgroups:
/// the number of names, the names, the number of attributes, the attributes.
void open_hdf5(engine::Unpacker& request, engine::Packer& answer) {
  File& open = file() = File();
  open.path = request.text();
  open.id = Handle(H5Fopen(open.path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!open.id) throw Refusal("is not a valid HDF5 file: " + sim::hdf5::reason(), again);
  std::vector<std::string> names;
  engine::Packer attributes;
  std::uint64_t count = 0;
  for (const std::string& name : links_of(open.id.get(), "the file")) {
    names.push_back(name);
    const Handle group(H5Oopen(open.id.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!group || !is_group(group.get())) continue;
    for (const std::string& below : links_of(group.get(), name))
      names.push_back(name + "/" + below);
    for (const std::string& own : attributes_of(group.get(), name)) {
      const Handle attribute(H5Aopen(group.get(), own.c_str(), H5P_DEFAULT), H5Aclose);
      if (!attribute) continue;
      const std::vector<double> numbers = numbers_of(attribute.get());
      std::uint64_t integer = 0;
      if (numbers.size() != 1 || H5Aread(attribute.get(), H5T_NATIVE_UINT64, &integer) < 0)
        integer = 0;
      attributes.text(name + "/" + own).list(numbers).number(integer);
      const std::vector<std::string> texts = texts_of(attribute.get());
      attributes.number<std::uint64_t>(texts.size());
      for (const std::string& text : texts) attributes.text(text);
      ++count;
    }
  }
  answer.number<std::uint64_t>(names.size());
  for (const std::string& name : names) answer.text(name);
  answer.number(count).bytes() += attributes.bytes();
}

/// Answers with the number of rows of a dataset.
void rows_of_hdf5(engine::Unpacker& request, engine::Packer& answer) {
  open_dataset(request.text());
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  const int rank = H5Sget_simple_extent_dims(file().space.get(), shape.data(), nullptr);
  answer.number<std::uint64_t>(rank > 0 ? shape[0] : 0);
}

/// Checks that a dataset has the shape `rows` x `columns`; answers with the bytes per number.
void columns_of_hdf5(engine::Unpacker& request, engine::Packer& answer) {
  const std::string name = request.text();
  const auto rows = request.number<std::uint64_t>(), columns = request.number<std::uint64_t>();
  open_dataset(name);
  const Handle type(H5Dget_type(file().dataset.get()), H5Tclose);
  if (!is_standard_number(type.get())) throw Refusal(name + " does not hold numbers");
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  const int rank = H5Sget_simple_extent_dims(file().space.get(), shape.data(), nullptr);
  const bool fits =
      columns == 1 ? rank == 1 || (rank == 2 && shape[1] == 1) : rank == 2 && shape[1] == columns;
  if (!fits || shape[0] != rows)
    throw Refusal(fmt::format(
        "{} has the shape {}, but Header announces {}", name,
        fmt::join(shape.begin(), shape.begin() + std::max(rank, 0), " x "),
        columns == 1 ? fmt::format("{}", rows) : fmt::format("{} x {}", rows, columns)));
  const std::size_t bytes = H5Tget_size(type.get());
  expect_own_data(static_cast<double>(rows) * static_cast<double>(columns * bytes));
  answer.number<std::uint64_t>(bytes);
}

/// Answers with a block of rows of a dataset already checked by `columns`.
void block_of_hdf5(engine::Unpacker& request, engine::Packer& answer) {
  const std::string name = request.text();
  const auto first = request.number<std::uint64_t>(), rows = request.number<std::uint64_t>(),
             columns = request.number<std::uint64_t>();
  open_dataset(name);
  const std::array<hsize_t, 2> start{first, 0}, count{rows, columns};
  const hsize_t size = rows * columns;
  std::vector<double> numbers(size);
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
  hid_t space = file().space.get();
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) <
          0 ||
      H5Dread(file().dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space, H5P_DEFAULT,
              numbers.data()) < 0)
    throw Refusal(name + " cannot be read: " + sim::hdf5::reason(), again);
  answer.list(numbers);
}

/// Answers with a dataset of bytes as text. A damaged file may announce any size; it is limited by
/// that of the file.
void text_of_hdf5(engine::Unpacker& request, engine::Packer& answer) {
  const std::string name = request.text();
  open_dataset(name);
  const Handle type(H5Dget_type(file().dataset.get()), H5Tclose);
  const hssize_t size = H5Sget_simple_extent_npoints(file().space.get());
  const bool bytes = is_standard_number(type.get()) && H5Tget_size(type.get()) == 1;
  if (!bytes || size < 0 ||
      static_cast<std::uintmax_t>(size) > std::filesystem::file_size(file().path))
    throw Refusal(name + " is not a text");
  expect_own_data(static_cast<double>(size));
  std::string text(static_cast<std::size_t>(size), '\0');
  if (H5Dread(file().dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) <
      0)
    throw Refusal(name + " cannot be read: " + sim::hdf5::reason(), again);
  answer.text(text);
}

}  // namespace mote::reader
