"""The public interface of the package. Run by ctest, or: PYTHONPATH=build/release/python python3 -m unittest -v FILE"""
import ast
import builtins
import dataclasses
import errno
import json
import multiprocessing
import os
import pathlib
import pydoc
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import mote
from support import CPU, PACKAGE, gpu, importorskip, plummer, two_bodies


class Opening(unittest.TestCase):
    def test_a_scene_by_name_with_parameters(self):
        sim = plummer()
        self.assertEqual(len(sim), 64)
        self.assertEqual((sim.backend, sim.precision, sim.units), ("cpu", "double", "nbody"))
        self.assertEqual(sim.scene["gravity"]["softening"], 0.02)
        self.assertIn("plummer", mote.scenes())

    def test_parameters_of_every_type(self):
        text = """return { gravity = {}, integrator = { dt = param("dt", 0.1) }, title = param("title", "a"),
                  view = { glow = param("glow", true) },
                  bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0, 0 } } } }"""
        sim = mote.load_text(text, params={"dt": np.float64(1 / 3), "title": "two words", "glow": np.bool_(False),
                                           "seed": np.int32(5), "bodies.1.position": np.array([1, 2, 3])})
        self.assertEqual(sim.dt, 1 / 3)
        self.assertEqual(sim.title, "two words")
        self.assertEqual((sim.scene["view"]["glow"], sim.scene["seed"]), (False, 5))
        self.assertEqual(sim.positions().tolist(), [[1, 2, 3]])

    def test_arrays_of_any_layout_and_type(self):
        position = np.asfortranarray(np.arange(12, dtype=np.float32).reshape(4, 3))
        sim = mote.from_arrays(1, position[::-1], np.zeros((4, 3), dtype=int), dt=1, softening=1, names=list("abcd"), **CPU)
        self.assertEqual(sim.positions().tolist(), position[::-1].tolist())
        self.assertEqual(sim.masses().tolist(), [1, 1, 1, 1])
        self.assertEqual(sim.name(2), "c")

    def test_settings_of_the_scene_as_a_dict(self):
        scene = {"gravity": None, "fields": [{"kind": "uniform", "acceleration": np.array([0, 0, -2.0])}]}
        sim = two_bodies(scene=scene)
        sim.run(until=1)
        own = {path: value for path, value in sim.live.items() if not path.startswith("hand.")}
        self.assertEqual(own, {"integrator.dt": 0.01})
        # z = -g t^2 / 2, which leapfrog solves exactly up to round-off.
        self.assertAlmostEqual(sim.positions()[0, 2], -1.0, delta=1e-13)

    def test_errors_have_every_problem(self):
        with self.assertRaises(mote.InputError) as caught:
            two_bodies(softening=-1, scene={"integrator": {"setp": 1}})
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual({p["key"] for p in caught.exception.problems}, {"gravity.softening", "integrator.setp"})
        self.assertIn("from_arrays: gravity.softening: -1 is out of range", str(caught.exception))
        for wrong, words in [
            (lambda: mote.load("plumer"), "did you mean 'plummer'"),
            (lambda: mote.load("plummer", {"m": 3}), "it has: n, softening"),
            (lambda: two_bodies(dt=None), "integrator.dt: is missing"),
            (lambda: two_bodies(scene={"bodies": []}), "leave them out of `scene`"),
            (lambda: mote.from_arrays(1, [0, 0, 0], [[0, 0, 0]], dt=1), "must be (n, 3)"),
            (lambda: mote.from_arrays([1, 1], [[0, 0, 0]], [[0, 0, 0]], dt=1), "mass: has the shape (2,); it must be (1,), or"),
            (lambda: mote.from_arrays(1, np.zeros((3, 3)), np.zeros((2, 3)), dt=1), "velocity: has the shape (2, 3); it must be (3, 3)"),
            (lambda: mote.from_arrays(1, [["a", 0, 0]], [[0, 0, 0]], dt=1), "position: could not convert"),
            (lambda: mote.from_arrays(1, [[1j, 0, 0]], [[0, 0, 0]], dt=1), "position: has complex numbers"),
            (lambda: two_bodies(softening=.1, scene={"gravity": {"softening": .2}}), "softening: is given twice"),
            (lambda: two_bodies(softening=.1, scene={"gravity": None}), "softening: is given twice"),
            (lambda: mote.resume("nowhere.h5"), "no such file"),
            (lambda: two_bodies().set("gravity.softening", -1), "out of range"),
            (lambda: two_bodies().set("units", 1), "these can: "),
            (lambda: two_bodies().run(), "no end; run until a time, take a number of steps, or set stop.time"),
        ]:
            with self.assertRaises(mote.InputError) as caught:
                wrong()
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(mote.InputError) as caught:
            mote.load("plummer", device=77, backend="cuda")
        self.assertNotIn("--", str(caught.exception))
        with self.assertRaises(TypeError):
            two_bodies(bakend="cpu")
        with self.assertRaises(mote.SystemError) as caught:
            two_bodies().checkpoint("/nowhere/a.h5")
        self.assertIsInstance(caught.exception, OSError)


    def test_wrong_types_are_named(self):
        sim = two_bodies()
        for wrong, words in [
            (lambda: plummer(threads="2"), "threads must be a whole number, got '2'"),
            (lambda: plummer(threads=1.5), "threads must be a whole number, got 1.5"),
            (lambda: plummer(device="0"), "device must be a whole number"),
            (lambda: plummer(backend=None), "backend must be text, got None"),
            (lambda: plummer(precision=64), "precision must be text, got 64"),
            (lambda: plummer(trust="no"), "trust must be True or False, got 'no'"),
            (lambda: mote.load("plummer", [("n", 3)]), "params must be a dict"),
            (lambda: mote.load("plummer", {3: 3}), "the name of a parameter must be text, got 3"),
            (lambda: mote.load(3), "expected str, bytes or os.PathLike object, not int"),
            (lambda: mote.load_text(b"return {}"), "text must be text"),
            (lambda: two_bodies(scene=[1]), "scene must be a dict, got [1]"),
            (lambda: two_bodies(names="ab"), "names must be a sequence of texts"),
            (lambda: two_bodies(names=[1, 2]), "names must be a sequence of texts"),
            (lambda: sim.step("2"), "steps must be a whole number, got '2'"),
            (lambda: sim.name(0.5), "id must be a whole number"),
            (lambda: sim.render(1.5), "width must be a whole number"),
            (lambda: sim.set(3, 3), "path must be text"),
        ]:
            with self.assertRaises(TypeError, msg=words) as caught:
                wrong()
            self.assertIn(words, str(caught.exception))
        for wrong, words in [
            (lambda: sim.step(2**70), "must be 0 .. 18446744073709551615"),
            (lambda: sim.step(-1), "18446744073709551615, got -1"),
            (lambda: sim.name(-1), "id must be 0 .. 4294967295, got -1"),
            (lambda: plummer(threads=2**40), "2147483647, got 1099511627776"),
            (lambda: sim.render(10**12), "2147483647, got 1000000000000"),
            (lambda: sim.checkpoint("a\0b"), "null"),
        ]:
            with self.assertRaises(ValueError, msg=words) as caught:
                wrong()
            self.assertIn(words, str(caught.exception))
        self.assertEqual(sim.step(np.int8(2)), 2)
        self.assertEqual(plummer(threads=np.int64(1), trust=np.bool_(False)).step(1), 1)

    def test_masked_numbers_are_refused(self):
        position = np.ma.masked_array(np.zeros((2, 3)), mask=[[0, 0, 0], [0, 1, 0]])
        with self.assertRaises(mote.InputError) as caught:
            mote.from_arrays(1, position, np.zeros((2, 3)), dt=1)
        self.assertIn("position: has masked values", str(caught.exception))
        self.assertEqual([p["key"] for p in caught.exception.problems], ["position"])
        whole = np.ma.masked_array([[1.0, 0, 0], [-1, 0, 0]])
        self.assertEqual(mote.from_arrays(1, whole, np.zeros((2, 3)), dt=1).positions().tolist(), whole.tolist())

    def test_names_are_one_for_each_body(self):
        with self.assertRaises(mote.InputError) as caught:
            two_bodies(names=["one"])
        self.assertIn("names: has 1 names, for 2 bodies", str(caught.exception))
        self.assertEqual(two_bodies(names=np.array(["one", "other"])).name(1), "other")

    def test_arrays_are_computed_in_double_at_every_number_of_bodies(self):
        rng = np.random.default_rng(3)
        for n in (1024, 1025):
            arrays = dict(mass=1 / n, position=rng.normal(size=(n, 3)), velocity=np.zeros((n, 3)), dt=1e-3, softening=0.1)
            sim = mote.from_arrays(**arrays, backend="cpu")
            self.assertEqual((sim.precision, sim.x.dtype), ("double", np.float64), n)
            self.assertIn("precision double: that of the arrays", sim.reasons)
            self.assertEqual(mote.from_arrays(**arrays, backend="cpu", precision="single").x.dtype, np.float32)
            self.assertEqual(mote.from_arrays(**arrays, backend="cpu", scene={"precision": "single"}).precision, "single")

    def test_a_missing_file_is_a_file_not_found_error(self):
        for wrong, name in [(lambda: mote.load("nowhere/a.lua"), "nowhere/a.lua"), (lambda: mote.resume("nowhere.h5"), "nowhere.h5")]:
            with self.assertRaises(FileNotFoundError) as caught:
                wrong()
            self.assertIsInstance(caught.exception, mote.InputError)
            self.assertEqual((caught.exception.filename, caught.exception.errno), (name, errno.ENOENT))
            self.assertIn(name + ": no such", str(caught.exception))
            self.assertEqual(caught.exception.problems[0]["place"], name)
        with self.assertRaises(mote.SystemError) as caught:
            two_bodies().checkpoint("/nowhere/a.h5")
        self.assertEqual(caught.exception.errno, errno.ENOENT)

    @unittest.skipUnless("MOTE_PYBIND11" in os.environ, "MOTE_PYBIND11 does not say what the package was built with")
    def test_an_old_pybind11_refuses_numpy_2(self):
        script = "import numpy; numpy.__version__ = '2.1.0'; import mote; print('fine')"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        if tuple(map(int, os.environ["MOTE_PYBIND11"].split(".")[:2])) >= (2, 12):
            self.assertEqual(done.stdout, "fine\n", done.stderr)
            return
        self.assertIn("cannot read NumPy 2.1.0: install numpy<2, or build mote with pybind11 2.12", done.stderr)
        self.assertIn("ImportError: mote was built with pybind11 2.", done.stderr)


