#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A chain of bodies about the origin, `spacing` apart: on a straight line, on a ring in the x-y
/// plane, or on a random walk with isotropic steps (a freely jointed chain).
struct Chain {
  std::int64_t n = 2;  ///< bodies, of equal mass
  double mass = 1;     ///< total mass
  double spacing = 1;  ///< length
  std::string shape = "straight";
  engine::Vec3d direction{1, 0, 0};  ///< direction of a straight chain
  std::optional<std::string> bond, angle;
  double dispersion = 0;  ///< velocity dispersion, see Stir
  double spin = 0;
  std::vector<std::string> pinned{}, clamped{};  ///< ends of which one or two bodies are fixed
};

/// Bonds and angles between consecutive bodies of a source: names of their kinds, or none.
struct ChainLinks {
  engine::Index first = 0, count = 0;  ///< range of bodies within the source
  bool closed = false;                 ///< also bonds the last body to the first
  std::optional<std::string> bond = {}, angle = {};
  int line = 0;           ///< line in the scene
  std::string path = {};  ///< "bodies.1"
};

const engine::ParamTable<Chain>& chain_table();
BrokenRelations broken_relations(const Chain& chain);
ChainLinks links_of(const Chain& chain);

Bodies make(const Chain& chain, const MakeContext& context);

}  // namespace mote::sim
