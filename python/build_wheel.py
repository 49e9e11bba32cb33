"""Builds the wheel of `pip install .` (PEP 517): CMake compiles and installs into the package's folder.

It needs nothing but what CMake needs (script/setup --library) and works without a network. Options for CMake:
`pip install . --config-settings=cmake=-DMOTE_CUDA=OFF`.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "wheel"


def _version():
    return re.search(r"project\(mote VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def _metadata():
    lines = ["Metadata-Version: 2.1", "Name: mote", f"Version: {_version()}",
             "Summary: A particle-physics engine that you script, watch and measure", "Requires-Python: >=3.9",
             "Requires-Dist: numpy", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def _tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _environment():
    """That of the user: the isolation of pip would hide NumPy, which the environment or the distribution has."""
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONNOUSERSITE")}


def _compile(staging, options):
    def run(*arguments):
        subprocess.run(arguments, check=True, env=_environment())

    generator = ["-G", "Ninja"] if shutil.which("ninja") and not (BUILD / "CMakeCache.txt").exists() else []
    run("cmake", "--preset", "release", "-S", str(ROOT), "-B", str(BUILD), *generator, "-DMOTE_TESTS=OFF",
        "-DMOTE_BENCH=OFF", "-DMOTE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", "-DMOTE_PYTHON_PACKAGE_DIR=.",
        "-DCMAKE_INSTALL_LIBDIR=lib", "-DMOTE_CUDA=AUTO", *options)
    run("cmake", "--build", str(BUILD), "--parallel", str(os.cpu_count()))
    run("cmake", "--install", str(BUILD), "--strip", "--prefix", str(staging))


class _Wheel:
    """A zip archive with a record of its files."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, data)

    def close(self, name):
        self.archive.writestr(name, "\n".join([*self.record, f"{name},,"]) + "\n")
        self.archive.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    options = (config_settings or {}).get("cmake", [])
    staging = BUILD / "staging"
    shutil.rmtree(staging, ignore_errors=True)
    _compile(staging, [options] if isinstance(options, str) else options)
    name = f"mote-{_version()}-{_tag()}.whl"
    info = f"mote-{_version()}.dist-info"
    wheel = _Wheel(Path(wheel_directory) / name)
    # Links are of shared libraries; a wheel cannot hold them, so that each library has one file, its soname.
    for path in sorted(staging.rglob("*")):
        relative = path.relative_to(staging)
        if path.is_dir() or relative.parts[0] == "include" or "cmake" in relative.parts:
            continue
        if relative.parts[0] == "lib" and not re.fullmatch(r".*\.so\.\d+\.\d+", relative.name):
            continue
        wheel.add(f"mote/{relative.as_posix()}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    wheel.add("mote/_program.py", (ROOT / "python/mote/_program.py").read_bytes())
    wheel.add(f"{info}/METADATA", _metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: mote\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\nmote = mote._program:main\n")
    wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"mote-{_version()}"
    path = Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "-C", str(ROOT), "archive", "--format=tar.gz", f"--prefix={name}/", f"--output={path}", "HEAD"],
                   check=True)
    return path.name
