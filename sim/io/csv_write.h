#pragma once

#include <filesystem>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes comma-separated values: a line of comment (time, step, units and title), a header, a line
/// a body. The header names the columns with their units as read_bodies_csv understands them,
/// id,x_kpc,y_kpc,z_kpc,vx_km_s, ...; species are names, empty for none. Numbers have the fewest
/// digits that read back as the same double. Throws SystemError; whole or not at all.
void write_csv(const std::filesystem::path& path, const SnapshotData& data);

/// The same of its contacts, which must be there: a line a contact, the columns of for_each_column.
void write_csv_contacts(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
