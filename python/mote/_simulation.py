"""The class Simulation and the functions that open one."""
from __future__ import annotations

import dataclasses
import json
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

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


def _typed(value: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return value
    if isinstance(value, (Sequence, np.ndarray)):
        return "{" + ", ".join(_typed(v) for v in value) + "}"
    raise TypeError(f"a parameter is a number, text, a bool or a sequence of numbers, not {value!r}")


def _settings(params: Optional[Mapping[str, Any]]) -> dict[str, str]:
    return {name: _typed(value) for name, value in (params or {}).items()}


def _plain(value: Any) -> Any:
    """For JSON: NumPy's numbers and arrays as those of Python."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a scene cannot hold {value!r}")


def _merged(base: dict, more: Mapping[str, Any]) -> dict:
    result = dict(base)
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            value = _merged(dict(result[key]), value)
        result[key] = value
    return result


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


def load(scene: PathLike, params: Optional[Mapping[str, Any]] = None, *, backend: str = "auto", precision: str = "auto",
         threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
         stepping: str = "auto", trust: bool = False) -> Simulation:
    """Opens a scene: a file (.lua or .json), or the name of one that comes with mote (`mote.scenes()`).

    params: values for the scene's parameters by name, and for anything else in it by its path:
    ``{"n": 4096, "gravity.softening": 0.01, "seed": 7}``.

    backend: 'cpu', 'cuda', or 'auto', which takes a GPU where there is one and bodies are many. precision: 'single',
    'mixed', 'double', or 'auto', what the scene says. threads, simd: of the CPU; device, stepping: which GPU, and how it
    is driven. All are those of ``mote run``; threads and stepping never change a bit. trust: the scene may read files
    outside its folder and run for as long as it likes.

    Raises InputError with every problem of the scene. Hooks of the scene run as in ``mote run``, but what they write
    into the folder of a run (rows, snapshots, pictures) is left out, and ``on_end`` is not called, for a simulation here
    can always go on.
    """
    options = dict(backend=backend, precision=precision, threads=threads, device=device, simd=simd, stepping=stepping,
                   trust=trust)
    return Simulation(_core.load(os.fspath(scene), _settings(params), options))


def load_text(text: str, name: str = "scene.lua", params: Optional[Mapping[str, Any]] = None, *,
              backend: str = "auto", precision: str = "auto",
              threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
              stepping: str = "auto") -> Simulation:
    """Opens the text of a scene. `name` stands in messages; its ending says the language, .lua or .json, and its folder
    is where the scene may read files. The rest as for `load`."""
    options = dict(backend=backend, precision=precision, threads=threads, device=device, simd=simd, stepping=stepping)
    return Simulation(_core.load_text(text, name, _settings(params), options))


def _numbers(what: str, values: ArrayLike) -> np.ndarray:
    """Real numbers in double precision, or an InputError that says what they were to be."""
    try:
        array = np.asarray(values)
        if not np.iscomplexobj(array):
            return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"from_arrays: {what}: {error}") from None
    raise InputError(f"from_arrays: {what}: has complex numbers; real ones are needed")


def from_arrays(mass: ArrayLike, position: ArrayLike, velocity: ArrayLike, *, dt: Optional[float] = None,
                softening: Optional[float] = None, units: str = "nbody", integrator: str = "leapfrog",
                names: Sequence[str] = (), scene: Optional[Mapping[str, Any]] = None,
                backend: str = "auto", precision: str = "auto",
                threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
                stepping: str = "auto") -> Simulation:
    """Opens a simulation of bodies in arrays, which are copied.

    mass: (n,), >= 0, or one number for all; position, velocity: (n, 3). All are in the units of `units`: 'nbody' (G = 1),
    'galactic', 'solar', ... The step `dt` must be given, here or in `scene`. Bodies attract each other with Plummer's
    `softening`, a length, 0 by default. integrator: 'leapfrog', 'yoshida4', 'yoshida6'. names: n of them, or none.

    scene: anything else that scenes hold (docs/scenes.md), and more about the above, as a dict of the same shape:
    ``scene={"fields": [{"kind": "uniform", "acceleration": [0, 0, -9.8]}], "health": {"energy_error": 1e-3}}``.
    ``scene={"gravity": None}`` takes away the attraction. It is checked as every scene is, and all problems are in one
    InputError. The other options are those of `load`.
    """
    position, velocity, mass = _numbers("position", position), _numbers("velocity", velocity), _numbers("mass", mass)
    if position.ndim != 2 or position.shape[1] != 3:
        raise InputError(f"from_arrays: position: has the shape {position.shape}; (n, 3) is needed")
    if velocity.shape != position.shape:
        raise InputError(f"from_arrays: velocity: has the shape {velocity.shape}; {position.shape} is needed, as of position")
    if mass.ndim == 0:
        mass = np.full(len(position), mass)
    if mass.shape != position.shape[:1]:
        raise InputError(f"from_arrays: mass: has the shape {mass.shape}; {position.shape[:1]} or one number is needed")
    gravity = (scene or {}).get("gravity", {})
    if softening is not None and (gravity is None or "softening" in gravity):
        raise InputError("from_arrays: softening: is given twice, by its name and in the scene's gravity; keep one")
    whole: dict[str, Any] = {"units": units, "gravity": {"softening": softening or 0.0}, "integrator": {"name": integrator}}
    if dt is not None:
        whole["integrator"]["dt"] = dt
    whole = _merged(whole, scene or {})
    if "bodies" in whole:
        raise InputError("from_arrays: bodies: are given as arrays; leave them out of the scene")
    whole = {key: value for key, value in whole.items() if value is not None}
    text = json.dumps(whole, default=_plain)
    options = dict(backend=backend, precision=precision, threads=threads, device=device, simd=simd, stepping=stepping)
    return Simulation(_core.from_arrays(mass, position, velocity, list(names), text, options))


def resume(checkpoint: PathLike, *, backend: str = "auto", precision: str = "auto",
           threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
           stepping: str = "auto", trust: bool = False) -> Simulation:
    """Goes on from a checkpoint, of Python or of the window: on the same machine and backend bit for bit as if there had
    been no stop. Options are those of `load`; 'auto' is what they were."""
    options = dict(backend=backend, precision=precision, threads=threads, device=device, simd=simd, stepping=stepping,
                   trust=trust)
    return Simulation(_core.resume(os.fspath(checkpoint), options))


def scenes() -> list[str]:
    """Names of the scenes that come with mote, for `load`."""
    return _core.scenes()


InputError = _core.InputError