def forked(work):
    """The result of `work` in a child process made by fork, with a timeout of a minute."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=lambda: answers.put(work()), daemon=True)
    child.start()
    child.join(60)
    if child.is_alive():
        child.kill()
        return "hangs"
    return answers.get() if child.exitcode == 0 else f"ended with {child.exitcode}"


def study(softening):
    """A typical function of a parameter study; enough bodies to use threads."""
    sim = mote.load("plummer", {"n": 2048, "gravity.softening": softening}, backend="cpu", precision="single", threads=2)
    sim.step(3)
    return sim.hash, sim.measure().energy


class Processes(unittest.TestCase):
    def test_children_made_by_fork_compute_as_their_parent_does(self):
        expected = study(0.01)  # with threads, which do not survive the fork
        self.assertEqual(forked(lambda: study(0.01)), expected)
        sim = mote.load("plummer", {"n": 2048}, backend="cpu", threads=2)
        sim.step(1)
        self.assertEqual(forked(lambda: (sim.step(2), sim.hash)[1]), (sim.step(2), sim.hash)[1])

    def test_a_pool_does_a_study(self):
        expected = [study(e) for e in (0.01, 0.02)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map_async(study, [0.01, 0.02]).get(timeout=60), expected)

    def test_forked_children_cannot_use_the_gpu(self):
        options = gpu()
        if options is None:
            self.skipTest("no GPU, and none is emulated")
        sim = plummer(**options)

        def attempt(action):
            try:
                return action()
            except (mote.SystemError, mote.InputError) as error:
                return str(error)

        self.assertIn("CUDA does not survive a fork", forked(lambda: attempt(lambda: sim.step(1))))
        self.assertIn("forked from one that had initialised CUDA", forked(lambda: attempt(lambda: plummer(**options).step(1))))
        self.assertEqual(forked(lambda: plummer().step(1)), 1)
        self.assertEqual(sim.step(1), 1)


class Attributes(unittest.TestCase):
    def test_wrong_assignments_raise_with_a_remedy(self):
        sim = two_bodies(softening=0.1)
        for name, words in [
            ("softening", "sim.set('gravity.softening', 0.5)"),
            ("dt", "sim.set('integrator.dt', 0.5)"),
            ("G", "'G' is not an attribute of a simulation; sim.set(path, value) sets the parameters in sim.live: gravity.softening"),
            ("integrator", "'integrator' is not an attribute of a simulation"),
            ("time", "'time' cannot be set"),
            ("measure", "'measure' cannot be set"),
            ("positions", "sim.set_bodies(position=...)"),
            ("x", "sim.set_bodies(position=...)"),
            ("foo", "'foo' is not an attribute"),
        ]:
            with self.assertRaises(AttributeError, msg=name) as caught:
                setattr(sim, name, 0.5)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(AttributeError):
            del sim.positions
        self.assertFalse(hasattr(sim, "foo"))
        self.assertEqual(sim.positions().shape, (2, 3))


class Measuring(unittest.TestCase):
    def test_energies_of_a_circle(self):
        sim = two_bodies(integrator="yoshida6")
        sim.step(100)
        m = sim.measure()
        # E = -G m1 m2 / (2 a), L = mu sqrt(G M a); at sixth order and 628 steps per orbit errors are round-off.
        self.assertAlmostEqual(m.energy, -0.125, delta=1e-12)
        self.assertAlmostEqual(m.angular_momentum[2], 0.25, delta=1e-12)
        self.assertAlmostEqual(m.virial_ratio, 1, delta=1e-9)
        self.assertLess(abs(m.energy_error), 1e-11)
        self.assertEqual((m.step, m.mass), (100, 1))

    def test_an_energy_drift_warns_once(self):
        def comet(dt):  # of eccentricity 0.9
            return mote.from_arrays([1, 1e-9], [[0, 0, 0], [1.9, 0, 0]], [[0, 0, 0], [0, 0.2294, 0]], dt=dt,
                                    softening=0, **CPU)
        sim = comet(0.1)
        self.assertIsNone(sim.warning)
        with self.assertWarnsRegex(RuntimeWarning, "the energy is off by "):
            sim.step(150)
        self.assertIn("nothing in the scene changes it", sim.warning)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sim.step(150)
            fine = comet(0.001)
            fine.step(15000)
        self.assertIsNone(fine.warning)
        self.assertLess(fine.measure().energy_drift, 0.1)

    def test_an_energy_that_explodes_is_an_error(self):
        sim = mote.from_arrays([1, 1], [[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 0, 0]], dt=0.01, softening=0, **CPU)
        with self.assertRaises(mote.UnhealthyError) as caught:
            sim.step(300)
        self.assertIn("the energy is off by ", str(caught.exception))

    def test_energy_errors_are_relative_to_the_start(self):
        late, early = two_bodies(dt=0.3), two_bodies(dt=0.3)
        early.measure()
        for sim in (late, early):
            sim.step(4)
        self.assertNotEqual(late.measure().energy_error, 0)
        self.assertEqual(late.measure(), early.measure())


class Files(unittest.TestCase):
    def test_a_checkpoint_resumes_bit_for_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "half.h5")
            whole, half = plummer(), plummer()
            whole.step(9), half.step(4)
            half.checkpoint(file)
            again = mote.resume(file)
            self.assertEqual(again.hash, half.hash)
            again.step(5)
            self.assertEqual((again.hash, again.time), (whole.hash, whole.time))
            # Drifts are relative to the largest energies measured since a simulation was opened.
            drift = whole.measure().energy_drift
            self.assertEqual(dataclasses.replace(again.measure(), energy_drift=drift), whole.measure())

    @unittest.skipUnless("MOTE_PROGRAM" in os.environ, "MOTE_PROGRAM does not name the program")
    def test_the_folder_of_a_run_can_be_resumed_and_is_not_a_scene(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "run")
            subprocess.run([os.environ["MOTE_PROGRAM"], "run", "plummer", "--set", "n=64", "--backend", "cpu", "--steps", "12",
                            "--checkpoint-steps", "10", "--snapshot-steps", "12", "--quiet", "--out", out], check=True)
            last = mote.resume(out)
            self.assertEqual(last.step_count, 12)
            self.assertEqual(last.hash, json.loads((out / "run.json").read_text())["state_hash"])
            for wrong in (out, out / "run.json"):
                with self.assertRaises(mote.InputError) as caught:
                    mote.load(wrong)
                self.assertIn(f'is not a scene but a run; use resume("{out}") to continue from its last checkpoint', str(caught.exception))
            copied = mote.load(out / "scene.lua")
            self.assertIn("parameters: as given here; the run in this folder had n = 64", copied.reasons)
            self.assertFalse([r for r in mote.load(out / "scene.lua", {"n": 64}).reasons if "in this folder" in r])
            with self.assertRaises(mote.InputError) as caught:
                mote.resume(next((out / "snapshots").glob("*.h5")))
            self.assertIn("is not a checkpoint", str(caught.exception))
            self.assertIn('load a scene with the bodies gadget { file = "snapshot_', str(caught.exception))
        with self.assertRaises(mote.InputError) as caught:
            mote.resume(tempfile.gettempdir())
        self.assertIn("has no checkpoint", str(caught.exception))


class Pictures(unittest.TestCase):
    def test_are_arrays(self):
        try:
            picture = plummer().render(96, 64)
        except (mote.SystemError, mote.InputError) as error:
            self.skipTest(str(error))
        self.assertEqual((picture.shape, picture.dtype), ((64, 96, 3), np.uint8))
        self.assertGreater(picture[24:40, 36:60].max(), 100)  # bodies are framed
        with self.assertRaises(mote.InputError):
            plummer().render(1, 1)


class Types(unittest.TestCase):
    """The types of the package."""

    def mypy(self, *arguments):
        importorskip("mypy")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, *arguments],
                                  capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
        return done.stdout + done.stderr

    def test_are_consistent(self):
        self.assertIn("Success", self.mypy(str(PACKAGE)))

    def test_let_users_compute_with_columns(self):
        program = """
