#include "sim/step.h"

#include <array>
#include <utility>

namespace mote::sim {
namespace {

constexpr std::array<std::pair<std::string_view, Stepping>, 5> steppings{
    {{"auto", Stepping::automatic},
     {"launch", Stepping::launch},
     {"graph", Stepping::graph},
     {"cooperative", Stepping::cooperative},
     {"cluster", Stepping::cluster}}};

}  // namespace

std::string_view name_of(Stepping stepping) {
  return steppings[static_cast<std::size_t>(stepping)].first;
}

std::optional<Stepping> stepping_named(std::string_view word) {
  for (const auto& [name, stepping] : steppings)
    if (name == word) return stepping;
  return std::nullopt;
}

}  // namespace mote::sim
