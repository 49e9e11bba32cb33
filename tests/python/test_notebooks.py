"""Executes the notebooks: python/notebooks."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import importorskip

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "python" / "notebooks"


class Notebooks(unittest.TestCase):
    def test_run_from_top_to_bottom(self):
        for needed in ("nbconvert", "ipykernel", "pandas", "matplotlib", "h5py"):
            importorskip(needed)
        files = sorted(NOTEBOOKS.glob("*.ipynb"))
        self.assertGreaterEqual(len(files), 3)
        for file in files:
            with self.subTest(file.name), tempfile.TemporaryDirectory() as folder:
                # The kernel of this Python, whatever kernels the user has.
                environment = {**os.environ, "JUPYTER_PATH": folder, "JUPYTER_DATA_DIR": folder, "HOME": folder,
                               "IPYTHONDIR": folder, "MPLBACKEND": "agg"}
                subprocess.run([sys.executable, "-m", "ipykernel", "install", "--prefix", folder, "--name", "python3"],
                               check=True, capture_output=True, env=environment)
                environment["JUPYTER_PATH"] = os.path.join(folder, "share", "jupyter")
                done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder,
                                       str(file)], capture_output=True, text=True, env=environment, timeout=240)
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])


if __name__ == "__main__":
    unittest.main()
