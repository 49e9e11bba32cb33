#include "app/look/solid_history.h"

#include <algorithm>
#include <cmath>

namespace mote::app {

SolidHistory::SolidHistory(const StoredRun& run, const sim::SceneDescription& scene) {
  if (sim::axles_of(scene).empty() || run.series.empty()) return;
  series_ = stored_series(run.series);
  time_ = series_.column("time");
  for (const std::string& name : sim::solid_names(scene.obstacles))
    angles_.push_back(series_.column(name + "_angle"));
}

std::vector<sim::SolidState> SolidHistory::at(double time) const {
  std::vector<sim::SolidState> all(angles_.size());
  const auto& rows = series_.rows;
  if (rows.empty()) return all;
  const auto after =
      std::lower_bound(rows.begin(), rows.end() - 1, time,
                       [this](const std::vector<double>& row, double t) { return row[time_] < t; });
  const auto before = after == rows.begin() ? after : after - 1;
  const double between = (*after)[time_] - (*before)[time_];
  const double part = between > 0 ? std::clamp((time - (*before)[time_]) / between, 0.0, 1.0) : 1.0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const std::size_t column = angles_[k]; column < series_.columns.size())
      all[k].angle = std::lerp((*before)[column], (*after)[column], part);
  return all;
}

}  // namespace mote::app
