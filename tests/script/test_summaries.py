"""What script/summarize_tests.py counts, also of suites that die, and what script/summarize_build.py says of a build."""
import csv
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

ROOT = pathlib.Path(__file__).resolve().parents[2]


def module(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "script" / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class Summaries(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = pathlib.Path(self.folder.name)

    def suite(self, program, suite, tests, report=None):
        folder = self.build / "reports" / program
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{suite}.list").write_text("".join(f"{suite}.{test}\n" for test in tests))
        if report is not None:
            (folder / f"{suite}.xml").write_text(f'<testsuites><testsuite name="{suite}">{report}</testsuite></testsuites>')

    def summary(self, cases):
        report = self.build / "tests.xml"
        report.write_text(f"<testsuite>{cases}</testsuite>")
        printed = io.StringIO()
        with redirect_stdout(printed):
            code = module("summarize_tests").main(["--table", str(self.build / "tests.csv"), str(report)])
        with open(self.build / "tests.csv", encoding="utf-8") as file:
            table = {row["test"]: row["outcome"] for row in csv.DictReader(file)}
        return code, printed.getvalue(), table

    def test_single_tests_are_counted_and_suites_of_one_name_are_two(self):
        one = '<testcase classname="Spheres" name="Roll" status="run" time="0.1"/>'
        skipped = ('<testcase classname="Spheres" name="Shine" status="run" time="0">'
                   '<skipped message="no display"/></testcase>')
        self.suite("sim_tests", "Spheres", ["Roll"], one)
        self.suite("render_tests", "Spheres", ["Shine"], skipped)
        code, printed, table = self.summary('<testcase name="sim_tests/Spheres" status="run"/>'
                                            '<testcase name="render_tests/Spheres" status="run"/>'
                                            '<testcase name="Docs.AreThere" status="run"/>')
        self.assertEqual(code, 0)
        self.assertEqual(table, {"Spheres.Roll": "passed", "Spheres.Shine": "skipped", "Docs.AreThere": "passed"})
        self.assertIn("skipped: Spheres.Shine: no display\n", printed)
        self.assertTrue(printed.endswith("2 passed, 0 failed, 1 skipped\n"))

    def test_what_passed_is_named_by_program_for_other_configurations(self):
        self.suite("sim_tests", "Spheres", ["Roll", "Float"], '<testcase classname="Spheres" name="Roll" status="run" time="0"/>'
                   '<testcase classname="Spheres" name="Float" status="run" time="0"><skipped message="no CUDA"/></testcase>')
        self.suite("app_tests", "Orbits", ["Close"])  # its process died
        report = self.build / "tests.xml"
        report.write_text("<testsuite/>")
        printed = io.StringIO()
        with redirect_stdout(printed):
            module("summarize_tests").main(["--passed", str(report)])
        self.assertEqual(printed.getvalue(), "sim_tests/Spheres.Roll\n")

    def test_a_failure_is_shown_with_its_place(self):
        self.suite("sim_tests", "Orbits", ["Close"], '<testcase classname="Orbits" name="Close" status="run" time="1">'
                   '<failure message="a.cpp:7&#10;Expected: 1"/></testcase>')
        code, printed, _ = self.summary('<testcase name="sim_tests/Orbits" status="fail"/>')
        self.assertEqual(code, 1)
        self.assertIn("failed: Orbits.Close\n  a.cpp:7: Failure\n  Expected: 1\n", printed)
        self.assertTrue(printed.endswith("0 passed, 1 failed, 0 skipped\n"))

    def test_of_a_suite_that_dies_all_that_it_did_not_report_has_failed(self):
        self.suite("sim_tests", "Orbits", ["Close", "Precess", "Collide", "Escape"])
        output = ("[       OK ] Orbits.Close (12 ms)\n[  SKIPPED ] Orbits.Precess (0 ms)\n"
                  "[ RUN      ] Orbits.Collide\nSegmentation fault")
        code, printed, table = self.summary(
            f'<testcase name="sim_tests/Orbits" status="fail"><failure/><system-out>{output}</system-out></testcase>')
        self.assertEqual(code, 1)
        self.assertEqual(table, {"Orbits.Close": "passed", "Orbits.Precess": "skipped", "Orbits.Collide": "failed",
                                 "Orbits.Escape": "failed"})
        self.assertTrue(printed.endswith("1 passed, 2 failed, 1 skipped\n"))

    def test_a_process_that_fails_after_its_tests_passed_has_failed(self):
        self.suite("sim_tests", "Orbits", ["Close"], '<testcase classname="Orbits" name="Close" status="run" time="1"/>')
        code, printed, _ = self.summary('<testcase name="sim_tests/Orbits" status="fail"><failure/></testcase>')
        self.assertEqual(code, 1)
        self.assertTrue(printed.endswith("1 passed, 1 failed, 0 skipped\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
