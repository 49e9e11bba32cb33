"""Documents are read in terminals and in diffs: no line of a paragraph is longer than 120 characters."""
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 120


def long_lines(text):
    """Numbers of lines that are too long: not in tables, code and comments of generated pages."""
    found, code = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            code = not code
        if not code and len(line) > WIDTH and not line.startswith(("|", "    ", "<!--")):
            found.append(number)
    return found


class Documents(unittest.TestCase):
    def test_have_short_lines(self):
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
        if listed.returncode != 0:
            self.skipTest("this is no git checkout")
        for name in listed.stdout.split():
            with self.subTest(file=name):
                self.assertEqual(long_lines((ROOT / name).read_text(encoding="utf-8")), [])

    def test_of_a_paragraph_are_found_and_of_a_table_not(self):
        self.assertEqual(long_lines("a" * 121 + "\n| " + "b" * 130 + "\n```\n" + "c" * 130 + "\n```\n" + "d" * 121), [1, 6])


if __name__ == "__main__":
    unittest.main()
