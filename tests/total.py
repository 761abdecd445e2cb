#!/usr/bin/env python3
"""What a run of CTest comes to: total.py JUNIT, the file of ctest --output-junit. The last line is "N passed, N failed".

A doctest program counts each test case that it has run, a script whose last line reads "N passed, N failed" these
numbers, every other test one. What failed, did not run or counted nothing is one failure at least.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

DOCTEST = re.compile(r"^\[doctest\] test cases: +\d+ \| +(\d+) passed \| +(\d+) failed", re.M)
SCRIPT = re.compile(r"^(\d+) passed, (\d+) failed\s*\Z", re.M)


def counts(test):
    """(passed, failed) of a <testcase>"""
    output = test.findtext("system-out") or ""
    succeeded = test.get("status") == "run"
    found = DOCTEST.findall(output)[-1:] or SCRIPT.findall(output) or [(1, 0) if succeeded else (0, 1)]
    passed, failed = map(int, found[0])
    if (not succeeded or passed == 0) and failed == 0:
        failed = 1
    return passed, failed


def main():
    tests = list(ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    results = [(test.get("name"), *counts(test)) for test in tests]
    for name, _, failed in results:
        if failed:
            print(f"FAILED  {name} ({failed})")
    failed = sum(row[2] for row in results) + (not results)
    print(f"{sum(row[1] for row in results)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
