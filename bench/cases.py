#!/usr/bin/env python3
"""Whole wall time of `attest verify cases/`, of attest-check on all certificates that it writes, and of both for proposition-1 at the
paper's size: medians. docs/performance.md has the table; the slowest of the shipped cases follow it."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def timed(*command):
    """(seconds, exit status, output)"""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    return time.perf_counter() - start, done.returncode, done.stdout + done.stderr


def measured(options, cases):
    """(the report, the bytes of all certificates, the times of attest verify, those of attest-check)"""
    seconds = []
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as name:
            out, report = pathlib.Path(name) / "certificates", pathlib.Path(name) / "report.json"
            verify, status, said = timed(options.attest, "verify", cases, "--jobs", str(options.jobs), "--out", out, "--json", report)
            if status != 0:
                sys.exit(said)
            certificates = sorted(out.rglob("*.json"))
            check, status, said = timed(options.check or options.attest.with_name("attest-check"), *certificates)
            if status != 0:
                sys.exit("\n".join(line for line in said.splitlines() if ": valid" not in line))
            seconds.append((verify, check))
            results, size = json.loads(report.read_text()), sum(path.stat().st_size for path in certificates)
    return results, size, *zip(*seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attest", type=pathlib.Path, default=HERE.parent / "build/attest", help="the program (default: build/attest)")
    parser.add_argument("--check", help="the checker (default: attest-check beside attest)")
    parser.add_argument("--cases", default=HERE.parent / "cases", help="folder of the cases (default: cases/)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--slowest", type=int, default=5, help="how many of the slowest cases to list")
    options = parser.parse_args()
    shipped = measured(options, options.cases)
    print("| | claims | certificates | attest verify [s] | attest-check [s] |")
    print("|---|---|---|---|---|")
    for name, (results, size, verify, check) in (
            (f"all {len(shipped[0]['cases'])} cases of `cases/`", shipped),
            ("`proposition-1` at the paper's size", measured(options, HERE / "proposition-1-paper-size.toml"))):
        claims = sum(results["totals"][verdict] for verdict in ("verified", "refuted", "inapplicable", "undecided"))
        print(f"| {name} | {claims} | {size / 1e6:.1f} MB | {statistics.median(verify):.1f} | {statistics.median(check):.1f} |")
    for case in sorted(shipped[0]["cases"], key=lambda case: -case.get("seconds", 0))[: options.slowest]:
        print(f"  {case.get('seconds', 0):6.2f} s  {os.path.relpath(case['path'], options.cases)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
