"""What script/setup tells CMake, with a CMake that only notes it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CMAKE = r"""#!/bin/sh
echo "$@" >> "$NOTES"
case $1 in --preset)
  mkdir -p build/release && touch build/release/build.ninja
  for word; do case $word in -DMOTE_*=*) cache="$cache $word" ;; esac; done
  # Values stay in the cache until others are given.
  { for word in $cache; do echo "$word" | sed 's/^-D\([A-Z_]*\)=/\1:STRING=/'; done
    [ ! -f build/release/CMakeCache.txt ] || cat build/release/CMakeCache.txt
    echo "MOTE_CUDA:STRING=AUTO"; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD"; } | awk -F: '!seen[$1]++' > build/cache
  mv build/cache build/release/CMakeCache.txt ;;
esac
"""


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "script").mkdir()
        shutil.copy(ROOT / "script/setup", self.root / "script")
        shutil.copy(ROOT / "CMakePresets.json", self.root)
        tools = {"cmake": CMAKE, "nvidia-smi": "#!/bin/sh\nexit 1\n",
                 "dpkg-query": '#!/bin/sh\nshift 3\nfor package; do echo "$package installed"; done\n'}
        for name, text in tools.items():
            tool = self.root / name
            tool.write_text(text)
            tool.chmod(0o755)
        self.notes = self.root / "notes"

    def setup(self, *arguments, cuda=None):
        """What CMake was given to configure, line by line, and what went wrong."""
        self.notes.write_text("")
        environment = {key: value for key, value in os.environ.items() if key not in ("MOTE_CUDA", "CI")}
        environment.update(PATH=f"{self.root}:{environment['PATH']}", NOTES=str(self.notes))
        if cuda is not None:
            environment["MOTE_CUDA"] = cuda
        done = subprocess.run(["bash", "script/setup", *arguments], cwd=self.root, env=environment, capture_output=True, text=True)
        configured = [line for line in self.notes.read_text().splitlines() if line.startswith("--preset")]
        return configured, done.stderr if done.returncode else ""

    def test_cuda_is_left_out_when_asked_for_and_stays_so(self):
        configured, problem = self.setup("--without-cuda", "--library")
        self.assertEqual(problem, "")
        self.assertIn(" -DMOTE_CUDA=OFF", configured[0])
        self.assertEqual(self.setup("mote"), ([], ""))  # as script/run does
        configured, _ = self.setup("--tests")  # as script/test does
        self.assertNotIn("MOTE_CUDA", configured[0])
        self.assertIn("MOTE_CUDA:STRING=OFF", (self.root / "build/release/CMakeCache.txt").read_text())

    def test_the_environment_says_the_same(self):
        self.assertIn(" -DMOTE_CUDA=OFF", self.setup("mote", cuda="OFF")[0][0])
        self.assertEqual(self.setup("mote", cuda="OFF"), ([], ""))
        self.assertIn(" -DMOTE_CUDA=AUTO", self.setup("mote", cuda="AUTO")[0][0])
        self.assertEqual(self.setup("mote"), ([], ""))

    def test_without_a_word_cuda_is_looked_for(self):
        configured, problem = self.setup("mote")
        self.assertEqual(problem, "")
        self.assertNotIn("MOTE_CUDA", configured[0])

    def test_what_it_does_not_know_is_refused_before_anything_is_done(self):
        for configured, problem, words in [(*self.setup("mote", cuda="NO"), "MOTE_CUDA=NO is not allowed"),
                                           (*self.setup("--without-coda"), "unknown option: --without-coda")]:
            self.assertEqual(configured, [])
            self.assertIn(words, problem)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
