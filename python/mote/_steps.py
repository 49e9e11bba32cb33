"""Stepping with functions in between (`Simulation.every`), for all that steps."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Protocol, Union

from ._checks import wrong_argument
from ._core import Simulation as Core

MOST = 2**64 - 1  # steps
Take = Callable[[int], int]


class Stepped(Protocol):
    """What is stepped: a `Simulation`, which is built on this module."""
    _core: Core
    _hooks: list[tuple[int, Callable[[Any], Any]]]

    def _warn(self, stacklevel: int = 3) -> None: ...

    @property
    def time(self) -> float: ...

    @property
    def step_count(self) -> int: ...


def goal(sim: Stepped, until: Union[float, str, None], steps: Optional[int] = None) -> Take:
    """A function that takes at most so many steps to an end: fewer, only if that is reached or a hook of the scene ends the
    run. The end: `steps` steps, the time `until`, or that of the scene."""
    core = sim._core
    if steps is not None:
        end = core.step_count() + steps
        return lambda most: core.step(min(most, end - core.step_count()))
    if until is None:
        return core.run
    time = core.time_of(until) if isinstance(until, str) else float(until)
    # A step may end after the goal of an earlier call: the last one, where the next may be shorter.
    if time < core.time() - max(core.dt(), core.last_dt()):
        raise wrong_argument("until", f"{until} is before the present time {core.time():g}", "give a later time: steps go forward")
    return lambda most: core.run_until(time, most)


def advance(sim: Stepped, take: Take, most: int = MOST) -> tuple[int, bool]:
    """At most so many steps to a goal, with the functions of the simulation in between. Returns the number of steps, fewer
    if the goal is reached or something ends the call, and whether that was so: a function, or a hook of the scene."""
    core, hooks = sim._core, list(sim._hooks)
    start = core.step_count()
    sim._hooks.clear()  # a function that steps is not called by its own steps
    try:
        ended, left = False, most
        while left > 0 and not ended:
            due = min((every - core.step_count() % every for every, _ in hooks), default=left)
            wanted = min(due, left)
            taken = take(wanted)
            left -= taken
            ended = bool(core.ended())
            for every, function in hooks if taken else ():
                if core.step_count() % every == 0 and function(sim) is False:
                    ended = True
            if taken < wanted:
                break
    finally:
        sim._hooks[:0] = hooks
    sim._warn(stacklevel=4)
    return core.step_count() - start, ended
