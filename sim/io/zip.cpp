#include "sim/io/zip.h"

#include <zlib.h>

#include "engine/check.h"

namespace mote::sim {
namespace {

constexpr std::uint32_t member_signature = 0x04034b50, entry_signature = 0x02014b50,
                        end64_signature = 0x06064b50, locator_signature = 0x07064b50,
                        end_signature = 0x06054b50;
constexpr std::uint16_t zip64_version = 45, zip64_extra = 1;
constexpr std::uint16_t no_time = 0, first_date = 1 << 5 | 1;  // 1980-01-01, the ZIP epoch
constexpr std::uint32_t in_extra = 0xffffffff;  // the value is in the ZIP64 extra field
constexpr std::uint16_t in_end64 = 0xffff;

/// Little-endian output buffer.
class ZipHeader {
 public:
  template <class T>
  ZipHeader& number(T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff);
    return *this;
  }
  ZipHeader& text(const std::string& value) {
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

void ZipFile::put(const std::string& bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipFile::member(const std::string& name, const std::function<void(const Sink&)>& write) {
  uLong checksum = crc32_z(0, nullptr, 0);
  std::uint64_t size = 0;
  write([&](std::string_view bytes) {
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    size += bytes.size();
  });
  members_.push_back({name, size, written_, static_cast<std::uint32_t>(checksum)});
  ZipHeader header;
  header.number(member_signature)
      .number(zip64_version)
      .number(std::uint16_t{0})
      .number(std::uint16_t{0});
  header.number(no_time).number(first_date).number(members_.back().checksum);
  header.number(in_extra).number(in_extra);
  header.number(static_cast<std::uint16_t>(name.size())).number(std::uint16_t{20}).text(name);
  header.number(zip64_extra).number(std::uint16_t{16}).number(size).number(size);
  put(header.bytes());
  write([&](std::string_view bytes) { file_.write(bytes); });
  written_ += size;
}

void ZipFile::commit() {
  const std::uint64_t start = written_;
  for (const Member& m : members_) {
    ZipHeader entry;
    entry.number(entry_signature).number(zip64_version).number(zip64_version);
    entry.number(std::uint16_t{0}).number(std::uint16_t{0}).number(no_time).number(first_date);
    entry.number(m.checksum).number(in_extra).number(in_extra);
    entry.number(static_cast<std::uint16_t>(m.name.size())).number(std::uint16_t{28});
    // No comment, disk 0, no attributes.
    entry.number(std::uint16_t{0})
        .number(std::uint16_t{0})
        .number(std::uint16_t{0})
        .number(std::uint32_t{0});
    entry.number(in_extra).text(m.name);
    entry.number(zip64_extra)
        .number(std::uint16_t{24})
        .number(m.size)
        .number(m.size)
        .number(m.offset);
    put(entry.bytes());
  }
  const std::uint64_t end = written_, count = members_.size();
  ZipHeader tail;
  tail.number(end64_signature)
      .number(std::uint64_t{44})
      .number(zip64_version)
      .number(zip64_version);
  tail.number(std::uint32_t{0}).number(std::uint32_t{0}).number(count).number(count);
  tail.number(end - start).number(start);
  tail.number(locator_signature).number(std::uint32_t{0}).number(end).number(std::uint32_t{1});
  tail.number(end_signature)
      .number(std::uint16_t{0})
      .number(std::uint16_t{0})
      .number(in_end64)
      .number(in_end64);
  tail.number(in_extra).number(in_extra).number(std::uint16_t{0});
  put(tail.bytes());
  file_.commit();
}

}  // namespace mote::sim
