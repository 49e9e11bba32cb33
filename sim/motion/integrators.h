#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/motion/integration.h"

namespace mote::sim {

/// All integrators. The list in integrators.cpp is the only one.
const std::vector<IntegratorInfo>& integrators();

/// Null when none has this name.
const IntegratorInfo* integrator_named(const std::string& name);

/// That of a scene that was read.
const IntegratorInfo& info_of(const Integration& integration);

/// The integrator of a scene on the backend of `Exec`.
template <class Exec>
std::unique_ptr<Integrator<Exec>> make_integrator(const Integration& integration,
                                                  const ForceTraits& forces);

/// The `integrator` table of a scene with this integrator: name, dt and its own options.
const engine::ParamTable<Integration>& table_of(const IntegratorInfo& integrator);

/// The options of all of them together, for the reference and for editors.
engine::ParamSheet integrator_sheet();

}  // namespace mote::sim
