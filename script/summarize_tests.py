"""Reads JUnit reports of ctest; prints which tests were skipped or failed and why, and counts them."""
import re
import sys
import xml.etree.ElementTree as xml

# GoogleTest: "file:line: Skipped", the reason, and an empty line or its next marker.
REASON = re.compile(r": Skipped\n(.*?)(?:\n\s*\n|\n\[|\Z)", re.S)
LINES = 8  # of output shown for a failed test: from the first failure that GoogleTest reports, or the last lines


def reason(case):
    output = case.findtext("system-out") or ""
    reasons = [" ".join(text.split()) for text in REASON.findall(output)]
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else ""
    return "; ".join(dict.fromkeys(text for text in reasons if text)) or message or "no reason given"


def excerpt(case):
    lines = (case.findtext("system-out") or "").rstrip().splitlines()
    first = next((i for i, line in enumerate(lines) if line.endswith(": Failure")), max(0, len(lines) - LINES))
    return lines[first:first + LINES]


def outcome(case):
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed"


def main(reports):
    cases = [case for report in reports for case in xml.parse(report).getroot().iter("testcase")]
    named = {kind: [c for c in cases if outcome(c) == kind] for kind in ("passed", "failed", "skipped")}
    for case in named["skipped"]:
        print(f"skipped: {case.get('name')}: {reason(case)}")
    for case in named["failed"]:
        print(f"failed: {case.get('name')}")
        for line in excerpt(case):
            print(f"  {line[:500]}")
    print(", ".join(f"{len(found)} {kind}" for kind, found in named.items()))
    return 1 if named["failed"] or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
