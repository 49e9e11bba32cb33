"""The class Simulation."""
from __future__ import annotations

import dataclasses
import json
import operator
import os
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._columns import DeviceColumn

PathLike = Union[str, "os.PathLike[str]"]
Vector = tuple[float, float, float]
Column = Union[np.ndarray, DeviceColumn]


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Sums over all bodies, in double whatever the precision, in the units of the scene.

    ``dataclasses.asdict`` makes a dict of it.
    """

    time: float
    step: int
    kinetic: float
    """sum of m v^2 / 2"""
    potential: float
    """of all forces that have one"""
    energy: float
    """kinetic + potential"""
    energy_error: float
    """(energy - that at the start) / |that at the start|; the plain difference where that is 0"""
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
    """low, high: corners of the smallest box around all bodies"""
    fastest: float
    """largest speed"""
    temperature: float
    """k T, an energy; with forces of near pairs or a thermostat"""
    pressure: float
    """with these forces in a closed domain"""


class Simulation:
    """A scene that runs. Made by `load`, `load_text`, `from_arrays` and `resume`.

    The same scene, options and machine give the same bits, however the steps are sliced, as in ``mote run``. Numbers are
    in the units of the scene. For one thread at a time; stepping lets other threads of Python run.

    Columns (``x``, ``vx``, ``mass``, ...) are arrays of length n in the order of the bodies. On the CPU each is a NumPy
    array that *is* the state: nothing is copied, it cannot be written, and every step changes what it shows; copy it to keep
    a moment. It may outlive the simulation's name. On a GPU each is a `DeviceColumn`. A scene with hooks may add and take
    away bodies: its columns are copies, of the bodies as they are when asked. ``positions()`` and the like are always copies.
    """

    def __init__(self, core: Any):
        if not isinstance(core, _core.Simulation):
            raise TypeError("use mote.load, mote.load_text, mote.from_arrays or mote.resume")
        self._core = core

    # Steps

    def step(self, steps: int = 1) -> int:
        """Takes so many whole steps and returns how many were taken: fewer when a hook of the scene ends the run (`ended`).

        Ctrl+C ends between steps with KeyboardInterrupt, and the simulation can go on. Raises UnhealthyError when numbers are
        not finite or the energy error passes the scene's limit.
        """
        steps = operator.index(steps)
        if steps < 0:
            raise ValueError("steps must be 0 or more")
        return self._core.step(steps)

    def run(self, until: Union[float, str, None] = None) -> int:
        """Steps until the first step at or past the time `until`, or the end that the scene says; returns how many
        steps. A time may have a unit in scenes that have units: ``sim.run(until="10 Myr")``.

        Steps are never shortened, so `time` may end up to one step past `until`.
        """
        if until is None:
            return self._core.run()
        return self._core.run_until(until if isinstance(until, str) else float(until))

    @property
    def ended(self) -> Optional[str]:
        """Why a hook of the scene ended the run, or None. Stepping on clears it."""
        return self._core.ended() or None

    # What it is

    @property
    def time(self) -> float:
        """Simulation time."""
        return self._core.time()

    @property
    def dt(self) -> float:
        """Length of a step."""
        return self._core.dt()

    @property
    def step_count(self) -> int:
        """Steps taken since the start."""
        return self._core.step_count()

    @property
    def interactions(self) -> int:
        """Directed pair interactions of all steps."""
        return self._core.interactions()

    @property
    def backend(self) -> str:
        """'cpu' or 'cuda'."""
        return self._core.backend()

    @property
    def precision(self) -> str:
        """'single', 'mixed' or 'double'."""
        return self._core.precision()

    @property
    def title(self) -> str:
        """Of the scene; may be empty."""
        return self._core.title()

    @property
    def units(self) -> str:
        """Name of the unit system of all numbers: 'nbody' (G = 1), 'galactic', ..."""
        return self._core.units()

    @property
    def scene(self) -> dict:
        """The scene in full, with every default."""
        return json.loads(self._core.scene_json())

    @property
    def reasons(self) -> list[str]:
        """What was chosen and why: backend, precision, ..."""
        return self._core.reasons()

    def __len__(self) -> int:
        """Number of bodies."""
        return self._core.count()

    def name(self, id: int) -> str:
        """Name of the body with this id; '' when it has none."""
        return self._core.name(id)

    # Numbers

    def measure(self) -> Measurement:
        """Energies, momenta, centre of mass, virial ratio, Lagrangian radii. Takes about as long as a step."""
        return Measurement(**self._core.measure())

    @property
    def hash(self) -> str:
        """16 hexadecimal digits over ids, masses, positions, velocities and time: ``state_hash`` of ``mote run``."""
        return self._core.hash()

    def _column(self, name: str) -> Column:
        if self._core.backend() == "cuda" and not self._core.bodies_may_change():
            return DeviceColumn(self._core, name)
        return self._core.column(getattr(_core.Column, name))

    @property
    def id(self) -> Column:
        """(n,) uint32: which body; 0 to n - 1 unless hooks added or took away some."""
        return self._column("id")

    @property
    def mass(self) -> Column:
        """(n,) float32 in single precision, else float64; read only. Columns: help(mote.Simulation)."""
        return self._column("mass")

    @property
    def x(self) -> Column:
        """(n,) positions along x, like `mass`."""
        return self._column("x")

    @property
    def y(self) -> Column:
        """(n,) positions along y, like `mass`."""
        return self._column("y")

    @property
    def z(self) -> Column:
        """(n,) positions along z, like `mass`."""
        return self._column("z")

    @property
    def vx(self) -> Column:
        """(n,) velocities along x, like `mass`."""
        return self._column("vx")

    @property
    def vy(self) -> Column:
        """(n,) velocities along y, like `mass`."""
        return self._column("vy")

    @property
    def vz(self) -> Column:
        """(n,) velocities along z, like `mass`."""
        return self._column("vz")

    @property
    def ax(self) -> Column:
        """(n,) accelerations along x at the positions of now, like `mass`."""
        return self._column("ax")

    @property
    def ay(self) -> Column:
        """(n,) accelerations along y, like `ax`."""
        return self._column("ay")

    @property
    def az(self) -> Column:
        """(n,) accelerations along z, like `ax`."""
        return self._column("az")

    def masses(self) -> np.ndarray:
        """(n,) float64, a copy."""
        return self._core.masses()

    def positions(self) -> np.ndarray:
        """(n, 3) float64, a copy."""
        return self._core.positions()

    def velocities(self) -> np.ndarray:
        """(n, 3) float64, a copy."""
        return self._core.velocities()

    def accelerations(self) -> np.ndarray:
        """(n, 3) float64, a copy."""
        return self._core.accelerations()

    # Changes, files, pictures

    @property
    def live(self) -> dict[str, float]:
        """Parameters that `set` changes, and their values."""
        return self._core.live()

    def set(self, path: str, value: float) -> None:
        """Changes a parameter between steps: ``sim.set("gravity.softening", 0.02)``, ``sim.set("integrator.dt", 1e-3)``.

        The energy that the change itself brings does not count as an energy error.
        """
        self._core.set(path, float(value))

    def checkpoint(self, path: PathLike) -> None:
        """Writes all that `resume` needs, as HDF5, which readers of Gadget snapshots (yt, pynbody, h5py) open too."""
        self._core.checkpoint(os.fspath(path))

    def render(self, width: int = 1280, height: int = 720) -> np.ndarray:
        """Draws the bodies as the scene says, without a display: (height, width, 3) uint8, sRGB, rows from the top.

        Colours keep the range of the first picture of this size, so that pictures of a run compare.
        """
        return self._core.render(int(width), int(height))

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return (f"<mote.Simulation{title}: {len(self)} bodies, step {self.step_count}, time {self.time:g}, "
                f"{self.backend}, {self.precision}>")
