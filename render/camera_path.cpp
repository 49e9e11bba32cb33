#include "render/camera_path.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "engine/math/hermite.h"

namespace mote::render {

void CameraPath::Channel::finish() {
  slope.assign(value.size(), 0);
  // Harmonic mean of the slopes on both sides, weighted by the other side's length (Fritsch and
  // Butland 1984).
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    const double before = coordinate[i] - coordinate[i - 1],
                 after = coordinate[i + 1] - coordinate[i];
    const double left = (value[i] - value[i - 1]) / before,
                 right = (value[i + 1] - value[i]) / after;
    if (left * right > 0)
      slope[i] =
          3 * (before + after) / ((2 * after + before) / left + (after + 2 * before) / right);
  }
}

double CameraPath::Channel::at(double x, double fallback) const {
  if (value.empty()) return fallback;
  if (x <= coordinate.front()) return value.front();
  if (x >= coordinate.back()) return value.back();
  const auto next = static_cast<std::size_t>(
      std::upper_bound(coordinate.begin(), coordinate.end(), x) - coordinate.begin());
  const std::size_t i = next - 1;
  const double length = coordinate[next] - coordinate[i];
  return engine::hermite<double>({value[i], slope[i]}, {value[next], slope[next]}, length,
                                 (x - coordinate[i]) / length)
      .value;
}

CameraPath::CameraPath(const OrbitCamera& base, std::vector<CameraKey> keys) : base_(base) {
  std::sort(keys.begin(), keys.end(),
            [](const CameraKey& a, const CameraKey& b) { return a.at < b.at; });
  const auto add = [](Channel& channel, double coordinate, double value) {
    MOTE_EXPECT(channel.coordinate.empty() || channel.coordinate.back() < coordinate);
    channel.coordinate.push_back(coordinate);
    channel.value.push_back(value);
  };
  for (const CameraKey& key : keys) {
    if (key.azimuth) add(azimuth_, key.at, *key.azimuth);
    if (key.elevation) add(elevation_, key.at, *key.elevation);
    if (key.distance) add(distance_, key.at, std::log(*key.distance));
    if (!key.target) continue;
    add(x_, key.at, key.target->x);
    add(y_, key.at, key.target->y);
    add(z_, key.at, key.target->z);
  }
  for (Channel* channel : {&azimuth_, &elevation_, &distance_, &x_, &y_, &z_}) channel->finish();
}

OrbitCamera CameraPath::at(double coordinate) const {
  OrbitCamera camera = base_;
  camera.azimuth = azimuth_.at(coordinate, base_.azimuth);
  camera.elevation = elevation_.at(coordinate, base_.elevation);
  if (!distance_.value.empty()) camera.distance = std::exp(distance_.at(coordinate, 0));
  camera.target = {x_.at(coordinate, base_.target.x), y_.at(coordinate, base_.target.y),
                   z_.at(coordinate, base_.target.z)};
  return camera;
}

}  // namespace mote::render
