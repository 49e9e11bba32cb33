#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/look/runs.h"
#include "engine/json_fwd.h"
#include "render/serve/site.h"

namespace mote::app {

/// A RunsSite is a page that shows the runs and sweeps in a folder. The page asks for
///   /api/runs                     the list,
///   /api/run?run=REF              a run: what `mote info` says, and its files,
///   /api/sweep?run=REF            a sweep: its jobs that have ended,
///   /api/plot?run=REF&with=REF    an SVG of one run or sweep, or of two runs; `what` as --what,
///   /api/compare?run=REF&with=REF what differs between two runs,
///   /api/file?run=REF&name=NAME   a file, by its name in the list of files.
/// REF is the id of the list or, of a job of a sweep, that of the sweep, a dot and the number of
/// the job: "3.12". What a page asks for is never used as a path. Links are not followed.
class RunsSite final : public render::serve::Site {
 public:
  /// At most this many files of a run, and rows of a sweep, are listed.
  static constexpr std::size_t most_files = 2000, most_rows = 2000;

  /// Throws InputError if this is no folder.
  explicit RunsSite(const std::filesystem::path& folder) : list_(folder) {}

  std::string_view page() const override;
  render::serve::SiteAnswer get(const render::serve::SiteRequest& request) override;

 private:
  engine::Json runs();
  render::serve::SiteAnswer answer(const render::serve::SiteRequest& request);
  /// Returns the folder that a reference of a page stands for. Throws InputError if there is none.
  std::filesystem::path folder_of(const std::string& reference) const;

  RunList list_;
  std::chrono::steady_clock::time_point updated_ = {};
};

}  // namespace mote::app
