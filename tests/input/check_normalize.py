#!/usr/bin/env python3
"""attest and scripts/normalize_case.py must agree: the same digests for the shipped cases and for the good inputs
of make_inputs.py, and both refuse all of the bad ones and those of refusals.py, attest with the words that these
give.  Usage: check_normalize.py ATTEST"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from make_inputs import CASE, make_inputs
from refusals import REFUSED

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = [str(ROOT / "scripts/normalize_case.py")]  # as README calls it


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def special(folder):
    """Files that no repository holds; the path of each case and whether it is good."""
    text = (folder / "good" / "npy-f4-little.toml").read_text()
    array = (folder / "good" / "f4-little.npy").read_bytes()

    def write(name, queries):
        path = folder / name
        path.write_text(text.replace("f4-little.npy", queries))
        return path

    for place in ("case", "case/real/inner", "outside/inner"):
        (folder / place).mkdir(parents=True)
    for place in ("case", "case/real", "outside"):
        (folder / place / "q.npy").write_bytes(array)
    for name, target in (("inside", "real/inner"), ("outside", "../outside/inner"), ("dangling.npy", "none"),
                         ("loop.npy", "loop.npy"), ("away.npy", "../outside/q.npy"), ("dangling.toml", "none")):
        os.symlink(target, folder / "case" / name)
    os.mkfifo(folder / "case" / "fifo.npy")
    os.mkfifo(folder / "case" / "fifo.toml")
    (folder / "case" / "folder.npy").mkdir()
    yield write("case/plain.toml", "q.npy"), True
    yield write("case/linked.toml", "inside/../q.npy"), True
    yield write("case/two.toml\n0000  lines\x1b[1m.toml", "q.npy"), True
    yield write("case/bad-two.toml\n0000  lines.toml", "none.npy"), False
    for name in ("outside/../q.npy", "dangling.npy", "loop.npy", "away.npy", "fifo.npy", "folder.npy"):
        yield write(f"case/bad-{name.replace('/', '-')}.toml", name), False
    yield folder / "case/dangling.toml", False
    yield folder / "case/fifo.toml", False
    yield folder / "case", False
    yield pathlib.Path("/dev/zero"), False


def refused(folder):
    """The cases of refusals.py, and what attest says of each."""
    for number, (says, *edits) in enumerate(REFUSED):
        text = CASE
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new, 1) if old else text + new
        path = folder / "bad" / f"refused-{number}.toml"
        path.write_text(text)
        yield path, ".*".join(map(re.escape, re.split(r" *\.\.\. *", says)))


def problem_files(case):
    """--problem replaces a regular file, and neither a pipe nor a link nor something that is not there."""
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "regular").write_text("old")
        (folder / "target").write_text("old")
        os.symlink("target", folder / "link")
        os.mkfifo(folder / "pipe")
        for file, status in (("regular", 0), ("link", 2), ("pipe", 2), ("no/folder", 2)):
            result = run(PYTHON + ["--problem", str(folder / file), str(case)])
            if result.returncode != status or len(result.stderr.splitlines()) != (status != 0):
                failures.append(f"--problem {file}: status {result.returncode}: {result.stderr}")
        kept = (folder / "target").read_text() == "old" and (folder / "pipe").is_fifo() and (folder / "link").is_symlink()
        if not kept or "attest-problem/1" not in (folder / "regular").read_text() or len(list(folder.iterdir())) != 4:
            failures.append("--problem: files are not as they should be")
    return failures


def nobody_reads(cases):
    """The reader ends as other filters do."""
    result = run(["bash", "-c", '"$@" | :; exit ${PIPESTATUS[0]}', "bash", *PYTHON, *map(str, cases)])
    return [] if (result.returncode, result.stderr) == (128 + signal.SIGPIPE, "") else [f"nobody reads: status {result.returncode}: {result.stderr}"]


def main():
    attest = [sys.argv[1], "digest"]
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder)
        good = sorted(ROOT.glob("cases/**/*.toml")) + sorted(folder.glob("good/*.toml"))
        words = dict(refused(folder))
        bad = sorted(folder.glob("bad/*.toml"))
        for path, is_good in special(folder):
            (good if is_good else bad).append(path)
        lines = [run(command + list(map(str, good))) for command in (attest, PYTHON)]
        for result in lines:
            if result.returncode != 0 or len(result.stdout.splitlines()) != len(good):
                failures.append(f"status {result.returncode}: {result.stderr}")
        failures += [f"{one}\n{other}" for one, other in
                     zip(lines[0].stdout.splitlines(), lines[1].stdout.splitlines()) if one != other]
        # One line for each bad case, in order: none is accepted, none ends the run.
        for command in (attest, PYTHON):
            result = run(command + list(map(str, bad)))
            if result.returncode != 2:
                failures.append(f"{command[0]}: status {result.returncode}")
            failures += [f"{command[0]} accepted: {line}" for line in result.stdout.splitlines()]
            messages = result.stderr.splitlines()
            if len(messages) != len(bad):
                failures.append(f"{command[0]}: {len(messages)} messages for {len(bad)} bad cases")
            elif command == attest:
                failures += [f"{message}\nexpected: {words[path]}" for path, message in zip(bad, messages)
                             if path in words and not re.match(re.escape(f"{path}: ") + words[path], message)]
    failures += problem_files(good[0]) + nobody_reads(good)
    print("\n".join(failures), end="\n" if failures else "")
    total = len(good) + 2 * len(bad) + len(REFUSED) + 5
    print(f"{len(good)} good and {len(bad)} bad inputs")
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
