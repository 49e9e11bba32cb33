// A ball of bodies at rest falls together. docs/library.md builds and explains this program.
#include <mote/mote.h>

#include <cstdio>
#include <vector>

int main() try {
  std::vector<double> mass, position;
  for (int k = 0; k < 10 * 10 * 10; ++k) {
    const double x = k % 10 - 4.5, y = k / 10 % 10 - 4.5, z = k / 100 - 4.5;
    if (x * x + y * y + z * z > 25) continue;
    mass.push_back(0.002);
    for (const double place : {x, y, z}) position.push_back(place / 5);
  }
  const std::vector<double> velocity(position.size());
  mote::Simulation sim = mote::from_arrays({mass, position, velocity}, R"({
      "gravity": { "softening": 0.05 }, "integrator": { "dt": 0.01 } })");
  for (int k = 0; k <= 6; ++k, sim.step(25)) {
    const mote::Measurement m = sim.measure();
    std::printf("t = %4.2f  half of the mass within %.3f  energy error %.1e\n", m.time, m.lagrangian_radii[1],
                m.energy_error);
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
