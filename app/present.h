#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/frame.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Packs a State into a Frame: the one place that knows both. Colours keep the range of the first frame, so
/// that a colour means the same in a whole movie.
class Presenter {
 public:
  explicit Presenter(const sim::SceneDescription& scene);

  /// Valid until the next call.
  const render::Frame& present(sim::Simulation& simulation);

 private:
  void pack(const sim::State<engine::Host>& state);
  void find_bounds();
  void find_range();

  std::string color_;
  engine::UnitSystem units_;
  std::vector<float> positions_, scalars_;
  bool range_found_ = false;
  render::Frame frame_;
};

}  // namespace mote::app
