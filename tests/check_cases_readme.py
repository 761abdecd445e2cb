#!/usr/bin/env python3
"""Checks that cases/README.md lists every case, under its folder, with its title and its expected verdicts: check_cases_readme.py FOLDER [--write].

--write brings the tables and the totals up to date instead; what stands around them is written by hand."""
import argparse
import collections
import difflib
import pathlib
import re
import sys
import tomllib

VERDICTS = ("verified", "refuted", "inapplicable", "undecided")
TOTALS = re.compile(r"^\d+ case files with \d+ claims: \d+ are to be verified, \d+ refuted, \d+ inapplicable and \d+ undecided\.", re.M)


def table(folder, files, totals):
    rows = ["| case | shows | verdicts |", "|---|---|---|"]
    for file in files:
        case = tomllib.loads(file.read_text())
        verdicts = collections.Counter(claim.get("expect", "verified") for claim in case["claim"])
        totals.update(verdicts)
        title = case["title"].replace("|", "\\|")
        rows.append(f"| [{file.stem}]({folder}/{file.name}) | {title} | " + ", ".join(f"{verdicts[v]} {v}" for v in VERDICTS if verdicts[v]) + " |")
    return rows


def updated(text, root):
    """The text with the tables and totals that the case files ask for, and what is wrong besides."""
    problems, totals, count = [], collections.Counter(), 0
    folders = {str(path.parent.relative_to(root)): [] for path in root.rglob("*.toml")}
    for path in sorted(root.rglob("*.toml")):
        folders[str(path.parent.relative_to(root))].append(path)
    head, *sections = re.split(r"^(?=## )", text, flags=re.M)
    seen, result = set(), []
    for section in sections:
        name = re.match(r"## ([^\n]*?)/?\n", section).group(1)
        if "\n| case |" not in section:
            result.append(section)
            continue
        if name in seen or name not in folders:
            problems.append(f"a second section {name}/" if name in seen else f"section {name}/: no such folder with cases")
        seen.add(name)
        files = folders.get(name, [])
        count += len(files)
        lines = section.rstrip("\n").split("\n")
        first = next(i for i, line in enumerate(lines) if line.startswith("|"))
        last = max(i for i, line in enumerate(lines) if line.startswith("|"))
        result.append("\n".join(lines[:first] + table(name, files, totals) + lines[last + 1:]) + "\n\n")
    problems += [f"no section {name}/ (## {name}/, a sentence, a line '| case | shows | verdicts |')" for name in sorted(set(folders) - seen)]
    total = (f"{count} case files with {sum(totals.values())} claims: {totals['verified'] + totals['verified-as-stated']} are to be verified, {totals['refuted']} refuted, "
             f"{totals['inapplicable']} inapplicable and {totals['undecided']} undecided.")
    if not TOTALS.search(head):
        problems.append("no sentence with the totals")
    return (TOTALS.sub(total, head) + "".join(result)).rstrip("\n") + "\n", problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    readme = options.folder / "README.md"
    text = readme.read_text()
    expected, problems = updated(text, options.folder)
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        if not (options.folder / link).exists():
            problems.append(f"a link to {link}, which does not exist")
    if options.write:
        readme.write_text(expected)
    elif text != expected:
        problems += difflib.unified_diff(text.splitlines(), expected.splitlines(), "README.md", "as the case files say", lineterm="", n=0)
    print("\n".join(problems) if problems else f"{readme}: up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
