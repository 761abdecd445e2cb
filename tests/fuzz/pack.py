#!/usr/bin/env python3
"""What the fuzzers found, one file for each target in tests/fuzz/corpus: a line "LENGTH" before the bytes of each input.

usage: pack.py unpack FOLDER         writes each input to FOLDER/TARGET/NUMBER
       pack.py add TARGET FILE...    keeps further inputs
"""
import pathlib
import sys

CORPUS = pathlib.Path(__file__).with_name("corpus")


def inputs(path):
    data, at = path.read_bytes(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        length = int(data[at:end])
        yield data[end + 1:end + 1 + length]
        at = end + 2 + length


def main():
    if sys.argv[1:2] == ["unpack"] and len(sys.argv) == 3:
        for path in CORPUS.iterdir():
            folder = pathlib.Path(sys.argv[2], path.name)
            folder.mkdir(parents=True, exist_ok=True)
            for number, content in enumerate(inputs(path)):
                (folder / str(number)).write_bytes(content)
    elif sys.argv[1:2] == ["add"] and len(sys.argv) > 3:
        path = CORPUS / sys.argv[2]
        kept = set(inputs(path)) if path.exists() else set()
        with path.open("ab") as file:
            for name in sys.argv[3:]:
                content = pathlib.Path(name).read_bytes()
                if content not in kept:
                    file.write(b"%d\n%s\n" % (len(content), content))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
