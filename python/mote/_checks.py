"""What is given to mote, as its compiled part takes it: of another type it is an error that names it."""
from __future__ import annotations

import operator
import os
from typing import Any, Optional, Union

import numpy as np

from ._core import InputError

PathLike = Union[str, "os.PathLike[str]"]


class MissingFileError(InputError, FileNotFoundError):
    """A file that was to be read is not there: an InputError, and a FileNotFoundError of Python."""

    def __str__(self) -> str:
        return str(self.args[0])


def wrong(key: str, problem: str, remedy: str) -> InputError:
    """What the engine would say of an array, found here."""
    error = InputError(f"from_arrays: {key}: {problem}; {remedy}")
    error.problems = [{"place": "from_arrays", "key": key, "problem": problem, "remedy": remedy}]
    return error


def integer(name: str, value: Any, low: int, high: int) -> int:
    """A whole number of Python or NumPy, in a range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}, but must be {low} .. {high}")
    return number


def size(name: str, value: Any) -> int:
    """A whole number that fits into a C int; the engine itself checks its range."""
    return integer(name, value, -2**31, 2**31 - 1)


def optional_integer(name: str, value: Any) -> Optional[int]:
    """The same or None."""
    return None if value is None else size(name, value)


def text(name: str, value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is text, not {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """True or False, and nothing that only counts as one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)


def path(value: Any) -> str:
    """A path, as text."""
    name = os.fsdecode(value)
    if "\0" in name:
        raise ValueError(f"a path has no null characters, unlike {name!r}")
    return name


def options(*, backend: Any, precision: Any, threads: Any, device: Any, simd: Any, stepping: Any,
            trust: Any = False) -> dict[str, Any]:
    """Those of every function that opens."""
    return {"backend": text("backend", backend), "precision": text("precision", precision),
            "threads": optional_integer("threads", threads), "device": optional_integer("device", device),
            "simd": text("simd", simd), "stepping": text("stepping", stepping), "trust": flag("trust", trust)}
