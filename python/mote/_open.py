"""The functions that open a simulation."""
from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks, _core
from ._checks import MissingFileError, PathLike
from ._core import InputError
from ._simulation import Simulation


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
    return {_checks.text("the name of a parameter", name): _typed(value) for name, value in _mapping("params", params).items()}


def _mapping(what: str, given: Optional[Mapping[str, Any]]) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} is a dict, not {given!r}")
    return given


def _from_file(name: str, open_it: Callable[[], _core.Simulation]) -> Simulation:
    """Opens what a file holds. A missing one is also the error that Python has for it."""
    try:
        return Simulation(open_it())
    except InputError as error:
        # A problem of its own place: a scene that is there may name files that are not.
        if [p["place"] for p in error.problems] != [name] or os.path.exists(name):
            raise
        missing = MissingFileError(*error.args)
        missing.problems = error.problems
        missing.errno, missing.filename = errno.ENOENT, name
        raise missing from None


def _plain(value: Any) -> Any:
    """For JSON: NumPy's numbers and arrays as those of Python."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a scene cannot hold {value!r}")


def _merged(base: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            value = _merged(dict(result[key]), value)
        result[key] = value
    return result


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
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, simd=simd,
                              stepping=stepping, trust=trust)
    name, settings = _checks.path(scene), _settings(params)
    return _from_file(name, lambda: _core.load(os.fsencode(name), settings, options))


def load_text(text: str, name: str = "scene.lua", params: Optional[Mapping[str, Any]] = None, *,
              backend: str = "auto", precision: str = "auto",
              threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
              stepping: str = "auto") -> Simulation:
    """Opens the text of a scene. `name` stands in messages; its ending says the language, .lua or .json, and its folder
    is where the scene may read files. The rest as for `load`."""
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, simd=simd,
                              stepping=stepping)
    return Simulation(_core.load_text(_checks.text("text", text), _checks.path(name), _settings(params), options))


def _numbers(what: str, values: ArrayLike) -> NDArray[np.float64]:
    """Real numbers in double precision, or an InputError that says what they were to be."""
    if isinstance(values, np.ma.MaskedArray) and np.any(np.asarray(values.mask)):
        raise _checks.wrong(what, "has masked numbers", "fill them, or leave their bodies out")
    try:
        array = np.asarray(values)
        if not np.iscomplexobj(array):
            return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise _checks.wrong(what, str(error), "real numbers are needed") from None
    raise _checks.wrong(what, "has complex numbers", "real ones are needed")


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

    precision: 'auto' is double here, however many bodies there are, unless the scene says otherwise: 'single' is faster,
    and its columns are float32.

    scene: anything else that scenes hold (docs/scenes.md), and more about the above, as a dict of the same shape:
    ``scene={"fields": [{"kind": "uniform", "acceleration": [0, 0, -9.8]}], "health": {"energy_error": 1e-3}}``.
    ``scene={"gravity": None}`` takes away the attraction. It is checked as every scene is, and all problems are in one
    InputError. The other options are those of `load`.
    """
    position, velocity, mass = _numbers("position", position), _numbers("velocity", velocity), _numbers("mass", mass)
    if position.ndim != 2 or position.shape[1] != 3:
        raise _checks.wrong("position", f"has the shape {position.shape}", "(n, 3) is needed")
    if velocity.shape != position.shape:
        raise _checks.wrong("velocity", f"has the shape {velocity.shape}", f"{position.shape} is needed, as of position")
    if mass.ndim == 0:
        mass = np.full(len(position), mass)
    if mass.shape != position.shape[:1]:
        raise _checks.wrong("mass", f"has the shape {mass.shape}", f"{position.shape[:1]} or one number is needed")
    scene = _mapping("scene", scene)
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise TypeError("names is a sequence of texts, one for each body")
    names = list(names)
    if names and len(names) != len(position):
        raise _checks.wrong("names", f"are {len(names)}, for {len(position)} bodies", "one for each is needed")
    gravity = scene.get("gravity", {})
    if softening is not None and (gravity is None or (isinstance(gravity, Mapping) and "softening" in gravity)):
        raise _checks.wrong("softening", "is given twice, by its name and in the scene's gravity", "keep one")
    whole: dict[str, Any] = {"units": units, "gravity": {"softening": softening or 0.0}, "integrator": {"name": integrator}}
    if dt is not None:
        whole["integrator"]["dt"] = dt
    whole = _merged(whole, scene)
    if "bodies" in whole:
        raise _checks.wrong("bodies", "are given as arrays", "leave them out of the scene")
    whole = {key: value for key, value in whole.items() if value is not None}
    text = json.dumps(whole, default=_plain)
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, simd=simd,
                              stepping=stepping)
    return Simulation(_core.from_arrays(mass, position, velocity, names, text, options))


def resume(checkpoint: PathLike, *, backend: str = "auto", precision: str = "auto",
           threads: Optional[int] = None, device: Optional[int] = None, simd: str = "auto",
           stepping: str = "auto", trust: bool = False) -> Simulation:
    """Goes on from a checkpoint, of Python, of the window or of ``mote run``, or from the last one in the folder of a run: on
    the same machine and backend bit for bit as if there had been no stop. Options are those of `load`; 'auto' is what they
    were."""
    options = _checks.options(backend=backend, precision=precision, threads=threads, device=device, simd=simd,
                              stepping=stepping, trust=trust)
    name = _checks.path(checkpoint)
    return _from_file(name, lambda: _core.resume(os.fsencode(name), options))


def scenes() -> list[str]:
    """Names of the scenes that come with mote, for `load`."""
    return _core.scenes()

