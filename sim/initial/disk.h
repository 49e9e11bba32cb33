#pragma once

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/disk_profile.h"
#include "sim/initial/generate.h"

namespace mote::sim {

const engine::ParamTable<Disk>& disk_table();

/// Draws one body, with the velocities of `profile`.
Sampler sampler(const Disk& disk, const DiskProfile& profile);

Bodies make(const Disk& disk, const MakeContext& context);

}  // namespace mote::sim
