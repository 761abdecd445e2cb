#!/usr/bin/env python3
"""Measures the figures of README.md and docs/performance.md anew and writes them there: the tables between
<!-- figures: NAME --> and <!-- end --> are what the benchmark of that name prints.

    bench/figures.py [NAME ...]     # all by default; --list says which command is behind each

Nothing else should run meanwhile. Everything together takes an hour and needs 3 GB on the disk.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "docs/performance.md"]
COMMANDS = {
    "readme": "rank_vs_svd.py --threads 1",
    "rank": "rank_vs_svd.py",
    "cores": "cores.py",
    "layers": "real_layers.py --sizes growth bert --kinds random --without-svd",
    "questions": "questions.py",
    "stack": "stack.py",
    "numerical-rank": "numerical_rank.py --runs 1",
    "cases": "cases.py",
    "many-examples": "many_examples.py",
}


def blocks(text):
    return re.findall(r"<!-- figures: (\S+) -->\n", text)


def replaced(text, name, table):
    """The text with the table of that name; ValueError where there is none, or no table to put there."""
    if not table or any(not line.startswith("|") for line in table):
        raise ValueError(f"{name}: the benchmark printed no table")
    made, count = re.subn(rf"(<!-- figures: {re.escape(name)} -->\n).*?(<!-- end -->)", lambda m: m[1] + "\n".join(table) + "\n" + m[2], text, flags=re.S)
    if count != 1:
        raise ValueError(f"{name}: {count} places for this table, not 1")
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *COMMANDS], metavar="NAME")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(f"{name}: bench/{command}" for name, command in COMMANDS.items()))
        return 0
    for page in PAGES:
        for name in blocks((ROOT / page).read_text()):
            if arguments.names and name not in arguments.names:
                continue
            print(f"{page}: {name}", file=sys.stderr)
            command, *options = COMMANDS[name].split()
            run = subprocess.run([sys.executable, ROOT / "bench" / command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
            table = [line for line in run.stdout.splitlines() if line.startswith("|")]
            (ROOT / page).write_text(replaced((ROOT / page).read_text(), name, table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
