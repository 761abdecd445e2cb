#!/usr/bin/env python3
"""Every link of Markdown files leads somewhere: check_links.py FILE_OR_FOLDER... Links into the web are not followed."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")


def without_code(text):
    """The text without blocks and spans of code."""
    return re.sub(r"^```[^`]*^```|^    .*|`[^`\n]*`", "", text, flags=re.M)


def anchors(text):
    """The names that GitHub gives to the headings."""
    names = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ +(.*?) *$", text, re.M)]
    return set(names) | {f"{name}-{k}" for name in names for k in range(1, names.count(name))}


def broken(place):
    """["file: link", ...], of a file or of the files below a folder."""
    found = []
    for file in sorted(place.rglob("*.md")) if place.is_dir() else [place]:
        for link in LINK.findall(without_code(file.read_text())):
            path, _, anchor = link.partition("#")
            target = file.parent / path if path else file
            if re.match(r"[a-z]+:", link):
                continue
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target.read_text())):
                found.append(f"{file.relative_to(place) if place.is_dir() else file}: {link}")
    return found


if __name__ == "__main__":
    wrong = [line for name in sys.argv[1:] for line in broken(pathlib.Path(name))]
    print("\n".join(wrong))
    sys.exit(1 if wrong or len(sys.argv) < 2 else 0)
