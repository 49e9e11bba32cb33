#include "sim/run/start_warnings.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "engine/json.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/molecular/start_check.h"
#include "sim/run/registry.h"
#include "sim/scene/matter.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Json;

std::string named(const Bodies& given, Index i) {
  const auto at = static_cast<std::size_t>(i);
  const bool has = at < given.names.size() && !given.names[at].empty();
  return std::to_string(i) + (has ? " (" + given.names[at] + ")" : "");
}

/// Names two of them, and how many more pairs there are.
void coincident_bodies(const SceneDescription& scene, const Bodies& given,
                       const State<engine::Host>& state, std::vector<std::string>& warnings) {
  if (!scene.gravity || scene.gravity->softening > 0) return;
  Index pairs = 0, first = 0, second = 0;
  state.visit([&](const auto& s) {
    std::vector<Index> order(static_cast<std::size_t>(s.count));
    std::iota(order.begin(), order.end(), Index{0});
    const auto key = [&](Index i) { return std::tuple(s.x[i], s.y[i], s.z[i]); };
    std::sort(order.begin(), order.end(),
              [&](Index i, Index j) { return key(i) != key(j) ? key(i) < key(j) : i < j; });
    for (std::size_t k = 1; k < order.size(); ++k) {
      const Index i = order[k - 1], j = order[k];
      if (key(i) != key(j) || !(s.mass[i] > 0 || s.mass[j] > 0)) continue;
      if (++pairs == 1 || i < first) first = i, second = j;
    }
  });
  if (pairs == 0) return;
  const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
  const bool rounded =
      dot(given.position[a] - given.position[b], given.position[a] - given.position[b]) > 0;
  const std::string bodies =
      "bodies " + named(given, first) + " and " + named(given, second) +
      (pairs > 1 ? " (and " + engine::counted(pairs - 1, "pair") + " more)" : "");
  warnings.push_back(bodies + " coincide" +
                     (rounded ? " in " + std::string(engine::name_of(state.precision())) +
                                    " precision, which has too few digits so far from the origin"
                              : "") +
                     ": without softening they exert no force on each other; " +
                     (rounded ? "use precision = \"mixed\", or move the origin closer to them"
                              : "move them apart, or set gravity.softening"));
}

/// Visits the bodies of an expanded scene. `scale`: product of the scales of the enclosing groups.
void lattices_in(const Json& list, const std::string& path, double scale, const Domain& domain,
                 std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& item = list[i];
    const std::string kind = item.value("kind", ""), at = path + '.' + std::to_string(i + 1);
    if (kind == "group") {
      const bool turned = item.value("angle", 0.0) != 0 || item.value("inclination", 0.0) != 0 ||
                          item.value("node", 0.0) != 0;
      const double length = item.contains("scale") ? item["scale"].value("length", 1.0) : 1.0;
      if (!turned) lattices_in(item["bodies"], at + ".bodies", scale * length, domain, warnings);
    }
    if (kind != "lattice") continue;
    const bool simple = item.value("structure", "cubic") == "cubic";
    const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double span = scale * item["spacing"].get<double>() *
                          (item["counts"][axis].get<double>() - (simple ? 1.0 : 0.5));
      if (!domain.periodic[axis] || span < lengths[axis] * (1 - 1e-9)) continue;
      warnings.push_back(
          at + ": the lattice is " + engine::rounded_text(span) + " long along " + "xyz"[axis] +
          ", and the periodic domain " + engine::rounded_text(lengths[axis]) +
          ": it overlaps its own periodic images; use fewer cells, a smaller spacing or a larger "
          "domain");
      break;
    }
  }
}

/// True if molecules at rest can be moved by their pair forces only.
bool only_pairs_move(const SceneDescription& scene, const State<engine::Host>& state) {
  if (!scene.pairs || is_mixed(scene) || scene.gravity || !scene.fields.empty() || scene.bonds ||
      scene.grains || scene.soft || scene.fluid || !scene.hooks.empty() ||
      (scene.thermostat && scene.thermostat->name == "langevin"))
    return false;
  return state.visit([](const auto& s) {
    for (Index i = 0; i < s.count; ++i)
      if (s.vx[i] != 0 || s.vy[i] != 0 || s.vz[i] != 0) return false;
    return true;
  });
}

}  // namespace

std::vector<std::string> start_warnings(const engine::Cpu& exec, const SceneDescription& scene,
                                        const Bodies& given, const State<engine::Host>& state) {
  std::vector<std::string> warnings;
  coincident_bodies(scene, given, state, warnings);
  if (scene.domain && scene.expanded->contains("bodies"))
    lattices_in((*scene.expanded)["bodies"], "bodies", 1, domain_of(scene), warnings);
  if (!only_pairs_move(scene, state)) return warnings;
  const PairTable table = table_of(*scene.pairs, scene.units.coulomb());
  if (!any_pair_interacts(exec, state, members_of_pairs(scene, state), table, domain_of(scene)))
    warnings.push_back(
        std::string("no pair is within the cutoff, and all are at rest: nothing will move; ") +
        (scene.pairs->coulomb ? "coulomb.cutoff (that of lennard_jones by default)"
                              : "lennard_jones.cutoff") +
        " is at most " + engine::rounded_text(table.cutoff));
  return warnings;
}

}  // namespace mote::sim
