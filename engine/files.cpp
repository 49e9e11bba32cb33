#include "engine/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/check.h"

namespace mote::engine {
namespace fs = std::filesystem;

namespace {

constexpr const char* write_remedy =
    "check that the folder exists and is writable and that the disk has space";

std::string system_reason(int number) {
  return number == 0 ? "the system gave no reason" : std::generic_category().message(number);
}

}  // namespace

fs::path part_of(const fs::path& path) {
  return path.string() + ".part";
}

WholeFile::WholeFile(fs::path path) : path_(std::move(path)) {
  errno = 0;
  stream_.open(part_of(path_), std::ios::binary | std::ios::trunc);
  if (!stream_) fail("open");
}

WholeFile::~WholeFile() {
  if (!open_) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(part_of(path_), ignored);
}

void WholeFile::fail(const char* action) {
  const std::string reason = system_reason(errno);
  throw SystemError(std::string(action) + " " + path_.string(), reason, write_remedy);
}

void WholeFile::write(std::string_view text) {
  errno = 0;
  if (!stream_.write(text.data(), static_cast<std::streamsize>(text.size()))) fail("write");
}

void WholeFile::flush() {
  errno = 0;
  if (!stream_.flush()) fail("write");
}

void WholeFile::commit() {
  flush();
  stream_.close();
  if (!stream_) fail("close");
  open_ = false;
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

GrowingFile::GrowingFile(fs::path path) : path_(std::move(path)) {
  errno = 0;
  stream_.open(part_of(path_), std::ios::binary | std::ios::trunc);
  if (!stream_) fail("open");
  std::error_code ignored;
  fs::remove(path_, ignored);
}

GrowingFile::GrowingFile(fs::path path, std::uint64_t bytes) : path_(std::move(path)) {
  const fs::path part = part_of(path_);
  std::error_code error;
  // A run that came to its end has given the file its name.
  if (!fs::exists(part, error) && fs::exists(path_, error)) fs::rename(path_, part, error);
  const std::uintmax_t size = error ? 0 : fs::file_size(part, error);
  if (error)
    throw InputError(path_.string(), "is gone, which the run has written to", "put it back, or start anew");
  if (size < bytes)
    throw InputError(path_.string(),
                     "has " + std::to_string(size) + " bytes, and had " + std::to_string(bytes),
                     "put back what the run had written, or start anew");
  open_at(bytes);
}

void GrowingFile::open_at(std::uint64_t bytes) {
  std::error_code error;
  fs::resize_file(part_of(path_), bytes, error);
  errno = error.value();
  if (error) fail("cut");
  errno = 0;
  stream_.open(part_of(path_), std::ios::binary | std::ios::app);
  if (!stream_) fail("open");
  bytes_ = bytes;
}

void GrowingFile::fail(const char* action) {
  throw SystemError(std::string(action) + " " + path_.string(), system_reason(errno), write_remedy);
}

void GrowingFile::write(std::string_view text) {
  errno = 0;
  if (!stream_.write(text.data(), static_cast<std::streamsize>(text.size()))) fail("write");
  bytes_ += text.size();
}

void GrowingFile::flush() {
  errno = 0;
  if (!stream_.flush()) fail("write");
}

void GrowingFile::sync() {
  flush();
  sync_to_disk(part_of(path_));
}

void GrowingFile::cut(std::uint64_t bytes) {
  flush();
  stream_.close();
  open_at(bytes);
}

void GrowingFile::commit() {
  flush();
  stream_.close();
  if (!stream_) fail("close");
  std::error_code error;
  fs::rename(part_of(path_), path_, error);
  errno = error.value();
  if (error) fail("rename");
}

FileLock::FileLock(const fs::path& path) {
  errno = 0;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw SystemError("open " + path.string(), system_reason(errno), write_remedy);
  // Where the file system knows no locks nobody is kept out.
  held_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), held_(std::exchange(other.held_, false)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void sync_to_disk(const fs::path& path) {
  errno = 0;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = descriptor >= 0 && (::fsync(descriptor) == 0 || errno == EINVAL);
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!good) throw SystemError("write " + path.string(), system_reason(reason), write_remedy);
}

void write_whole(const fs::path& path, std::string_view text, bool durable) {
  WholeFile file(path);
  file.write(text);
  file.flush();
  if (durable) sync_to_disk(part_of(path));
  file.commit();
  if (durable) sync_to_disk(fs::absolute(path).parent_path());
}

std::string read_whole(const fs::path& path) {
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
