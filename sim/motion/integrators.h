#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/motion/integration.h"

namespace mote::sim {

/// All integrators: compositions, and those of integrator_list.h.
const std::vector<IntegratorInfo>& integrators();

/// Null when none has this name.
const IntegratorInfo* integrator_named(const std::string& name);

/// That of a scene that was read.
const IntegratorInfo& info_of(const Integration& integration);

/// The integrator of a scene on the backend of `Exec`; null on a GPU in a build without CUDA.
template <class Exec>
std::unique_ptr<Integrator<Exec>> make_integrator(const Integration& integration,
                                                  const ForceTraits& forces);
template <>
std::unique_ptr<Integrator<engine::Cpu>> make_integrator(const Integration&, const ForceTraits&);
template <>
std::unique_ptr<Integrator<engine::Cuda>> make_integrator(const Integration&, const ForceTraits&);

/// The `integrator` table of a scene with this integrator: name, dt and its own options.
const engine::ParamTable<Integration>& table_of(const IntegratorInfo& integrator);

/// The options of all of them together, for the reference and for editors.
engine::ParamSheet integrator_sheet();

}  // namespace mote::sim
