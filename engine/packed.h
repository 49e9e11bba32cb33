#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/check.h"

namespace mote::engine {

/// Serialises numbers and strings into bytes, for another process of the same build.
class Packer {
 public:
  template <class T>
  Packer& number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    return raw(&value, sizeof value);
  }
  Packer& text(std::string_view text) {
    return number<std::uint64_t>(text.size()).raw(text.data(), text.size());
  }
  template <class T>
  Packer& list(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return number<std::uint64_t>(values.size()).raw(values.data(), values.size_bytes());
  }
  template <class T>
  Packer& list(const std::vector<T>& values) {
    return list(std::span<const T>(values));
  }

  std::string& bytes() { return bytes_; }
  const std::string& bytes() const { return bytes_; }

 private:
  Packer& raw(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
    return *this;
  }

  std::string bytes_;
};

/// Reads them back in the same order. Truncated data or a wrong length throws InputError at
/// `location`.
class Unpacker {
 public:
  Unpacker(std::string bytes, std::string location)
      : bytes_(std::move(bytes)), location_(std::move(location)) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, next(1, sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return {next(size, 1), static_cast<std::size_t>(size)};
  }
  template <class T>
  std::vector<T> list() {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto count = number<std::uint64_t>();
    const char* const from = next(count, sizeof(T));
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), from, values.size() * sizeof(T));
    return values;
  }

 private:
  const char* next(std::uint64_t count, std::size_t size) {
    if (count > (bytes_.size() - at_) / size)
      throw InputError(location_, "the answer of mote-read about it is malformed");
    const char* const from = bytes_.data() + at_;
    at_ += static_cast<std::size_t>(count) * size;
    return from;
  }

  std::string bytes_, location_;
  std::size_t at_ = 0;
};

}  // namespace mote::engine
