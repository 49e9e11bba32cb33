#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A star cluster: positions and velocities of a Plummer or King model, masses drawn independently
/// from a mass function (no segregation), velocities scaled so that 2T/|W| of the sample has the
/// given value (W: see virial.h).
struct Cluster {
  std::int64_t n = 1;               ///< stars
  std::string model = "plummer";    ///< plummer or king
  double scale = 1;                 ///< Plummer's scale or King's core radius, length
  double cutoff = 20;               ///< largest radius of the Plummer model, in scales
  double w0 = 6;                    ///< depth of the potential of the King model, in sigma^2
  std::string masses = "kroupa";    ///< kroupa, salpeter or equal
  double minimum_mass = 0.08;       ///< solar masses
  double maximum_mass = 150;        ///< solar masses
  double solar_mass = 1;            ///< one solar mass in scene units
  std::optional<double> mass = {};  ///< total, to which drawn masses are scaled; none: unscaled
  double virial_ratio = 1;          ///< 2T/|W|
};

const engine::ParamTable<Cluster>& cluster_table();
BrokenRelations broken_relations(const Cluster& cluster);

Bodies make(const Cluster& cluster, const MakeContext& context);

}  // namespace mote::sim
