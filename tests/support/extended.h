#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace mote::test {

/// Reference gravity in extended precision (64-bit mantissa), by a sixth-order composition of
/// drift-kick-drift leapfrogs; shares neither code, nor order of operations, nor precision with the
/// engine. Massless bodies are allowed.
struct ExtendedBody {
  long double mass;
  std::array<long double, 3> position, velocity;
};

inline void extended_steps(std::vector<ExtendedBody>& bodies, long double gravitational,
                           long double dt, long steps) {
  const long double a = 0.78451361047755726381949763L, b = 0.23557321335935813368479318L;
  const long double c = -1.17767998417887100694641568L, d = 1 - 2 * (a + b + c);
  for (long step = 0; step < steps; ++step)
    for (long double w : {a, b, c, d, c, b, a}) {
      const long double h = w * dt;
      const auto drift = [&] {
        for (ExtendedBody& p : bodies)
          for (int k = 0; k < 3; ++k) p.position[k] += 0.5L * h * p.velocity[k];
      };
      drift();
      for (ExtendedBody& i : bodies)
        for (const ExtendedBody& j : bodies) {
          if (&i == &j || j.mass == 0) continue;
          long double r2 = 0, x[3];
          for (int k = 0; k < 3; ++k) {
            x[k] = j.position[k] - i.position[k];
            r2 += x[k] * x[k];
          }
          const long double pull = gravitational * j.mass / (r2 * std::sqrt(r2)) * h;
          for (int k = 0; k < 3; ++k) i.velocity[k] += pull * x[k];
        }
      drift();
    }
}

}  // namespace mote::test
