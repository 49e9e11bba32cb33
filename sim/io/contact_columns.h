#pragma once

#include <vector>

#include "sim/contact_network.h"
#include "sim/io/snapshot_columns.h"

/// Private to sim/io.
namespace mote::sim {

/// The columns of contacts, in the order of for_each_column.
std::vector<SnapshotColumn> columns_of(const ContactNetwork& contacts);

}  // namespace mote::sim
