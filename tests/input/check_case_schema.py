#!/usr/bin/env python3
"""The schema of case files accepts all shipped cases and all good inputs, and refuses of the bad ones those that are wrong
by themselves, whatever their numbers and files are.  Usage: check_case_schema.py SCHEMA"""
import collections
import json
import pathlib
import sys
import tempfile
import tomllib

import jsonschema
from make_inputs import make_inputs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Bad inputs that must be refused: some of each kind of mistake.
REFUSED = ("claim-no-statement claim-unknown-statement claim-unknown-key claim-expect claim-subset-empty claim-subset-twice "
           "claim-subset-missing claim-epsilon-missing claim-neurons-zero claim-labels-word claim-bias-word "
           "claim-threshold-word file-none file-unknown-key file-number "
           "layout-unknown layout-number layout-prefix-alone layout-file-alone layout-pickle forms-positions-word "
           "forms-causal-word forms-queries-alone forms-keys-alone forms-positions-none forms-causal-alone forms-window-alone "
           "forms-window-0 whole-skip-word whole-transpose-word").split()


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures, counts = [], collections.Counter()

    def valid(path):
        text = path.read_bytes().decode().removeprefix("\ufeff")
        if max(line.count(".") for line in text.splitlines() or [""]) > 10_000:  # tomllib's time grows with the square
            raise ValueError("a key of too many parts")
        return validator.is_valid(tomllib.loads(text))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder)
        for path in sorted(ROOT.glob("cases/**/*.toml")) + sorted(folder.glob("good/*.toml")):
            counts["accepted"] += 1
            if not valid(path):
                failures.append(f"{path.name} is refused")
        for path in sorted(folder.glob("bad/*.toml")):
            try:
                refused = not valid(path)
            except (ValueError, RecursionError):  # not even TOML, or deeper than Python goes
                continue
            counts["refused"] += refused
            if path.stem in REFUSED and not refused:
                failures.append(f"{path.stem} is accepted")
        failures += [f"there is no {name}" for name in REFUSED if not (folder / "bad" / f"{name}.toml").exists()]
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{counts['accepted']} cases, {counts['refused']} bad inputs refused")
    print(f"{counts['accepted'] + len(REFUSED) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
