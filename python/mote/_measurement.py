"""What `Simulation.measure` returns."""
from __future__ import annotations

import dataclasses

Vector = tuple[float, float, float]


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Sums over all bodies, in double at every precision, in the units of the scene.

    ``dataclasses.asdict`` converts it to a dict.
    """

    time: float
    step: int
    kinetic: float
    """sum of m v^2 / 2"""
    potential: float
    """of all forces that have a potential"""
    energy: float
    """kinetic + potential"""
    energy_error: float
    """(energy - initial energy) / |initial energy|; the plain difference if that is 0"""
    energy_drift: float
    """|energy - initial energy| / the largest of |initial energy|, kinetic and |potential| energy measured so far"""
    virial_ratio: float
    """2 kinetic / |potential|: 1 in equilibrium"""
    mass: float
    momentum: Vector
    angular_momentum: Vector
    """about the origin"""
    center_of_mass: Vector
    lagrangian_radii: Vector
    """about the centre of mass, of 10, 50 and 90 % of the mass"""
    low: Vector
    high: Vector
    """low, high: corners of the bounding box of all bodies"""
    fastest: float
    """largest speed"""
    temperature: float
    """k T, an energy; with short-range pair forces or a thermostat"""
    pressure: float
    """with these in a closed domain"""
