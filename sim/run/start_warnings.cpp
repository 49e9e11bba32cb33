#include "sim/run/start_warnings.h"

#include <string>
#include <utility>

#include "engine/json.h"
#include "engine/rounded_text.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Json;

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

/// Bodies next to a periodic domain are of its neighbouring images; those further away than one
/// period are of another scale.
std::string far_outside(const Bodies& given, const Domain& domain) {
  const engine::Vec3d far = domain.low + 2.0 * domain.length, near = domain.low - domain.length;
  const auto outside = [](bool periodic, double x, double low, double high) {
    return periodic && (x < low || x > high);
  };
  long long count = 0;
  for (const engine::Vec3d& x : given.position)
    count += outside(domain.periodic[0], x.x, near.x, far.x) ||
             outside(domain.periodic[1], x.y, near.y, far.y) ||
             outside(domain.periodic[2], x.z, near.z, far.z);
  if (count == 0) return "";
  return engine::counted(count, "body") + " of " +
         engine::with_thousands(static_cast<long long>(given.position.size())) +
         " start more than a period outside the periodic domain, and are wrapped into it; make the "
         "domain larger, or the bodies' extent smaller";
}

}  // namespace

std::vector<std::string> start_warnings(const engine::Cpu& exec, const SceneDescription& scene,
                                        const Bodies& given, const State<engine::Host>& state) {
  std::vector<std::string> warnings;
  for (const Physics& p : scene.physics)
    for (std::string& warning : p.start_warnings(exec, scene, given, state))
      warnings.push_back(std::move(warning));
  if (scene.domain && scene.expanded->contains("bodies"))
    lattices_in((*scene.expanded)["bodies"], "bodies", 1, domain_of(scene), warnings);
  if (scene.domain)
    if (std::string warning = far_outside(given, domain_of(scene)); !warning.empty())
      warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace mote::sim
