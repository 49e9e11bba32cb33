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

Step with_separate_kicks(const Step& step) {
  Step separate;
  // A leapfrog sub-step is a drift between two kicks of half its length.
  double last_drift = 0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i].kind == StageKind::drift) last_drift = step[i].fraction;
    const bool merged = step[i].kind == StageKind::kick && last_drift != 0 && i + 1 < step.size();
    if (!merged) {
      separate.push_back(step[i]);
      continue;
    }
    const double first_half = 0.5 * last_drift;
    separate.push_back({StageKind::kick, first_half});
    separate.push_back({StageKind::kick, step[i].fraction - first_half});
  }
  return separate;
}

std::vector<double> elapsed_fractions(const Step& step) {
  std::vector<double> fractions;
  double sum = 0;
  const auto any_drift_from = [&](std::size_t from) {
    for (; from < step.size(); ++from)
      if (step[from].kind == StageKind::drift) return true;
    return false;
  };
  for (std::size_t i = 0; i < step.size(); ++i) {
    fractions.push_back(sum);
    if (step[i].kind != StageKind::drift) continue;
    sum = any_drift_from(i + 1) ? sum + step[i].fraction : 1;
  }
  return fractions;
}

std::string_view name_of(Stepping stepping) {
  return steppings[static_cast<std::size_t>(stepping)].first;
}

std::optional<Stepping> stepping_named(std::string_view word) {
  for (const auto& [name, stepping] : steppings)
    if (name == word) return stepping;
  return std::nullopt;
}

}  // namespace mote::sim
