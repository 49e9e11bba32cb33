"""Reading what runs have written: `read`."""
from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np
from numpy.typing import NDArray

from ._checks import MissingFileError, PathLike, wrong_argument

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

# Names of datasets in files, and here; others are written in small letters with underscores.
_NAMES = {"Coordinates": "position", "Velocities": "velocity", "Masses": "mass", "ParticleIDs": "id", "Species": "species"}


class Values(np.ndarray):  # type: ignore[type-arg]
    """An array that knows its unit, as text; "" for pure numbers and in scenes without units. Results of calculations
    have none."""

    unit: str

    def __array_finalize__(self, source: Any) -> None:
        # A view or slice of values has their unit, a result has not.
        self.unit = getattr(source, "unit", "")

    def __array_wrap__(self, array: Any, *context: Any) -> Any:
        return np.asarray(array)[()]


def _values(array: NDArray[Any], unit: str) -> Values:
    values = array.view(Values)
    values.unit = unit
    return values


def _missing(path: Path, what: str) -> MissingFileError:
    error = MissingFileError(f"{path}: {what}")
    error.problems = [{"place": str(path), "key": "", "problem": what, "remedy": ""}]
    error.filename = str(path)
    return error


def _needed(name: str, package: str) -> Any:
    """Imports a package that only reading needs."""
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError(f"mote.read needs {name} for this: install {package}") from error


def _table(path: Path, missing: str = "does not exist: the run has written no series") -> "pandas.DataFrame":
    """A CSV file with plain names as columns, and their units in `attrs["units"]`."""
    pandas = _needed("pandas", "python3-pandas (Debian) or pandas (pip)")
    part = path.with_name(path.name + ".part")
    if path.exists():
        source: Union[Path, io.StringIO] = path
        with path.open(encoding="utf-8") as file:
            first = file.readline()
    elif part.exists():  # of a run that goes on, or was killed: without a last line that is not complete
        text = part.read_text(encoding="utf-8")
        source, first = io.StringIO(text[:text.rfind("\n") + 1]), text
    else:
        raise _missing(path, missing)
    # Earlier versions began radial_distribution.csv with the line "# 376 samples".
    comment = first if first.startswith("#") else ""
    frame = pandas.read_csv(source, skiprows=1 if comment else 0)
    # Histograms and folders of earlier versions have the units in the header: "energy [kg (m/s)^2]".
    parts = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", name) for name in frame.columns]
    frame.columns = [part[1] if part else "" for part in parts]
    units = {part[1]: part[2] or "" for part in parts if part}
    beside, record = path.with_suffix(".units.json"), path.with_name("run.json")
    if beside.exists():
        units.update(json.loads(beside.read_text(encoding="utf-8")))
    elif path.name == "series.csv" and record.exists():  # a sweep may keep run.json alone
        units.update(json.loads(record.read_text(encoding="utf-8")).get("series_units") or {})
    frame.attrs["units"] = units
    if words := comment.strip("# ").split():
        frame.attrs["samples"] = int(words[0])
    return frame


class Tables(Mapping[str, "pandas.DataFrame"]):
    """Tables of a run by name, read when they are asked for; units of their columns are in ``.attrs["units"]``."""

    def __init__(self, folder: Path, prefix: str = ""):
        self._folder, self._prefix = folder, prefix

    def __getitem__(self, name: str) -> "pandas.DataFrame":
        if name not in list(self):
            raise KeyError(f"the run has no table {name!r} in {self._folder}; it has {', '.join(self) or 'none'}")
        return _table(self._folder / f"{self._prefix}{name}.csv")

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        found = (re.fullmatch(re.escape(self._prefix) + r"(.+?)\.csv(\.part)?", path.name) for path in self._folder.glob("*.csv*"))
        return iter(sorted({match[1] for match in found if match}))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        return f"<mote.Tables: {', '.join(self) or 'none'}>"


class Snapshot(Mapping[str, Values]):
    """The bodies of one file, as arrays by name: ``snapshot["position"]`` is (n, 3), ``"velocity"`` too, ``"mass"`` and
    ``"id"`` are (n,), each with its unit: ``snapshot["mass"].unit``. Other fields as the scene has them: ``"density"``,
    ``"radius"``, ...; ``"acceleration"``, (n, 3), and ``"potential"``, (n,), if ``snapshots.columns`` names them.
    Arrays are read when they are asked for."""

    def __init__(self, path: PathLike):
        self.path = Path(path)
        if not self.path.exists():
            raise _missing(self.path, "does not exist")
        h5py = _needed("h5py", "python3-h5py (Debian) or h5py (pip)")
        try:
            file = h5py.File(self.path)
        except OSError as error:
            raise wrong_argument(str(self.path), "is not an HDF5 file", "read CSV, VTK and NPZ snapshots with their own readers") from error
        with file:
            if "PartType1" not in file or "Mote" not in file:
                raise wrong_argument(str(self.path), "is not a snapshot of mote", "read it with h5py")
            self._datasets = {_NAMES.get(name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()): f"PartType1/{name}"
                              for name in file["PartType1"]}
            own = file["Mote"].attrs
            self.time = float(file["Header"].attrs["Time"])
            self.step = int(own["step"])
            self.title, self.units, self.hash = (_text(own[name]) for name in ("title", "units", "state_hash"))

    def __getitem__(self, name: str) -> Values:
        if name not in self._datasets:
            raise KeyError(f"{self.path.name} has no {name!r}; it has {', '.join(self)}")
        dataset = self._datasets[name]
        h5py = _needed("h5py", "python3-h5py")
        with h5py.File(self.path) as file:
            found = file[dataset]
            return _values(found[()], _text(found.attrs.get("unit", "")))

    def __contains__(self, name: object) -> bool:
        return name in self._datasets

    def __iter__(self) -> Iterator[str]:
        return iter(self._datasets)

    def __len__(self) -> int:
        """Number of arrays."""
        return len(self._datasets)

    def __repr__(self) -> str:
        return f"<mote.Snapshot {self.path.name}: time {self.time:g}, step {self.step}, {', '.join(self)}>"


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class Snapshots(Sequence[Snapshot]):
    """Those of a run, in the order of their numbers; opened when they are asked for."""

    def __init__(self, paths: list[Path]):
        self._paths = paths

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...
    @overload
    def __getitem__(self, index: slice) -> "Snapshots": ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Snapshot, "Snapshots"]:
        if isinstance(index, slice):
            return Snapshots(self._paths[index])
        return Snapshot(self._paths[index])

    def __len__(self) -> int:
        return len(self._paths)

    def __repr__(self) -> str:
        return f"<mote.Snapshots: {len(self)} files>"


