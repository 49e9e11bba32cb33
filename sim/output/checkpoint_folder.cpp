#include "sim/output/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::sim {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "checkpoint_";

}  // namespace

std::optional<std::uint64_t> step_of(const fs::path& checkpoint) {
  const std::string name = checkpoint.stem().string();
  if (checkpoint.extension() != ".h5" || !name.starts_with(prefix)) return std::nullopt;
  std::uint64_t step = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, step);
  return error == std::errc() && stop == end ? std::optional(step) : std::nullopt;
}

std::vector<fs::path> checkpoints_in(const fs::path& run) {
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints", error)) {
    const fs::path& file = entry.path();
    if (const auto step = step_of(file)) found.emplace_back(*step, file);
    if (file.filename() == "final.h5")
      found.emplace_back(std::numeric_limits<std::uint64_t>::max(), file);
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> files;
  for (auto& [ignored, file] : found) files.push_back(std::move(file));
  return files;
}

fs::path CheckpointFolder::name(std::uint64_t step) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    throw engine::SystemError("make the folder " + folder_.string(), error.message(),
                              "check the permissions of its parent folder");
  return folder_ / fmt::format("{}{:012}.h5", prefix, step);
}

void CheckpointFolder::prune() const {
  std::vector<fs::path> all = checkpoints_in(folder_.parent_path());
  std::error_code ignored;
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep_) < all.size(); ++i)
    fs::remove(all[i], ignored);
}

void CheckpointFolder::discard_after(std::uint64_t step) const {
  std::vector<fs::path> later;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() == ".part" || step_of(entry.path()).value_or(0) > step)
      later.push_back(entry.path());
  }
  for (const fs::path& file : later) {
    bool readable = file.extension() == ".part";
    try {
      if (!readable) read_checkpoint(file), readable = true;
    } catch (const std::exception&) {
    }
    if (readable)
      fs::remove(file, error);
    else
      fs::rename(file, file.string() + ".damaged", error);
  }
}

Checkpoint newest_checkpoint(const fs::path& run, std::optional<std::uint64_t> upto) {
  std::vector<fs::path> files = checkpoints_in(run);
  std::vector<engine::Diagnostic> problems;
  while (!files.empty()) {
    const fs::path file = std::move(files.back());
    files.pop_back();
    if (upto && step_of(file).value_or(*upto) > *upto) continue;
    try {
      Checkpoint checkpoint = read_checkpoint(file);
      for (const engine::Diagnostic& problem : problems) engine::log().warn("{}", problem.text());
      if (!problems.empty())
        engine::log().warn("using an earlier checkpoint instead: {}", file.string());
      return checkpoint;
    } catch (const engine::InputError& e) {
      problems.insert(problems.end(), e.diagnostics().begin(), e.diagnostics().end());
    }
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  throw engine::InputError(
      run.string(),
      upto ? fmt::format("has no checkpoint of step {} or before", *upto) : "has no checkpoint");
}

}  // namespace mote::sim
