#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace mote::sim {

/// Columns of contacts, one array a component.
template <class Real>
struct ContactNumbers {
  using Column = std::vector<Real>;
  Column center[3];     ///< of the grain [length]
  Column point[3];      ///< contact point [length]
  Column normal[3];     ///< from the grain to its partner
  Column branch[3];     ///< from the grain's centre to the partner's, or to the surface [length]
  Column overlap;       ///< [length]
  Column normal_force;  ///< on the grain along -normal, > 0: repulsive [force]
  Column tangential_force[3];  ///< on the grain along the surface [force]
};

/// Contacts and contact forces of one snapshot: a row for each pair of grains, or grain and
/// obstacle, sorted by grain and partner.
struct ContactNetwork {
  std::vector<std::uint32_t> grain;     ///< the lower id of the pair
  std::vector<std::uint32_t> partner;   ///< the higher id; the grain's own for an obstacle
  std::vector<std::uint32_t> obstacle;  ///< number in the scene, from 1; 0 for a grain
  std::variant<ContactNumbers<float>, ContactNumbers<double>> numbers;

  std::size_t size() const { return grain.size(); }
};

/// Calls `use(name, quantity, components...)` for each column, in the order of files; this is the
/// only list of columns. `Network`: ContactNetwork, const or not. Quantities as in
/// engine/quantity.h, "" if dimensionless.
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
