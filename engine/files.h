#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mote::engine {

/// Name of a file while it is being written: its own name followed by ".part".
std::filesystem::path part_of(const std::filesystem::path& path);

/// Creates a partial file for reading and writing, replacing an older one. Never follows a symbolic
/// link. Returns its descriptor, or -1 with the reason in errno.
int open_new_part(const std::filesystem::path& path);

/// Deleter of C streams.
struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};
using FileStream = std::unique_ptr<std::FILE, CloseStream>;

/// A file that appears under its name only when complete. Without `commit` (exception, early
/// return) the partial file is removed. Failures throw SystemError with the path and the system's
/// reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// Flushes the stream's buffer, so that readers of the partial file see everything written.
  void flush();
  /// Flushes, and waits until the data is on disk (fsync).
  void sync();
  /// Closes and renames. Call once, last.
  void commit();

 private:
  [[noreturn]] void fail(const char* action);

  std::filesystem::path path_;
  FileStream stream_;
};

/// A file that is appended to over a long time, under its partial name until `commit`. If the
/// program dies, what was written remains under that name. Failures throw SystemError as above.
class AppendFile {
 public:
  /// Creates a file, replacing an older one of either name.
  explicit AppendFile(std::filesystem::path path);
  /// Continues after the first `bytes` of a file, partial or committed, and truncates it there.
  /// Throws InputError if the file is missing or shorter.
  AppendFile(std::filesystem::path path, std::uint64_t bytes);

  void write(std::string_view text);
  /// Flushes the stream's buffer, so that readers of the partial file see everything written.
  void flush();
  /// Truncates the file to `bytes`.
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

/// Advisory lock (flock) on a file, held until it is destroyed or the process ends. The holder may
/// remove the file: the lock is on the file that has the name now.
class FileLock {
 public:
  /// Creates the file if there is none; follows no symbolic link. Throws SystemError if it cannot
  /// be opened. held() is false if another process has the lock.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

/// Waits until the contents of a file or folder are on disk (fsync). Throws SystemError.
void sync_to_disk(const std::filesystem::path& path);

/// Waits until everything written to the file system of a path is on disk (syncfs), directory
/// entries included. For more than two files much faster than syncing one by one. Throws
/// SystemError.
void sync_file_system(const std::filesystem::path& path);

/// Renames a finished partial file to its name; on failure removes it and throws SystemError.
void commit_part(const std::filesystem::path& path);

/// Writes a small file atomically. `durable`: the file and its directory entry are on disk on
/// return.
void write_file(const std::filesystem::path& path, std::string_view text, bool durable = false);

/// Reads a file completely. Throws SystemError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace mote::engine
