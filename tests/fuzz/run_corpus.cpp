// usage: mote_readers READER FOLDER...
// Gives a reader every file of the folders, to check the corpus without libFuzzer.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "engine/files.h"
#include "tests/fuzz/fuzz_target.h"

int main(int count, char** arguments) {
  using namespace mote;
  const auto reader = fuzz::readers().find(count > 1 ? arguments[1] : "");
  if (reader == fuzz::readers().end()) {
    std::fprintf(stderr, "the first argument is none of the readers:");
    for (const auto& [name, read] : fuzz::readers()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::size_t done = 0;
  for (int i = 2; i < count; ++i) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      const std::string text = engine::read_file(file);
      reader->second(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
      ++done;
    }
  }
  std::printf("%zu files\n", done);
  return done > 0 ? 0 : 1;
}
