#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// The formats that one moment can be written in; the one list of them.
enum class SnapshotFormat { hdf5, vtk, xyz, csv, npz, tipsy };

struct SnapshotFormatInfo {
  SnapshotFormat format;
  std::string name;    ///< in scenes and on the command line
  std::string ending;  ///< of file names, with its point
  std::string help;    ///< what opens it
  /// Throws SystemError, and leaves nothing behind then.
  void (*write)(const std::filesystem::path& path, const SnapshotData& data);
  /// Writes contacts alone, for formats that have them in a file of their own; null where `write`
  /// does or where they have no place.
  void (*write_contacts)(const std::filesystem::path& path, const SnapshotData& data) = nullptr;
};

const std::vector<SnapshotFormatInfo>& snapshot_formats();
const SnapshotFormatInfo& info_of(SnapshotFormat format);
/// The file of contacts beside a file of bodies, which is `path` with the ending of its format:
/// "snapshot_0003.contacts.csv".
std::filesystem::path contacts_file(const std::filesystem::path& path, SnapshotFormat format);

std::vector<std::string> snapshot_format_names();
/// Throws InputError at `place` for a name that is none.
SnapshotFormat snapshot_format_named(std::string_view name, const std::string& place);

/// The same of a list; each format once.
std::vector<SnapshotFormat> snapshot_formats_named(const std::vector<std::string>& names,
                                                   const std::string& place);

}  // namespace mote::sim
