#pragma once

#include <cmath>

#include "engine/math/random.h"
#include "engine/math/vec.h"
#include "sim/measure/temperature_formula.h"

namespace mote::sim {

/// Three normal deviates of a body in a step, by Box & Muller 1958 from one block of a
/// counter-based generator: a function of seed, step and id alone.
MOTE_HOST_DEVICE inline engine::Vec3d normal_numbers(std::uint64_t seed, std::uint64_t step,
                                                     std::uint32_t id) {
  constexpr std::uint32_t stream = 0x74686572;  // beyond the streams of all body generators
  const engine::Philox block = engine::philox_4x32_10(
      {{static_cast<std::uint32_t>(step >> 32), stream, id, static_cast<std::uint32_t>(step)}},
      static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  double u[4];
  for (int k = 0; k < 4; ++k) u[k] = (block.word[k] + 0.5) * (1.0 / 4294967296.0);
  constexpr double turn = 6.283185307179586;
  const double r = sqrt(-2 * log(u[0])), s = sqrt(-2 * log(u[1]));
  return {r * cos(turn * u[2]), r * sin(turn * u[2]), s * cos(turn * u[3])};
}

/// Exact solution over a time h of friction and noise alone (Leimkuhler & Matthews 2013, Appl.
/// Math. Res. Express 2013, 34, the part O of BAOAB): v' = c v + sqrt((1 - c^2) kT / m) R, c =
/// exp(-friction h).
struct LangevinStep {
  double decay;        ///< c
  double temperature;  ///< (1 - c^2) kT [energy]

  MOTE_HOST_DEVICE engine::Vec3d operator()(engine::Vec3d v, double mass,
                                            engine::Vec3d normal) const {
    const double noise = mass > 0 ? sqrt(temperature / mass) : 0;
    return decay * v + noise * normal;
  }
};
MOTE_HOST_DEVICE inline LangevinStep langevin_step(double temperature, double friction, double h) {
  const double decay = exp(-friction * h);
  return {decay, (1 - decay * decay) * temperature};
}

/// State of a Nose-Hoover chain of three links (Martyna, Klein & Tuckerman 1992, J. Chem. Phys. 97,
/// 2635; integrated as by Martyna et al. 1996, Mol. Phys. 87, 1117, section 2.2, with one
/// Suzuki-Yoshida step). Stored in the globals of a state.
struct NoseHooverChain {
  static constexpr int links = 3;
  double position[links];  ///< eta
  double velocity[links];  ///< d eta / dt [1 / time]
};

struct NoseHoover {
  double temperature;  ///< kT [energy]
  double time;         ///< time scale of the chain [time]
  double degrees;      ///< number of degrees of freedom

  /// Masses of the links [energy time^2]: Q1 = degrees kT time^2, others kT time^2.
  MOTE_HOST_DEVICE double mass(int link) const {
    return (link == 0 ? degrees : 1.0) * temperature * time * time;
  }

  /// Fastest rate of the coupled bodies and chain [1 / time]: of a link, which damps the previous
  /// one, and of the driving of a link by the bodies or the previous link, K' = -2 v0 K, Q0 v0' = 2
  /// K and Qk v_k' = Q_(k-1) v_(k-1)^2.
  MOTE_HOST_DEVICE double fastest_rate(const NoseHooverChain& chain, double kinetic) const {
    double rate = fmax(sqrt(4 * kinetic / mass(0)), 2 * fabs(chain.velocity[0]));
    for (int k = 1; k < NoseHooverChain::links; ++k)
      rate = fmax(rate, fmax(fabs(chain.velocity[k]),
                             sqrt(2 * mass(k - 1) / mass(k)) * fabs(chain.velocity[k - 1])));
    return rate;
  }

  /// Advances the chain by h with fixed positions. Returns the scale factor of the velocities;
  /// `kinetic` is their energy before. Near its temperature the chain is slow compared with h, and
  /// this is one step. Far from it the rates grow with the root of the energy; steps that do not
  /// resolve them would scale velocities by a huge exponential and freeze the bodies for good. So
  /// the step is divided into the longest resolved substeps; if there are too many, nothing changes
  /// and the result is 0.
  MOTE_HOST_DEVICE double advance(NoseHooverChain& chain, double kinetic, double h) const {
    const NoseHooverChain before = chain;
    double scale = 1, left = h;
    for (int substep = 0; substep < max_substeps; ++substep) {
      const double longest = max_rate_times_step / fastest_rate(chain, kinetic);
      const bool last = !(left > longest);
      const double part = advance_once(chain, kinetic, last ? left : longest);
      scale *= part, kinetic *= part * part;
      if (last) return scale;
      left -= longest;
    }
    chain = before;
    return 0;
  }

  /// The chain's contribution to the conserved energy [energy].
  MOTE_HOST_DEVICE double energy(const NoseHooverChain& chain) const {
    double sum = degrees * temperature * chain.position[0];
    for (int k = 0; k < NoseHooverChain::links; ++k) {
      sum += 0.5 * mass(k) * chain.velocity[k] * chain.velocity[k];
      if (k > 0) sum += temperature * chain.position[k];
    }
    return sum;
  }

 private:
  /// Largest rate times substep. A quarter leaves an error of some 1e-3 of the change in a substep.
  static constexpr double max_rate_times_step = 0.25;
  /// Enough for bodies ten million times too hot, with usual time scales.
  static constexpr int max_substeps = 1000;

  MOTE_HOST_DEVICE double advance_once(NoseHooverChain& chain, double kinetic, double h) const {
    constexpr int last = NoseHooverChain::links - 1;
    const auto driving = [&](int k) {
      return k == 0 ? (2 * kinetic - degrees * temperature) / mass(0)
                    : (mass(k - 1) * chain.velocity[k - 1] * chain.velocity[k - 1] - temperature) /
                          mass(k);
    };
    const auto kick_link = [&](int k) {
      const double damp = k == last ? 1 : exp(-0.25 * h * chain.velocity[k + 1]);
      chain.velocity[k] = (chain.velocity[k] * damp + 0.5 * h * driving(k)) * damp;
    };
    for (int k = last; k >= 0; --k) kick_link(k);
    const double scale = exp(-h * chain.velocity[0]);
    kinetic *= scale * scale;
    for (int k = 0; k <= last; ++k) chain.position[k] += h * chain.velocity[k];
    for (int k = 0; k <= last; ++k) kick_link(k);
    return scale;
  }
};

}  // namespace mote::sim
