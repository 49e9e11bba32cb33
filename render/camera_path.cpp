#include "render/camera_path.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "engine/math/hermite.h"

namespace mote::render {

void CameraPath::Channel::finish() {
  slope.assign(value.size(), 0);
  // The harmonic mean of the slopes on both sides, weighted by the other side's length (Fritsch and
  // Butland 1984).
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    const double before = place[i] - place[i - 1], after = place[i + 1] - place[i];
    const double left = (value[i] - value[i - 1]) / before,
                 right = (value[i + 1] - value[i]) / after;
    if (left * right > 0)
      slope[i] =
          3 * (before + after) / ((2 * after + before) / left + (after + 2 * before) / right);
  }
}

double CameraPath::Channel::at(double x, double otherwise) const {
  if (value.empty()) return otherwise;
  if (x <= place.front()) return value.front();
  if (x >= place.back()) return value.back();
  const auto next =
      static_cast<std::size_t>(std::upper_bound(place.begin(), place.end(), x) - place.begin());
  const std::size_t i = next - 1;
  const double length = place[next] - place[i];
  return engine::hermite<double>({value[i], slope[i]}, {value[next], slope[next]}, length,
                                 (x - place[i]) / length)
      .value;
}

CameraPath::CameraPath(const OrbitCamera& base, std::vector<CameraKey> keys) : base_(base) {
  std::sort(keys.begin(), keys.end(),
            [](const CameraKey& a, const CameraKey& b) { return a.at < b.at; });
  const auto add = [](Channel& channel, double place, double value) {
    MOTE_EXPECT(channel.place.empty() || channel.place.back() < place);
    channel.place.push_back(place);
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

OrbitCamera CameraPath::at(double place) const {
  OrbitCamera camera = base_;
  camera.azimuth = azimuth_.at(place, base_.azimuth);
  camera.elevation = elevation_.at(place, base_.elevation);
  if (!distance_.value.empty()) camera.distance = std::exp(distance_.at(place, 0));
  camera.target = {x_.at(place, base_.target.x), y_.at(place, base_.target.y),
                   z_.at(place, base_.target.z)};
  return camera;
}

}  // namespace mote::render
