#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/files.h"
#include "sim/io/snapshot_columns.h"

/// Private to sim/io: a snapshot as lines of text.
namespace mote::sim {

/// Writes one line per body: the components of all columns in order, with `separator` between them.
/// Numbers have the fewest digits that read back as the same double. `species`: text for each
/// species number, from 0 (none).
void write_lines(engine::AtomicFile& file, const std::vector<SnapshotColumn>& columns,
                 char separator, const std::vector<std::string>& species);

}  // namespace mote::sim
