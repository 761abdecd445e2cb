#!/usr/bin/env python3
"""What a run of CTest comes to: total.py JUNIT, the file of ctest --output-junit. The last line is "N passed, N failed".
total.py --run COMMAND...: runs a test, which fails unless its last line reads "N passed, 0 failed", N not 0.

A doctest program counts each test case that it has run, a script whose last line reads "N passed, N failed" these
numbers, every other test one. What failed, did not run or counted nothing is one failure at least.
"""
import re
import subprocess
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


def run(command):
    text = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for text in process.stdout:
            print(text, end="", flush=True)
    found = SCRIPT.fullmatch(text)
    if process.returncode == 0 and not (found and int(found[1]) and not int(found[2])):
        print("the last line is not: N passed, 0 failed")
        return 1
    return process.returncode


def main():
    if sys.argv[1] == "--run":
        return run(sys.argv[2:])
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
