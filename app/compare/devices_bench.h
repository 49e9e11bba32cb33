#pragma once

#include <string>
#include <vector>

#include "engine/exec/timing.h"
#include "engine/json_fwd.h"
#include "sim/run/plan.h"

namespace mote::app {

/// A scene on one GPU, and on several that share its bodies.
struct DevicesRow {
  std::string method;  ///< "direct sums", as the plan says; or ""
  engine::Precision precision;
  engine::Index bodies;
  int gpus;
  engine::Timing one, all;  ///< of a step, divided by its evaluations of forces
  double received;          ///< from others by the GPU that receives most, in an evaluation [bytes]

  double times_as_fast() const { return all.median > 0 ? one.median / all.median : 0; }
};

/// Times steps on the first of the devices of these options, then on all of them. Throws InputError
/// for a scene that cannot be divided.
DevicesRow time_devices(const sim::SceneDescription& scene, const sim::RunOptions& options,
                        int repeats);

void print_devices_head(int gpus);
void print(const DevicesRow& row);
engine::Json json_of(const DevicesRow& row);

}  // namespace mote::app
