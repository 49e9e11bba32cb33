#include "sim/io/formats.h"

#include <algorithm>

#include "engine/check.h"
#include "engine/text.h"
#include "sim/io/csv_write.h"
#include "sim/io/npz.h"
#include "sim/io/tipsy.h"
#include "sim/io/vtk.h"
#include "sim/io/xyz.h"

namespace mote::sim {

const std::vector<SnapshotFormatInfo>& snapshot_formats() {
  static const std::vector<SnapshotFormatInfo> formats{
      {SnapshotFormat::hdf5, "hdf5", ".h5", "HDF5 with Gadget's names: mote, yt, pynbody, h5py",
       write_snapshot},
      {SnapshotFormat::vtk, "vtk", ".vtp", "VTK PolyData: ParaView, VisIt", write_vtk,
       write_vtk_contacts},
      {SnapshotFormat::xyz, "xyz", ".xyz", "extended XYZ: OVITO", write_xyz},
      {SnapshotFormat::csv, "csv", ".csv", "comma-separated values: spreadsheets, pandas, mote",
       write_csv, write_csv_contacts},
      {SnapshotFormat::npz, "npz", ".npz", "arrays: numpy", write_npz},
      {SnapshotFormat::tipsy, "tipsy", ".tipsy",
       "TIPSY binary, single precision: pynbody, yt, mote", write_tipsy}};
  return formats;
}

const SnapshotFormatInfo& info_of(SnapshotFormat format) {
  const auto& all = snapshot_formats();
  return *std::find_if(all.begin(), all.end(),
                       [&](const auto& info) { return info.format == format; });
}

std::filesystem::path contacts_file(const std::filesystem::path& path, SnapshotFormat format) {
  return path.string() + ".contacts" + info_of(format).ending;
}

std::vector<std::string> snapshot_format_names() {
  std::vector<std::string> names;
  for (const SnapshotFormatInfo& info : snapshot_formats()) names.push_back(info.name);
  return names;
}

SnapshotFormat snapshot_format_named(std::string_view name, const std::string& location) {
  for (const SnapshotFormatInfo& info : snapshot_formats())
    if (info.name == name) return info.format;
  throw engine::InputError(location, "unknown format " + engine::quoted(name),
                           engine::did_you_mean(name, snapshot_format_names(), "known: "));
}

std::vector<SnapshotFormat> snapshot_formats_named(const std::vector<std::string>& names,
                                                   const std::string& location) {
  std::vector<SnapshotFormat> formats;
  for (const std::string& name : names)
    if (const SnapshotFormat format = snapshot_format_named(name, location);
        std::find(formats.begin(), formats.end(), format) == formats.end())
      formats.push_back(format);
  return formats;
}

}  // namespace mote::sim
