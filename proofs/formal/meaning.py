#!/usr/bin/env python3
"""What the statement of a theorem mentions, itself or through definitions: each definition of this development, by file.

meaning.py check_sound, the default, leaves out the function that the theorem is about (check, and of_claim of its
result); the list is what a reader of the theorem must read, and it is all in meaning/.  Reads the .glob files that
coqc wrote.  Exit status 1 when a definition is elsewhere.
"""
import bisect
import pathlib
import re
import sys

FORMAL = pathlib.Path(__file__).resolve().parent
SUBJECT = {("check", "check"), ("check", "of_claim"), ("check_cones", "check_of_kind"),
           ("check_stack", "check_of_stack"), ("check_stack", "stack_step"),
           ("check_free", "check_of_free"), ("check_free", "free_step")}
KINDS = "def|ind|rec|class|proj|constr|prf|thm|fix|cofix|coe|inst|abbrev|not"


def read(glob):
    """The names that a file defines, with their places, and what it refers to, in order."""
    module = ".".join(glob.relative_to(FORMAL).with_suffix("").parts)
    defined, references = [], []
    for line in glob.read_text().splitlines():
        if found := re.match(rf"({KINDS}) (\d+):\d+ (\S+) (\S+)$", line):
            if found[3] == "<>" and found[1] != "not":
                defined.append((int(found[2]), found[1], found[4]))
        elif found := re.match(r"R(\d+):\d+ Attest\.(\S+) <> (\S+) (\S+)$", line):
            if found[4] != "lib":
                references.append((int(found[1]), (found[2], found[3])))
    return module, sorted(set(defined)), sorted(set(references))


def sentence(text, place):
    """The sentence of Coq around a place."""
    start = max(text.rfind(end, 0, place) + len(end) for end in (b".\n", b"*)\n", b". "))
    end = text.index(b".\n", place)
    return start, end + 1


def main():
    theorem = sys.argv[1] if len(sys.argv) > 1 else "check_sound"
    mentions, lines, wanted = {}, {}, []
    for glob in FORMAL.rglob("*.glob"):
        module, defined, references = read(glob)
        text = glob.with_suffix(".v").read_bytes()
        places = [place for place, _ in references]
        for place, kind, name in defined:
            start, end = sentence(text, place)
            inside = [to for _, to in references[bisect.bisect_left(places, start):bisect.bisect_right(places, end)]]
            mentions.setdefault((module, name), []).extend(inside)
            lines.setdefault((module, name), set()).update(range(text.count(b"\n", 0, start), text.count(b"\n", 0, end) + 1))
            if kind in ("prf", "thm") and name == theorem:
                wanted = [to for to in inside if to not in SUBJECT]
    if not wanted:
        sys.exit(f"no theorem {theorem}, or nothing compiled")
    found = set()
    while wanted:
        name = wanted.pop()
        if name in mentions and name not in found:
            found.add(name)
            wanted += mentions[name]
    files = {}
    for name in found:
        names, numbers = files.setdefault(name[0].replace(".", "/") + ".v", (set(), set()))
        names.add(name[1])
        numbers.update(lines[name])
    for file, (names, numbers) in sorted(files.items()):
        print(f"{file}: {len(numbers)} lines: {' '.join(sorted(names))}")
    elsewhere = [file for file in files if not file.startswith("meaning/")]
    print(f"{sum(len(numbers) for _, numbers in files.values())} lines of definitions; elsewhere than in meaning/: "
          f"{' '.join(elsewhere) or 'none'}")
    return 1 if elsewhere else 0


if __name__ == "__main__":
    sys.exit(main())
