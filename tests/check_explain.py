#!/usr/bin/env python3
"""attest explain has words for every step and theorem of the shipped certificates: check_explain.py ATTEST CERTIFICATES."""
import pathlib
import re
import subprocess
import sys

# What step_words.cpp says of a rule, and explain.cpp of a theorem, for which it has no words.
WITHOUT_WORDS = re.compile(r"\(a step of the rule [^)]*\)|^  [a-z0-9-]+: $", re.M)


def speechless(text):
    """The places where the explanation has no words."""
    return WITHOUT_WORDS.findall(text)


def main():
    attest, certificates = sys.argv[1], pathlib.Path(sys.argv[2])
    # explain checks first, which takes seconds for the trained accuracies; cases/accuracy has the same steps.
    files = [file for file in sorted(certificates.rglob("*.json")) if not (file.parent.name == "trained" and file.stem.endswith("-accuracy"))]
    run = subprocess.run([attest, "explain", *files], capture_output=True, text=True)
    found = speechless(run.stdout)
    print("\n".join(found), run.stderr, f"{len(files)} certificates, status {run.returncode}")
    return 1 if found or run.returncode != 0 or not files else 0


if __name__ == "__main__":
    sys.exit(main())
