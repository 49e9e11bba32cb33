"""Reading runs, recording, copies, changes of bodies, and what notebooks show."""
import copy
import io
import math
import shutil
import os
import pathlib
import pickle
import struct
import subprocess
import tempfile
import unittest
import unittest.mock
import zlib

import mote
import numpy as np
from support import CPU, importorskip, plummer, two_bodies

PROGRAM = os.environ["MOTE_PROGRAM"]


def run(*arguments, folder):
    subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Reading(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_a_run_has_its_series_as_a_table_with_units(self):
        importorskip("pandas")
        run("run", "galaxies", "--set", "n=64", "--steps", "8", "--out", "out", folder=self.path)
        series = mote.read(self.path / "out").series
        self.assertEqual(series["step"].iloc[-1], 8)
        kinetic = mote.load("galaxies", {"n": 64}, **CPU).measure().kinetic
        self.assertEqual(series["kinetic"].iloc[0], kinetic)
        self.assertIn("Msun", series.attrs["units"]["kinetic"])
        self.assertEqual(series.attrs["units"]["step"], "")

    def test_a_run_has_the_tables_of_its_hooks_and_of_its_end(self):
        importorskip("pandas")
        (self.path / "liquid.lua").write_text("""return {
          units = "si", domain = { size = { 6, 6, 6 } }, lennard_jones = { cutoff = 2.5 }, integrator = { dt = 0.001 },
          bodies = lattice { counts = { 4, 4, 4 }, spacing = 1.5, mass = 64 }, stop = { steps = 20 },
          radial_distribution = { range = 3, bins = 30, every = 5 },
          on_step = { every = 10, run = function(sim)
            sim:row("a", { text = "p#1", x = sim.step }) sim:row("b-2", { y = sim.time }) end } }""")
        run("run", "liquid.lua", "--out", "out", "--histogram", "speed:4", "--backend", "cpu", folder=self.path)
        found = mote.read(self.path / "out")
        self.assertEqual(list(found.rows), ["a", "b-2"])
        self.assertEqual(len(found.rows), 2)
        self.assertEqual(list(found.rows["a"].columns), ["time", "step", "text", "x"])
        self.assertEqual(list(found.rows["a"]["x"]), [10, 20])
        self.assertEqual(list(found.rows["a"]["text"]), ["p#1", "p#1"])
        self.assertEqual(found.rows["a"].attrs["units"], {"time": "s", "step": "", "text": "", "x": ""})
        self.assertEqual(list(found.rows["b-2"]["y"]), list(found.rows["b-2"]["time"]))
        with self.assertRaisesRegex(KeyError, "no table 'c' in .*rows; it has a, b-2"):
            found.rows["c"]
        radial = found.radial_distribution
        self.assertEqual(list(radial.columns), ["low", "high", "g", "coordination"])
        self.assertEqual((len(radial), radial.attrs["samples"]), (30, 5))
        self.assertEqual(radial.attrs["units"], {"low": "m", "high": "m", "g": "", "coordination": ""})
        self.assertEqual(list(found.histograms), ["speed"])
        speed = found.histograms["speed"]
        self.assertEqual(list(speed.columns), ["speed_low", "speed_high", "count"])
        self.assertEqual(speed["count"].sum(), 64)
        self.assertEqual(speed.attrs["units"], {"speed_low": "m/s", "speed_high": "m/s", "count": ""})

    def test_tables_that_a_run_has_not_are_none(self):
        importorskip("pandas")
        (self.path / "run.json").write_text("{}")
        found = mote.read(self.path)
        self.assertEqual((list(found.rows), len(found.histograms), "a" in found.rows), ([], 0, False))
        with self.assertRaisesRegex(KeyError, "it has none"):
            found.rows["a"]
        with self.assertRaisesRegex(FileNotFoundError, "scenes with `radial_distribution`"):
            found.radial_distribution
        (self.path / "rows").mkdir()
        (self.path / "rows/a.csv.part").write_text("time [Gyr],step,x\n0.5,1,2\n0.6,")
        self.assertEqual(list(found.rows["a"]["x"]), [2])
        self.assertEqual(found.rows["a"].attrs["units"], {"time": "Gyr", "step": "", "x": ""})
        (self.path / "radial_distribution.csv").write_text("# 376 samples\nlow [nm],high [nm],g,coordination\n0,1,0.5,2\n")
        self.assertEqual(list(found.radial_distribution["g"]), [0.5])
        self.assertEqual(found.radial_distribution.attrs["samples"], 376)
        self.assertEqual(found.radial_distribution.attrs["units"]["low"], "nm")

    def test_headers_of_before_with_units_are_read(self):
        importorskip("pandas")
        (self.path / "run.json").write_text("{}")
        (self.path / "series.csv").write_text("time [s],energy [kg (m/s)^2],step\n0,1.5,0\n")
        series = mote.read(self.path).series
        self.assertEqual(list(series.columns), ["time", "energy", "step"])
        self.assertEqual(series.attrs["units"], {"time": "s", "energy": "kg (m/s)^2", "step": ""})

    def test_snapshots_have_arrays_with_units(self):
        importorskip("h5py")
        run("run", "galaxies", "--set", "n=64", "--steps", "8", "--snapshot-steps", "4", "--out", "out", folder=self.path)
        found = mote.read(self.path / "out")
        self.assertEqual([s.step for s in found.snapshots], [0, 4, 8])
        last = found.snapshots[-1]
        self.assertEqual(last["position"].shape, (64, 3))
        self.assertEqual(last["position"].unit, "kpc")
        self.assertEqual(last["position"][:3].unit, "kpc", "a part has the unit")
        self.assertFalse(hasattr(last["position"] * last["position"], "unit"), "a result has none")
        with self.assertRaisesRegex(KeyError, "snapshot_0002.h5 has no 'Velocity'; it has .*position.*velocity"):
            last["Velocity"]
        self.assertNotIn("Velocity", last)
        self.assertEqual(last.hash, found.info["state_hash"])
        sim = mote.load("galaxies", {"n": 64}, **CPU)
        sim.step(8)
        self.assertTrue(np.array_equal(last["position"], sim.positions()))
        self.assertIn("64", found._repr_html_())

    def test_snapshots_have_accelerations_and_potentials_that_are_asked_for(self):
        importorskip("h5py")
        run("run", "galaxies", "--set", "n=64", "--steps", "2", "--backend", "cpu", "--out", "out", "--snapshot-columns",
            "mass,acceleration,potential", folder=self.path)
        last = mote.read(self.path / "out").snapshots[-1]
        self.assertEqual(sorted(last), ["acceleration", "id", "mass", "position", "potential"])
        sim = mote.load("galaxies", {"n": 64}, **CPU)
        sim.step(2)
        self.assertTrue(np.array_equal(last["acceleration"], sim.accelerations()))
        self.assertEqual(last["acceleration"].unit, "km/s/(kpc/(km/s))")
        self.assertEqual(last["potential"].unit, "(km/s)^2")
        # Sums of the same terms in double: 64^2 of them, of 1e-16 each.
        half = 0.5 * (last["mass"].astype(float) * last["potential"]).sum()
        self.assertAlmostEqual(half / sim.measure().potential, 1, delta=1e-12)

    def test_a_run_that_is_not_finished_has_the_complete_rows_of_its_series(self):
        importorskip("pandas")
        (self.path / "run.json").write_text('{"series_units": {"time": "Gyr"}}')
        (self.path / "series.csv.part").write_text("time,step\n0,0\n0.5,1\n0.7")
        series = mote.read(self.path).series
        self.assertEqual(list(series["time"]), [0, 0.5])
        self.assertEqual(series.attrs["units"]["time"], "Gyr")

    def test_a_sweep_is_one_table(self):
        importorskip("pandas")
        (self.path / "plan.lua").write_text(
            'return { scene = "plummer", grid = { n = { 8, 16 } }, run = { steps = 2 } }')
        run("sweep", "plan.lua", "--out", "many", folder=self.path)
        sweep = mote.read(self.path / "many")
        self.assertEqual(sorted(sweep.results["n"]), [8, 16])
        self.assertEqual(sorted(r.info["parameters"]["n"] for r in sweep.runs), [8, 16])

    def test_other_files_are_refused_with_a_reason(self):
        (self.path / "a.h5").write_text("no")
        with self.assertRaises(FileNotFoundError):
            mote.read(self.path / "none")
        with self.assertRaisesRegex(mote.InputError, "neither a run nor a sweep"):
            mote.read(self.path)
        importorskip("h5py")
        with self.assertRaisesRegex(mote.InputError, "is not an HDF5 file"):
            mote.read(self.path / "a.h5")


class Recording(unittest.TestCase):
    def test_is_a_row_for_the_start_and_each_of_so_many_steps(self):
        importorskip("pandas")
        table = two_bodies().record(10, ["energy", "momentum", "positions"], steps=25)
        self.assertEqual(list(table["step"]), [0, 10, 20, 25])
        self.assertEqual(list(table.columns), ["time", "step", "energy", "momentum_x", "momentum_y", "momentum_z", "positions"])
        self.assertEqual(table["positions"][3].shape, (2, 3))
        # A leapfrog on a circle of angular velocity 1: the phase is off by dt^2 / 24 of the angle.
        self.assertAlmostEqual(table["positions"][3][0, 0], 0.5 * math.cos(0.25), delta=1e-5)

    def test_ends_at_a_time_with_the_first_step_after_it(self):
        importorskip("pandas")
        sim = two_bodies()
        table = sim.record(4, until=0.095)
        self.assertEqual(list(table["step"]), [0, 4, 8, 10])
        self.assertEqual(list(table.columns), ["time", "step", "energy_error"])

    def test_functions_are_called_and_end_it(self):
        importorskip("pandas")

        def near(sim):
            return sim.step_count < 6

        table = two_bodies().record(3, near, steps=100)
        self.assertEqual(list(table["near"]), [True, True, False])

    def test_functions_of_one_name_and_columns_are_all_kept(self):
        importorskip("pandas")
        table = two_bodies().record(5, [lambda sim: sim.x, lambda sim: 2], steps=10)
        self.assertEqual(list(table.columns), ["time", "step", "<lambda>", "<lambda>_2"])
        self.assertNotEqual(table["<lambda>"][0].tolist(), table["<lambda>"][2].tolist(), "each row its own values")
        self.assertEqual(list(two_bodies().record(5, {"two": lambda sim: 2}, steps=5)["two"]), [2, 2])

    def test_columns_have_the_names_of_a_series(self):
        importorskip("pandas")
        table = two_bodies().record(1, ["lagrangian_radii", "center_of_mass"], steps=1)
        self.assertEqual(list(table.columns[2:]), ["radius_10", "radius_50", "radius_90", "center_x", "center_y", "center_z"])

    def test_fields_of_bodies_are_recorded(self):
        importorskip("pandas")
        sim = mote.load("dam_break", {"across": 8}, backend="cpu")
        table = sim.record(1, "density", steps=1)
        self.assertEqual(table["density"][1].tolist(), sim.field("density").tolist())

    def test_an_error_carries_the_rows_before_it(self):
        importorskip("pandas")

        def fails(sim):
            if sim.step_count == 6:
                raise KeyError("six")

        with self.assertRaises(KeyError) as caught:
            two_bodies().record(2, ["energy", fails], steps=10)
        self.assertEqual(list(caught.exception.recorded["step"]), [0, 2, 4])

    def test_a_film_goes_on_when_a_function_makes_steps_shorter(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg")
        sim = two_bodies(dt=0.5)
        try:
            sim.render(16, 16)
        except mote.SystemError as error:
            self.skipTest(str(error))
        sim.every(1, lambda sim: sim.set("integrator.dt", 0.001))
        sim.animate(1.0, frames=20, width=64, height=64)  # the first step passes nine frames
        self.assertGreaterEqual(sim.time, 1.0)

    def test_a_goal_in_the_past_is_refused(self):
        importorskip("pandas")
        sim = two_bodies()
        sim.run(until=0.105)
        sim.run(until=0.105)  # the step that passed it
        for call in (sim.run, sim.record):
            with self.assertRaisesRegex(mote.InputError, "until: 0.05 is before the present time"):
                call(until=0.05)

    def test_an_unknown_name_is_refused_before_the_first_step(self):
        importorskip("pandas")
        sim = two_bodies()
        with self.assertRaisesRegex(mote.InputError, "'enrgy' is no measurement"):
            sim.record(1, "enrgy", steps=10)
        self.assertEqual(sim.step_count, 0)

    def test_progress_is_a_line_on_standard_error(self):
        importorskip("pandas")
        with unittest.mock.patch("sys.stderr", io.StringIO()) as said:
            two_bodies().record(5, steps=20, progress=True)
        self.assertIn("steps/s", said.getvalue())


class Functions(unittest.TestCase):
    def test_are_called_at_multiples_of_their_steps_in_all_that_steps(self):
        sim, called = two_bodies(), []
        sim.step(3)
        sim.every(5, lambda s: called.append(("five", s.step_count)))
        sim.every(10, lambda s: called.append(("ten", s.step_count)))
        self.assertEqual(sim.step(9), 9)
        self.assertEqual(called, [("five", 5), ("five", 10), ("ten", 10)])
        sim.run(until=0.2)
        self.assertEqual(called[3:], [("five", 15), ("five", 20), ("ten", 20)])
        other = two_bodies()
        other.step(20)
        self.assertEqual(sim.hash, other.hash, "watching changes no bit")

    def test_change_no_step_of_an_integrator_that_chooses_them(self):
        def orbit():
            return mote.from_arrays([1, 1e-3], [[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1.2, 0]], integrator="ias15", **CPU)

        alone, watched, recorded = orbit(), orbit(), orbit()
        alone.run(until=7.5)
        watched.every(3, lambda sim: None)
        watched.run(until=7.5)
        self.assertEqual((watched.step_count, watched.hash), (alone.step_count, alone.hash))
        importorskip("pandas")
        self.assertEqual(recorded.record(1000, until=7.5)["step"].iloc[-1], alone.step_count)
        self.assertEqual(recorded.hash, alone.hash)

    def test_that_return_false_end_a_record_too(self):
        importorskip("pandas")
        sim = two_bodies()
        sim.every(5, lambda sim: False)
        self.assertEqual(list(sim.record(10, steps=100)["step"]), [0, 5])

    def test_may_change_the_simulation_and_end_a_call(self):
        sim = two_bodies()

        def add(sim):
            if len(sim) == 4:
                return False
            sim.add({"mass": 0, "position": [9, 0, 0], "velocity": [0, 0, 0]})

        sim.every(4, add)
        self.assertEqual(sim.step(100), 12)
        self.assertEqual(len(sim), 4)

    def test_that_fail_raise_their_error_between_steps(self):
        sim = two_bodies()
        sim.every(4, lambda sim: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            sim.step(10)
        self.assertEqual(sim.step_count, 4)
        with self.assertRaises(ZeroDivisionError):
            sim.step(10)


class Copies(unittest.TestCase):
    def test_continue_with_the_same_bits(self):
        sim = plummer()
        sim.step(5)
        others = [sim.copy(), copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim)), mote.resume(sim.checkpoint())]
        sim.step(5)
        for other in others:
            self.assertEqual(other.step_count, 5)
            other.step(5)
            self.assertEqual(other.hash, sim.hash)


    def test_have_the_options_of_the_original(self):
        self.assertEqual(plummer(threads=1).copy()._options["threads"], 1)


class Changes(unittest.TestCase):
    def test_leave_arrays_that_are_held_as_they_were(self):
        sim = two_bodies()
        x = sim.x
        before = x.tolist()
        sim.set_bodies(position=2 * sim.positions())
        sim.add({"mass": 1, "position": [9, 9, 9], "velocity": [0, 0, 0]})
        rubbish = [np.full(64, 7.0) for _ in range(1000)]
        self.assertEqual(x.tolist(), before)
        self.assertEqual(sim.x[0], 1, "new ones are the present values")
        del rubbish

    def test_add_keeps_species(self):
        sim = mote.load_text("""return { species = { a = {}, b = {} }, gravity = {}, integrator = { dt = 0.1 },
            bodies = { { mass = 1, position = { 0, 0, 0 }, species = "a" } } }""", **CPU)
        with self.assertRaisesRegex(mote.InputError, "species"):
            sim.add({"mass": 1, "position": [1, 0, 0], "velocity": [0, 0, 0], "species": "c"})
        sim.add({"mass": 1, "position": [1, 0, 0], "velocity": [0, 0, 0], "species": "b"})
        importorskip("h5py")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.h5"
            sim.checkpoint(file)
            self.assertEqual(mote.read(file)["species"].tolist(), [1, 2])

    def test_remove_takes_a_mask(self):
        sim = mote.from_arrays([1, 1, 1], [[0, 0, 0], [5, 0, 0], [9, 0, 0]], np.zeros((3, 3)), dt=0.01, **CPU)
        sim.remove(sim.positions()[:, 0] > 4)
        self.assertEqual(list(sim.id), [0])


    def test_of_velocities_turn_an_orbit_around(self):
        sim = two_bodies()
        sim.step(100)
        sim.set_bodies(velocity=-sim.velocities())
        sim.step(100)
        # A leapfrog is symmetric in time: back to the start but for some 200 roundings of 1e-16.
        self.assertTrue(np.allclose(sim.positions(), [[0.5, 0, 0], [-0.5, 0, 0]], atol=1e-13))

    def test_bring_energy_that_is_no_error(self):
        sim = two_bodies()
        sim.set_bodies(velocity=1.2 * sim.velocities(), mass=[1, 1])
        self.assertEqual(list(sim.mass), [1, 1])
        # Kinetic 0.36 and potential -1: differences of some roundings of 1e-16, relative to 0.125.
        self.assertLess(abs(sim.measure().energy_error), 1e-14)
        self.assertAlmostEqual(sim.ax[0], -1, places=14, msg="G m / d^2")

    def test_that_are_wrong_leave_everything_as_it_was(self):
        sim = two_bodies()
        before = sim.hash
        for wrong, problem in ((dict(mass=[1, -1]), "negative"), (dict(position=[[0, 0, 0], [0, 0, math.nan]]), "not finite"),
                               (dict(velocity=[1, 2, 3]), "shape")):
            with self.assertRaisesRegex(mote.InputError, problem):
                sim.set_bodies(**wrong)
        self.assertEqual(sim.hash, before)

    def test_add_and_remove_bodies_by_ids(self):
        sim = two_bodies(names=["a", "b"])
        ids = sim.add([{"mass": 0, "position": [3, 0, 0], "velocity": [0, 0.5, 0], "name": "dust"}, {"kind": "plummer", "n": 3}])
        self.assertEqual(list(ids), [2, 3, 4, 5])
        self.assertEqual(sim.name(2), "dust")
        self.assertEqual(sim.index("dust"), 2)
        sim.remove(0)
        self.assertEqual(list(sim.id), [1, 2, 3, 4, 5])
        sim.step(3)
        with self.assertRaisesRegex(mote.InputError, "numbers must be finite"):
            sim.add({"mass": math.nan, "position": [3, 0, 0], "velocity": [0, 0.5, 0]})
        with self.assertRaisesRegex(mote.InputError, "no body with the id 0"):
            sim.remove([1, 0])
        self.assertEqual(len(sim), 5)

    def test_an_orbit_is_added_about_a_body_by_its_elements(self):
        sim = mote.from_arrays([1.0], [[2, 0, 0]], [[0, 0, 1]], dt=0.001, names=["Sun"], **CPU)
        sim.add({"kind": "orbit", "semi_major_axis": 1.0, "eccentricity": 0.5, "mass": 0}, around="Sun")
        r = sim.positions()[1] - sim.positions()[0]
        v = sim.velocities()[1] - sim.velocities()[0]
        # The energy of an orbit: -G M / (2 a).
        self.assertAlmostEqual(v @ v / 2 - 1 / math.sqrt(r @ r), -0.5, places=14)
        self.assertAlmostEqual(math.sqrt(r @ r), 0.5, places=14, msg="starts at the pericentre")


class Scenes(unittest.TestCase):
    def test_are_dicts_too(self):
        scene = {"gravity": {"softening": 0.02}, "integrator": {"dt": 0.01}, "bodies": [{"kind": "plummer", "n": np.int64(32)}]}
        sim = mote.load(scene, {"gravity.softening": 0.1}, **CPU)
        self.assertEqual((len(sim), sim.live["gravity.softening"]), (32, 0.1))
        with self.assertRaisesRegex(mote.InputError, "did you mean 'softening'"):
            mote.load({**scene, "gravity": {"sofening": 1}})

    def test_tell_their_parameters(self):
        n = {p["name"]: p for p in mote.parameters("plummer")}["n"]
        self.assertEqual((n["type"], n["minimum"]), ("integer", 2))
        self.assertIn("doc", n)

    def test_run_together_with_the_bits_of_each_alone(self):
        alone, many = [], []
        for n in (16, 32, 64):
            alone.append(mote.load("plummer", {"n": n}, threads=1, **CPU))
            many.append(mote.load("plummer", {"n": n}, threads=1, **CPU))
            alone[-1].step(20)
        self.assertEqual(mote.run_together(many, steps=20, workers=3), [20, 20, 20])
        self.assertEqual([s.hash for s in many], [s.hash for s in alone])


class Notebooks(unittest.TestCase):
    def drawn(self):
        try:
            return plummer()._repr_png_() or self.skipTest("nothing can be drawn here")
        except mote.SystemError as error:
            self.skipTest(str(error))

    def test_show_a_picture_and_numbers(self):
        png = self.drawn()
        width, height = struct.unpack(">II", png[16:24])
        data = png[png.index(b"IDAT") + 4:]
        rows = np.frombuffer(zlib.decompressobj().decompress(data), np.uint8).reshape(height, 1 + 3 * width)
        self.assertTrue(np.array_equal(rows[:, 1:].reshape(height, width, 3), plummer().render(width, height)))
        shown = plummer()._repr_html_()
        self.assertIn("data:image/png;base64,", shown)
        self.assertIn("64", shown)

    def test_show_films(self):
        self.drawn()
        sim = plummer()
        try:
            film = sim.animate(0.5, frames=5, width=320, height=200)
        except OSError as error:
            self.skipTest(str(error))
        self.assertEqual(film.data[4:8], b"ftyp")
        self.assertIn("<video", film._repr_html_())
        self.assertGreaterEqual(sim.time, 0.5)
        with self.assertRaisesRegex(mote.InputError, "not after the present time"):
            sim.animate(0.1)
        with self.assertRaisesRegex(ValueError, "even"):
            sim.animate(2, width=321)


if __name__ == "__main__":
    unittest.main()
