#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files.h"

namespace mote::sim {

/// Writes a ZIP archive with uncompressed members of any size (ZIP64) and without dates, so that it
/// is reproducible byte for byte. It appears under its name only when complete; every failure is a
/// SystemError. (PKWARE, APPNOTE.TXT 6.3: .ZIP File Format Specification.)
class ZipFile {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit ZipFile(const std::filesystem::path& path) : file_(path) {}

  /// Calls `write` twice, because the checksum precedes the data; it must pass the same bytes to
  /// the sink each time.
  void member(const std::string& name, const std::function<void(const Sink&)>& write);
  /// Writes the central directory. Must be the last call.
  void commit();

 private:
  struct Member {
    std::string name;
    std::uint64_t size, offset;
    std::uint32_t checksum;
  };
  void put(const std::string& bytes);

  engine::AtomicFile file_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace mote::sim
