// Collapse of a cube of bodies at rest. docs/library.md builds this program.
#include <mote/mote.h>

#include <cstdio>

int main() {
  std::vector<double> mass, position;
  for (int k = 0; k < 216; ++k) {
    mass.push_back(1.0 / 216);
    for (const int index : {k % 6, k / 6 % 6, k / 36}) position.push_back(index / 2.5 - 1);
  }
  const std::vector<double> velocity(position.size());
  mote::Simulation sim = mote::from_arrays({mass, position, velocity}, R"({
      "gravity": { "softening": 0.1 }, "integrator": { "dt": 0.01 } })");
  for (int k = 0; k <= 8; ++k, sim.step(25)) {
    const mote::Measurement m = sim.measure();
    std::printf("t = %4.2f  half of the mass within %.3f  energy error %.1e\n", m.time,
                m.lagrangian_radii[1], m.energy_error);
  }
}
