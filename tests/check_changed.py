#!/usr/bin/env python3
"""attest verify --changed proves nothing again but what was undecided: check_changed.py ATTEST CASES CERTIFICATES."""
import pathlib
import re
import subprocess
import sys
import tomllib


def unchanged(line):
    """How many cases the last line of attest verify says are unchanged."""
    found = re.search(r"; (\d+) unchanged; ", line)
    return int(found.group(1)) if found else 0


def decided(cases):
    """How many cases expect no claim to be undecided."""
    claims = [tomllib.loads(case.read_text())["claim"] for case in cases.rglob("*.toml")]
    return sum(all(claim.get("expect") != "undecided" for claim in each) for each in claims)


def main():
    attest, cases, certificates = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    run = subprocess.run([attest, "verify", cases, "--out", certificates, "--changed"], capture_output=True, text=True)
    last = run.stdout.replace("\n    ", " ").splitlines()[-1]  # long lines are broken
    print(last, run.stderr, f"{decided(cases)} cases are decided")
    return 0 if run.returncode == 0 and unchanged(last) == decided(cases) > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
