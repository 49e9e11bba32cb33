#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/pairs.h"
#include "sim/state.h"

namespace mote::sim {

/// Throws InputError at `location` if bodies cannot start: without mass, beyond a wall, or closer
/// than half of sigma, where the energy is 16,000 epsilon; or if a step of dt is not stable
/// for two bodies in their potential well, dt >= phase / omega with omega^2 = 72 / 2^(1/3) epsilon
/// / sigma^2 (1/m_a + 1/m_b), or for two that start closer, with omega^2 = U'' (1/m_a + 1/m_b).
/// `phase`: the largest one of the scheme (largest_phase).
///
/// `members`: by body, 1 if the forces act on it; empty: on all.
void check_start(const engine::Cpu& exec, const State<engine::Host>& state,
                 const std::vector<std::uint8_t>& members, const PairTable& table,
                 const Domain& domain, double dt, double phase, const std::string& location);

/// True if any two bodies are within their cutoff.
bool any_pair_interacts(const engine::Cpu& exec, const State<engine::Host>& state,
                        const std::vector<std::uint8_t>& members, const PairTable& table,
                        const Domain& domain);

}  // namespace mote::sim
