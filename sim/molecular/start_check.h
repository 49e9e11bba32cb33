#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/pairs.h"
#include "sim/state.h"

namespace mote::sim {

/// Throws InputError with this place when bodies cannot start so: without mass, beyond a wall, two
/// of them nearer than half of their sigma, where their energy is 16,000 epsilon; or when a
/// leapfrog step of dt is not stable for two bodies in their well, dt >= 2 / omega, omega^2 = 72 /
/// 2^(1/3) epsilon / sigma^2 (1/m_a + 1/m_b), or for two that start nearer, with omega^2 = U''
/// (1/m_a + 1/m_b).
///
/// `members`: by column, 1 for bodies that the forces act on; empty: on all.
void check_start(const engine::Cpu& exec, const State<engine::Host>& state,
                 const std::vector<std::uint8_t>& members, const PairTable& table,
                 const Domain& domain, double dt, const std::string& place);

/// Whether two of the bodies are so near that they feel a force of each other.
bool any_pair_feels(const engine::Cpu& exec, const State<engine::Host>& state,
                    const std::vector<std::uint8_t>& members, const PairTable& table,
                    const Domain& domain);

}  // namespace mote::sim
