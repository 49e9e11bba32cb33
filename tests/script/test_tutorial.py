"""The tutorial does what it says: its files and commands, as they are written, in one folder, in the order of its pages.

MOTE_PROGRAM: the program. Films have fewer frames here, and the window opens offscreen.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "script"))
import docs_pages as pages  # noqa: E402

SKIPPED = 77
BEGINNING = "docs/tutorial/README.md"
# A fence with its language, its text, and the paragraph before it.
BLOCK = re.compile(r"((?:^[^\n]+\n)*)\n```(\w+)\n(.*?)^```$", re.M | re.S)
SHORTER = ((r"--frames \d+", "--frames 4"), (r"--seconds \d+", "--seconds 0.2"), (r"^(mote \w+\.lua)$", r"\1 --offscreen --frames 2 --size 320x180"))


def steps(text):
    """Files of a page and lines of its shell, in their order: (name, text) or a line."""
    for before, language, inside in BLOCK.findall(text):
        name = re.search(r"[Ww]rite (?:this|it)\s+into\s+(?:a\s+file\s+)?`([\w.]+)`", before)
        if language == "sh":
            yield from inside.splitlines()
        elif name:
            yield name[1], inside


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.program = os.environ.get("MOTE_PROGRAM") or shutil.which("mote") or ""
        if not self.program:
            self.fail("MOTE_PROGRAM is not set, and there is no mote on the path")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/mote").symlink_to(pathlib.Path(self.program).resolve())
        self.environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def shell(self, line):
        done = subprocess.run(line, shell=True, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_works_as_it_is_written(self):
        missing = re.search(r"^OpenGL +none.*$", self.shell("mote doctor"), re.M)
        if missing:
            print(missing[0])
            sys.exit(SKIPPED)
        names = [pages.resolve(BEGINNING, target)[0] for target in pages.links(pages.read(BEGINNING))]
        commands = []
        for name in (name for name in names if name.startswith("docs/tutorial/")):
            for step in steps(pages.read(name)):
                if isinstance(step, tuple):
                    (self.folder / step[0]).write_text(step[1], encoding="utf-8")
                    continue
                for long, short in SHORTER:
                    step = re.sub(long, short, step)
                self.shell(step)
                commands.append(step)
        self.assertGreater(len(commands), 15)
        for made in ("out/picture.png", "slow/plot.svg", "speeds/results.csv", "standing.png", "meeting.png"):
            self.assertTrue((self.folder / made).is_file(), made)


if __name__ == "__main__":
    unittest.main()
