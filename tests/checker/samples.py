#!/usr/bin/env python3
"""The samples of tests/checker/samples by programs: each is accepted, and each of its changes is rejected.

usage: samples.py ATTEST_CHECK... [--proved PROVED_CHECK]
       samples.py --write FOLDER NAME NUMBER: the case of a sample and its certificate with that change, for attest-check by hand
A sample is a folder: case.toml, certificate.json, and rejections.json, lists of JSON Patches by what they are about, each with what
the rejection says. Changes are numbered from 0 through all lists. The proved checker has words of its own, and steps that it does
not need it may leave out: a change must not decide a claim that is not decided without it, nor another way.
The last line reads "N passed, N failed", one test for each sample, change and checker.
"""
import argparse
import collections
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tests/checker/samples"
# Of these the proved checker shows less: a score at a distance of less than its rounding, a kernel from the right for given logits, and
# labels beside a sink.
SHOWN_IN_PART = {"apart", "projected"}


def patched(document, patch):
    """RFC 6902: add, remove and replace."""
    out = copy.deepcopy(document)
    for change in patch:
        *way, last = (word.replace("~1", "/").replace("~0", "~") for word in change["path"].split("/")[1:])
        at = out
        for word in way:
            at = at[int(word) if isinstance(at, list) else word]
        if isinstance(at, list):
            last = len(at) if last == "-" else int(last)
        if change["op"] == "add" and isinstance(at, list):
            at.insert(last, change["value"])
        elif change["op"] == "remove":
            del at[last]
        else:
            at[last] = change["value"]
    return out


class Sample:
    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.certificate = json.loads((folder / "certificate.json").read_text())
        file = folder / "rejections.json"
        self.rejections = [row for rows in json.loads(file.read_text()).values() for row in rows] if file.exists() else []

    def write(self, to):
        """The case, the certificate and all that has to be rejected, as files: (file, words or None)."""
        to.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.folder / "case.toml", to)
        shutil.copy(self.folder / "certificate.json", to)
        yield to / "certificate.json", None
        for number, rejection in enumerate(self.rejections):
            file = to / f"{number}.json"
            file.write_text(json.dumps(patched(self.certificate, rejection["patch"])))
            yield file, rejection["says"]


def answers(command, files):
    """What is said of each file, in one line."""
    done = subprocess.run([*command, "-v", "--ignore-expectations", *files], capture_output=True, text=True)
    said = {}
    for line in re.sub(r"\n {4,}", " ", done.stdout).splitlines():
        if found := re.match(r"(.*?\.json): (.*)", line):
            said[found[1]] = found[2]
    return [said.get(str(file), f"status {done.returncode}: {done.stderr[-300:]}") for file in files]


def decided(answer):
    """Of "valid (3 claims: 1 undecided, 2 verified)" the claims by verdict, but for those without one."""
    return collections.Counter({verdict: int(number) for number, verdict in re.findall(r"(\d+) (verified|refuted|inapplicable)\b", answer)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkers", nargs="*")
    parser.add_argument("--proved")
    parser.add_argument("--write", nargs=3, metavar=("FOLDER", "NAME", "NUMBER"))
    options = parser.parse_args()
    if options.write:
        folder, name, number = options.write
        for file, says in Sample(SAMPLES / name).write(pathlib.Path(folder)):
            if file.stem == number:
                print(file, says, sep="\n")
            elif says is not None:
                file.unlink()
        return 0
    passed, failed = 0, []

    def tell(right, file, says, checker, answer):
        nonlocal passed
        passed += right
        if not right:
            failed.append(f"{file.parent.name} {file.stem}: {pathlib.Path(checker).name}: expected {says or 'valid'}, found {answer}")

    with tempfile.TemporaryDirectory() as temporary:
        rows = [row for folder in sorted(SAMPLES.iterdir()) for row in Sample(folder).write(pathlib.Path(temporary) / folder.name)]
        files = [file for file, _ in rows]
        for checker in options.checkers:
            for (file, says), answer in zip(rows, answers([checker], files)):
                tell(answer.startswith("valid") if says is None else answer.startswith("rejected: ") and says in answer, file, says, checker, answer)
        own = collections.Counter()
        for (file, says), answer in zip(rows, answers([options.proved], files) if options.proved else ()):
            own = decided(answer) if says is None else own
            right = decided(answer) <= own and (says is not None or answer.startswith("valid") == (file.parent.name not in SHOWN_IN_PART))
            tell(right, file, says, options.proved, answer)
    print("\n".join(failed))
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
