#!/usr/bin/env python3
"""Two checkers of different arithmetic print the same bytes: of every certificate, and of mutants of them.

usage: both_checkers.py ATTEST_CHECK ATTEST_CHECK_BOOST CERTIFICATES [MUTANTS (300)] [SEED]
The last line reads "N passed, N failed", one test for each certificate and mutant."""
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOGETHER = 100  # certificates in one run
LONGEST, LONGEST_TAIL = 200_000, 10_000  # bytes of a certificate that is mutated; a tail_rank is tried at up to 2^15 bits before it is refused
NUMBERS = [0, 1, 2, 3, 17, 64, 200, 8388593, (1 << 62) + 1, "0", "-1", "1/2", "123456789012345678901234567890/7", "-0x1p-80"]


def places(node):
    """What can be replaced in a certificate: (container, key) of each value below it."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield node, key
        yield from places(value)


def mutate(certificate, source):
    out = copy.deepcopy(certificate)
    everywhere = [*places(out["steps"]), *places(out["claims"])]
    for _ in range(source.choice([1, 1, 2, 3])):
        container, key = source.choice(everywhere)
        if isinstance(container, list) and key >= len(container) or isinstance(container, dict) and key not in container:
            continue
        value, kind = container[key], source.randrange(8)
        if kind == 0:
            del container[key]
        elif kind == 1:
            other, place = source.choice(everywhere)
            if isinstance(other, list) and place < len(other) or isinstance(other, dict) and place in other:
                container[key] = copy.deepcopy(other[place])
        elif type(value) is int:
            container[key] = source.choice([value + 1, value - 1, 2 * value, -value, source.choice(NUMBERS)])
        elif isinstance(value, str) and value:
            at = source.randrange(len(value))
            container[key] = source.choice([value[:at] + source.choice("0123456789-/") + value[at + 1:], value + "1", source.choice(NUMBERS)])
        elif isinstance(value, list):
            source.choice([value.reverse, lambda: value.append(copy.deepcopy(source.choice(value)) if value else 0)])()
    return out


def answers(checker, files):
    run = subprocess.run([checker, "-v", "--ignore-expectations", "--timeout", "600", *files], capture_output=True)
    return run.returncode, re.sub(rb"\s+[\d.]+ s\n$", b"", run.stdout), run.stderr  # the last line has the seconds


def differing(checkers, files):
    """The files of which they do not say the same."""
    if answers(checkers[0], files) == answers(checkers[1], files):
        return []
    return [file for file in files if answers(checkers[0], [file]) != answers(checkers[1], [file])] or [files]


def main():
    checkers, folder = sys.argv[1:3], pathlib.Path(sys.argv[3])
    count, seed = (int(sys.argv[k]) if len(sys.argv) > k else default for k, default in ((4, 300), (5, 1)))
    certificates = sorted(folder.rglob("*.json"))
    failures = differing(checkers, certificates)
    for file in failures:
        print(f"{file}: {answers(checkers[0], [file])} and {answers(checkers[1], [file])}")
    source = random.Random(seed)
    short = [file for file in certificates if file.stat().st_size < (LONGEST_TAIL if '"tail_rank"' in file.read_text() else LONGEST)]
    for begin in range(0, count, TOGETHER):
        with tempfile.TemporaryDirectory() as scratch:
            files = []
            for number in range(begin, min(count, begin + TOGETHER)):
                file = source.choice(short)
                certificate = json.loads(file.read_text())
                certificate["case"]["path"] = os.path.relpath(file.parent / certificate["case"]["path"], scratch)
                files.append(pathlib.Path(scratch) / f"{number}-{file.stem}.json")
                files[-1].write_text(json.dumps(mutate(certificate, source)))
            for file in differing(checkers, files):
                failures.append(file)
                print(f"mutant {seed} {file}:\n{answers(checkers[0], [file])}\n{answers(checkers[1], [file])}")
    print(f"{len(certificates) + count - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not certificates else 0


if __name__ == "__main__":
    sys.exit(main())
