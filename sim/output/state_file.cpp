#include "sim/output/state_file.h"

namespace mote::sim {

SnapshotMetadata metadata_of(const Simulation& simulation, const SceneDescription& scene) {
  SnapshotMetadata metadata{.time = simulation.time(),
                            .step = simulation.step(),
                            .hash = {},
                            .units = scene.units,
                            .gravitational = gravitational_of(simulation.model()),
                            .softening = make_context(simulation.model(), 1).softening,
                            .title = scene.head.title,
                            .kinds = {},
                            .columns = {},
                            .domain = {}};
  if (scene.domain) metadata.domain = domain_of(*scene.domain);
  for (const Species& species : scene.species)
    metadata.kinds.push_back({species.name, species.color});
  return metadata;
}

void write_state(const std::filesystem::path& path, Simulation& simulation,
                 const SceneDescription& scene, std::span<const SnapshotText> texts, bool durable) {
  SnapshotMetadata metadata = metadata_of(simulation, scene);
  metadata.hash = simulation.hash();
  SnapshotData data = data_of(simulation.state(), metadata);
  data.texts = texts;
  if (!texts.empty()) data.fields = fields_of(simulation.state(), true);
  data.durable = durable;
  write_snapshot(path, data);
}

}  // namespace mote::sim
