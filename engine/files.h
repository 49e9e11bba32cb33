#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mote::engine {

/// The name under which a file is written until it is whole: its own with ".part" behind.
std::filesystem::path part_of(const std::filesystem::path& path);

/// Opens a new partial file for writing and reading; an older one is removed. Never follows a link,
/// which could lead anywhere. Returns its descriptor, or -1 with the reason in errno.
int open_new_part(const std::filesystem::path& path);

/// A stream of the C library that is closed with its owner.
struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};
using FileStream = std::unique_ptr<std::FILE, CloseStream>;

/// A text file that appears under its name only when whole. Without `commit` (an exception, an
/// early return) the partial file is removed. Every failure throws SystemError with the path and
/// the system's reason.
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  /// Hands what was written to the system, so that readers of the partial file see it.
  void flush();
  /// Flushes, and waits until the disk has it.
  void sync();
  /// Closes and renames. Call once, last.
  void commit();

 private:
  [[noreturn]] void fail(const char* action);

  std::filesystem::path path_;
  FileStream stream_;
};

/// A text that grows over a long time, under its partial name until `commit`. Whatever ends the
/// program, what was written stays under that name. Failures throw SystemError as above.
class GrowingFile {
 public:
  /// A new file; an older one of either name is replaced.
  explicit GrowingFile(std::filesystem::path path);
  /// Goes on behind the first `bytes` of a file, partial or whole; what it has more is cut off.
  /// Throws InputError when there is no such file or it has less.
  GrowingFile(std::filesystem::path path, std::uint64_t bytes);

  void write(std::string_view text);
  /// Hands what was written to the system, so that readers of the partial file see it.
  void flush();
  /// Cuts off what is behind the first `bytes`.
  void cut(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }
  /// Closes and renames. Call once, last.
  void commit();

 private:
  [[noreturn]] void fail(const char* action);
  void open_at(std::uint64_t bytes);

  std::filesystem::path path_;
  FileStream stream_;
  std::uint64_t bytes_ = 0;
};

/// Holds a file for one process at a time, until it is destroyed or the process ends in any way.
/// Who holds it may remove the file: it is the file of this name that is held.
class FileLock {
 public:
  /// Makes the file where there is none; follows no link. Throws SystemError when it cannot be
  /// opened. held() says whether it was free.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

/// Waits until what a file or a folder holds is on the disk. Throws SystemError.
void sync_to_disk(const std::filesystem::path& path);

/// Waits until everything that was written to the file system of a file or a folder is on the disk,
/// names in folders too. For more than two files it takes a fraction of the time that one after
/// another takes. Throws SystemError.
void sync_file_system(const std::filesystem::path& path);

/// Renames a finished partial file to its name; on failure removes it and throws SystemError.
void commit_part(const std::filesystem::path& path);

/// Writes a whole small file at once; `durable`: it is on the disk, and its name in the folder, on
/// return.
void write_whole(const std::filesystem::path& path, std::string_view text, bool durable = false);

/// Reads a whole file. Throws SystemError when it cannot be read.
std::string read_whole(const std::filesystem::path& path);

}  // namespace mote::engine
