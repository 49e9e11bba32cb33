"""How the energy error of an integrator falls with the time step. Each part marked # %% is a cell in editors that know them."""
# %% A Kepler orbit of eccentricity 1/2: two bodies, from arrays. G = 1, total mass 1, semi-major axis 1, so a turn takes 2 pi.
import numpy as np

import mote

ECCENTRICITY = 0.5
apart = 1 + ECCENTRICITY
speed = np.sqrt((1 - ECCENTRICITY) / (1 + ECCENTRICITY))
position = [[apart / 2, 0, 0], [-apart / 2, 0, 0]]
velocity = [[0, speed / 2, 0], [0, -speed / 2, 0]]


def worst_error(integrator, steps_a_turn):
    """Largest energy error on the way round."""
    sim = mote.from_arrays([0.5, 0.5], position, velocity, dt=2 * np.pi / steps_a_turn, integrator=integrator,
                           precision="double", backend="cpu")
    worst = 0.0
    for _ in range(32):
        sim.step(steps_a_turn // 32)
        worst = max(worst, abs(sim.measure().energy_error))
    return worst


# %% Errors for steps that are halved again and again.
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
