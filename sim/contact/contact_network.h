#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace mote::sim {

/// The numbers of contacts, a row each, one array a component.
template <class Real>
struct ContactNumbers {
  using Column = std::vector<Real>;
  Column center[3];     ///< of the grain [length]
  Column point[3];      ///< where they touch [length]
  Column normal[3];     ///< from the grain to its partner
  Column branch[3];     ///< from the grain's centre to the partner's, or to the surface [length]
  Column overlap;       ///< [length]
  Column normal_force;  ///< on the grain along -normal, > 0 apart [force]
  Column tangential_force[3];  ///< on the grain along the surface [force]
};

/// Which grains of one moment touch what, and how they press: a row for two grains, and for a grain
/// and an obstacle. Rows are in the order of grains and partners.
struct ContactNetwork {
  std::vector<std::uint32_t> grain;     ///< the lower id of two
  std::vector<std::uint32_t> partner;   ///< the higher id; the grain's own where it touches an
                                        ///< obstacle
  std::vector<std::uint32_t> obstacle;  ///< its number in the scene, from 1; 0 for a grain
  std::variant<ContactNumbers<float>, ContactNumbers<double>> numbers;

  std::size_t size() const { return grain.size(); }
};

/// Calls `use(name, quantity, components...)` with each column, in the order that files have them:
/// the one list of columns. `Network`: ContactNetwork, const or not; quantities as in
/// engine/quantity.h, "" for a pure number.
template <class Network, class Use>
void for_each_column(Network& network, const Use& use) {
  use("grain", "", network.grain);
  use("partner", "", network.partner);
  use("obstacle", "", network.obstacle);
  std::visit(
      [&](auto& n) {
        use("center", "length", n.center[0], n.center[1], n.center[2]);
        use("point", "length", n.point[0], n.point[1], n.point[2]);
        use("normal", "", n.normal[0], n.normal[1], n.normal[2]);
        use("branch", "length", n.branch[0], n.branch[1], n.branch[2]);
        use("overlap", "length", n.overlap);
        use("normal_force", "force", n.normal_force);
        use("tangential_force", "force", n.tangential_force[0], n.tangential_force[1],
            n.tangential_force[2]);
      },
      network.numbers);
}

}  // namespace mote::sim
