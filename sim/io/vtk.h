#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes VTK's XML PolyData (.vtp) for ParaView and VTK's readers: one vertex per body, the chosen
/// columns as point data under their names, with units; TimeValue, step and, with species,
/// species_names as field data. Numbers are binary, in the precision of the state. Writes
/// atomically; throws SystemError.
void write_vtk(const std::filesystem::path& path, const SnapshotData& data);

/// Writes `data.contacts`, which must be set: one line per contact along its branch vector, from
/// the centre of the grain to that of its partner or to the surface, with the columns of
/// for_each_column as cell data.
void write_vtk_contacts(const std::filesystem::path& path, const SnapshotData& data);

/// A file of a time series.
struct VtkFrame {
  double time = 0;
  std::string file;  ///< path relative to the folder of the index
};

/// Writes the index (.pvd) of a time series, which ParaView opens as an animation. Writes
/// atomically.
void write_vtk_index(const std::filesystem::path& path, const std::vector<VtkFrame>& frames);

/// Reads an index written by write_vtk_index; empty if it is missing or was written by another
/// program.
std::vector<VtkFrame> read_vtk_index(const std::filesystem::path& path);

}  // namespace mote::sim
