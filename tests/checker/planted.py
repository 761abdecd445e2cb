#!/usr/bin/env python3
"""Plants faults in the kernel, one at a time, and asks which of the hunts for an accepted falsehood find each.

usage: planted.py FOLDER [NAME...]
FOLDER takes a copy of the sources and a build (minutes at first). Certificates are made by the attest that is built before any fault;
the checker has the fault. The hunts: the unit tests of the checker, samples.py, sentences.py, mutants.py with the proved checker of this
tree (make -C proofs/extracted attest-check-proved), forger.py. A fault that none of them finds fails. Not part of the tests: an hour on
two cores. The last line is "N passed, N failed".
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# (name, file, what stands there, what the fault makes of it)
FAULTS = [
    ("a bound off by one", "src/kernel/rules/zero.cpp", "vectors[0].size() - 1);", "vectors[0].size() - 2);"),
    ("a bound off by one from below", "src/kernel/rules/subsets.cpp", "at_least(step.of, k);", "at_least(step.of, k + 1);"),
    ("an annihilation that is not checked", "src/kernel/rules/zero.cpp", "kernel.right || is_zero(", "true || is_zero("),
    ("dependent vectors", "src/kernel/rules/zero.cpp", "ENSURE(rows_independent(std::move(images), p)", "ENSURE(true || rows_independent(std::move(images), p)"),
    ("a side condition dropped", "src/kernel/rules/common.cpp", "ENSURE(step.problem.source.layer->convex(),", "ENSURE(true,"),
    ("a separator that ties one example more", "src/kernel/rules/common.cpp", "ENSURE(tied < r,", "ENSURE(tied <= r,"),
    ("a radius with the wrong sign", "src/kernel/rules/inverse.cpp", "middle[i][j]) + size[i][j]);", "middle[i][j]) - size[i][j]);"),
    ("the wrong end of an enclosure", "src/kernel/quantities/saturation.cpp", "if (error == 0) return {sum.most <= most, 0};", "if (error == 0) return {sum.least <= most, 0};"),
    ("powers that are called exact", "src/kernel/arithmetic/powers.cpp", "exact ? least : Integer(least + 4)", "least"),
    ("a strict inequality that is not", "src/kernel/rules/split.cpp", "ENSURE(labels > 0,", "ENSURE(labels >= 0,"),
    ("the wrong side of a part", "src/kernel/rules/part.cpp", 'choice(step["side"], "above", "below") ?', '!choice(step["side"], "above", "below") ?'),
    ("primes that are not", "src/kernel/certificate.cpp", "p != 2 && is_prime(p)", "p != 2"),
]


PROGRAMS = ["attest-check", "test_checker"]
PROVED = ROOT / "proofs/extracted/attest-check-proved"


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, **options)


def main(folder, names):
    source, honest = folder / "source", folder / "attest"
    build = source / "build"
    files = run("git", "-C", ROOT, "ls-files", "-z").stdout.split("\0")[:-1]
    for name in files:
        place = source / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != (ROOT / name).read_bytes():
            shutil.copy(ROOT / name, place)
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DATTEST_PYTHON=OFF", check=True)
    run("cmake", "--build", build, "--target", "attest", *PROGRAMS, "-j2", check=True)
    shutil.copy(build / "attest", honest)
    run(honest, "verify", source / "cases", "--out", source / "certificates")
    checker = build / "attest-check"
    hunts = {"unit tests": [build / "test_checker"], "samples": [sys.executable, source / "tests/checker/samples.py", checker], "sentences": [sys.executable, source / "tests/checker/sentences.py", honest, checker],
             "mutants": [sys.executable, source / "tests/checker/mutants.py", checker, PROVED, source / "certificates"],
             "forger": [sys.executable, source / "tests/checker/forger.py", honest, checker, "--seconds", "60"]}

    def finders():
        return [hunt for hunt, command in hunts.items() if run(*command, cwd=source).returncode != 0]

    if by := finders():
        sys.exit(f"without a fault: {', '.join(by)} fails")
    found = missed = 0
    for name, file, right, wrong in FAULTS:
        if names and name not in names:
            continue
        place, text = source / file, (ROOT / file).read_text()
        if text.count(right) != 1:
            sys.exit(f"{file}: {right!r} is expected once")
        place.write_text(text.replace(right, wrong))
        try:
            run("cmake", "--build", build, "--target", *PROGRAMS, "-j2", check=True)
            by = finders()
        finally:
            place.write_text(text)
        print(f"{name}: {'found by ' + ', '.join(by) if by else 'NOT FOUND'}", flush=True)
        found, missed = found + bool(by), missed + (not by)
    print(f"{found} passed, {missed} failed")
    return missed > 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]))