class Run:
    """The folder of a run (``mote run``), made by `read`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.info: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        """run.json: parameters, seed, versions, timings, status, ..."""

    @property
    def status(self) -> str:
        """'done', or why it ended, or 'running'."""
        return str(self.info.get("status", ""))

    @property
    def series(self) -> "pandas.DataFrame":
        """series.csv: measurements over time. Units are in ``series.attrs["units"]``, a dict by column."""
        return _table(self.folder / "series.csv")

    @property
    def rows(self) -> Tables:
        """What its hooks have written with ``sim:row("name", ...)``: ``rows["name"]`` is rows/name.csv."""
        return Tables(self.folder / "rows")

    @property
    def radial_distribution(self) -> "pandas.DataFrame":
        """radial_distribution.csv, of a scene with ``radial_distribution``; ``.attrs["samples"]`` is the number of
        states that were averaged."""
        frame = _table(self.folder / "radial_distribution.csv",
                       "does not exist: it is written at the end of runs of scenes with `radial_distribution`")
        if samples := self.info.get("radial_distribution", {}).get("samples"):
            frame.attrs["samples"] = samples
        return frame

    @property
    def histograms(self) -> Tables:
        """Histograms of its final state (``mote run --histogram speed``): ``histograms["speed"]``."""
        return Tables(self.folder, "histogram_")

    @property
    def snapshots(self) -> Snapshots:
        """Its HDF5 snapshots."""
        found = self._snapshot_files()
        # The final state may also be one that was due.
        if len(found) > 1 and Snapshot(found[-1]).step == Snapshot(found[-2]).step:
            found.pop()
        return Snapshots(found)

    def _snapshot_files(self) -> list[Path]:
        found = [path for path in self.folder.glob("snapshots/snapshot_*.h5") if path.stem.rpartition("_")[2].isdigit()]
        return sorted(found, key=lambda path: int(path.stem.rpartition("_")[2]))

    def _repr_html_(self) -> str:
        from ._notebook import table_of
        rows = {key: self.info.get(key, "") for key in ("title", "status", "bodies", "time", "steps", "state_hash")}
        return table_of({"folder": self.folder, **rows, "snapshot files": len(self._snapshot_files())})

    def __repr__(self) -> str:
        return f"<mote.Run {str(self.folder)!r}: {self.status}, {len(self._snapshot_files())} snapshot files>"


class Sweep:
    """The folder of a sweep (``mote sweep``), made by `read`."""

    def __init__(self, folder: Path):
        self.folder = folder

    @property
    def results(self) -> "pandas.DataFrame":
        """results.csv: one row a job, with its parameters and last measurements."""
        return _table(self.folder / "results.csv")

    @property
    def runs(self) -> list[Run]:
        """Folders of the jobs that were kept, in their order."""
        with (self.folder / "results.csv").open(newline="", encoding="utf-8") as file:
            folders = [self.folder / row["folder"] for row in csv.DictReader(file) if row.get("folder")]
        return [Run(folder) for folder in folders if (folder / "run.json").exists()]

    def __repr__(self) -> str:
        return f"<mote.Sweep {str(self.folder)!r}>"


def read(path: PathLike) -> Union[Run, Sweep, Snapshot]:
    """Reads what mote has written: the folder of a run, the folder of a sweep, or an HDF5 snapshot or checkpoint.

    ``mote.read("out").series`` is a pandas DataFrame of the measurements, ``mote.read("out").snapshots[-1]["position"]``
    the last positions. Tables need pandas, snapshots need h5py. Reads the files as they are now, also of a run that is
    not finished.
    """
    place = Path(os.fspath(path))
    if not place.exists():
        raise _missing(place, "does not exist")
    if place.is_file():
        return Snapshot(place)
    if (place / "run.json").exists():
        return Run(place)
    if (place / "results.csv").exists():
        return Sweep(place)
    raise wrong_argument(str(place), "is neither a run nor a sweep: it has no run.json and no results.csv",
                "name the folder that mote run or mote sweep wrote")
