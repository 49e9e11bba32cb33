#include "render/serve/window_site.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/json.h"
#include "engine/text.h"
#include "render/serve/page.h"

namespace mote::render::serve {
namespace {

namespace fs = std::filesystem;

const std::array<const char*, 4> openable = {".lua", ".json", ".h5", ".csv"};

/// Returns why a file of this name is not taken, or "".
std::string name_problem(const std::string& name) {
  const auto harmless = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == ' ' || c >= 0x80;
  };
  if (name.empty() || name.size() > 200 || name[0] == '.' ||
      !std::all_of(name.begin(), name.end(), harmless))
    return "a file needs a name of letters, digits, '_', '-', '.' and spaces";
  const std::string ending = fs::path(name).extension().string();
  if (std::find(openable.begin(), openable.end(), ending) == openable.end())
    return name + " is not a scene (.lua, .json), a checkpoint (.h5) or a table of bodies (.csv)";
  return "";
}

SiteAnswer refusal(int status, const std::string& why) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = why + "\n"};
}

}  // namespace

WindowSite::~WindowSite() {
  std::error_code ignored;
  if (!uploads_.empty()) fs::remove_all(uploads_, ignored);
}

void WindowSite::offer(const fs::path& path) {
  std::error_code none;
  const fs::path whole = fs::absolute(path, none);
  const std::lock_guard lock(mutex_);
  if (std::find(offered_.begin(), offered_.end(), whole) == offered_.end())
    offered_.push_back(whole);
}

std::string_view WindowSite::page() const {
  return page_text();
}

/// Returns the files that can be fetched now. Links are left out, since they may lead anywhere.
std::vector<WindowSite::Entry> WindowSite::entries() const {
  std::vector<fs::path> offered;
  {
    const std::lock_guard lock(mutex_);
    offered = offered_;
  }
  std::vector<Entry> all;
  for (const fs::path& path : offered) {
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(path, error))) {
      all.push_back({path.filename().string(), path});
      continue;
    }
    if (!fs::is_directory(path, error)) continue;
    std::vector<Entry> inside;
    auto at = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied,
                                               error);
    for (; !error && at != fs::end(at) && inside.size() < most_files; at.increment(error))
      if (fs::is_regular_file(at->symlink_status(error)))
        inside.push_back(
            {fs::relative(at->path(), path.parent_path(), error).string(), at->path()});
    std::sort(inside.begin(), inside.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    all.insert(all.end(), inside.begin(), inside.end());
  }
  return all;
}

SiteAnswer WindowSite::get(const SiteRequest& request) {
  if (request.path == "/api/files") {
    engine::Json list = engine::Json::array();
    for (const Entry& entry : entries()) {
      std::error_code gone;
      const auto bytes = fs::file_size(entry.path, gone);
      if (!gone) list.push_back({{"name", entry.name}, {"bytes", bytes}});
    }
    return {.body = engine::json_text(list)};
  }
  if (request.path != "/api/file") return refusal(404, "there is nothing of that name");
  const auto name = request.query.find("name");
  // A path from the network is only compared, and never opened.
  for (const Entry& entry : entries())
    if (name != request.query.end() && entry.name == name->second)
      return {.type = "application/octet-stream",
              .file = entry.path,
              .name = entry.path.filename().string()};
  return refusal(404, "there is no such file any more");
}

UploadPlace WindowSite::place_for_upload(const std::string& name, std::uint64_t bytes) {
  if (std::string problem = name_problem(name); !problem.empty()) return {.refusal = problem};
  if (!takes_files_) return {.refusal = "this run is watched: it takes no files"};
  if (bytes > longest_upload) return {.refusal = "a file may have at most 1 GiB"};
  std::error_code error;
  if (uploads_.empty()) {
    std::string folder = (fs::temp_directory_path(error) / "mote-uploads-XXXXXX").string();
    if (error || !::mkdtemp(folder.data()))
      return {.refusal = "there is no folder for temporary files: set TMPDIR to one"};
    uploads_ = folder;
  }
  const auto space = fs::space(uploads_, error);
  if ((!error && space.available < bytes) || announced_ + bytes > most_uploads)
    return {.refusal = "there is no room for more files: start mote again, or copy the file there"};
  announced_ += bytes;
  return {.file = uploads_ / ("." + std::to_string(++uploaded_) + ".part")};
}

SiteAnswer WindowSite::take(const Upload& upload) {
  const fs::path place = uploads_ / upload.name;
  std::error_code error;
  fs::rename(upload.file, place, error);
  if (error) return refusal(507, "the file cannot be written: " + error.message());
  InputEvent event;
  event.kind = InputEvent::Kind::drop;
  event.path = place.string();
  if (!exchange_.push(event)) {
    fs::remove(place, error);
    return refusal(503, "more input than the window can take");
  }
  return {.body = "{}"};
}

}  // namespace mote::render::serve
