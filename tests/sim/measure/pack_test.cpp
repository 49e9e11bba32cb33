// Frames of points, packed from a state on the host.
#include "sim/measure/pack.h"
#include "sim/space/ball_fields.h"

#include <gtest/gtest.h>

#include <array>

namespace mote::test {
namespace {

sim::State<engine::Host> three_bodies(const sim::StateLayout& layout) {
  sim::State<engine::Host> state(3, engine::Precision::double_, layout);
  state.visit([](auto s) {
    for (engine::Index i = 0; i < 3; ++i)
      s.mass[i] = 2, s.x[i] = static_cast<double>(i), s.ax[i] = 3, s.ay[i] = 4, s.az[i] = 0;
    if (s[sim::fields::radius])
      for (engine::Index i = 0; i < 3; ++i)
        s[sim::fields::radius][i] = 0.5 + static_cast<double>(i);
  });
  for (engine::Index i = 0; layout.species && i < 3; ++i)
    state.species()[i] = static_cast<std::uint8_t>(i);
  return state;
}

struct Packed {
  std::array<float, 9> positions{};
  std::array<float, 3> scalars{}, radii{-1, -1, -1};
};

Packed packed(const sim::State<engine::Host>& state, bool radii,
              const sim::PackRequest& request = {}) {
  Packed result;
  sim::pack(engine::Cpu{1}, state,
            {.positions = result.positions.data(),
             .scalars = result.scalars.data(),
             .radii = radii ? result.radii.data() : nullptr},
            request);
  return result;
}

TEST(Pack, GivesTheRadiiOfBodiesThatHaveThem) {
  const auto state = three_bodies(sim::StateLayout{}.add(sim::fields::radius));
  EXPECT_EQ(packed(state, true).radii, (std::array<float, 3>{0.5f, 1.5f, 2.5f}));
  EXPECT_EQ(packed(state, false).radii, (std::array<float, 3>{-1, -1, -1})) << "not requested";
}

TEST(Pack, GivesTheRadiiOfSpeciesToBodiesThatHaveNone) {
  sim::StateLayout layout;
  layout.species = true;
  sim::SpeciesRadii radii{};
  radii.of[0] = 1, radii.of[1] = -2, radii.of[2] = 3;
  EXPECT_EQ(packed(three_bodies(layout), true, {.species_radii = radii}).radii,
            (std::array<float, 3>{1, -2, 3}));
  EXPECT_EQ(packed(three_bodies({}), true, {.species_radii = radii}).radii,
            (std::array<float, 3>{1, 1, 1}));
}

TEST(Pack, RadiiOfSpeciesAreFactorsWhereBodiesHaveTheirOwn) {
  sim::StateLayout layout = sim::StateLayout{}.add(sim::fields::radius);
  layout.species = true;
  sim::SpeciesRadii factors{};
  factors.of[0] = 1, factors.of[1] = -1;
  EXPECT_EQ(packed(three_bodies(layout), true, {.species_radii = factors}).radii,
            (std::array<float, 3>{0.5f, -1.5f, 0}));
}

TEST(Pack, ForceIsMassTimesAcceleration) {
  EXPECT_EQ(packed(three_bodies({}), false, {.scalar = sim::Scalar::force}).scalars,
            (std::array<float, 3>{10, 10, 10}));
}

}  // namespace
}  // namespace mote::test
