#pragma once

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/state.h"

/// Names used by all benchmarks.
namespace mote::bench {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::State;

}  // namespace mote::bench
