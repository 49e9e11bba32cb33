// The entry point of libFuzzer: fuzzes the reader that MOTE_READER names.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const mote::fuzz::Read read = [] {
    const char* const name = std::getenv("MOTE_READER");
    const auto reader = mote::fuzz::readers().find(name ? name : "");
    if (reader == mote::fuzz::readers().end()) {
      std::fprintf(stderr, "MOTE_READER names none of the readers\n");
      std::exit(2);
    }
    return reader->second;
  }();
  read(data, size);
  return 0;
}