import mote
sim = mote.load("plummer", {"n": 64})
moved = sim.x + 1.0
first = sim.x[0]
reveal_type(sim.positions())
try:
    mote.load("plumer")
except mote.InputError as e:
    reveal_type(e.problems[0]["remedy"])
    print(e.problms)
"""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "user.py")
            file.write_text(program)
            output = self.mypy(str(file))
        errors = [line for line in output.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, output)
        self.assertIn('has no attribute "problms"', errors[0])
        self.assertIn('Revealed type is "builtins.str"', output)
        self.assertRegex(output, "numpy.ndarray.*float")

    def test_describe_what_is_compiled(self):
        core = mote._core
        stub = ast.parse((PACKAGE / "_core.pyi").read_text())
        declared = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual({name for name in vars(core) if not name.startswith("_")}, set(declared) - {"Problem"})
        methods = {name for name in vars(core.Simulation) if not name.startswith("_")}
        self.assertEqual(methods, {node.name for node in declared["Simulation"].body})
        self.assertEqual(set(core.Column.__members__), {node.target.id for node in declared["Column"].body})


class Help(unittest.TestCase):
    def test_import_star_hides_nothing_of_python(self):
        self.assertFalse(set(mote.__all__) & set(vars(builtins)))

    def test_everything_public_has_a_docstring(self):
        for name in mote.__all__:
            self.assertTrue(getattr(mote, name).__doc__, name)
        for name, member in vars(mote.Simulation).items():
            if not name.startswith("_"):
                self.assertTrue(member.__doc__, name)
        self.assertIn("position, velocity: (n, 3)", pydoc.render_doc(mote.from_arrays))

    def test_repr_says_what_it_is(self):
        self.assertEqual(repr(plummer()), "<mote.Simulation 'Plummer sphere': 64 bodies, step 0, time 0, cpu, double>")


if __name__ == "__main__":
    unittest.main()
