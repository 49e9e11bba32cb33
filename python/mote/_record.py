"""`Simulation.record`: measurements over time, as a table."""
from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _checks
from ._measurement import Measurement
from ._steps import Take, advance

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

    from ._simulation import Simulation

Observer = Callable[["Simulation"], Any]
Wanted = Union[str, Observer, tuple[str, Observer]]
_ARRAYS = ("masses", "positions", "velocities", "accelerations")
_COLUMNS = ("id", "mass", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")


def record(sim: Simulation, every: int, what: Sequence[Wanted],
           take: Take, progress: bool) -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError as error:
        raise ImportError("sim.record needs pandas: install python3-pandas (Debian) or pandas (pip)") from error
    measured = {field.name for field in dataclasses.fields(Measurement)}
    for name in what:
        if isinstance(name, str) and name not in measured and name not in _ARRAYS and name not in _COLUMNS:
            raise _checks.wrong_argument("what", f"{name!r} is no measurement and no array",
                                         "use " + ", ".join(sorted(measured | set(_ARRAYS) | set(_COLUMNS))) + ", or a function")
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
    while row() and more:
        taken, ended = advance(sim, take, every)
        if taken == 0:
            break
        more = taken == every and not ended
        if line:
            line.show()
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


def _value(sim: Simulation, name: str, measurement: Optional[Measurement]) -> dict[str, Any]:
    if measurement is not None and hasattr(measurement, name):
        value = getattr(measurement, name)
        if not isinstance(value, tuple):
            return {name: value}
        parts = ("10", "50", "90") if name == "lagrangian_radii" else "xyz"
        return {f"{name}_{part}": number for part, number in zip(parts, value)}
    return {name: getattr(sim, name)() if name in _ARRAYS else np.array(getattr(sim, name))}


class _Progress:
    """A line on standard error, renewed at most ten times a second."""

    def __init__(self, sim: Simulation):
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
