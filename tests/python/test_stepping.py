"""Steps, hooks and interruptions through the package (test_simulation.py)."""
import _thread
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

import mote
from support import CPU, plummer, two_bodies


class Stepping(unittest.TestCase):
    @unittest.skipUnless("MOTE_PROGRAM" in os.environ, "MOTE_PROGRAM does not name the program")
    def test_gives_the_bits_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "run")
            subprocess.run([os.environ["MOTE_PROGRAM"], "run", "plummer", "--set", "n=64", "--set",
                            "gravity.softening=0.02", "--backend", "cpu", "--precision", "double", "--steps", "12",
                            "--quiet", "--out", out], check=True)
            expected = json.loads((out / "run.json").read_text())["state_hash"]
        sim = plummer()
        while sim.step_count < 12:
            sim.step(5 if sim.step_count < 10 else 2)
        self.assertEqual(sim.hash, expected)

    def test_run_ends_at_the_first_step_past_a_time(self):
        sim = two_bodies()
        self.assertEqual(sim.run(until=0.105), 11)
        self.assertEqual((sim.step_count, sim.run(until=0.1)), (11, 0))
        self.assertAlmostEqual(sim.time, 0.11)
        self.assertEqual(sim.interactions, 11 * 2 * 2)  # each body with every body, itself included

    def test_times_may_have_units(self):
        sim = mote.load("outer_solar_system", backend="cpu")  # days, in steps of 5
        self.assertEqual(sim.run(until="100 d"), 20)
        self.assertEqual(sim.time, 100)
        with self.assertRaises(mote.InputError) as caught:
            sim.run(until="3 kg")
        self.assertIn("run until 3 kg: ", str(caught.exception))
        with self.assertRaises(TypeError):
            sim.step(1.5)

    def test_a_hook_ends_the_run(self):
        sim = mote.load_text("""return { gravity = {}, integrator = { dt = 1 },
            bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 1, 0, 0 } } },
            on_step = { every = 3, run = function(sim) sim:stop("far enough") end } }""", **CPU)
        x = sim.x
        self.assertEqual(sim.step(10), 3)
        self.assertEqual(sim.ended, "far enough")
        self.assertEqual((x[0], sim.x[0]), (0, 3))  # columns of scenes with hooks are copies
        self.assertEqual(sim.step(1), 1)
        self.assertIsNone(sim.ended)

    def test_numbers_that_are_not_finite_are_an_error(self):
        # A finite energy, 1.8e307; 6e308 after a step is beyond the largest number, 1.8e308.
        sim = mote.from_arrays(1, [[0, 0, 0]], [[6e153, 0, 0]], dt=1e155, **CPU)
        with self.assertRaises(mote.UnhealthyError) as caught:
            sim.step(3)
        self.assertIn("body 0 is no longer finite at step 1", str(caught.exception))
        sim = mote.from_arrays(1, [[0, 0, 0]], [[1e300, 0, 0]], dt=1, **CPU)
        with self.assertRaises(mote.UnhealthyError) as caught:
            sim.step(3)
        self.assertIn("the energy is not finite", str(caught.exception))
        self.assertEqual(sim.step_count, 0)

    def test_ctrl_c_ends_between_steps(self):
        sim = plummer()
        timer = threading.Timer(0.2, _thread.interrupt_main)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.step(10**12)
        timer.join()
        taken = sim.step_count
        self.assertGreater(taken, 0)
        self.assertEqual(sim.step(2), 2)
        self.assertEqual(sim.step_count, taken + 2)

    def test_other_threads_run_but_may_not_use_it(self):
        sim = plummer()
        thread = threading.Thread(target=lambda: sim.step(20000))
        thread.start()
        refused = False
        while thread.is_alive() and not refused:
            try:
                sim.measure()
            except RuntimeError as error:
                refused = "busy in another thread" in str(error)
            time.sleep(0.001)
        thread.join()
        self.assertTrue(refused)

    def test_parameters_change_on_the_way(self):
        sim = two_bodies(softening=0.1)
        sim.step(5)
        sim.set("gravity.softening", 0.2)
        sim.set("integrator.dt", 0.02)
        sim.step(5)
        self.assertEqual(sim.live["gravity.softening"], 0.2)
        self.assertAlmostEqual(sim.time, 5 * 0.01 + 5 * 0.02)


if __name__ == "__main__":
    unittest.main()
