#include "api/body_kinds.h"

#include <algorithm>

namespace mote::api {

std::vector<render::Look> looks_of(const std::vector<sim::Species>& species) {
  std::vector<render::Look> looks{{}};
  for (const sim::Species& s : species)
    looks.push_back({s.visible, static_cast<float>(s.size), static_cast<float>(s.brightness)});
  return looks;
}

render::PointKinds BodyKinds::of(sim::Simulation& simulation) {
  if (!simulation.with_species()) return nullptr;
  if (simulation.count() == count_ && simulation.ids() == ids_) return last_;
  // Positions come along, but no other way reads a field of a state on a GPU alone.
  const auto count = static_cast<std::size_t>(simulation.count());
  std::vector<float> positions(3 * count), scalars(count);
  simulation.pack({.positions = positions.data(), .scalars = scalars.data()},
                  {.scalar = sim::Scalar::species});
  last_ = std::make_shared<const std::vector<std::uint8_t>>(scalars.begin(), scalars.end());
  ids_ = simulation.ids(), count_ = simulation.count();
  return last_;
}

render::PointKinds BodyKinds::of(const sim::State<engine::Host>& state) {
  if (!state.with_species()) return nullptr;
  const std::uint8_t* const species = state.species();
  std::vector<std::uint8_t> kinds(species, species + state.count());
  if (!last_ || *last_ != kinds)
    last_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(kinds));
  return last_;
}

}  // namespace mote::api
