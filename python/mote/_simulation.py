"""The class Simulation."""
from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks, _core
from ._checks import PathLike
from ._columns import DeviceColumn
from ._core import Simulation as Core
from ._measurement import Measurement
from ._notebook import Film, film_of, html_of, image_of, png_of
from ._record import Wanted, record
from ._steps import MOST, advance, goal
from ._view import View

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

# Type checkers see an array, as on the CPU; on a GPU it is a DeviceColumn, which other packages convert to arrays.
Column = NDArray[Any]
Reals = NDArray[np.float64]
Observer = Callable[["Simulation"], Any]


_BODIES = {"mass", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "id", "masses", "positions", "velocities", "accelerations"}


class Simulation:
    """A running scene, returned by `load`, `load_text`, `from_arrays` and `resume`.

    The same scene, options and machine give bitwise the same results as ``mote run``, however the steps are split into
    calls. Numbers are in the units of the scene. Use one thread at a time; stepping lets other Python threads run.

    Columns (``x``, ``vx``, ``mass``, ...) are arrays of length n in the order of the bodies. On the CPU each is a
    read-only NumPy view of the state, which every step changes; copy it to keep the present values. It stays valid after
    ``del sim``. On a GPU each is a `DeviceColumn`. In a scene whose hooks, emitters or drains may add and remove bodies, and
    after the first `set_bodies`, `add` or `remove`, columns are copies of the present values; earlier ones stay as they
    were before it. ``positions()`` and the like are always copies.
    """

    __slots__ = ("_core", "_hooks", "_options", "_view", "_warned", "__weakref__")
    _core: Core
    _options: dict[str, Any]
    _hooks: list[tuple[int, Observer]]
    _view: Optional[View]
    _warned: bool

    def __init__(self, core: Core, options: Optional[dict[str, Any]] = None):
        if not isinstance(core, Core):
            raise TypeError("use mote.load, mote.load_text, mote.from_arrays or mote.resume")
        object.__setattr__(self, "_core", core)
        object.__setattr__(self, "_hooks", [])
        object.__setattr__(self, "_options", options or {})
        object.__setattr__(self, "_view", None)
        object.__setattr__(self, "_warned", False)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        if name in _BODIES:
            raise AttributeError("columns are read-only: sim.set_bodies(position=...) sets them all")
        paths = [path for path in self.live if name in (path, path.rpartition(".")[2])]
        if paths:
            raise AttributeError(f"set a parameter by its path: sim.set({paths[0]!r}, {value!r})")
        what = "cannot be set" if hasattr(type(self), name) else "is not an attribute of a simulation"
        raise AttributeError(f"{name!r} {what}; sim.set(path, value) sets the parameters in sim.live: "
                             f"{', '.join(self.live)}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be deleted from a simulation")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies are checkpoints: they continue bitwise as the simulation does, on the same machine."""
        return _unpickled, (self.checkpoint(), {key: value for key, value in self._options.items() if key != "trust"})

    def __copy__(self) -> "Simulation":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Simulation":
        return self.copy()

    def copy(self) -> "Simulation":
        """An independent simulation in the same state, which continues bitwise as this one does."""
        return resumed(self.checkpoint(), {**_checks.options(), **self._options})

    def _warn(self, stacklevel: int = 3) -> None:
        """Issues the warning once, attributed to the caller of the public method."""
        if not self._warned and (words := self._core.warning()):
            object.__setattr__(self, "_warned", True)
            warnings.warn(words, RuntimeWarning, stacklevel=stacklevel)

    # Steps

    def step(self, steps: int = 1) -> int:
        """Takes `steps` steps and returns their number, less than that if a hook of the scene ends the run (`ended`).

        Ctrl+C raises KeyboardInterrupt between steps; the simulation can continue. Raises UnhealthyError when numbers are
        not finite or the energy error exceeds the scene's limit.
        """
        steps = _checks.integer("steps", steps, 0, MOST)
        if self._hooks:
            return advance(self, goal(self, None, steps))[0]
        taken = self._core.step(steps)
        self._warn()
        return taken

    def run(self, until: Union[float, str, None] = None) -> int:
        """Steps to the first step at or after the time `until`, or to the end set by the scene; returns the number of
        steps. In scenes with units a time may have one: ``sim.run(until="10 Myr")``.

        Steps are never shortened, so `time` may end up to one step after `until`. A time before the present one is an error.
        """
        return advance(self, goal(self, until))[0]

    def every(self, steps: int, function: Observer) -> Observer:
        """Calls ``function(sim)`` after each `steps` steps, when `step_count` is a multiple of it, in all that steps: to watch,
        to change parameters or bodies. Several are called in the order in which they were given. One that returns False ends
        the call that steps. Copies and checkpoints do not contain functions: give them again, after `mote.resume` too.
        """
        if not callable(function):
            raise TypeError(f"function must be callable, got {function!r}")
        self._hooks.append((_checks.integer("steps", steps, 1, 2**63), function))
        return function

    @property
    def ended(self) -> Optional[str]:
        """The reason why a hook of the scene ended the run, or None. Further stepping clears it."""
        return self._core.ended() or None

    @property
    def warning(self) -> Optional[str]:
        """A warning, or None: the energy drift (`Measurement.energy_drift`) is above 0.1 although the scene conserves
        energy, the energy has risen by as much although the scene only dissipates, or the kinetic energy has grown by
        more than 1000 times.

        Checked by `measure`, and during steps where that is cheap; issued once as a RuntimeWarning.
        """
        return self._core.warning() or None

    # Properties

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
        """Title of the scene; may be empty."""
        return self._core.title()

    @property
    def units(self) -> str:
        """Name of the unit system of all numbers: 'nbody' (G = 1), 'galactic', ..."""
        return self._core.units()

    @property
    def scene(self) -> dict[str, Any]:
        """The expanded scene, with all defaults."""
        scene: dict[str, Any] = json.loads(self._core.scene_json())
        return scene

    @property
    def reasons(self) -> list[str]:
        """Explanations of automatic choices: backend, precision, ..."""
        return self._core.reasons()

    def __len__(self) -> int:
        """Number of bodies."""
        return self._core.count()

    def name(self, id: int) -> str:
        """Name of the body with this id; '' when it has none."""
        return self._core.name(_checks.integer("id", id, 0, 2**32 - 1))

    # Measurements and columns

    def measure(self) -> Measurement:
        """Energies, momenta, centre of mass, virial ratio, Lagrangian radii. Takes about as long as a step."""
        measured = Measurement(**self._core.measure())
        self._warn()
        return measured

    @property
    def hash(self) -> str:
        """16 hexadecimal digits over ids, masses, positions, velocities and time: ``state_hash`` of ``mote run``."""
        return self._core.hash()

    def _column(self, name: str) -> Column:
        if self._core.backend() == "cuda" and not self._core.bodies_may_change():
            return DeviceColumn(self._core, name)  # type: ignore[return-value]
        return self._core.column(getattr(_core.Column, name))

    @property
    def id(self) -> NDArray[np.uint32]:
        """(n,) uint32: ids of the bodies; 0 to n - 1 unless some were added or removed."""
        return self._column("id")

    @property
    def mass(self) -> Column:
        """(n,) float32 in single precision, otherwise float64; read-only. Columns: help(mote.Simulation)."""
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
        """(n,) accelerations along x at the present positions, like `mass`."""
        return self._column("ax")

    @property
    def ay(self) -> Column:
        """(n,) accelerations along y, like `ax`."""
        return self._column("ay")

    @property
    def az(self) -> Column:
        """(n,) accelerations along z, like `ax`."""
        return self._column("az")

    def masses(self) -> Reals:
        """(n,) float64, a copy."""
        return self._core.masses()

    def positions(self) -> Reals:
        """(n, 3) float64, a copy."""
        return self._core.positions()

    def velocities(self) -> Reals:
        """(n, 3) float64, a copy."""
        return self._core.velocities()

    def accelerations(self) -> Reals:
        """(n, 3) float64, a copy."""
        return self._core.accelerations()

    @property
    def fields(self) -> list[str]:
        """Names of what else the bodies of this scene have: "species", "density" of a fluid, "radius" and "spin_x" of
        grains, ..."""
        return self._core.field_names()

    def field(self, name: str) -> Reals:
        """(n,) float64, a copy: one of `fields`. A species is its number in the scene, 0 for bodies without one."""
        return self._core.field(_checks.text("name", name))

    # Changes, files, pictures

    @property
    def live(self) -> dict[str, float]:
        """Parameters that `set` can change, and their values."""
        return self._core.live()

    def set(self, path: str, value: Union[float, str]) -> None:
        """Changes a parameter between steps: ``sim.set("gravity.softening", 0.02)``, ``sim.set("integrator.dt", 1e-3)``, or
        what the scene made `live`, by its name. In scenes with units it may have one: ``"0.1 pc"``.

        The change of energy does not count as an energy error.
        """
        self._core.set(_checks.text("path", path), value if isinstance(value, str) else float(value))

    def set_bodies(self, *, mass: Optional[ArrayLike] = None, position: Optional[ArrayLike] = None,
                   velocity: Optional[ArrayLike] = None) -> None:
        """Replaces masses (n,), positions or velocities (n, 3) of all bodies, in the order of ``id``; what is not given stays.

        To change one: ``v = sim.velocities(); v[3] *= 1.1; sim.set_bodies(velocity=v)``. Forces are evaluated again; the
        change of energy does not count as an energy error. Not recorded: a checkpoint continues from the new state, but
        ``mote verify`` cannot repeat it.
        """
        def numbers(what: str, values: Optional[ArrayLike], shape: tuple[int, ...]) -> Reals:
            if values is None:
                return np.empty(0)
            array = _checks.numbers(what, values, "set_bodies")
            if array.shape != shape:
                raise _checks.wrong_argument(what, f"has the shape {array.shape}", f"it must be {shape}", "set_bodies")
            return array
        n = len(self)
        self._core.change(numbers("mass", mass, (n,)), numbers("position", position, (n, 3)),
                          numbers("velocity", velocity, (n, 3)))

    def add(self, bodies: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]], *,
            around: Union[int, str, None] = None) -> NDArray[np.uint32]:
        """Adds bodies between steps and returns their ids.

        bodies: tables as in a scene's ``bodies``, one or a list: ``{"mass": 1, "position": [1, 0, 0], "velocity": [0, 1, 0]}``,
        or a generator by its kind: ``{"kind": "plummer", "n": 100}``, ``{"kind": "orbit", "semi_major_axis": 5.2, ...}``.
        around: id or name of a body to which positions and velocities are relative, and whose mass is the
        ``central_mass`` of orbits. As with `set_bodies`, the energy they bring is no error.
        """
        tables = [bodies] if isinstance(bodies, Mapping) else list(bodies)
        center = None if around is None else int(np.array(self.id)[self.index(around)])
        before = len(self)
        first = self._core.add(json.dumps(tables, default=_checks.plain), center)
        return np.arange(first, first + len(self) - before, dtype=np.uint32)

    def remove(self, ids: Union[int, ArrayLike]) -> None:
        """Removes bodies by their ids, which are not given again, or by a mask:
        ``sim.remove(sim.positions()[:, 0] > 10)``."""
        chosen = np.atleast_1d(np.asarray(ids))
        if chosen.dtype == bool:
            ids = np.array(self.id)[chosen]
        self._core.remove([_checks.integer("ids", id, 0, 2**32 - 1) for id in np.atleast_1d(np.asarray(ids))])

    def index(self, body: Union[int, str]) -> int:
        """Index in arrays of the body with this id or name."""
        ids = np.array(self.id)
        if isinstance(body, str):
            found = [i for i, id in enumerate(ids) if self._core.name(int(id)) == body]
        else:
            found = list(np.flatnonzero(ids == _checks.integer("body", body, 0, 2**32 - 1)))
        if len(found) != 1:
            raise _checks.wrong_argument("body", f"{len(found) or 'no'} bodies have the {'name' if isinstance(body, str) else 'id'} "
                                         f"{body!r}", "use an id of sim.id, or a name that one body has")
        return int(found[0])

    @overload
    def checkpoint(self, path: PathLike) -> None: ...
    @overload
    def checkpoint(self) -> bytes: ...
    def checkpoint(self, path: Optional[PathLike] = None) -> Optional[bytes]:
        """Writes a checkpoint for `resume`: an HDF5 file that readers of Gadget snapshots (yt, pynbody, h5py) can open.
        Without a path: returns its bytes."""
        if path is not None:
            self._core.checkpoint(os.fsencode(_checks.path(path)))
            return None
        with tempfile.TemporaryDirectory(prefix="mote-") as folder:
            file = os.path.join(folder, "checkpoint.h5")
            self._core.checkpoint(os.fsencode(file))
            with open(file, "rb") as written:
                return written.read()

    def render(self, width: int = 1280, height: int = 720) -> NDArray[np.uint8]:
        """Draws the bodies with the scene's view, without a display: (height, width, 3) uint8, sRGB, top row first.

        The colour range includes those of earlier pictures of this size, so that pictures of a run can be compared.
        """
        return self._core.render(_checks.size("width", width), _checks.size("height", height))

    def animate(self, until: Union[float, str, None] = None, *, frames: int = 120, fps: float = 30, width: int = 640,
                height: int = 360) -> Film:
        """Steps to the time `until` (the end set by the scene by default) and returns a film of it, which a notebook shows;
        ``sim.animate(2.0).save("film.mp4")`` writes it. Frames are at equal distances of time, at the first step after each.
        Needs the program ffmpeg. On an error, or Ctrl+C, the simulation stays at the step that it has reached."""
        return film_of(self, _end_of(self, until), _checks.integer("frames", frames, 2, 10**6), fps,
                       _checks.size("width", width), _checks.size("height", height))

    def view(self, width: Optional[int] = None, height: int = 540, *, record: bool = False) -> View:
        """Opens the window of mote, paused, on a copy of the present state: play, rewind, pull bodies. A notebook shows it in
        a frame of this size [pixels of the page], as wide as the output by default; elsewhere, print it for its address.

        The window goes on from this state by itself, in a process of its own: what happens there changes nothing here, and
        later steps here are shown after ``view.update()``. A simulation has one window; this closes the one before.
        record: keeps a picture of the present state in a saved notebook, for when there is no window any more.
        """
        width = None if width is None else _checks.integer("width", width, 64, 8192)
        height = _checks.integer("height", height, 64, 8192)
        picture = image_of(self.render(width or 960, height)) if _checks.flag("record", record) else ""
        if self._view is not None:
            self._view.close()
        view = View(self, self._options, width, height, picture)
        object.__setattr__(self, "_view", view)
        return view

    def record(self, every: int = 1, what: Union[str, Observer, Sequence[Union[str, Observer]], Mapping[str, Observer]]
               = "energy_error", *, until: Union[float, str, None] = None, steps: Optional[int] = None, progress: bool = False) -> "pandas.DataFrame":
        """Steps, and returns a pandas DataFrame with a row for the present step and for each `every` steps.

        what: names of a `Measurement` ("energy", "momentum"), of columns, arrays and `fields` ("x", "positions"), or functions of the
        simulation, named by their ``__name__``; one or a list; or a dict of functions by name. Vectors of a measurement
        become three columns, named as in series.csv, arrays of bodies objects of one. Steps to `until`, `steps` steps, or to
        the end set by the scene. A function that returns False ends it. progress: prints a line on standard error. An
        error, or Ctrl+C, carries the rows so far: its attribute ``recorded``.
        """
        if until is not None and steps is not None:
            raise ValueError("give until or steps, not both")
        wanted: list[Wanted]
        if isinstance(what, Mapping):
            wanted = list(what.items())
        else:
            wanted = [what] if isinstance(what, str) or callable(what) else list(what)
        end = goal(self, until, None if steps is None else _checks.integer("steps", steps, 0, MOST))
        return record(self, _checks.integer("every", every, 1, MOST), wanted, end, progress)

    def _repr_png_(self) -> Optional[bytes]:
        """The picture that a notebook shows; None where nothing can be drawn."""
        try:
            return png_of(self.render(640, 360))
        except _core.SystemError:
            return None

    def _repr_html_(self) -> str:
        return html_of(self)

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return (f"<mote.Simulation{title}: {len(self)} bodies, step {self.step_count}, time {self.time:g}, "
                f"{self.backend}, {self.precision}>")


def _end_of(sim: Simulation, until: Union[float, str, None]) -> float:
    if until is None:
        end = sim.scene.get("stop", {}).get("time")
    else:
        end = sim._core.time_of(until) if isinstance(until, str) else float(until)
    if end is None:
        raise _checks.wrong_argument("until", "the scene sets no end in time", "give the time at which to end")
    if not end > sim.time:
        raise _checks.wrong_argument("until", f"{end:g} is not after the present time {sim.time:g}", "give a later time")
    return float(end)


def resumed(data: bytes, options: dict[str, Any]) -> Simulation:
    """A simulation from the bytes of a checkpoint."""
    with tempfile.TemporaryDirectory(prefix="mote-") as folder:
        file = os.path.join(folder, "checkpoint.h5")
        with open(file, "wb") as written:
            written.write(data)
        return Simulation(_core.resume(os.fsencode(file), options), options)


def _unpickled(data: bytes, options: dict[str, Any]) -> Simulation:
    return resumed(data, {**_checks.options(), **options})
