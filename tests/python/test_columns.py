"""Columns of the state, on the CPU and on a GPU."""
import ctypes
import gc
import os
import pathlib
import tempfile
import unittest

import mote
import numpy as np
from support import CPU, gpu, importorskip, plummer, two_bodies


class Columns(unittest.TestCase):
    def test_are_the_state_itself(self):
        sim = plummer()
        x, before = sim.x, sim.positions()
        self.assertEqual(x.__array_interface__["data"][0], sim.x.__array_interface__["data"][0])
        self.assertEqual(x.tolist(), before[:, 0].tolist())
        sim.step(2)
        self.assertEqual(x.tolist(), sim.positions()[:, 0].tolist())
        self.assertNotEqual(x.tolist(), before[:, 0].tolist())

    def test_cannot_be_written(self):
        x = plummer().x
        with self.assertRaises(ValueError):
            x[0] = 1
        with self.assertRaises(ValueError):
            x.setflags(write=True)

    def test_outlive_the_simulation(self):
        sim = plummer()
        mass, z = sim.mass, sim.positions()[:, 2]
        view = sim.z
        del sim
        gc.collect()
        plummer().step(1)  # would reuse the memory if it were freed
        self.assertEqual(view.tolist(), z.tolist())
        self.assertAlmostEqual(mass.sum(), 1)

    def test_have_the_type_of_the_precision(self):
        self.assertEqual(plummer().vx.dtype, np.float64)
        self.assertEqual(plummer(precision="single").vx.dtype, np.float32)
        self.assertEqual(plummer().id.dtype, np.uint32)
        self.assertEqual(plummer().id.tolist(), list(range(64)))

    def test_of_the_cpu_have_dlpack(self):
        # NumPy 1.24 exports no read-only arrays, so a copy stands in; consumers of views use np.asarray.
        sim = plummer()
        self.assertEqual(np.from_dlpack(sim.x.copy()).tolist(), sim.x.tolist())

    def test_accelerations_are_those_of_the_positions(self):
        sim = two_bodies()
        sim.step(7)
        x, a = sim.positions(), sim.accelerations()
        # Each at distance 1 from a mass of 1/2; few operations in double.
        np.testing.assert_allclose(a, -x, rtol=1e-3)
        np.testing.assert_allclose(a[0], 0.5 * (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])**3, atol=1e-14)


class Fields(unittest.TestCase):
    def test_of_a_fluid_are_species_and_density(self):
        sim = mote.load("dam_break", {"across": 8}, **CPU)
        self.assertEqual(sim.fields, ["species", "density"])
        wall = sim.field("species") == 1
        self.assertTrue(0 < wall.sum() < len(sim))
        # Water one unit deep for g = 1, compressed by its own weight: by less than (v / c)^2 = 1 %.
        np.testing.assert_allclose(sim.field("density")[~wall], 1, atol=0.01)

    def test_of_grains_are_the_names_of_their_snapshots(self):
        sim = mote.load("hourglass", {"n": 20}, **CPU)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "state.h5"
            sim.checkpoint(file)
            importorskip("h5py")
            stored = mote.read(file)
            for name in sim.fields:
                self.assertEqual(sim.field(name).tolist(), stored[name].tolist(), name)
        self.assertIn("radius", sim.fields)
        self.assertIn("spin_x", sim.fields)

    def test_that_a_scene_lacks_are_refused(self):
        with self.assertRaisesRegex(mote.InputError, "have no 'density'"):
            plummer().field("density")


class OnTheGpu(unittest.TestCase):
    def setUp(self):
        options = gpu()
        if options is None:
            self.skipTest("no GPU, and none is emulated")
        self.sim = plummer(**options)
        self.sim.step(2)

    def test_the_cuda_array_interface_leads_to_the_state(self):
        column = self.sim.y
        self.assertIsInstance(column, mote.DeviceColumn)
        interface = column.__cuda_array_interface__
        self.assertEqual((interface["version"], interface["shape"], interface["typestr"]), (3, (64,), "<f8"))
        self.assertTrue(interface["data"][1])
        self.assertNotEqual(interface["stream"], 0)  # 0 is forbidden: it would be ambiguous
        self.assertEqual(np.asarray(column).tolist(), self.sim.positions()[:, 1].tolist())
        if os.environ.get("MOTE_EMULATED_GPU"):  # its memory is the host's
            there = np.ctypeslib.as_array((ctypes.c_double * 64).from_address(interface["data"][0]))
            self.assertEqual(there.tolist(), self.sim.positions()[:, 1].tolist())
            self.sim.step(1)
            self.assertEqual(there.tolist(), self.sim.positions()[:, 1].tolist())

    def test_dlpack_leads_to_the_state(self):
        self.assertEqual(self.sim.x.__dlpack_device__(), (2, 0))
        capsule = self.sim.x.__dlpack__(stream=1)

        class Tensor(ctypes.Structure):  # of dlpack.h
            _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
                        ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                        ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]

        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        tensor = Tensor.from_address(pointer_of(capsule, b"dltensor"))
        self.assertEqual(tensor.data, self.sim.x.__cuda_array_interface__["data"][0])
        self.assertEqual((tensor.device_type, tensor.ndim, tensor.code, tensor.bits, tensor.lanes), (2, 1, 2, 64, 1))
        self.assertEqual((tensor.shape[0], tensor.strides, tensor.byte_offset), (64, None, 0))
        del self.sim  # the capsule keeps it
        gc.collect()
        self.assertEqual(tensor.shape[0], 64)


    def expect_same_memory(self, pointer, values):
        self.assertEqual(pointer, self.sim.x.__cuda_array_interface__["data"][0])
        self.assertEqual(values.tolist(), self.sim.positions()[:, 0].tolist())

    @unittest.skipIf(os.environ.get("MOTE_EMULATED_GPU"), "the GPU is emulated")
    def test_cupy_reads_without_a_copy(self):
        cupy = importorskip("cupy")
        for column in (cupy.asarray(self.sim.x), cupy.from_dlpack(self.sim.x)):
            self.sim.step(1)
            self.expect_same_memory(column.data.ptr, cupy.asnumpy(column))

    @unittest.skipIf(os.environ.get("MOTE_EMULATED_GPU"), "the GPU is emulated")
    def test_torch_reads_without_a_copy(self):
        torch = importorskip("torch")
        column = torch.from_dlpack(self.sim.x)
        self.sim.step(1)
        self.expect_same_memory(column.data_ptr(), column.cpu().numpy())


if __name__ == "__main__":
    unittest.main()
