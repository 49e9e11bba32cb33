#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/files.h"
#include "sim/io/snapshot_columns.h"

/// Private to sim/io: one moment as lines of text.
namespace mote::sim {

/// Writes a line a body: the columns in their order, components one after the other, `separator`
/// between all. Numbers have the fewest digits that read back, as doubles, as the same number; a
/// species is the text of its number. `species`: texts by number, from 0, which is none.
void write_lines(engine::WholeFile& file, const std::vector<SnapshotColumn>& columns,
                 char separator, const std::vector<std::string>& species);

}  // namespace mote::sim
