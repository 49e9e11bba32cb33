"""`Simulation.record`: measurements over time, as a table."""
from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Protocol, Union

import numpy as np

from . import _checks
from ._measurement import Measurement
from ._steps import Stepped, Take, advance

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

Observer = Callable[[Any], Any]  # of a simulation
Wanted = Union[str, Observer, tuple[str, Observer]]
_ARRAYS = ("masses", "positions", "velocities", "accelerations")
_COLUMNS = ("id", "mass", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")


# Vectors of a measurement, by the names of their parts in series.csv.
_PARTS = {"lagrangian_radii": ("radius_10", "radius_50", "radius_90"),
          "center_of_mass": ("center_x", "center_y", "center_z")}


class Measured(Stepped, Protocol):
    """What is recorded: a `Simulation`."""

    @property
    def fields(self) -> Any: ...

    def field(self, name: str) -> Any: ...

    def measure(self) -> Measurement: ...


def record(sim: Measured, every: int, what: Sequence[Wanted],
           take: Take, progress: bool) -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError as error:
        raise ImportError("sim.record needs pandas: install python3-pandas (Debian) or pandas (pip)") from error
    measured = {field.name for field in dataclasses.fields(Measurement)}
    known = measured | set(_ARRAYS) | set(_COLUMNS) | set(sim.fields)
    for name in what:
        if isinstance(name, str) and name not in known:
            raise _checks.wrong_argument("what", f"{name!r} is no measurement and no array",
                                         "use " + ", ".join(sorted(known)) + ", or a function")
    named = _named(what)
    rows: list[dict[str, Any]] = []

    def row() -> bool:
        measurement = sim.measure() if any(name in measured for name in named) else None
        found: dict[str, Any] = {"time": sim.time, "step": sim.step_count}
        go_on = True
        for name, function in named.items():
            if function is None:
                found.update(_value(sim, name, measurement))
                continue
            value = function(sim)
            go_on = go_on and value is not False
            # A column is the state, which the next step changes.
            found[name] = np.array(value) if isinstance(value, np.ndarray) else value
        rows.append(found)
        return go_on

    line = _Progress(sim) if progress else None
    more = True
    try:
        while row() and more:
            taken, ended = advance(sim, take, every)
            if taken == 0:
                break
            more = taken == every and not ended
            if line:
                line.show()
    except BaseException as error:
        error.recorded = pandas.DataFrame(rows)  # type: ignore[attr-defined]
        raise
    finally:
        if line:
            line.end()
    return pandas.DataFrame(rows)


def _named(what: Sequence[Wanted]) -> dict[str, Optional[Observer]]:
    """Columns by name, with their functions; functions of equal names are numbered."""
    named: dict[str, Optional[Observer]] = {}
    for one in what:
        if isinstance(one, str):
            named[one] = None
            continue
        name, function = one if isinstance(one, tuple) else (getattr(one, "__name__", repr(one)), one)
        number = 1
        while (name if number == 1 else f"{name}_{number}") in named:
            number += 1
        named[name if number == 1 else f"{name}_{number}"] = function
    return named


def _value(sim: Measured, name: str, measurement: Optional[Measurement]) -> dict[str, Any]:
    if measurement is not None and hasattr(measurement, name):
        value = getattr(measurement, name)
        if not isinstance(value, tuple):
            return {name: value}
        return dict(zip(_PARTS.get(name) or [f"{name}_{axis}" for axis in "xyz"], value))
    if name in _ARRAYS:
        return {name: getattr(sim, name)()}
    return {name: np.array(getattr(sim, name)) if name in _COLUMNS else sim.field(name)}


class _Progress:
    """A line on standard error, renewed at most ten times a second."""

    def __init__(self, sim: Measured):
        self._sim, self._shown, self._begin = sim, 0.0, time.monotonic()
        self._first = sim.step_count

    def show(self) -> None:
        now = time.monotonic()
        if now - self._shown < 0.1:
            return
        self._shown = now
        rate = (self._sim.step_count - self._first) / max(now - self._begin, 1e-9)
        print(f"\rstep {self._sim.step_count:,}, time {self._sim.time:g}, {rate:,.0f} steps/s ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr)
