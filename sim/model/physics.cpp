#include "sim/model/physics.h"

#include <algorithm>

namespace mote::sim {

void PhysicsList::sort(const std::function<std::size_t(const ModuleInfo&)>& rank) {
  std::stable_sort(all_.begin(), all_.end(),
                   [&](const auto& a, const auto& b) { return rank(a->info()) < rank(b->info()); });
}

const Physics* PhysicsList::named(std::string_view subject) const {
  for (const auto& p : all_)
    if (p->info().subject == subject) return p.get();
  return nullptr;
}

}  // namespace mote::sim
