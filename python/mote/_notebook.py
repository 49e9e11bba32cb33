"""How simulations show themselves in a notebook: pictures, tables and films."""
from __future__ import annotations

import base64
import html
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._core import SystemError
from ._steps import Stepped, advance, goal


def png_of(picture: NDArray[np.uint8]) -> bytes:
    """(height, width, 3) uint8 as a PNG file."""
    height, width, _ = picture.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Each row begins with its filter: none.
    rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, 3 * width)], axis=1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b""))


def table_of(rows: Mapping[str, Any]) -> str:
    """Names and values as an HTML table."""
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                    for name, value in rows.items())
    return f"<table>{cells}</table>"


def image_of(picture: NDArray[np.uint8]) -> str:
    """A picture as an HTML image."""
    return f"<img src='data:image/png;base64,{base64.b64encode(png_of(picture)).decode()}'>"


class Film:
    """An MP4 film in memory, which a notebook shows; `save` writes it to a file."""

    def __init__(self, data: bytes, width: int, height: int):
        self.data, self.width, self.height = data, width, height

    def save(self, path: Any) -> None:
        if Path(path).suffix.lower() != ".mp4":
            raise ValueError(f"a film is an MP4 file: name it .mp4, not {Path(path).name!r}")
        Path(path).write_bytes(self.data)

    def _repr_html_(self) -> str:
        source = base64.b64encode(self.data).decode()
        return f"<video controls loop width={self.width} height={self.height} src='data:video/mp4;base64,{source}'></video>"

    def __repr__(self) -> str:
        return f"<mote.Film: {self.width}x{self.height}, {len(self.data):,} bytes>"


class FilmWriter:
    """Encodes frames with ffmpeg."""

    def __init__(self, width: int, height: int, fps: float):
        if width % 2 or height % 2:
            raise ValueError(f"a film has even width and height, got {width}x{height}")
        program = shutil.which("ffmpeg")
        if not program:
            raise OSError("films need the program ffmpeg: install it, or draw pictures with sim.render()")
        self._size = width, height
        self._folder = tempfile.TemporaryDirectory(prefix="mote-")
        self._file = Path(self._folder.name) / "film.mp4"
        self._errors = tempfile.TemporaryFile()
        self._ffmpeg = subprocess.Popen(
            [program, "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(fps),
             "-i", "-", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(self._file)],
            stdin=subprocess.PIPE, stderr=self._errors)

    def add(self, picture: NDArray[np.uint8]) -> None:
        assert self._ffmpeg.stdin
        try:
            self._ffmpeg.stdin.write(np.ascontiguousarray(picture).tobytes())
        except BrokenPipeError:
            self.close()

    def close(self) -> Film:
        """Ends the film; raises OSError with what ffmpeg said if it failed."""
        self._ffmpeg.communicate()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()
        self._errors.close()
        if self._ffmpeg.returncode != 0:
            self._folder.cleanup()
            raise OSError(f"ffmpeg could not encode the film: {said}")
        film = Film(self._file.read_bytes(), *self._size)
        self._folder.cleanup()
        return film

    def abort(self) -> None:
        self._ffmpeg.kill()
        self._ffmpeg.communicate()
        self._errors.close()
        self._folder.cleanup()


class Shown(Stepped, Protocol):
    """What is shown: a `Simulation`."""

    @property
    def title(self) -> str: ...

    @property
    def units(self) -> str: ...

    @property
    def backend(self) -> str: ...

    @property
    def precision(self) -> str: ...

    def __len__(self) -> int: ...

    def render(self, width: int = ..., height: int = ...) -> NDArray[np.uint8]: ...


def film_of(sim: Shown, end: float, frames: int, fps: float, width: int, height: int) -> Film:
    """Steps a simulation to a time, and films it."""
    writer = FilmWriter(width, height, fps)
    try:
        start = sim.time
        writer.add(sim.render(width, height))
        for k in range(1, frames):
            time = start + (end - start) * k / (frames - 1)
            # A step may have passed the times of several frames.
            ended = time > sim.time and advance(sim, goal(sim, time))[1]
            writer.add(sim.render(width, height))
            if ended:
                break
    except BaseException:
        writer.abort()
        raise
    return writer.close()


def html_of(sim: Shown) -> str:
    """A picture, where one can be drawn, and numbers."""
    rows = {"bodies": f"{len(sim):,}", "time": f"{sim.time:g}", "step": f"{sim.step_count:,}", "units": sim.units,
            "runs on": f"{sim.backend}, {sim.precision}"}
    try:
        picture = image_of(sim.render(640, 360))
    except SystemError:
        picture = ""
    return f"<div><b>{html.escape(sim.title)}</b>{picture}{table_of(rows)}</div>"
