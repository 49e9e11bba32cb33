"""Reads what ctest and the suites of a build folder have reported; prints which tests were skipped or failed and why, and counts them.

usage: summarize_tests.py [--table FILE | --passed] REPORT...     REPORT: ctest's, build/NAME/tests.xml
  --table: writes name, outcome and seconds of each test as CSV
  --passed: prints only which tests of suites passed, each as PROGRAM/SUITE.TEST

A suite of tests is one test of ctest (cmake/suites.cmake) and writes a report of its own. If its process ended without one, all
of its tests that it did not print as passed or skipped count as failed.
"""
import csv
import os
import re
import sys
import xml.etree.ElementTree as xml

# GoogleTest: "file:line: Skipped", the reason, and an empty line or its next marker.
REASON = re.compile(r": Skipped\n(.*?)(?:\n\s*\n|\n\[|\Z)", re.S)
# What it prints after a test: "[       OK ] Suite.Test (3 ms)".
ENDED = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] (\S+?)(?:, where .*)? \((\d+) ms\)$", re.M)
LINES = 8  # of output shown for a failed test: from the first failure that GoogleTest reports, or the last lines
SLOWEST = 10


class Test:
    def __init__(self, name, outcome, seconds, text=""):
        self.name, self.outcome, self.seconds, self.text = name, outcome, seconds, text

    def reason(self):
        reasons = [" ".join(text.split()) for text in REASON.findall(self.text)]
        return "; ".join(dict.fromkeys(text for text in reasons if text)) or " ".join(self.text.split()) or "no reason given"

    def excerpt(self):
        lines = self.text.rstrip().splitlines()
        first = next((i for i, line in enumerate(lines) if line.endswith(": Failure")), max(0, len(lines) - LINES))
        return lines[first:first + LINES]


def of_google_test(report):
    """Tests of the report of a suite."""
    for suite in xml.parse(report).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            failures = [f.get("message") or f.text or "" for f in case.findall("failure")]
            skips = [s.get("message") or s.text or "" for s in case.findall("skipped")]
            outcome = "failed" if failures else "skipped" if skips or case.get("status") == "notrun" else "passed"
            # "file:line\nmessage": as the program prints it
            texts = [re.sub(r"^(\S+:\d+)\n", r"\1: Failure\n", f) for f in failures]
            texts += [re.sub(r"^\S+:\d+\n", "", s) for s in skips]
            yield Test(f"{case.get('classname')}.{case.get('name')}", outcome, float(case.get("time", 0)), "\n".join(texts))


def of_dead_suite(names, output):
    """Tests of a suite that ended without a report, by what it printed."""
    words = {"OK": "passed", "SKIPPED": "skipped", "FAILED": "failed"}
    ended = {name: (words[word], int(time) / 1000) for word, name, time in ENDED.findall(output)}
    for name in names:
        outcome, seconds = ended.get(name, ("failed", 0.0))
        yield Test(name, outcome, seconds, "" if name in ended else f"its process ended before its end:\n{output[-2000:]}")


def of_ctest(case):
    skipped = case.find("skipped")
    text = case.findtext("system-out") or ""
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        outcome = "failed"
    elif skipped is not None or case.get("status") in ("notrun", "disabled"):
        outcome, text = "skipped", text if REASON.search(text) else (text.strip() or skipped.get("message") or "")
    else:
        outcome = "passed"
    return Test(case.get("name"), outcome, float(case.get("time") or 0), text)


def suites_of(build):
    """Reports of suites below a build folder: program/suite -> path without its suffix."""
    found = {}
    for folder, _, files in os.walk(os.path.join(build, "reports")):
        for file in files:
            if file.endswith(".list"):
                found[os.path.basename(folder) + "/" + file[:-5].replace(".", "/")] = os.path.join(folder, file[:-5])
    return found


def tests_of(report):
    suites = suites_of(os.path.dirname(report))
    for case in xml.parse(report).getroot().iter("testcase"):
        base = suites.get(case.get("name"))
        whole = of_ctest(case)
        if base is None:
            yield whole
            continue
        tests = []
        if os.path.exists(base + ".xml"):
            try:
                tests = list(of_google_test(base + ".xml"))
            except xml.ParseError:
                tests = []  # it was writing it when it ended
        if not tests:
            with open(base + ".list", encoding="utf-8") as file:
                tests = list(of_dead_suite(file.read().split(), case.findtext("system-out") or ""))
        elif whole.outcome == "failed" and all(t.outcome != "failed" for t in tests):
            tests.append(Test(case.get("name") + " (the process of the suite)", "failed", 0.0, whole.text))
        yield from tests


def passed_in(report):
    for name, base in suites_of(os.path.dirname(report)).items():
        try:
            tests = list(of_google_test(base + ".xml"))
        except (OSError, xml.ParseError):
            continue
        yield from (f"{name.split('/')[0]}/{test.name}" for test in tests if test.outcome == "passed")


def main(arguments):
    if arguments[:1] == ["--passed"]:
        for report in arguments[1:]:
            print("".join(f"{name}\n" for name in passed_in(report)), end="")
        return 0
    table = None
    if arguments[:1] == ["--table"]:
        table, arguments = arguments[1], arguments[2:]
    tests = [test for report in arguments for test in tests_of(report)]
    named = {kind: [t for t in tests if t.outcome == kind] for kind in ("passed", "failed", "skipped")}
    for test in named["skipped"]:
        print(f"skipped: {test.name}: {test.reason()}")
    for test in named["failed"]:
        print(f"failed: {test.name}")
        for line in test.excerpt():
            print(f"  {line[:500]}")
    slowest = sorted(tests, key=lambda test: -test.seconds)[:SLOWEST]
    print("slowest tests: " + ", ".join(f"{test.name} {test.seconds:.1f} s" for test in slowest))
    if table:
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["test", "outcome", "seconds"])
            writer.writerows([t.name, t.outcome, f"{t.seconds:.3f}"] for t in tests)
    print(", ".join(f"{len(found)} {kind}" for kind, found in named.items()))
    return 1 if named["failed"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
