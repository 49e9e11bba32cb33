"""The window of mote on a simulation, in a notebook or a browser."""
from __future__ import annotations

import html
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Protocol

from ._core import SystemError
from ._notebook import Shown, image_of

_FRAGMENT = Path(__file__).parent / "_view.html"


class Viewed(Shown, Protocol):
    """What a window shows: a `Simulation`."""

    def checkpoint(self, path: str) -> None: ...


class View:
    """The window of mote on a copy of a simulation, returned by `Simulation.view`; a notebook shows it in a frame.

    It ends with `close`, at the end of a ``with`` block, with the object, and with Python, however that ends.
    """

    def __init__(self, sim: Viewed, options: Mapping[str, Any], width: Optional[int], height: int, picture: str):
        self._sim = weakref.ref(sim)
        self._title = sim.title
        self._width, self._height, self._picture = width, height, picture
        folder = tempfile.mkdtemp(prefix="mote-")
        self._file = os.path.join(folder, "simulation.h5")
        errors = Path(folder, "errors")
        try:
            sim.checkpoint(self._file)
            with open(errors, "wb") as said:
                # Ctrl+C in a terminal is meant for Python, and not for all that it has started.
                self._child = subprocess.Popen(
                    [_program(), self._file, "--serve=127.0.0.1:0", "--embed", "--paused", *_arguments(options)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, start_new_session=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self._end = weakref.finalize(self, _end, self._child, folder)
        _views.add(self)
        try:
            assert self._child.stdout
            line = self._child.stdout.readline()
            if not line:
                self._child.wait()
                raise SystemError(f"the window cannot be opened: {errors.read_text(errors='replace').strip()}")
            self._places: dict[str, str] = json.loads(line)
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """The address of the window, for a browser of this machine. Who has it can steer the window."""
        return self._places["steer"]

    @property
    def closed(self) -> bool:
        """Whether the window has ended: by `close`, or by Ctrl+Q in it."""
        return not self._end.alive or self._child.poll() is not None

    def update(self) -> None:
        """Shows the present state of the simulation. Camera and colours stay; what the window has computed since the
        last state is dropped."""
        sim = self._sim()
        if sim is None:
            raise SystemError("the window cannot be updated: its simulation is deleted; keep a variable for it")
        if self.closed:
            raise SystemError("the window cannot be updated: it has ended; sim.view() opens another")
        # The window reads its file again when that has changed, and must find a complete one.
        sim.checkpoint(self._file + ".new.h5")
        os.replace(self._file + ".new.h5", self._file)

    def close(self) -> None:
        """Ends the window."""
        self._end()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        if self.closed:
            return f"{self._picture}<p>{html.escape(repr(self))}</p>"
        view = {**{name: self._places[name] for name in ("steer", "frame", "tunnel")}, "height": f"{self._height}px",
                "width": "100%" if self._width is None else f"{self._width}px"}
        filled = {"id": f"mote-{secrets.token_hex(8)}", "picture": self._picture,
                  "view": json.dumps(view).replace("<", "\\u003c")}
        fragment = _FRAGMENT.read_text(encoding="utf-8")
        for name, text in filled.items():
            fragment = fragment.replace("{{" + name + "}}", text)
        return fragment

    def __repr__(self) -> str:
        title = f" {self._title!r}" if self._title else ""
        if self.closed:
            return f"<mote.View{title}, closed>"
        return f"<mote.View{title}: {self.url} ; from elsewhere: {self._places['tunnel']}>"


_views: weakref.WeakSet[View] = weakref.WeakSet()


def _forget_views() -> None:
    """A forked child must neither end the windows of its parent nor keep them alive."""
    for view in list(_views):
        if view._end.detach() and view._child.stdin:
            view._child.stdin.close()


os.register_at_fork(after_in_child=_forget_views)


def _end(child: subprocess.Popen[bytes], folder: str) -> None:
    """Ends a window: its program ends with its standard input."""
    assert child.stdin and child.stdout
    child.stdin.close()
    try:
        child.wait(5)
    except BaseException as error:
        child.kill()
        child.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
    finally:
        child.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def _arguments(options: Mapping[str, Any]) -> list[str]:
    """Options of `mote.load` as those of the program; what is not given, the checkpoint says."""
    given = {name: value for name, value in options.items() if name != "trust" and value not in (None, "auto")}
    return [f"--{name}={value}" for name, value in given.items()] + (["--trust"] if options.get("trust") else [])


def _program() -> str:
    """The program `mote` that is installed with this package."""
    package = Path(__file__).resolve().parent
    # A wheel has it in the package; other installations have it in the prefix of lib/python3.X/site-packages/mote.
    prefixes = [package, *[*package.parents][3:4]]
    installed = [shutil.which(str(prefix / "bin" / "mote")) for prefix in prefixes]
    found = [os.environ.get("MOTE_PROGRAM"), *installed, shutil.which("mote")]
    for program in found:
        if program:
            return program
    raise SystemError("the window cannot be opened: the program mote is missing; install it, or set MOTE_PROGRAM to "
                      "its path")
