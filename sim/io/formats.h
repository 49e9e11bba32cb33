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
};

const std::vector<SnapshotFormatInfo>& snapshot_formats();
const SnapshotFormatInfo& info_of(SnapshotFormat format);

std::vector<std::string> snapshot_format_names();
/// Throws InputError at `place` for a name that is none.
SnapshotFormat snapshot_format_named(std::string_view name, const std::string& place);

/// The same of a list; each format once.
std::vector<SnapshotFormat> snapshot_formats_named(const std::vector<std::string>& names,
                                                   const std::string& place);

}  // namespace mote::sim
