#include "engine/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "engine/check.h"

namespace mote::engine {
namespace fs = std::filesystem;

namespace {

constexpr const char* write_remedy =
    "check that the folder exists and is writable and that the disk has space";

std::string system_reason(int number) {
  return number == 0 ? "unknown reason" : std::generic_category().message(number);
}

}  // namespace

fs::path part_of(const fs::path& path) {
  return path.string() + ".part";
}

int open_new_part(const fs::path& path) {
  const fs::path part = part_of(path);
  ::unlink(part.c_str());
  errno = 0;
  return ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

namespace {

/// Null if the file could not be opened.
FileStream stream_on(int descriptor) {
  if (descriptor < 0) return nullptr;
  FileStream stream(::fdopen(descriptor, "wb"));
  if (!stream) ::close(descriptor);
  return stream;
}

bool put(const FileStream& stream, std::string_view text) {
  errno = 0;
  return std::fwrite(text.data(), 1, text.size(), stream.get()) == text.size();
}

bool flushed(const FileStream& stream) {
  errno = 0;
  return std::fflush(stream.get()) == 0 && std::ferror(stream.get()) == 0;
}

/// Some files, such as pipes, do not support fsync (EINVAL).
bool synced(const FileStream& stream) {
  return flushed(stream) && (::fsync(::fileno(stream.get())) == 0 || errno == EINVAL);
}

/// Network file systems may report a full disk only on close.
bool closed(FileStream& stream) {
  errno = 0;
  return std::fclose(stream.release()) == 0;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)), stream_(stream_on(open_new_part(path_))) {
  if (!stream_) fail("open");
}

AtomicFile::~AtomicFile() {
  if (!stream_) return;
  stream_.reset();
  std::error_code ignored;
  fs::remove(part_of(path_), ignored);
}

void AtomicFile::fail(const char* action) {
  const std::string reason = system_reason(errno);
  throw SystemError(std::string(action) + " " + path_.string(), reason, write_remedy);
}

void AtomicFile::write(std::string_view text) {
  if (!put(stream_, text)) fail("write");
}

void AtomicFile::flush() {
  if (!flushed(stream_)) fail("write");
}

void AtomicFile::sync() {
  if (!synced(stream_)) fail("write");
}

void AtomicFile::commit() {
  flush();
  if (!closed(stream_)) {
    const int reason = errno;
    std::error_code ignored;
    fs::remove(part_of(path_), ignored);
    errno = reason;
    fail("close");
  }
  commit_part(path_);
}

void commit_part(const fs::path& path) {
  std::error_code error;
  fs::rename(part_of(path), path, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(part_of(path), ignored);
  throw SystemError("rename " + part_of(path).string(), error.message(), write_remedy);
}

AppendFile::AppendFile(fs::path path)
    : path_(std::move(path)), stream_(stream_on(open_new_part(path_))) {
  if (!stream_) fail("open");
  std::error_code ignored;
  fs::remove(path_, ignored);
}

AppendFile::AppendFile(fs::path path, std::uint64_t bytes) : path_(std::move(path)) {
  const fs::path part = part_of(path_);
  std::error_code error;
  // A completed run has renamed the file to its final name.
  if (!fs::exists(part, error) && fs::exists(path_, error)) fs::rename(path_, part, error);
  const std::uintmax_t size = error ? 0 : fs::file_size(part, error);
  if (error)
    throw InputError(path_.string(), "is missing; the run has written to it",
                     "restore it, or start again");
  if (size < bytes)
    throw InputError(path_.string(),
                     "has " + std::to_string(size) + " bytes, but had " + std::to_string(bytes),
                     "restore it, or start again");
  open_at(bytes);
}

void AppendFile::open_at(std::uint64_t bytes) {
  errno = 0;
  stream_ = stream_on(::open(part_of(path_).c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (!stream_) fail("open");
  if (::ftruncate(::fileno(stream_.get()), static_cast<off_t>(bytes)) != 0) fail("truncate");
  bytes_ = bytes;
}

void AppendFile::fail(const char* action) {
  throw SystemError(std::string(action) + " " + path_.string(), system_reason(errno), write_remedy);
}

void AppendFile::write(std::string_view text) {
  if (!put(stream_, text)) fail("write");
  bytes_ += text.size();
}

void AppendFile::flush() {
  if (!flushed(stream_)) fail("write");
}

void AppendFile::cut(std::uint64_t bytes) {
  flush();
  stream_.reset();
  open_at(bytes);
}

void AppendFile::commit() {
  flush();
  if (!closed(stream_)) fail("close");
  std::error_code error;
  fs::rename(part_of(path_), path_, error);
  errno = error.value();
  if (error) fail("rename");
}

FileLock::FileLock(const fs::path& path) {
  // Between open and flock the previous holder may have removed the file; then try again with the
  // new one.
  for (int tries = 0; tries < 100; ++tries) {
    errno = 0;
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw SystemError("open " + path.string(), system_reason(errno), write_remedy);
    // On file systems without locks every process gets the lock.
    const bool free = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat own {
    }, named{};
    held_ = free && ::fstat(descriptor_, &own) == 0 && ::stat(path.c_str(), &named) == 0 &&
            own.st_ino == named.st_ino && own.st_dev == named.st_dev;
    if (held_ || !free) return;
    ::close(std::exchange(descriptor_, -1));
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), held_(std::exchange(other.held_, false)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

namespace {

/// Some file systems do not support syncing (EINVAL, ENOTSUP).
void sync_with(int (*call)(int), const fs::path& path) {
  errno = 0;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good =
      descriptor >= 0 && (call(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP);
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!good) throw SystemError("write " + path.string(), system_reason(reason), write_remedy);
}

}  // namespace

void sync_to_disk(const fs::path& path) {
  sync_with(&::fsync, path);
}

void sync_file_system(const fs::path& path) {
  sync_with(&::syncfs, path);
}

void write_file(const fs::path& path, std::string_view text, bool durable) {
  AtomicFile file(path);
  file.write(text);
  if (durable) file.sync();
  file.commit();
  if (durable) sync_to_disk(fs::absolute(path).parent_path());
}

std::string read_file(const fs::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw SystemError("read " + path.string(), reason, "check the path and its permissions");
  };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("is a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(system_reason(errno));
  std::string text;
  char block[1 << 16];
  do {
    in.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (in.bad()) fail(system_reason(errno));
  return text;
}

}  // namespace mote::engine
