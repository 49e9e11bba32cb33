"""`Simulation.record`: measurements over time, as a table."""
from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _checks

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

    from ._simulation import Measurement, Simulation

Observer = Callable[["Simulation"], Any]
_ARRAYS = ("masses", "positions", "velocities", "accelerations")
_COLUMNS = ("id", "mass", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")


def record(sim: Simulation, every: int, what: Sequence[Union[str, Observer]], until: Union[float, str, None],
           steps: Optional[int], progress: bool) -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError as error:
        raise ImportError("sim.record needs pandas: install python3-pandas (Debian) or pandas (pip)") from error
    from ._simulation import Measurement

    measured = {field.name for field in dataclasses.fields(Measurement)}
    for name in what:
        if isinstance(name, str) and name not in measured and name not in _ARRAYS and name not in _COLUMNS:
            raise _checks.wrong_argument("what", f"{name!r} is no measurement and no array",
                                         "use " + ", ".join(sorted(measured | set(_ARRAYS) | set(_COLUMNS))) + ", or a function")
    rows: list[dict[str, Any]] = []

    def row() -> bool:
        measurement = sim.measure() if any(name in measured for name in what if isinstance(name, str)) else None
        found: dict[str, Any] = {"time": sim.time, "step": sim.step_count}
        go_on = True
        for name in what:
            if not isinstance(name, str):
                value = name(sim)
                go_on = go_on and value is not False
                found[getattr(name, "__name__", repr(name))] = value
            else:
                found.update(_value(sim, name, measurement))
        rows.append(found)
        return go_on

    line = _Progress(sim) if progress else None
    last = None if steps is None else sim.step_count + steps

    def left() -> int:
        if last is not None:
            return last - sim.step_count
        return sim._core.steps_to_end() if until is None else sim._core.steps_until(until)

    # The length of steps, and with it what is left, may change on the way.
    while row() and not sim.ended and left() > 0:
        due = sim.step_count + every
        while sim.step_count < due and left() > 0 and not sim.ended:
            sim.step(min(left(), due - sim.step_count))
            if line:
                line.show()
    if line:
        line.end()
    return pandas.DataFrame(rows)


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
