"""What `Simulation.measure` returns."""
from __future__ import annotations

import dataclasses

Vector = tuple[float, float, float]


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Sums over all bodies, in double at every precision, in the units of the scene.

    ``dataclasses.asdict`` converts it to a dict.

    Attributes:
        time: simulation time
        step: number of steps since the start
        kinetic: T, the sum of m v^2 / 2, and of I w^2 / 2 of bodies with spin; an energy
        potential: W, the potential energy of all forces that have one, of gravity with its softening
        energy: kinetic + potential, with that of a Nose-Hoover chain
        energy_error: (energy - initial energy) / |initial energy|; the plain difference if that is 0
        energy_drift: |energy - initial energy| / the largest of |initial energy|, kinetic and |potential| energy
            measured so far
        virial_ratio: 2 T / |W|, 1 in equilibrium under gravity; 0 where W is 0
        mass: total mass
        momentum: sum of m v, 3 numbers
        angular_momentum: sum of m x cross v about the origin, and of I w of bodies with spin
        center_of_mass: sum of m x / mass; the mean position if the mass is 0
        lagrangian_radii: radii of spheres about the centre of mass that contain 10, 50 and 90 % of the mass
        low: lower corner of the bounding box of all bodies
        high: upper corner of it
        fastest: largest speed
        temperature: k T, an energy: 2 T / degrees of freedom, of bodies that are not fixed; in scenes of molecules or with
            a thermostat, otherwise 0
        pressure: (2 T + virial) / (3 volume), with this T, without corrections for the cutoff; in the same scenes, in a
            domain without open axes, otherwise 0
        constraint_energy: the part of the potential energy that the constraints of soft bodies have
    """

    time: float
    step: int
    kinetic: float
    potential: float
    energy: float
    energy_error: float
    energy_drift: float
    virial_ratio: float
    mass: float
    momentum: Vector
    angular_momentum: Vector
    center_of_mass: Vector
    lagrangian_radii: Vector
    low: Vector
    high: Vector
    fastest: float
    temperature: float
    pressure: float
    constraint_energy: float
