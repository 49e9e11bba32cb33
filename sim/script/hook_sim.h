#pragma once

#include "sim/script/hook_target.h"

namespace mote::sim {

/// Pushes a new `sim`. It has the fields step, time, dt, count, data (a table of plain values),
/// energy, energy_error and the other columns of series.csv, measured at the first access; and the
/// methods body, add, remove, get, set, row, snapshot, picture, log, stop and fail. Returns a
/// handle to its target: set to null at the end of the run, it makes every access an error.
HookSim** push_sim(HookSim& target);

}  // namespace mote::sim
