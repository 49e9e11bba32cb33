#include "api/body_kinds.h"

#include <utility>

#include "engine/check.h"

namespace mote::api {

std::vector<render::Look> looks_of(const std::vector<sim::Species>& species) {
  std::vector<render::Look> looks{{}};
  for (const sim::Species& s : species)
    looks.push_back({s.visible, static_cast<float>(s.size), static_cast<float>(s.brightness)});
  return looks;
}

namespace {

/// Left for the bodies that view.show hides.
constexpr std::size_t last_kind = 255;

/// Gives a body a kind of its own, if one is left.
void add_own(Appearance& to, std::vector<std::uint8_t>& kinds, std::size_t species,
             std::size_t index, const sim::BodyLook& look) {
  const std::size_t kind = species + 1 + to.own.size();
  if (kind >= last_kind || to.own.size() == sim::most_own_looks) return;
  render::OwnLook own{kinds[index], {}, static_cast<float>(look.radius)};
  if (!look.color.empty()) own.color = render::color_of(look.color);
  to.own.push_back(own);
  kinds[index] = static_cast<std::uint8_t>(kind);
}

render::Look look_of(const Appearance& appearance, const std::vector<render::Look>& looks,
                     engine::Index index) {
  if (!appearance.kinds) return {};
  const std::size_t kind = appearance.kinds->at(static_cast<std::size_t>(index));
  if (kind < looks.size()) return looks[kind];
  const std::size_t own = kind - looks.size();
  return own < appearance.own.size() ? render::look_of(appearance.own[own], looks) : render::Look{};
}

}  // namespace

bool is_visible(const Appearance& appearance, const std::vector<render::Look>& looks,
                engine::Index index) {
  return look_of(appearance, looks, index).visible;
}

float own_radius(const Appearance& appearance, const std::vector<render::Look>& looks,
                 engine::Index index) {
  const render::Look look = look_of(appearance, looks, index);
  return look.radius * look.size;
}

Appearance shown_where(Appearance appearance, const std::vector<double>& values,
                       std::size_t species) {
  const std::size_t hidden = species + 1 + appearance.own.size();
  MOTE_EXPECT(hidden <= last_kind);
  std::vector<std::uint8_t> kinds =
      appearance.kinds ? *appearance.kinds : std::vector<std::uint8_t>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0)) kinds[i] = static_cast<std::uint8_t>(hidden);
  appearance.own.push_back({.visible = false});
  appearance.kinds = std::make_shared<const std::vector<std::uint8_t>>(std::move(kinds));
  return appearance;
}

/// Pictures share the kinds as long as they are the same.
void BodyKinds::keep(std::vector<std::uint8_t> kinds, bool needed) {
  if (!needed)
    last_.kinds = nullptr;
  else if (!last_.kinds || *last_.kinds != kinds)
    last_.kinds = std::make_shared<const std::vector<std::uint8_t>>(std::move(kinds));
}

Appearance BodyKinds::of(sim::Simulation& simulation) {
  if (simulation.count() == count_ && simulation.ids() == ids_) return last_;
  const auto count = static_cast<std::size_t>(simulation.count());
  std::vector<std::uint8_t> kinds(count);
  if (simulation.with_species()) {
    // Positions come along, but no other way reads a field of a state on a GPU alone.
    std::vector<float> positions(3 * count), scalars(count);
    simulation.pack({.positions = positions.data(), .scalars = scalars.data()},
                    {.scalar = sim::Scalar::species});
    kinds.assign(scalars.begin(), scalars.end());
  }
  last_.own.clear();
  for (const engine::Index i : simulation.with_looks())
    add_own(last_, kinds, simulation.model().species.size(), static_cast<std::size_t>(i),
            simulation.look(simulation.id(i)));
  keep(std::move(kinds), simulation.with_species() || !last_.own.empty());
  ids_ = simulation.ids(), count_ = simulation.count();
  return last_;
}

Appearance BodyKinds::of(const sim::State<engine::Host>& state, const sim::BodyLabels& labels,
                         std::size_t species) {
  const auto count = static_cast<std::size_t>(state.count());
  std::vector<std::uint8_t> kinds(count);
  if (state.with_species()) kinds.assign(state.species(), state.species() + count);
  last_.own.clear();
  for (std::size_t i = 0; i < count && !labels.looks.empty(); ++i)
    if (const std::size_t id = state.id()[i];
        id < labels.looks.size() && labels.looks[id] != sim::BodyLook{})
      add_own(last_, kinds, species, i, labels.looks[id]);
  keep(std::move(kinds), state.with_species() || !last_.own.empty());
  return last_;
}

}  // namespace mote::api
