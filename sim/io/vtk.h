#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes VTK's XML PolyData (.vtp), as ParaView and VTK's readers open it: a vertex a body, the
/// chosen columns as point data under their names, with their units; as field data TimeValue, step
/// and, with species, species_names. Numbers are binary, in the precision of the state. Throws
/// SystemError; whole or not at all.
void write_vtk(const std::filesystem::path& path, const SnapshotData& data);

/// The same of its contacts, which must be there: a line each along its branch, from the centre of
/// the grain to its partner's or to the surface, with the columns of for_each_column as cell data.
void write_vtk_contacts(const std::filesystem::path& path, const SnapshotData& data);

/// A file of a series of moments.
struct VtkMoment {
  double time = 0;
  std::string file;  ///< path from the folder of the index
};

/// Writes the index of a series (.pvd), which ParaView opens as one animation. Whole or not at all.
void write_vtk_index(const std::filesystem::path& path, const std::vector<VtkMoment>& moments);

/// Reads an index that write_vtk_index wrote; nothing when there is none, or one of somebody
/// else's.
std::vector<VtkMoment> read_vtk_index(const std::filesystem::path& path);

}  // namespace mote::sim
