#include "sim/run/state_file.h"

#include <type_traits>

namespace mote::sim {
namespace {

template <class T>
std::span<const T> column(const T* data, engine::Index count) {
  return {data, static_cast<std::size_t>(count)};
}

}  // namespace

void write_state(const std::filesystem::path& path, Simulation& simulation, const SceneDescription& scene,
                 std::span<const SnapshotText> texts, bool durable) {
  const Gravity gravity = simulation.live().gravity.value_or(Gravity{});
  std::vector<SnapshotSpecies> kinds;
  for (const Species& species : scene.species) kinds.push_back({species.name, species.color});
  simulation.state().visit([&](auto s) {
    using Real = std::remove_const_t<std::remove_pointer_t<decltype(s.x)>>;
    const engine::Index n = s.count;
    const SnapshotArrays<Real> arrays{column<Real>(s.x, n),   column<Real>(s.y, n),  column<Real>(s.z, n),
                                      column<Real>(s.vx, n),  column<Real>(s.vy, n), column<Real>(s.vz, n),
                                      column<Real>(s.mass, n)};
    write_snapshot(path, {.ids = column(s.id, n),
                          .arrays = arrays,
                          .time = simulation.time(),
                          .step = simulation.step(),
                          .state_hash = simulation.hash(),
                          .units = scene.units,
                          .gravitational = gravity.constant.value_or(scene.units.gravitational),
                          .softening = gravity.softening,
                          .title = scene.head.title,
                          .texts = texts,
                          .kinds = kinds,
                          .species = column(s.species, s.species ? n : 0),
                          .durable = durable});
  });
}

}  // namespace mote::sim
