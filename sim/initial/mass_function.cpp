#include "sim/initial/mass_function.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"

namespace mote::sim {
namespace {

/// Integral of (m / low)^(power - 1) dm / low from `low` to `high`.
double power_integral(double low, double high, double power) {
  const double log_ratio = std::log(high / low);
  return power == 0 ? log_ratio : std::expm1(power * log_ratio) / power;
}

}  // namespace

MassFunction::MassFunction(const std::vector<Piece>& pieces, double minimum, double maximum) {
  MOTE_EXPECT(0 < minimum && minimum < maximum && pieces.front().above <= minimum);
  double height = 1, before = minimum, sum = 0;  // height: m dN/dm at `before`
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double low = std::max(pieces[i].above, minimum);
    const double high = i + 1 < pieces.size() ? std::min(pieces[i + 1].above, maximum) : maximum;
    if (!(low < high)) continue;
    const double power = 1 - pieces[i].slope;
    if (!parts_.empty()) height *= std::pow(low / before, parts_.back().power);
    before = low;
    sum += height * power_integral(low, high, power);
    parts_.push_back({low, high, power, sum});
  }
  for (Part& part : parts_) part.cumulative /= sum;
}

double MassFunction::mass_at(double u) const {
  double below = 0;
  std::size_t i = 0;
  for (; i + 1 < parts_.size() && u > parts_[i].cumulative; ++i) below = parts_[i].cumulative;
  const Part& p = parts_[i];
  const double fraction = (u - below) / (p.cumulative - below);
  const double log_ratio = std::log(p.high / p.low);
  const double log_mass = p.power == 0
                              ? fraction * log_ratio
                              : std::log1p(fraction * std::expm1(p.power * log_ratio)) / p.power;
  return std::clamp(p.low * std::exp(log_mass), p.low, p.high);
}

MassFunction salpeter(double minimum, double maximum) {
  return MassFunction({{0, 2.35}}, minimum, maximum);
}

MassFunction kroupa(double minimum, double maximum) {
  return MassFunction({{0, 1.3}, {0.5, 2.3}}, minimum, maximum);
}

}  // namespace mote::sim
