"""The functions that open a simulation."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import InputError
from ._simulation import PathLike, Simulation


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

