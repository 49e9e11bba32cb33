"""A parameter study: the infall time of two clusters for several distances, from one scene."""
# %% A scene with parameters, as in a scene file. mote.load reads files, mote.load_text takes text.
import numpy as np

import mote

SCENE = """
local n = param("n", 200, { min = 2, max = 1000000, doc = "bodies in all" })
local distance = param("distance", 4, { min = 0, unit = "length", doc = "between the clusters" })
local cluster = plummer { n = n // 2, mass = 0.5, scale = 0.2 }
return {
  title = "Two clusters at rest",
  gravity = { softening = 0.05 },
  integrator = { dt = 0.01 },
  bodies = { translate(cluster, { -distance / 2, 0, 0 }), translate(cluster, { distance / 2, 0, 0 }) },
}
"""


def time_to_meet(distance):
    """The time at which the centres of the clusters are at half of their initial distance."""
    sim = mote.load_text(SCENE, "clusters.lua", {"distance": distance, "n": 200}, backend="cpu")
    left = len(sim) // 2
    x = sim.x  # a view: it follows the simulation
    while x[left:].mean() - x[:left].mean() > distance / 2:
        sim.step(5)
    return sim.time


# %% Two points at rest take (pi / 2 + 1) / 2 sqrt(d^3 / (2 G M)) to fall to half of their distance d.
distances = np.array([2.0, 3.0, 4.0])
times = np.array([time_to_meet(d) for d in distances])
expected = (np.pi / 2 + 1) / 2 * np.sqrt(distances**3 / 2)
for d, t, e in zip(distances, times, expected):
    print(f"distance {d:3.1f}: met at t = {t:.2f}, points would at {e:.2f}")

# %% Clusters are nearly point masses: their scale radius is 0.2, and the distance was checked every 0.05.
assert np.all(np.abs(times / expected - 1) < 0.05), times / expected
exponent = np.polyfit(np.log(distances), np.log(times), 1)[0]
print(f"the time grows as distance^{exponent:.2f}; Kepler's third law says 1.5")
assert abs(exponent - 1.5) < 0.1
