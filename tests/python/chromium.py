"""A Chromium without a display, which tests drive through the pipe of its debugger."""
import json
import os
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """Opens a page."""

    def __init__(self, url):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read, self.output = os.pipe()
        self.input, write = os.pipe()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--site-per-process", "--remote-debugging-pipe",
                     "--window-size=900,700", "--user-data-dir=" + self.folder.name, "about:blank"]
        # The debugger reads from descriptor 3 and writes to 4. Other shells know descriptors of one digit only.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{read} 4>&{write}', "bash", shutil.which("chromium"), *arguments],
            pass_fds=(read, write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.answers = os.fdopen(self.input, "rb")
        self.calls = 0
        self.sessions = {}
        [self.page] = self.attach("page")
        self.call("Page.enable", session=self.page)
        self.call("Page.navigate", session=self.page, url=url)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()
        os.close(self.output)
        self.answers.close()
        self.folder.cleanup()

    def call(self, method, session=None, **parameters):
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = b""
            while not answer.endswith(b"\0"):
                byte = self.answers.read(1)
                if not byte:
                    raise OSError("Chromium has ended")
                answer += byte
            answer = json.loads(answer[:-1])
            if answer.get("id") == self.calls:
                return answer.get("result", {"error": answer.get("error")})

    def attach(self, kind):
        """Sessions of all targets of a kind."""
        targets = [target["targetId"] for target in self.call("Target.getTargets", filter=[{}])["targetInfos"]
                   if target["type"] == kind]
        for target in targets:
            if target not in self.sessions:
                answer = self.call("Target.attachToTarget", targetId=target, flatten=True)
                self.sessions[target] = answer["sessionId"]
        return [self.sessions[target] for target in targets]

    def frames(self):
        """Sessions of the frames of other sites, which have targets of their own."""
        return self.attach("iframe")

    def frame(self, seconds=60):
        """The session of the first of them, once it is there."""
        end = time.monotonic() + seconds
        while not self.frames():
            if time.monotonic() > end:
                raise TimeoutError("there is no frame")
            time.sleep(0.05)
        return self.frames()[0]

    def value(self, expression, session=None):
        answer = self.call("Runtime.evaluate", session=session or self.page, expression=expression, awaitPromise=True,
                           returnByValue=True)
        return answer.get("result", {}).get("value")

    def becomes(self, expression, session=None, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(expression, session) is True:
                return True
            time.sleep(0.05)
        return False

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", session=self.page, type=kind, x=x, y=y, **more)
