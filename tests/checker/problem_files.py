#!/usr/bin/env python3
"""attest-check says the same of every certificate whether it reads the case file or the problem that normalize_case.py writes, and a
problem that was changed is refused.  Beyond its limit on memory it ends with status 3.  usage: problem_files.py ATTEST_CHECK FOLDER, FOLDER of certificates.  The last line reads
"N passed, N failed"."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import normalize_case  # noqa: E402


def check(program, *arguments, text=None):
    return subprocess.run([program, *arguments], capture_output=True, text=True, input=text, check=False)


def verdicts(result):
    """The lines without the names of files and cases and the time, and the status."""
    lines = [line.split("  claim ", 1)[-1] if "  claim " in line else line.rsplit(": valid", 1)[-1] for line in result.stdout.replace("\n    ", " ").splitlines()]  # long ones are broken
    return lines[:-1] + [lines[-1].rsplit("; ", 1)[0] for _ in lines[-1:]], result.returncode


def forged(problem):
    """Changes after which the digest is another one, or which are no canonical form."""
    def change(edit):
        copy = json.loads(json.dumps(problem))
        edit(copy)
        return json.dumps(copy)

    entries = next(iter(problem["arrays"].values()))["entries"] if problem["arrays"] else None
    first = next(iter(problem["arrays"]), None)

    def entry(value):
        def edit(copy):
            copy["arrays"][first]["entries"][0] = value
        return edit
    yield "another digest", change(lambda p: p.update(digest="0" * 64))
    yield "no digest", change(lambda p: p.pop("digest"))
    yield "a further key", change(lambda p: p.update(further=1))
    yield "a key twice", json.dumps(problem)[:-1] + ', "format": "attest-problem/1"}'
    yield "a claim fewer", change(lambda p: p["claims"].pop())
    if problem["layer"]:
        yield "another scale", change(lambda p: p["layer"].update(logit_scale="17/19"))
    if first:
        yield "no array", change(lambda p: p["arrays"].pop(first))
        yield "another number", change(entry("22/7" if entries[0] != "22/7" else 1))
        for text in ("2/4", "1", "+1/2", "1/-2", "0x1p-1", "1e-1", 1.5, "-0", None):
            yield f"the numeral {text!r}", change(entry(text))


def beyond_memory(program, folder):
    """What is wrong with the end of a run whose enclosures of Z take several times the memory that it may use."""
    (folder / "case.toml").write_text("""format = 1
[layer]
heads = 8
context = 1
embed_dim = 64
head_dim = 1
examples = 100
[data]
generate = { kind = "integers", bound = 9, seed = 1 }
[weights]
generate = { kind = "integers", bound = 9, seed = 1 }
[[claim]]
statement = "injective"
""")
    certificate = folder / "certificate.json"

    def ends(digest, memory):
        step = {"rule": "ball", "of": "distinct(Z)", "rows": [*range(100)], "precision": 65536, "fact": "distinct(Z) >= 100"}
        certificate.write_text(json.dumps({"format": "attest-certificate/3", "attest": "test", "case": {"path": "case.toml", "digest": digest},
                                           "steps": [step], "claims": [{"statement": "injective", "steps": [0]}]}))
        return check(program, "--jobs", "1", "--memory", memory, certificate)
    little = ends(re.search("[0-9a-f]{64}", ends("", "20M").stdout)[0], "20M")
    as_expected = little.returncode == 3 and "memory" in little.stdout + little.stderr
    return [] if as_expected else [f"beyond memory: status {little.returncode}: {little.stdout}{little.stderr}"]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    failures, passed, changed = [], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch, "problem.json")
        failures += beyond_memory(program, pathlib.Path(scratch))
        passed += not failures
        for number, certificate in enumerate(sorted(folder.rglob("*.json"))):
            case = certificate.parent / json.loads(certificate.read_text())["case"]["path"]
            problem = normalize_case.Case(str(case)).json()
            file.write_text(json.dumps(problem))
            direct, by_problem = check(program, certificate), check(program, "--problem", file, certificate)
            same = verdicts(direct) == verdicts(by_problem) and "valid" in direct.stdout
            if number % 20 == 0:  # through a pipe
                same = same and verdicts(check(program, "--problem", "-", certificate, text=file.read_text())) == verdicts(direct)
                for what, text in forged(problem):
                    file.write_text(text)
                    result = check(program, "--problem", file, certificate)
                    changed += 1
                    if result.returncode != 2 or ": bad input: " not in result.stdout:
                        failures.append(f"{certificate} with {what}: status {result.returncode}: {result.stdout}{result.stderr}")
            passed += same
            if not same:
                failures.append(f"{certificate}: {verdicts(direct)} and {verdicts(by_problem)} {by_problem.stdout}")
    if changed < 100:
        failures.append(f"only {changed} problems were changed")
    print("\n".join(failures + [f"{passed + changed - len(failures) if not failures else passed} passed, {len(failures)} failed"]))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
