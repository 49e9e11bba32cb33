#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace mote::engine {

/// The name under which a file is written until it is whole: its own with ".part" behind.
std::filesystem::path part_of(const std::filesystem::path& path);

/// A text file that appears under its name only when whole. Without `commit` (an exception, an early return)
/// the partial file is removed. Every failure throws SystemError with the path and the system's reason.
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  /// Hands what was written to the system, so that readers of the partial file see it.
  void flush();
  /// Closes and renames. Call once, last.
  void commit();

 private:
  [[noreturn]] void fail(const char* action);

  std::filesystem::path path_;
  std::ofstream stream_;
  bool open_ = true;
};

/// Renames a finished partial file to its name; on failure removes it and throws SystemError.
void commit_part(const std::filesystem::path& path);

/// Writes a whole small file at once.
void write_whole(const std::filesystem::path& path, std::string_view text);

/// Reads a whole file. Throws SystemError when it cannot be read.
std::string read_whole(const std::filesystem::path& path);

}  // namespace mote::engine
