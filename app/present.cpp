#include "app/present.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mote::app {
namespace {

/// The value below which `part` of the finite values lie.
float quantile(std::vector<float> values, double part) {
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Share of the bodies that a picture frames: a few that were thrown out must not shrink all others to a dot.
double framed_part(std::size_t count) {
  return count <= 64 ? 1.0 : 0.97;
}

}  // namespace

Presenter::Presenter(const sim::SceneDescription& scene) : color_(scene.view.color), units_(scene.units) {}

const render::Frame& Presenter::present(sim::Simulation& simulation) {
  pack(simulation.state());
  find_bounds();
  if (!range_found_) find_range();
  frame_.positions = positions_;
  frame_.scalars = scalars_;
  const std::string unit = color_ == "speed" ? units_.velocity : color_ == "mass" ? units_.mass : "";
  frame_.scalar_name = unit.empty() ? color_ : color_ + " [" + unit + "]";
  frame_.time = simulation.time();
  frame_.time_label = fmt::format("t = {:.6g} {}", frame_.time, units_.time);
  return frame_;
}

void Presenter::pack(const sim::State<engine::Host>& state) {
  state.visit([&](auto s) {
    positions_.resize(3 * static_cast<std::size_t>(s.count));
    scalars_.resize(static_cast<std::size_t>(s.count));
    for (engine::Index i = 0; i < s.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      positions_[3 * k] = static_cast<float>(s.x[i]);
      positions_[3 * k + 1] = static_cast<float>(s.y[i]);
      positions_[3 * k + 2] = static_cast<float>(s.z[i]);
      const auto speed2 = s.vx[i] * s.vx[i] + s.vy[i] * s.vy[i] + s.vz[i] * s.vz[i];
      scalars_[k] = color_ == "id"     ? static_cast<float>(s.id[i])
                    : color_ == "mass" ? static_cast<float>(s.mass[i])
                                       : static_cast<float>(std::sqrt(speed2));
    }
  });
}

void Presenter::find_bounds() {
  const std::size_t count = scalars_.size();
  std::vector<float> values(count);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < count; ++i) values[i] = positions_[3 * i + axis];
    // Few bodies: the middle of their extent. Many: the median, which no escaping body moves.
    frame_.center[axis] =
        count <= 64 ? 0.5f * (quantile(values, 0) + quantile(values, 1)) : quantile(values, 0.5);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float x = positions_[3 * i] - frame_.center[0], y = positions_[3 * i + 1] - frame_.center[1],
                z = positions_[3 * i + 2] - frame_.center[2];
    values[i] = std::sqrt(x * x + y * y + z * z);
  }
  const float radius = quantile(values, framed_part(count));
  frame_.radius = radius > 0 ? 1.1f * radius : 1;
}

void Presenter::find_range() {
  range_found_ = true;
  const bool many = scalars_.size() > 64;
  frame_.scalar_low = quantile(scalars_, many ? 0.02 : 0);
  frame_.scalar_high = quantile(scalars_, many ? 0.98 : 1);
  if (frame_.scalar_low == frame_.scalar_high) {
    // All alike: the middle of the map.
    frame_.scalar_low -= 1;
    frame_.scalar_high += 1;
  }
}

}  // namespace mote::app
