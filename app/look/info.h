#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/look/stored_run.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// Summarises a run folder (contents, how the run ended), a snapshot or a checkpoint. For a run
/// that is in progress or was killed, reports what its files show so far. Unless `all` is set, only
/// the snapshots that print_info shows are opened; ten thousand would take seconds. With `check`,
/// the newest checkpoint of a run is read in full, since its head does not show damage. Throws
/// InputError if the path is none of these.
engine::Json info_of(const std::filesystem::path& path, bool all, bool check = true);

/// The part of info_of that run.json and series.csv tell: it opens no snapshot and no checkpoint.
/// `series_rows` is there only for a run whose run.json lacks the last step.
engine::Json summary_of(const StoredRun& run);

/// Whether print_info shows a state: the first and last ones if there are many.
bool is_shown(std::size_t index, std::size_t count);

/// A line of the summary for readers. Without a text, the name is the title of the lines without a
/// name that follow.
struct InfoLine {
  std::string name, text;
};

/// The summary for readers. The first line is its heading and has no name.
std::vector<InfoLine> info_lines(const engine::Json& info);

/// Prints these lines.
void print_info(const engine::Json& info);

/// A time of a summary, in the unit that readers expect: "1.22 Gyr".
std::string time_text(const engine::Json& info, const engine::Json& time);

}  // namespace mote::app
