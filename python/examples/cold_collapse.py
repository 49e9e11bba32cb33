"""Collapse of a cold ball from NumPy arrays, with radial profiles before and after."""
# %% A uniform ball of mass 1 and radius 1, at rest.
import numpy as np

import mote

n = 1000
random = np.random.default_rng(7)
direction = random.normal(size=(n, 3))
direction /= np.linalg.norm(direction, axis=1)[:, np.newaxis]
position = direction * np.cbrt(random.uniform(size=n))[:, np.newaxis]

sim = mote.from_arrays(1 / n, position, np.zeros((n, 3)), softening=0.05, dt=0.005, backend="cpu",
                       scene={"health": {"energy_error": 0.02}})  # UnhealthyError above this
print(sim)


def profile(edges):
    """Density in shells about the median position; ejected bodies would bias the centre of mass."""
    position = sim.positions()
    radius = np.linalg.norm(position - np.median(position, axis=0), axis=1)
    mass, _ = np.histogram(radius, edges, weights=sim.masses())
    return mass / (4 / 3 * np.pi * np.diff(edges**3))


# %% The collapse takes pi / 2 sqrt(R^3 / (2 G M)) = 1.11 for a ball without pressure.
edges = np.array([0, 0.3, 0.6, 1.0, 2.0])
before = profile(edges)
series = [sim.measure()]
while sim.time < 3:
    sim.step(10)
    series.append(sim.measure())
after = profile(edges)
radii = np.array([m.lagrangian_radii[1] for m in series])
smallest = series[int(np.argmin(radii))].time
print(f"smallest at t = {smallest:.2f}: half of the mass within {radii.min():.3f}; {radii[0]:.3f} at the start")
print("shells   ", "  ".join(f"{a:.2f}-{b:.2f}" for a, b in zip(edges, edges[1:])))
print("before   ", "  ".join(f"{d:9.4f}" for d in before))
print("after    ", "  ".join(f"{d:9.4f}" for d in after))

# %% The result has a dense core and a halo, and the energy is conserved.
assert abs(smallest - 1.11) < 0.15
assert abs(before[0] / before[1] - 1) < 0.6  # 27 bodies in the inner shell: 3 standard deviations
assert after[0] > 10 * after[1] > 100 * after[3] > 0
assert abs(series[-1].energy_error) < 0.02
