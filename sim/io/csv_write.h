#pragma once

#include <filesystem>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes comma-separated values: a comment line (time, step, units and title), a header, and one
/// line per body. The header has columns with units as read_bodies_csv accepts them,
/// id,x_kpc,y_kpc,z_kpc,vx_km_s, ...; species are written as names, empty for none. Numbers have
/// the fewest digits that read back as the same double. Writes atomically; throws SystemError.
void write_csv(const std::filesystem::path& path, const SnapshotData& data);

/// Writes `data.contacts`, which must be set: one line per contact, with the columns of
/// for_each_column.
void write_csv_contacts(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
