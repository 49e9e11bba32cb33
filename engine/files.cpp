#include "engine/files.h"

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

void write_whole(const fs::path& path, std::string_view text) {
  WholeFile file(path);
  file.write(text);
  file.commit();
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
