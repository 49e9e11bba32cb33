"""Checks and conversions of arguments for the compiled module; wrong types raise an error that names the argument."""
from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import InputError

PathLike = Union[str, "os.PathLike[str]"]
Devices = Union[str, "Sequence[int]"]


class MissingFileError(InputError, FileNotFoundError):
    """A file to be read does not exist: an InputError that is also Python's FileNotFoundError."""

    def __str__(self) -> str:
        return str(self.args[0])


def wrong_argument(key: str, problem: str, remedy: str, place: str = "") -> InputError:
    """An InputError about an argument, formatted like those of the engine."""
    error = InputError(f"{place + ': ' if place else ''}{key}: {problem}; {remedy}")
    error.problems = [{"place": place, "key": key, "problem": problem, "remedy": remedy}]
    return error


def wrong(key: str, problem: str, remedy: str) -> InputError:
    """One about an array of `from_arrays`."""
    return wrong_argument(key, problem, remedy, "from_arrays")


def integer(name: str, value: Any, low: int, high: int) -> int:
    """An integer of Python or NumPy, in a range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} must be {low} .. {high}, got {number}")
    return number


def size(name: str, value: Any) -> int:
    """An integer that fits into a C int; the engine checks its range."""
    return integer(name, value, -2**31, 2**31 - 1)


def optional_integer(name: str, value: Any) -> Optional[int]:
    """The same or None."""
    return None if value is None else size(name, value)


def text(name: str, value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """True or False, not any truthy or falsy value."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def path(value: Any) -> str:
    """A path, as text."""
    name = os.fsdecode(value)
    if "\0" in name:
        raise ValueError(f"a path must not contain null characters, got {name!r}")
    return name


def _device_list(value: Any) -> Optional[str]:
    """Several GPUs, as text: of a sequence of their numbers, or 'all'."""
    if value is None or isinstance(value, str):
        return value
    return ",".join(str(optional_integer("devices", number)) for number in value)


def options(*, backend: Any = "auto", precision: Any = "auto", threads: Any = None, device: Any = None, devices: Any = None,
            simd: Any = "auto", stepping: Any = "auto", trust: Any = False) -> dict[str, Any]:
    """The options common to all functions that open a simulation."""
    return {"backend": text("backend", backend), "precision": text("precision", precision),
            "threads": optional_integer("threads", threads), "device": optional_integer("device", device), "devices": _device_list(devices),
            "simd": text("simd", simd), "stepping": text("stepping", stepping), "trust": flag("trust", trust)}


def numbers(what: str, values: ArrayLike, place: str = "from_arrays") -> NDArray[np.float64]:
    """Real numbers in double precision; raises InputError for anything else."""
    if isinstance(values, np.ma.MaskedArray) and np.any(np.asarray(values.mask)):
        raise wrong_argument(what, "has masked values", "fill them, or leave out their bodies", place)
    try:
        array = np.asarray(values)
        if not np.iscomplexobj(array):
            return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise wrong_argument(what, str(error), "use real numbers", place) from None
    raise wrong_argument(what, "has complex numbers", "use real numbers", place)


def plain(value: Any) -> Any:
    """Converts NumPy numbers and arrays to plain Python, for JSON."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a scene cannot contain {value!r}")
