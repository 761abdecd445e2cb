#!/usr/bin/env python3
"""attest-check accepts the certificate of every case: check_certificates.py ATTEST_CHECK CERTIFICATES CASES. Each is one test."""
import pathlib
import subprocess
import sys

check, certificates, cases = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
missing = [case for case in sorted(cases.rglob("*.toml")) if not (certificates / case.relative_to(cases)).with_suffix(".json").exists()]
failures = [f"no certificate for {case}" for case in missing]
files = sorted(certificates.rglob("*.json"))
for file in files:
    run = subprocess.run([check, file], capture_output=True, text=True)
    if run.returncode != 0:
        failures.append(f"status {run.returncode}: {file}\n{run.stdout}{run.stderr}")
print("\n".join(failures))
print(f"{len(files) + len(missing) - len(failures)} passed, {len(failures) + (not files)} failed")
sys.exit(1 if failures or not files else 0)
