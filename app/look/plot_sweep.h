#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/chart.h"

namespace mote::app {

/// The chart of a sweep: means with bars over one of the parameters `by`, or maps over two; those
/// that it varies, if there are none. `what`: columns of its results.csv; empty: the main ones.
/// Throws InputError.
render::Chart sweep_chart(const std::filesystem::path& sweep, const std::vector<std::string>& by,
                          const std::vector<std::string>& what);

/// Whether values are plotted on a logarithmic axis: if their ratios are larger than 30.
bool spans_decades(const std::vector<render::ChartCurve>& curves);

}  // namespace mote::app
