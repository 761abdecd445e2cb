"""Which folders include which: the arrows that must not exist. usage: check_arrows.py [ROOT]"""
import pathlib, re, sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
# Of the kernel all that it may include; of others what they must not.
ONLY = {"kernel": {"base", "problem", "theory", "kernel"}, "theory": {"base", "problem", "theory"}, "problem": {"base", "problem"}, "base": {"base"}}
NEVER = {("words", "proofs"), ("words", "search"), ("answer", "page")}
FROM_ALL = {"tools", ".."}  # a way round: src and the root are what names of files begin from


def arrows():
    """(folder, folder that it includes, file, line)"""
    for path in sorted([*(root / "src").rglob("*.?pp"), *(root / "proofs").rglob("*.?pp")]):
        parts = path.relative_to(root).parts
        folder = parts[1] if parts[0] == "src" else parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := re.match(r'\s*#\s*include\s+"([^/"]+)/', line):
                yield folder, found[1], path.relative_to(root), number


found = list(arrows())
wrong = [f"{path}:{number}: {folder} includes {other}" for folder, other, path, number in found
         if (folder, other) in NEVER or other in FROM_ALL or other not in ONLY.get(folder, {other})]
print("\n".join([*wrong, f"{len(found)} includes between folders, {len(wrong)} of them must not exist"]))
sys.exit(1 if wrong or not found else 0)
