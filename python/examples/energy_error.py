"""Order of accuracy of integrators: the energy error against the time step. Parts marked # %% are cells in many editors."""
# %% A Kepler orbit of eccentricity 1/2: two bodies, from arrays. G = 1, total mass 1, semi-major axis 1: the period is 2 pi.
import numpy as np

import mote

ECCENTRICITY = 0.5
distance = 1 + ECCENTRICITY  # apoapsis
speed = np.sqrt((1 - ECCENTRICITY) / (1 + ECCENTRICITY))
position = [[distance / 2, 0, 0], [-distance / 2, 0, 0]]
velocity = [[0, speed / 2, 0], [0, -speed / 2, 0]]


def worst_error(integrator, steps_per_orbit):
    """Largest energy error during one orbit."""
    sim = mote.from_arrays([0.5, 0.5], position, velocity, dt=2 * np.pi / steps_per_orbit, integrator=integrator,
                           precision="double", backend="cpu")
    worst = 0.0
    for _ in range(32):
        sim.step(steps_per_orbit // 32)
        worst = max(worst, abs(sim.measure().energy_error))
    return worst


# %% Errors for successively halved steps.
counts = np.array([256, 512, 1024])
orders = {}
for integrator in ("leapfrog", "yoshida4", "yoshida6"):
    errors = np.array([worst_error(integrator, n) for n in counts])
    orders[integrator] = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    print(f"{integrator:9s}", "  ".join(f"{n}: {e:.1e}" for n, e in zip(counts, errors)), f"  order {orders[integrator]:.2f}")

# %% The error falls with the order of the method.
assert abs(orders["leapfrog"] - 2) < 0.2
assert abs(orders["yoshida4"] - 4) < 0.4
assert abs(orders["yoshida6"] - 6) < 0.8
