"""The window of a simulation, and its frame in a notebook."""
import base64
import gc
import http.server
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.error
import urllib.parse
import urllib.request

import mote
from chromium import Chromium
from support import plummer

CHROMIUM = shutil.which("chromium")


def window(sim, **options):
    """The window of a simulation; skips the test where there can be none."""
    try:
        return sim.view(**options)
    except mote.SystemError as error:
        if "no server" in str(error):
            raise unittest.SkipTest(str(error))
        try:
            sim.render(16, 16)
        except mote.SystemError as nothing_drawn:
            raise unittest.SkipTest(str(nothing_drawn))
        raise


def becomes(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and that its parent has not waited for counts as ended.
    return " Z " not in pathlib.Path(f"/proc/{process}/stat").read_text()


def answer(url, origin=None):
    """Status and headers of an answer."""
    request = urllib.request.Request(url, headers={"Origin": origin} if origin else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


class Hands:
    """Presses keys in a window, as its page does."""

    def __init__(self, url):
        place = urllib.parse.urlsplit(url)
        self.line = socket.create_connection((place.hostname, place.port), timeout=20)
        self.line.sendall((f"GET /ws HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: http://{place.netloc}\r\n"
                           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                           f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}\r\n\r\n").encode())
        self.said = self.line.recv(4096)
        self.send(type="hello", token=place.fragment[len("token="):], width=480, height=270, ratio=1, steer=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.line.close()

    def send(self, **message):
        text = json.dumps(message).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
        self.line.sendall(b"\x81" + length + bytes(4) + text)  # a mask of zeros leaves the text as it is

    def press(self, key, **modifiers):
        for down in (True, False):
            self.send(type="key", key=key, down=down, **modifiers)


class Window(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        before = os.getcwd()
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, before)
        # The test does not change the saved panel layout of the user.
        environment = unittest.mock.patch.dict(os.environ, {"XDG_CONFIG_HOME": self.folder.name})
        environment.start()
        self.addCleanup(environment.stop)

    def saved(self, view, pattern):
        """The state that a window writes when it is asked for a checkpoint."""
        before = set(pathlib.Path().glob(pattern))

        def is_written():
            with Hands(view.url) as hands:
                hands.press("S", control=True, shift=True)
                time.sleep(0.5)
            return set(pathlib.Path().glob(pattern)) - before

        self.assertTrue(becomes(is_written), f"no {pattern}")
        return mote.resume(max(set(pathlib.Path().glob(pattern)) - before))

    def test_shows_the_state_of_the_simulation(self):
        sim = plummer()
        sim.step(5)
        sim.set_bodies(velocity=0.5 * sim.velocities())
        with window(sim) as view:
            self.assertEqual(self.saved(view, "*_step5*.h5").hash, sim.hash)
            sim.step(3)
            view.update()
            shown = self.saved(view, "*_step8*.h5")
            self.assertEqual((shown.hash, shown.time), (sim.hash, sim.time))

    def test_ends_when_it_is_closed(self):
        sim = plummer()
        with window(sim) as view:
            process, file = view._child.pid, view._file
            self.assertEqual(answer(view.url)[0], 200)
            self.assertIn(view.url, repr(view))
            self.assertIn("ssh -L", repr(view))
        self.assertFalse(is_alive(process))
        self.assertFalse(os.path.exists(os.path.dirname(file)))
        self.assertEqual((view.closed, repr(view)), (True, "<mote.View 'Plummer sphere', closed>"))
        self.assertNotIn("<script>", view._repr_html_())
        view.close()
        with self.assertRaisesRegex(mote.SystemError, "it has ended; sim.view"):
            view.update()

    def test_ends_with_its_object_and_with_its_simulation(self):
        sim = plummer()
        process = window(sim)._child.pid
        self.assertTrue(is_alive(process), "the simulation keeps its window")
        del sim
        gc.collect()
        self.assertFalse(is_alive(process))
        view = window(plummer())
        self.assertFalse(view.closed)
        with self.assertRaisesRegex(mote.SystemError, "its simulation is deleted"):
            view.update()
        process = view._child.pid
        del view
        gc.collect()
        self.assertFalse(is_alive(process))

    def test_is_one_for_a_simulation(self):
        sim = plummer()
        first = window(sim)
        second = window(sim)
        self.assertEqual((first.closed, second.closed), (True, False))
        second.close()

    def opened_elsewhere(self, then):
        """Python that opens a window, prints its process and does something; its process and that of the window."""
        window(plummer()).close()
        text = f"import os, time, mote\nsim = mote.load('plummer', {{'n': 64}}, backend='cpu')\nview = sim.view()\n" \
               f"print(view._child.pid, flush=True)\n{then}"
        # A Python that is killed leaves the folder of the window.
        environment = {**os.environ, "TMPDIR": self.folder.name}
        python = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, env=environment)
        self.addCleanup(python.stdout.close)
        self.addCleanup(python.wait)
        self.addCleanup(python.kill)
        return python, int(python.stdout.readline())

    def test_ends_when_python_is_killed(self):
        python, process = self.opened_elsewhere("time.sleep(600)")
        self.assertTrue(is_alive(process))
        python.send_signal(signal.SIGKILL)
        self.assertTrue(becomes(lambda: not is_alive(process)))

    def test_ends_when_python_is_killed_although_a_forked_child_lives(self):
        python, process = self.opened_elsewhere(
            "child = os.fork()\nif child:\n    print(child, flush=True)\ntime.sleep(600)")
        child = int(python.stdout.readline())
        self.addCleanup(os.kill, child, signal.SIGKILL)
        python.send_signal(signal.SIGKILL)
        self.assertTrue(becomes(lambda: not is_alive(process)))

    def test_ends_when_python_ends(self):
        python, process = self.opened_elsewhere("")
        self.assertEqual(python.wait(), 0)
        self.assertFalse(is_alive(process))
        self.assertEqual(list(pathlib.Path(self.folder.name).glob("mote-*")), [], "its folder is removed")

    def test_is_left_alone_by_forked_children(self):
        view = window(plummer())
        self.addCleanup(view.close)
        child = os.fork()
        if child == 0:
            try:
                view.close()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.assertFalse(view.closed)
        self.assertTrue(os.path.exists(view._file))

    def test_uses_what_the_simulation_uses(self):
        view = window(plummer(threads=1, simd="sse4.2"))
        self.addCleanup(view.close)
        words = pathlib.Path(f"/proc/{view._child.pid}/cmdline").read_text().split("\0")
        self.assertIn("--threads=1", words)
        self.assertIn("--simd=sse4.2", words)
        self.assertIn("--backend=cpu", words)
        self.assertNotIn("--trust", words)

    def test_is_refused_with_the_words_of_the_program(self):
        script = pathlib.Path("mote")
        script.write_text("#!/bin/sh\necho 'mote: --serve: this build has no server; build mote again' >&2\nexit 2\n")
        script.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"MOTE_PROGRAM": str(script.resolve())}):
            with self.assertRaisesRegex(mote.SystemError, "cannot be opened: .*has no server; build mote again"):
                plummer().view()
        with unittest.mock.patch.dict(os.environ, {"PATH": self.folder.name + "/none"}):
            del os.environ["MOTE_PROGRAM"]
            with self.assertRaisesRegex(mote.SystemError, "the program mote is missing; .*set MOTE_PROGRAM"):
                plummer().view()

    def test_has_sizes_that_a_page_can_have(self):
        with self.assertRaisesRegex(ValueError, "width must be 64 .. 8192"):
            plummer().view(width=1)
        with self.assertRaisesRegex(TypeError, "record must be True or False"):
            plummer().view(record=1)

    def test_may_be_framed_by_who_knows_its_key_alone(self):
        view = window(plummer())
        self.addCleanup(view.close)
        frame, plain = view._places["frame"], view.url.partition("#")[0]
        origin = "http://localhost:8888"
        status, headers = answer(f"{frame}&of={origin}", origin)
        self.assertEqual(status, 200)
        self.assertIn(f"frame-ancestors {origin}", headers["Content-Security-Policy"].split("; "))
        self.assertNotIn("X-Frame-Options", headers)
        self.assertEqual(headers["Access-Control-Allow-Origin"], origin)
        wrong = frame[:-1] + ("0" if frame[-1] != "0" else "1")
        for refused in (f"{wrong}&of={origin}", frame, f"{frame}&of=*", f"{plain}?of={origin}", plain):
            _, headers = answer(refused, origin)
            self.assertEqual(headers["X-Frame-Options"], "DENY", refused)
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            self.assertNotIn("Access-Control-Allow-Origin", headers)


class Frame(unittest.TestCase):
    """The fragment in a page of another server, as in a notebook."""

    def setUp(self):
        if not CHROMIUM:
            self.skipTest("the program chromium is missing")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                 lambda *a: Handler(*a, directory=folder.name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        # Chromium gives a frame a target of its own if it is of another site, as 127.0.0.1 is for localhost.
        self.address = f"http://localhost:{server.server_port}/page.html"

    def page(self, fragment):
        (self.folder / "page.html").write_text("<!doctype html><body style='height: 3000px'>" + fragment)
        browser = Chromium(self.address)
        self.addCleanup(browser.__exit__)
        return browser

    def window(self, **options):
        view = window(plummer(), **options)
        self.addCleanup(view.close)
        return view

    def test_shows_the_window(self):
        browser = self.page(self.window(height=400)._repr_html_())
        frame = browser.frame()
        self.assertTrue(browser.becomes("mote.stills > 0 && document.getElementById('notice').hidden", frame))
        self.assertEqual(browser.value("document.getElementById('roles').textContent", frame), "you steer")
        self.assertEqual(browser.value("document.querySelector('iframe').clientHeight"), 400)
        self.assertIs(browser.value("document.activeElement === document.body"), True)

    def test_takes_the_wheel_when_it_is_clicked(self):
        browser = self.page(self.window(height=400)._repr_html_())
        frame = browser.frame()
        self.assertTrue(browser.becomes("mote.stills > 0", frame))
        browser.mouse("mouseWheel", 300, 200, deltaX=0, deltaY=100)
        self.assertTrue(browser.becomes("scrollY > 0"), "the wheel scrolls the page")
        browser.value("scrollTo(0, 0)")
        for kind in ("mousePressed", "mouseReleased"):
            browser.mouse(kind, 300, 200, button="left", clickCount=1)
        self.assertTrue(browser.becomes("document.hasFocus()", frame))
        browser.mouse("mouseWheel", 300, 200, deltaX=0, deltaY=100)
        time.sleep(0.5)
        self.assertEqual(browser.value("scrollY"), 0)

    def test_is_refused_to_the_page_of_another_origin(self):
        view = self.window()
        # This page has learned the address, and claims to be another one.
        browser = self.page(f"<iframe src='{view._places['frame']}&of=http://localhost:8888'></iframe>"
                            f"<iframe src='{view.url}'></iframe>")
        self.assertTrue(becomes(lambda: [browser.value("location.href", frame) for frame in browser.frames()]
                                == ["chrome-error://chromewebdata/"] * 2))

    def test_waits_for_a_tunnel(self):
        view = self.window(record=True)
        fragment = view._repr_html_()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        here = str(urllib.parse.urlsplit(view.url).port)
        browser = self.page(fragment.replace(f"127.0.0.1:{here}", f"127.0.0.1:{port}"))
        self.assertTrue(browser.becomes("document.body.textContent.includes('ssh -L')"))
        self.assertIs(browser.value("document.querySelector('img').naturalHeight === 540"), True)
        tunnel = subprocess.Popen([sys.executable, "-c", TUNNEL, str(port), here])
        self.addCleanup(tunnel.wait)
        self.addCleanup(tunnel.kill)
        frame = browser.frame()
        self.assertTrue(browser.becomes("mote.frames > 0", frame))
        self.assertIsNone(browser.value("document.querySelector('img')"), "the frame replaces the picture")

    def test_leaves_a_picture_where_scripts_do_not_run(self):
        fragment = self.window(record=True, width=320, height=200)._repr_html_()
        without = re.sub(r"<script>.*</script>", "", fragment, flags=re.DOTALL)
        browser = self.page(without)
        self.assertTrue(browser.becomes("document.querySelector('img')?.naturalWidth === 320"))
        self.assertIn("A window of mote was here", without)
        self.assertNotIn("token", without)
        self.assertNotIn("<img", self.window()._repr_html_())


# What `ssh -L` does.
TUNNEL = """
import asyncio, sys

async def forward(reader, writer):
    to_reader, to_writer = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    async def copy(source, target):
        while data := await source.read(65536):
            target.write(data)
        target.close()
    await asyncio.gather(copy(reader, to_writer), copy(to_reader, writer))

async def main():
    await (await asyncio.start_server(forward, "127.0.0.1", int(sys.argv[1]))).serve_forever()

asyncio.run(main())
"""


if __name__ == "__main__":
    unittest.main()
