#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "render/serve/exchange.h"
#include "render/serve/site.h"

namespace mote::render::serve {

/// A WindowSite is the page that shows a window. The page can fetch the files that the window has
/// written, and send scenes, tables of bodies and checkpoints, which the window then opens.
class WindowSite : public Site {
 public:
  /// Longer uploads are refused [bytes].
  static constexpr std::uint64_t longest_upload = std::uint64_t{1} << 30;
  /// All uploads together are at most as long [bytes].
  static constexpr std::uint64_t most_uploads = std::uint64_t{4} << 30;
  /// At most this many files of a folder are listed.
  static constexpr std::size_t most_files = 1000;

  /// The exchange must outlive the site.
  explicit WindowSite(Exchange& exchange, bool takes_files = true)
      : exchange_(exchange), takes_files_(takes_files) {}
  /// Removes what pages have sent.
  ~WindowSite() override;

  /// Adds a file, or a folder with all that it has when it is asked for. Any thread may call it.
  void offer(const std::filesystem::path& path);

  std::string_view page() const override;
  SiteAnswer get(const SiteRequest& request) override;
  UploadPlace place_for_upload(const std::string& name, std::uint64_t bytes) override;
  SiteAnswer take(const Upload& upload) override;

 private:
  struct Entry {
    std::string name;  ///< as the page shows it, "out/series.csv"
    std::filesystem::path path;
  };
  std::vector<Entry> entries() const;

  Exchange& exchange_;
  const bool takes_files_;
  mutable std::mutex mutex_;
  std::vector<std::filesystem::path> offered_;  // guarded by mutex_
  // The server's thread uses these alone.
  std::filesystem::path uploads_;  ///< a folder for what pages send, or ""
  int uploaded_ = 0;               ///< number of files on the way so far
  std::uint64_t announced_ = 0;    ///< their lengths together [bytes]
};

}  // namespace mote::render::serve
