#pragma once

#include <cstddef>
#include <vector>

#include "app/look/stored_run.h"
#include "sim/scene/description.h"

namespace mote::app {

/// Where the axles of a run were, from the angles in its series.csv.
class SolidHistory {
 public:
  /// `scene`: with the obstacles and axles of the run.
  SolidHistory(const StoredRun& run, const sim::SceneDescription& scene);

  /// The solids of the scene at a time, interpolated between the rows; as at the start before the
  /// first of them, and as at the end after the last. Empty without axles.
  std::vector<sim::SolidState> at(double time) const;

 private:
  StoredSeries series_;
  std::size_t time_ = 0;             ///< column
  std::vector<std::size_t> angles_;  ///< columns, by solid
};

}  // namespace mote::app
