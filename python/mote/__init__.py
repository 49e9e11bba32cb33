"""mote, a particle-physics engine, from Python.

    import mote

    sim = mote.load("plummer", {"n": 2048})
    sim.run(until=1.0)
    print(sim.measure().energy_error, sim.x.mean())

    sim = mote.from_arrays(mass, position, velocity, softening=0.01, dt=1e-3)
    sim.step(1000)

`load`, `load_text`, `from_arrays` and `resume` make a `Simulation`. Errors: `InputError` (what was given is wrong; a
ValueError, with the list `problems`), `SystemError` (the machine failed; an OSError), `UnhealthyError` (the simulation has
broken; an ArithmeticError). help(mote.Simulation) says what one can do; docs/library.md is the guide.
"""
import os as _os

# Threads that wait for each other sleep soon: OpenMP's runtime reads this when it is loaded, which is now unless another
# package has loaded it. Spinning threads are slow wherever another program uses a core.
if "OMP_WAIT_POLICY" not in _os.environ:
    _os.environ.setdefault("GOMP_SPINCOUNT", "10000")

from ._checks import MissingFileError
from ._columns import DeviceColumn
from ._core import InputError, SystemError, UnhealthyError
from ._core import version as _version
from ._open import from_arrays, load, load_text, resume, scenes
from ._simulation import Measurement, Simulation

__version__ = _version()
# Without SystemError: `from mote import *` is not to hide that of Python.
__all__ = ["DeviceColumn", "InputError", "Measurement", "MissingFileError", "Simulation", "UnhealthyError", "from_arrays",
           "load", "load_text", "resume", "scenes"]
