#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// The formats of snapshot files.
enum class SnapshotFormat { hdf5, vtk, xyz, csv, npz, tipsy };

struct SnapshotFormatInfo {
  SnapshotFormat format;
  std::string name;    ///< name in scenes and on the command line
  std::string ending;  ///< ending of file names, with the dot
  std::string help;    ///< programs that open it
  /// Throws SystemError and leaves no file in that case.
  void (*write)(const std::filesystem::path& path, const SnapshotData& data);
  /// Writes contacts, for formats that have a separate file for them; null if `write` includes them
  /// or the format cannot hold them.
  void (*write_contacts)(const std::filesystem::path& path, const SnapshotData& data) = nullptr;
};

const std::vector<SnapshotFormatInfo>& snapshot_formats();
const SnapshotFormatInfo& info_of(SnapshotFormat format);
/// The file of contacts that belongs to a file of bodies, as "snapshot_0003.contacts.csv" for the
/// `path` "snapshot_0003".
std::filesystem::path contacts_file(const std::filesystem::path& path, SnapshotFormat format);

std::vector<std::string> snapshot_format_names();
/// Throws InputError at `location` for an unknown name.
SnapshotFormat snapshot_format_named(std::string_view name, const std::string& location);

/// The formats of a list of names, without duplicates.
std::vector<SnapshotFormat> snapshot_formats_named(const std::vector<std::string>& names,
                                                   const std::string& location);

}  // namespace mote::sim
