"""The functions that open a simulation."""
from __future__ import annotations

import errno
import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _checks, _core
from ._checks import Devices, MissingFileError, PathLike
from ._core import InputError
from ._simulation import Simulation, resumed
from ._steps import advance, goal


def _typed(value: Any) -> str:
    """Formats a value as on the command line."""
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
    raise TypeError(f"a parameter must be a number, text, a bool or a sequence of numbers, got {value!r}")


def _settings(params: Optional[Mapping[str, Any]]) -> dict[str, str]:
    return {_checks.text("the name of a parameter", name): _typed(value) for name, value in _mapping("params", params).items()}


def _mapping(what: str, given: Optional[Mapping[str, Any]]) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} must be a dict, got {given!r}")
    return given


def _from_file(name: str, open_it: Callable[[], _core.Simulation], options: dict[str, Any]) -> Simulation:
    """Opens a simulation from a file. A missing file also raises Python's FileNotFoundError."""
    try:
        return Simulation(open_it(), options)
    except InputError as error:
        # Only if this file is missing: an existing scene may refer to missing ones.
        if [p["place"] for p in error.problems] != [name] or os.path.exists(name):
            raise
        missing = MissingFileError(*error.args)
        missing.problems = error.problems
        missing.errno, missing.filename = errno.ENOENT, name
        raise missing from None


def _merged(base: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            value = _merged(dict(result[key]), value)
        result[key] = value
    return result


def load(scene: Union[PathLike, Mapping[str, Any]], params: Optional[Mapping[str, Any]] = None, *, backend: str = "auto", precision: str = "auto",
         threads: Optional[int] = None, device: Optional[int] = None, devices: Optional[Devices] = None, simd: str = "auto",
         stepping: str = "auto", trust: bool = False) -> Simulation:
    """Opens a scene: a file (.lua or .json), the name of one shipped with mote (`mote.scenes()`), or a dict with the tables
    of a scene: ``{"gravity": {"softening": 0.1}, "integrator": {"dt": 0.01}, "bodies": [{"kind": "plummer", "n": 500}]}``.

    params: values for the scene's parameters by name, and for its other settings by path:
    ``{"n": 4096, "gravity.softening": 0.01, "seed": 7}``.

    backend: 'cpu', 'cuda', or 'auto', which uses a GPU, if there is one, for many bodies. precision: 'single', 'mixed',
    'double', or 'auto', as set by the scene. threads, simd: for the CPU; device, stepping: index of the GPU, and the
    method of launching steps; devices: several GPUs that share the bodies, [0, 1], or 'all', which is one for few bodies. All are those of ``mote run``; results do not depend on threads and stepping. trust: the
    scene may read files outside its folder and run for any time.

    Raises InputError with every problem of the scene. Hooks of the scene run as in ``mote run``, but their outputs to
    the folder of a run (rows, snapshots, pictures) are dropped, and ``on_end`` is not called, since the simulation can
    always continue.
    """
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, devices=devices, simd=simd,
                              stepping=stepping, trust=trust)
    settings = _settings(params)
    if isinstance(scene, Mapping):
        text = json.dumps(dict(scene), default=_checks.plain)
        return Simulation(_core.load_text(text, "scene.json", settings, options), options)
    name = _checks.path(scene)
    return _from_file(name, lambda: _core.load(os.fsencode(name), settings, options), options)


def load_text(text: str, name: str = "scene.lua", params: Optional[Mapping[str, Any]] = None, *,
              backend: str = "auto", precision: str = "auto",
              threads: Optional[int] = None, device: Optional[int] = None, devices: Optional[Devices] = None, simd: str = "auto",
              stepping: str = "auto") -> Simulation:
    """Opens a scene from text. `name` is for messages; its extension, .lua or .json, sets the language, and its folder is
    where the scene may read files. Other arguments as for `load`."""
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, devices=devices, simd=simd,
                              stepping=stepping)
    return Simulation(_core.load_text(_checks.text("text", text), _checks.path(name), _settings(params), options), options)


