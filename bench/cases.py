#!/usr/bin/env python3
"""Whole wall time of `attest verify cases/` and of attest-check on all certificates that it writes."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attest", default=str(root / "build" / "attest"), help="the program (default: build/attest)")
    parser.add_argument("--check", help="the checker (default: attest-check beside attest)")
    parser.add_argument("--cases", default=str(root / "cases"), help="folder of the cases (default: cases/)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slowest", type=int, default=5, help="how many of the slowest cases to list")
    options = parser.parse_args()
    attest = str(pathlib.Path(options.attest).resolve())
    checker = options.check or str(pathlib.Path(attest).with_name("attest-check"))

    verify_s, check_s, status = [], [], 0
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name) / "certificates"
            report = pathlib.Path(name) / "report.json"
            start = time.perf_counter()
            done = subprocess.run([attest, "verify", options.cases, "--jobs", str(options.jobs), "--out", str(out), "--json", str(report)],
                                  capture_output=True, text=True)
            verify_s.append(time.perf_counter() - start)
            if done.returncode != 0:
                print(done.stderr, file=sys.stderr)
            results = json.loads(report.read_text())
            certificates = sorted(str(path) for path in out.rglob("*.json"))
            size = sum(os.path.getsize(path) for path in certificates)
            start = time.perf_counter()
            checked = subprocess.run([checker, *certificates], capture_output=True, text=True)
            check_s.append(time.perf_counter() - start)
            if checked.returncode != 0:
                print("\n".join(line for line in checked.stdout.splitlines() if ": valid" not in line), file=sys.stderr)
            status = max(status, done.returncode, checked.returncode)

    print(f"{len(results['cases'])} cases, {results['totals']}, certificates {size / 1e6:.1f} MB")
    for name, seconds in (("attest verify", verify_s), ("attest-check", check_s)):
        print(f"{name:>14}: {statistics.median(seconds):.2f} s (least {min(seconds):.2f}, {options.runs} runs)")
    for case in sorted(results["cases"], key=lambda case: -case.get("seconds", 0))[: options.slowest]:
        print(f"  {case.get('seconds', 0):6.2f} s  {os.path.relpath(case['path'], options.cases)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
