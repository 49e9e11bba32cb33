#include "engine/read_process.h"
#include "sim/space/mesh.h"
#include "tests/fuzz/fuzz_target.h"

/// Reads a mesh in the format MOTE_MESH through mote-read. A crash of mote-read is not a finding;
/// one in this process is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  static const engine::ReadSession one_reader;
  const auto file = fuzz::file_of("mesh." MOTE_MESH, data, size);
  fuzz::allow_errors([&] { sim::closed_surface(sim::read_mesh(file), "scene.lua:1"); });
  return 0;
}
