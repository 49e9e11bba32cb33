#pragma once

#include <span>
#include <string_view>

namespace mote::sim {

/// Says whether a reader uses a key of a file that another program wrote.
enum class KeyUse {
  used,
  refused,  ///< it changes the meaning of what is read, and mote cannot follow it
  ignored   ///< bodies are the same without it
};

struct FileKey {
  std::string_view name;  ///< lower case where case is ignored
  KeyUse use;
  std::string_view meaning;  ///< the data that is read, or why it is refused or may be ignored
};

/// Keys of a format by part of the file, as in the tables of docs/files.md, which a test compares.
/// The readers look keys up here; what is in no table is described with each reader.
struct FileKeys {
  std::string_view format, part;
  std::span<const FileKey> keys;
};
std::span<const FileKeys> file_keys();

/// Columns of extended XYZ (Properties=...), key=value pairs of its comment, and attributes of HDF5
/// snapshots, of any of the groups where programs put them.
std::span<const FileKey> xyz_column_keys();
std::span<const FileKey> xyz_comment_keys();
std::span<const FileKey> hdf5_attribute_keys();
/// Columns of CSV, without units.
std::span<const FileKey> csv_column_keys();

/// Null if there is none of this name.
const FileKey* key_named(std::span<const FileKey> keys, std::string_view name);

}  // namespace mote::sim
