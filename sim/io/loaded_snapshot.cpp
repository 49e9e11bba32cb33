#include "sim/io/loaded_snapshot.h"

#include <algorithm>
#include <type_traits>

namespace mote::sim {

using engine::Host;

SnapshotData data_of(const State<Host>& state, const SnapshotMetadata& metadata) {
  const auto n = static_cast<std::size_t>(state.count());
  return state.visit([&]<class Real>(StateView<const Real> s) {
    const auto span = [n](const Real* data) { return std::span<const Real>(data, n); };
    return SnapshotData{.ids = {s.id, n},
                        .arrays = SnapshotArrays<Real>{span(s.x), span(s.y), span(s.z), span(s.vx),
                                                       span(s.vy), span(s.vz), span(s.mass),
                                                       span(s.ax), span(s.ay), span(s.az)},
                        .time = metadata.time,
                        .step = metadata.step,
                        .state_hash = metadata.hash.value_or(0),
                        .units = metadata.units,
                        .gravitational = metadata.gravitational,
                        .softening = metadata.softening,
                        .title = metadata.title,
                        .kinds = metadata.kinds,
                        .species = {s.species, s.species ? n : 0},
                        .fields = fields_of(state, false),
                        .domain = metadata.domain,
                        .columns = metadata.columns};
  });
}

SnapshotData data_of(const LoadedSnapshot& snapshot) {
  SnapshotData data = data_of(snapshot.state, snapshot.metadata);
  if (snapshot.contacts) data.contacts = &*snapshot.contacts;
  data.potential = snapshot.potential;
  return data;
}

std::vector<SnapshotField> fields_of(const State<Host>& state, bool all) {
  std::vector<SnapshotField> fields;
  state.visit([&]<class Real>(StateView<const Real> s) {
    const auto span = [&](const Real* column) {
      return std::span<const Real>(column, static_cast<std::size_t>(s.count));
    };
    for (int k = 0; k < s.field_count; ++k) {
      const FieldInfo& info = *s.field_info[k];
      if (all || info.use == FieldUse::physical)
        fields.push_back({info.name, info.quantity, span(s.field_column[k])});
    }
    const Real* const a[3] = {s.ax, s.ay, s.az};
    if (all && state.layout().stores_accelerations)
      for (std::size_t axis = 0; axis < 3; ++axis)
        fields.push_back({acceleration_names[axis], "acceleration", span(a[axis])});
  });
  return fields;
}

State<Host> state_of(const Bodies& bodies, engine::Precision precision, const StateLayout& layout) {
  State<Host> state(bodies.count(), precision, layout);
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    for (engine::Index i = 0; i < s.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const engine::Vec3d x = bodies.position[k], v = bodies.velocity[k];
      s.mass[i] = real(bodies.mass[k]);
      s.x[i] = real(x.x), s.y[i] = real(x.y), s.z[i] = real(x.z);
      s.vx[i] = real(v.x), s.vy[i] = real(v.y), s.vz[i] = real(v.z);
    }
  });
  return state;
}

State<Host> copy_of(const State<Host>& state, bool accelerations) {
  State<Host> copy(state.count(), state.precision(), state.layout());
  for_columns(copy, state, [&](auto* to, const auto* from, bool physical) {
    if (physical || accelerations) std::copy_n(from, state.count(), to);
  });
  std::copy_n(state.globals(), state.layout().global_count(), copy.globals());
  return copy;
}

}  // namespace mote::sim
