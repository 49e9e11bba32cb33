"""Prints how long a build took: its slowest objects, what ccache answered, and its processor time in units of a reference file.

usage: summarize_build.py BUILD [--compiler CXX]     BUILD: a folder that script/setup has just built

Machines differ, so the build is compared with cmake/reference.cpp, compiled by the same compiler now. It fails if all objects were
compiled, without CUDA and with tests, and took more than the budget: then something that all files include has grown, or a
batch has become too large. CONTRIBUTING.md says what to do.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

BUDGET = 320  # of a build of everything, in units of the reference file: a third more than it takes
SLOWEST = 10
ROOT = pathlib.Path(__file__).resolve().parents[1]


def objects_of(build):
    """Seconds of each object by its last entry in ninja's log, and when the last build began, as its restarting clock shows."""
    last = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, name, _ = line.split("\t")
        if name.endswith(".o"):
            last[name] = (int(end) - int(begin)) / 1000
    return last


def reference_seconds(compiler):
    """Processor time of the reference file: the less of two, since other programs may run."""
    best = None
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([compiler, "-std=c++20", "-O1", "-c", ROOT / "cmake/reference.cpp", "-o", folder + "/reference.o"], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best = taken if best is None else min(best, taken)
    return best


def cache_value(build, key):
    found = re.search(rf"^{key}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else ""


def short(name):
    return re.sub(r"CMakeFiles/|\.dir|Unity/unity_|_cxx\.cxx|\.o$", "", name)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build
    objects = objects_of(build)
    slowest = sorted(objects.items(), key=lambda item: -item[1])[:SLOWEST]
    print("slowest objects: " + ", ".join(f"{short(name)} {seconds:.0f} s" for name, seconds in slowest))
    log = build / "ccache.log"
    results = re.findall(r"^(direct_cache_hit|preprocessed_cache_hit|cache_miss)$", log.read_text(), re.M) if log.exists() else []
    misses = results.count("cache_miss")
    taken = float((build / ".processor_time").read_text())
    reference = reference_seconds(cache_value(build, "CMAKE_CXX_COMPILER") or "c++")
    print(f"build: {taken:.0f} s of processor time, {taken / reference:.0f} times the {reference:.2f} s of the reference file; "
          f"{len(objects)} objects, {misses} compiled, {len(results) - misses} from ccache")
    whole = misses == len(objects) and cache_value(build, "MOTE_TESTS") == "ON" and cache_value(build, "MOTE_CUDA_FOUND") != "true"
    if not whole:
        print("build: not compared with the budget, which is for a build of everything without CUDA and without a cache")
    elif taken > BUDGET * reference:
        print(f"build: more than its budget of {BUDGET} times the reference file")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
