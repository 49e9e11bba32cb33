#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files.h"

namespace mote::sim {

/// A ZIP archive whose members are stored as they are, of any size (ZIP64) and without a date, so
/// that the same members always make the same bytes. It appears under its name when it is whole;
/// every failure is a SystemError. (PKWARE, APPNOTE.TXT 6.3: .ZIP File Format Specification.)
class ZipFile {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit ZipFile(const std::filesystem::path& path) : file_(path) {}

  /// `write` is called twice, for the checksum comes first, and hands the same bytes to the sink
  /// each time.
  void member(const std::string& name, const std::function<void(const Sink&)>& write);
  /// Writes the list of members. Call once, last.
  void commit();

 private:
  struct Member {
    std::string name;
    std::uint64_t size, offset;
    std::uint32_t checksum;
  };
  void put(const std::string& bytes);

  engine::WholeFile file_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace mote::sim