def from_arrays(mass: ArrayLike, position: ArrayLike, velocity: ArrayLike, *, dt: Optional[float] = None,
                softening: Optional[float] = None, units: str = "nbody", integrator: str = "leapfrog",
                names: Sequence[str] = (), scene: Optional[Mapping[str, Any]] = None,
                backend: str = "auto", precision: str = "auto",
                threads: Optional[int] = None, device: Optional[int] = None, devices: Optional[Devices] = None, simd: str = "auto",
                stepping: str = "auto") -> Simulation:
    """Opens a simulation of bodies given as arrays, which are copied.

    mass: (n,), >= 0, or one number for all; position, velocity: (n, 3). All are in the unit system `units`: 'nbody'
    (G = 1), 'galactic', 'solar', ... The time step `dt` is required, here or in `scene`, but for 'ias15' and 'hermite',
    whose longest step it is. Bodies attract each other by gravity with Plummer `softening`, a length, 0 by default.
    integrator: 'leapfrog', 'yoshida4', 'yoshida6', 'ias15', 'hermite'. names: n names, or none.

    precision: 'auto' is double here for any number of bodies, unless the scene sets another: 'single' is faster, with
    float32 columns.

    scene: other settings of the scene (docs/scenes.md), and further ones of the above, as a nested dict:
    ``scene={"fields": [{"kind": "uniform", "acceleration": [0, 0, -9.8]}], "health": {"energy_error": 1e-3}}``.
    ``scene={"gravity": None}`` disables gravity. It is checked like any scene; one InputError has all problems. The
    other options are those of `load`.
    """
    position, velocity = _checks.numbers("position", position), _checks.numbers("velocity", velocity)
    mass = _checks.numbers("mass", mass)
    if position.ndim != 2 or position.shape[1] != 3:
        raise _checks.wrong("position", f"has the shape {position.shape}", "it must be (n, 3)")
    if velocity.shape != position.shape:
        raise _checks.wrong("velocity", f"has the shape {velocity.shape}", f"it must be {position.shape}, as for position")
    if mass.ndim == 0:
        mass = np.full(len(position), mass)
    if mass.shape != position.shape[:1]:
        raise _checks.wrong("mass", f"has the shape {mass.shape}", f"it must be {position.shape[:1]}, or one number")
    scene = _mapping("scene", scene)
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise TypeError("names must be a sequence of texts, one for each body")
    names = list(names)
    if names and len(names) != len(position):
        raise _checks.wrong("names", f"has {len(names)} names, for {len(position)} bodies", "one for each is needed")
    gravity = scene.get("gravity", {})
    if softening is not None and (gravity is None or (isinstance(gravity, Mapping) and "softening" in gravity)):
        raise _checks.wrong("softening", "is given twice, as an argument and in the scene's gravity", "keep one")
    full: dict[str, Any] = {"units": units, "gravity": {"softening": softening or 0.0}, "integrator": {"name": integrator}}
    if dt is not None:
        full["integrator"]["dt"] = dt
    full = _merged(full, scene)
    if "bodies" in full:
        raise _checks.wrong("bodies", "are given as arrays", "leave them out of `scene`")
    full = {key: value for key, value in full.items() if value is not None}
    text = json.dumps(full, default=_checks.plain)
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, devices=devices, simd=simd,
                              stepping=stepping)
    return Simulation(_core.from_arrays(mass, position, velocity, names, text, options), options)


def resume(checkpoint: Union[PathLike, bytes], *, backend: str = "auto", precision: str = "auto",
           threads: Optional[int] = None, device: Optional[int] = None, devices: Optional[Devices] = None, simd: str = "auto",
           stepping: str = "auto", trust: bool = False) -> Simulation:
    """Resumes from a checkpoint, written by Python, the window or ``mote run``, from its bytes (``sim.checkpoint()``), or
    from the latest one in the folder of a run; on the same machine and backend bitwise as without interruption. Options are those of `load`; 'auto' keeps their
    previous values."""
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, devices=devices, simd=simd,
                              stepping=stepping, trust=trust)
    if isinstance(checkpoint, bytes):
        return resumed(checkpoint, options)
    name = _checks.path(checkpoint)
    return _from_file(name, lambda: _core.resume(os.fsencode(name), options), options)


def scenes() -> list[str]:
    """Names of the scenes shipped with mote, for `load`."""
    return _core.scenes()


def parameters(scene: PathLike, *, trust: bool = False) -> list[dict[str, Any]]:
    """The parameters that a scene declares, for ``load(scene, {...})``: dicts with name, type, default, live, and as far as
    the scene gives them doc, unit, minimum, maximum and choices."""
    name = _checks.path(scene)
    found: list[dict[str, Any]] = json.loads(_core.parameters_json(os.fsencode(name), _checks.options(trust=trust)))
    return found


def run_together(simulations: Sequence[Simulation], until: Union[float, str, None] = None, *, steps: Optional[int] = None,
                 workers: Optional[int] = None) -> list[int]:
    """Steps many simulations at once, each as its own `Simulation.run` (or `Simulation.step` with `steps`); returns the
    numbers of steps. workers: threads, by default as many as the processor has; open simulations with ``threads=1`` for it.
    The bits do not depend on it. An error of one is raised after the others have ended; Ctrl+C ends all."""
    if until is not None and steps is not None:
        raise ValueError("give until or steps, not both")
    stop = threading.Event()

    def go(sim: Simulation) -> int:
        take = goal(sim, until, steps)
        total, more, most = 0, True, 1
        while more and not stop.is_set():
            begin = time.monotonic()
            taken, ended = advance(sim, take, most)
            total += taken
            more = taken == most and not ended
            # In slices of about a tenth of a second: only the main thread learns of Ctrl+C.
            most = max(1, min(4 * most, int(most * 0.1 / max(time.monotonic() - begin, 1e-6))))
        return total

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        done = [pool.submit(go, sim) for sim in simulations]
        try:
            wait(done)
        except BaseException:
            stop.set()
            raise
    return [one.result() for one in done]
