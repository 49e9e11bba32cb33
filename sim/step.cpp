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
  double before = 0;  // the drift behind us: each leapfrog step has half of its own in kicks on
                      // either side
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i].kind == StageKind::drift) before = step[i].fraction;
    const bool shared = step[i].kind == StageKind::kick && before != 0 && i + 1 < step.size();
    if (!shared) {
      separate.push_back(step[i]);
      continue;
    }
    const double own = 0.5 * before;
    separate.push_back({StageKind::kick, own});
    separate.push_back({StageKind::kick, step[i].fraction - own});
  }
  return separate;
}

std::vector<double> passed_before(const Step& step) {
  std::vector<double> passed;
  double sum = 0;
  const auto drifts = [&](std::size_t from) {
    for (; from < step.size(); ++from)
      if (step[from].kind == StageKind::drift) return true;
    return false;
  };
  for (std::size_t i = 0; i < step.size(); ++i) {
    passed.push_back(sum);
    if (step[i].kind != StageKind::drift) continue;
    sum = drifts(i + 1) ? sum + step[i].fraction : 1;
  }
  return passed;
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
