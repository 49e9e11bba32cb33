#pragma once

#include <cmath>

#include "engine/math/random.h"
#include "engine/math/vec.h"

namespace mote::sim {

/// Three normal numbers of a body in a step, by Box & Muller 1958 from one block of counter-based
/// random words: a function of seed, step and id alone.
MOTE_HOST_DEVICE inline engine::Vec3d normal_numbers(std::uint64_t seed, std::uint64_t step,
                                                     std::uint32_t id) {
  constexpr std::uint32_t stream = 0x74686572;  // no generator of bodies has as many streams
  const engine::Philox block = engine::philox_4x32_10(
      {{static_cast<std::uint32_t>(step >> 32), stream, id, static_cast<std::uint32_t>(step)}},
      static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  double u[4];
  for (int k = 0; k < 4; ++k) u[k] = (block.word[k] + 0.5) * (1.0 / 4294967296.0);
  constexpr double turn = 6.283185307179586;
  const double r = sqrt(-2 * log(u[0])), s = sqrt(-2 * log(u[1]));
  return {r * cos(turn * u[2]), r * sin(turn * u[2]), s * cos(turn * u[3])};
}

/// Exact over a time h for friction and noise alone (Leimkuhler & Matthews 2013, Appl. Math. Res.
/// Express 2013, 34, the part O of BAOAB): v' = c v + sqrt((1 - c^2) kT / m) R, c = exp(-friction
/// h).
struct LangevinStep {
  double keeps;        ///< c
  double temperature;  ///< (1 - c^2) kT [energy]

  MOTE_HOST_DEVICE engine::Vec3d operator()(engine::Vec3d v, double mass,
                                            engine::Vec3d normal) const {
    const double noise = mass > 0 ? sqrt(temperature / mass) : 0;
    return keeps * v + noise * normal;
  }
};
MOTE_HOST_DEVICE inline LangevinStep langevin_step(double temperature, double friction, double h) {
  const double keeps = exp(-friction * h);
  return {keeps, (1 - keeps * keeps) * temperature};
}

/// A chain of Nose and Hoover (Martyna, Klein & Tuckerman 1992, J. Chem. Phys. 97, 2635; integrated
/// as by Martyna et al. 1996, Mol. Phys. 87, 1117, section 2.2, with one Suzuki-Yoshida step): what
/// its three links remember. Plain numbers, in the memory of a state.
struct NoseHooverChain {
  static constexpr int links = 3;
  double place[links];     ///< eta
  double velocity[links];  ///< d eta / dt [1 / time]
};
inline constexpr int nose_hoover_numbers = 2 * NoseHooverChain::links;

struct NoseHoover {
  double temperature;  ///< kT [energy]
  double time;         ///< of its own oscillation [time]
  double degrees;      ///< of freedom

  /// Masses of the links [energy time^2]: Q1 = degrees kT time^2, others kT time^2.
  MOTE_HOST_DEVICE double mass(int link) const {
    return (link == 0 ? degrees : 1.0) * temperature * time * time;
  }

  /// The fastest rate at which bodies and chain change each other [1 / time]: that of a link, which
  /// damps the one before, and that at which bodies or a link push the next one, of K' = -2 v0 K,
  /// Q0 v0' = 2 K and Qk v_k' = Q_(k-1) v_(k-1)^2.
  MOTE_HOST_DEVICE double fastest(const NoseHooverChain& chain, double kinetic) const {
    double rate = fmax(sqrt(4 * kinetic / mass(0)), 2 * fabs(chain.velocity[0]));
    for (int k = 1; k < NoseHooverChain::links; ++k)
      rate = fmax(rate, fmax(fabs(chain.velocity[k]),
                             sqrt(2 * mass(k - 1) / mass(k)) * fabs(chain.velocity[k - 1])));
    return rate;
  }

  /// Lets the chain move for a time h while bodies stand still. Returns by how much velocities are
  /// scaled; `kinetic` is their energy before. Where the chain is slow against h, as it is near its
  /// temperature, that is one step of it. Far from it the rates grow with the root of the energy:
  /// steps that do not follow them would scale velocities by exp of something huge, and bodies
  /// freeze for good. So it takes shorter steps there, as long as they are; and where those are too
  /// many, moves nothing and returns 0.
  MOTE_HOST_DEVICE double move(NoseHooverChain& chain, double kinetic, double h) const {
    const NoseHooverChain before = chain;
    double scale = 1, left = h;
    for (int parts = 0; parts < most_parts; ++parts) {
      const double longest = resolved / fastest(chain, kinetic);
      const bool last = !(left > longest);
      const double part = move_at_once(chain, kinetic, last ? left : longest);
      scale *= part, kinetic *= part * part;
      if (last) return scale;
      left -= longest;
    }
    chain = before;
    return 0;
  }

  /// What the chain has of the energy that is conserved.
  MOTE_HOST_DEVICE double energy(const NoseHooverChain& chain) const {
    double sum = degrees * temperature * chain.place[0];
    for (int k = 0; k < NoseHooverChain::links; ++k) {
      sum += 0.5 * mass(k) * chain.velocity[k] * chain.velocity[k];
      if (k > 0) sum += temperature * chain.place[k];
    }
    return sum;
  }

 private:
  /// Of a rate times a step. A quarter leaves an error of the scheme of some 1e-3 of what a step
  /// changes.
  static constexpr double resolved = 0.25;
  /// Enough for bodies ten million times too hot, with usual times.
  static constexpr int most_parts = 1000;

  MOTE_HOST_DEVICE double move_at_once(NoseHooverChain& chain, double kinetic, double h) const {
    constexpr int last = NoseHooverChain::links - 1;
    const auto push = [&](int k) {
      return k == 0 ? (2 * kinetic - degrees * temperature) / mass(0)
                    : (mass(k - 1) * chain.velocity[k - 1] * chain.velocity[k - 1] - temperature) /
                          mass(k);
    };
    const auto kick_link = [&](int k) {
      const double damp = k == last ? 1 : exp(-0.25 * h * chain.velocity[k + 1]);
      chain.velocity[k] = (chain.velocity[k] * damp + 0.5 * h * push(k)) * damp;
    };
    for (int k = last; k >= 0; --k) kick_link(k);
    const double scale = exp(-h * chain.velocity[0]);
    kinetic *= scale * scale;
    for (int k = 0; k <= last; ++k) chain.place[k] += h * chain.velocity[k];
    for (int k = 0; k <= last; ++k) kick_link(k);
    return scale;
  }
};

/// Whose heat it is: the energy of bodies relative to their centre of mass where momentum is
/// conserved, and all of it where it is not. Sums over bodies.
struct Heat {
  double kinetic = 0, mass = 0;
  engine::Vec3d momentum{};

  MOTE_HOST_DEVICE Heat& operator+=(const Heat& o) {
    kinetic += o.kinetic, mass += o.mass, momentum += o.momentum;
    return *this;
  }
  /// Velocity of the centre of mass.
  MOTE_HOST_DEVICE engine::Vec3d flow() const {
    return mass > 0 ? (1 / mass) * momentum : engine::Vec3d{};
  }
  /// Kinetic energy of what is left without it.
  MOTE_HOST_DEVICE double relative() const { return kinetic - 0.5 * dot(momentum, flow()); }
};

/// Degrees of freedom of so many bodies: the centre of mass has three, which are none of the heat's
/// where momentum is kept.
MOTE_HOST_DEVICE inline double degrees_of_freedom(double count, bool momentum_kept) {
  return 3 * (momentum_kept && count > 1 ? count - 1 : count);
}

}  // namespace mote::sim
