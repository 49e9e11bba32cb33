#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "engine/check.h"

namespace mote::fuzz {

/// Gives a reader of files an input; any exception but InputError and SystemError is a bug.
using Read = void (*)(const std::uint8_t* data, std::size_t size);

/// The readers of this program, by name.
inline std::map<std::string, Read>& readers() {
  static std::map<std::string, Read> all;
  return all;
}

/// Adds a reader to the list.
struct Reader {
  Reader(const std::string& name, Read read) { readers()[name] = read; }
};

/// The text of a fuzzer's input.
inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Writes the input to a file, overwritten by each call and removed at exit.
inline std::filesystem::path file_of(const std::string& name, const std::uint8_t* data,
                                     std::size_t size) {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("mote-fuzz-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  std::filesystem::path file = folder.path / name;
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return file;
}

/// Accepts the exceptions for invalid input and system errors; any other exception is a bug.
template <class Do>
void allow_errors(Do work) {
  try {
    work();
  } catch (const engine::InputError&) {
  } catch (const engine::SystemError&) {
  }
}

}  // namespace mote::fuzz
