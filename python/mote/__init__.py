"""mote, a particle-physics engine, from Python.

    import mote

    sim = mote.load("plummer", {"n": 2048})
    sim.run(until=1.0)
    print(sim.measure().energy_error, sim.positions().std())

    sim = mote.from_arrays(mass, position, velocity, softening=0.01, dt=1e-3)
    sim.step(1000)

    mote.read("out").series            # what a run has written, as a table

`load`, `load_text`, `from_arrays` and `resume` return a `Simulation`. Errors: `InputError` (invalid input; a ValueError,
with the list `problems`), `SystemError` (a failure of the system; an OSError), `UnhealthyError` (the simulation has become
unhealthy; an ArithmeticError). See help(mote.Simulation); docs/library.md is the guide.
"""
from ._checks import MissingFileError
from ._columns import DeviceColumn
from ._core import InputError, SystemError, UnhealthyError
from ._core import version as _version
from ._measurement import Measurement
from ._notebook import Film
from ._open import from_arrays, load, load_text, parameters, resume, run_together, scenes
from ._read import Run, Snapshot, Sweep, read
from ._simulation import Simulation
from ._view import View

__version__ = _version()
# Without SystemError: `from mote import *` must not hide Python's.
__all__ = ["DeviceColumn", "Film", "InputError", "Measurement", "MissingFileError", "Run", "Simulation", "Snapshot", "Sweep",
           "UnhealthyError", "View", "from_arrays", "load", "load_text", "parameters", "read", "resume", "run_together", "scenes"]
