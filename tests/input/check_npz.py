#!/usr/bin/env python3
"""Of many archives that are damaged or forged, attest and scripts/normalize_case.py read each like numpy, or
refuse it, and refuse the same ones.  Usage: check_npz.py ATTEST  (ATTEST_ARCHIVES: how many, ATTEST_SEED)"""
import collections
import io
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import normalize_case  # noqa: E402

CASE = """format = 1
[[claim]]
statement = "lemma-2"
c = 1
vectors = {{ file = "{file}", tensor = "{tensor}" }}
"""
ONES = 0xFFFFFFFF


def npy(random_):
    out = io.BytesIO()
    kind = random_.choice(("<f8", "<f4", ">f4", "<f2", "<i8", "|i1", "|b1"))
    array = numpy.array([[random_.randrange(2) for _ in range(3)] for _ in range(2)]).astype(kind)
    numpy.save(out, numpy.asfortranarray(array) if random_.random() < 0.2 else array)
    return out.getvalue()


class Member:
    """A member of an archive that is built field by field; headers say what `local` and `central` change."""

    def __init__(self, name, content, deflated=False):
        squeezer = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.name, self.data = name, squeezer.compress(content) + squeezer.flush() if deflated else content
        self.fields = {"version": 20, "flags": 0, "method": 8 * deflated, "time": 0x210000, "crc": zlib.crc32(content),
                       "packed": len(self.data), "size": len(content), "name": name, "extra": b"", "comment": b"",
                       "part": 0, "attributes": 0}
        self.local, self.central = {}, {}

    def both(self, **fields):
        self.fields.update(fields)

    def header(self, own, start=None):
        f = {**self.fields, **own}
        common = struct.pack("<HHHIIIIHH", *(f[key] for key in ("version", "flags", "method", "time", "crc", "packed", "size")),
                             len(f["name"]), len(f["extra"]))
        if start is None:
            return b"PK\3\4" + common + f["name"] + f["extra"]
        return (b"PK\1\2" + struct.pack("<H", f["version"]) + common + struct.pack(
            "<HHHII", len(f["comment"]), f["part"], 0, f["attributes"], f.get("start", start))
            + f["name"] + f["extra"] + f["comment"])


def build(members, prefix=b"", between=b"", gap=b"", before_end=b"", comment=b"", suffix=b"", shift=True, wide=None, **end):
    """An archive; `shift`: offsets count the prefix; `wide`: changes of its end record of 64 bits."""
    base = len(prefix) if shift else 0
    body, directory = b"", b""
    for member in members:
        directory += member.header(member.central, base + len(body))
        body += member.header(member.local) + member.data + between
    f = {"part": 0, "here": len(members), "count": len(members), "size": len(directory), "start": base + len(body) + len(gap), **end}
    record = b""
    if wide is not None:
        at = f["start"] + f["size"]
        w = {"size": 44, "part": 0, "here": f["here"], "count": f["count"], "length": f["size"], "start": f["start"], "at": at,
             "parts": 1, **wide}
        record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", w["size"], 45, 45, w["part"], 0, w["here"], w["count"], w["length"], w["start"])
        record += struct.pack("<4sIQI", b"PK\6\7", 0, w["at"], w["parts"])
    return (prefix + body + gap + directory + before_end + record + struct.pack(
        "<4sIHHIIH", b"PK\5\6", *(f[key] for key in ("part", "here", "count", "size", "start")), len(comment)) + comment + suffix)


def members(r, count=2):
    return [Member(name, npy(r), r.random() < 0.5) for name in (b"x.npy", b"y.npy", b"z.npy")[:count]]


def savez(r):
    out = io.BytesIO()
    arrays = {name: numpy.load(io.BytesIO(npy(r))) for name in ("x", "y", "\u00fc")}
    (numpy.savez if r.random() < 0.5 else numpy.savez_compressed)(out, **arrays)
    return out.getvalue()


def changed(where, **fields):
    """Both headers of the first member, or one of them, with other fields."""
    def make(r):
        first, *others = members(r)
        chosen = {key: value(first) if callable(value) else value for key, value in fields.items()}
        {"both": first.fields, "local": first.local, "central": first.central}[where].update(chosen)
        return build([first] + others)
    return make


def built(**options):
    return lambda r: build(members(r), **{key: value(r) if callable(value) else value for key, value in options.items()})


def named(*names, flags=0):
    def make(r):
        made = [Member(name, npy(r)) for name in names]
        for member in made:
            member.both(flags=flags)
        return build(made)
    return make


def extra(kind, content):
    return struct.pack("<HH", kind, len(content)) + content


def sizes(member):
    return struct.pack("<QQ", member.fields["size"], member.fields["packed"])


def renamed(member):
    return extra(0x7075, struct.pack("<BI", 1, zlib.crc32(member.name)) + b"y.npy")


def wide_sizes(r):
    made = members(r)
    for member in made:
        member.local.update(extra=extra(1, sizes(member)))
        if r.random() < 0.5:
            member.local.update(size=ONES, packed=ONES)
        if r.random() < 0.5:
            member.central.update(size=ONES, packed=ONES, extra=extra(1, sizes(member)))
    return build(made)


def wide_lies(r):
    made = members(r)
    field = bytearray(sizes(made[0]))
    field[r.randrange(16)] ^= 1 << r.randrange(8)
    getattr(made[0], r.choice(("local", "central"))).update(size=ONES, packed=ONES, extra=extra(1, bytes(field)))
    return build(made)


def piped(r):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def tell(self):
            raise io.UnsupportedOperation

        seek = tell

    out = Pipe()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("x.npy", npy(r))
    return out.getvalue()


def flipped(r):
    out = bytearray(r.choice((savez, wide_sizes, built()))(r))
    for _ in range(r.randrange(1, 4)):
        out[r.randrange(len(out))] ^= 1 << r.randrange(8)
    return bytes(out)


def flipped_header(r):
    """In a header or the end record, where there is less that a CRC protects."""
    out = bytearray(build(members(r, 1)))
    at = r.choice([k for mark in (b"PK\3\4", b"PK\1\2", b"PK\5\6") for k in range(out.index(mark), min(out.index(mark) + 46, len(out)))])
    out[at] = r.choice((0, 1, 2, 8, 20, 45, 255, out[at] ^ 1 << r.randrange(8)))
    return bytes(out)


def flipped_content(r):
    """In a .npy file, with the CRC of what it is now."""
    content = bytearray(npy(r))
    for _ in range(r.randrange(1, 3)):
        content[r.randrange(len(content))] = r.choice(b" ()',<>|1230fiTrueFals\n\0") if r.random() < 0.7 else r.randrange(256)
    return build([Member(b"x.npy", bytes(content), r.random() < 0.5)])


def spliced(r):
    out, other = savez(r), savez(r)
    at, start = r.randrange(len(out)), r.randrange(len(other))
    piece = other[start:start + r.randrange(60)]
    return out[:at] + piece + out[at + r.choice((0, len(piece))):]


def random_fields(r):
    made = members(r)
    for _ in range(r.randrange(1, 3)):
        where = r.choice((made[0].local, made[0].central, made[0].fields))
        where[r.choice(("version", "flags", "method", "part", "attributes"))] = r.choice((0, 1, 2, 8, 20, 45, 63, 64, 0x800, 0x806, 65535))
    return build(made)


# What becomes of each kind: True if all of them are read, False if none is, None if it depends.
KINDS = {
    "as numpy writes them": (savez, True), "built": (built(), True), "sizes of 64 bits": (wide_sizes, True),
    "an end record of 64 bits": (built(wide={}), True), "times": (changed("both", extra=extra(0x5455, b"\1" + bytes(4))), True),
    "attributes": (changed("central", attributes=0o644 << 16), True), "a level": (changed("both", flags=2), True),
    "UTF-8": (named("x.npy".encode(), "\u00fc.npy".encode(), flags=0x800), True),
    "two behind each other": (lambda r: build(members(r)) + build(members(r)), False),
    "two, offsets counted": (lambda r: build(members(r), prefix=build(members(r))), False),
    "something before": (built(prefix=b"MZ", shift=False), False), "before, offsets counted": (built(prefix=b"MZ"), False),
    "something behind": (built(suffix=b"\0"), False), "a comment": (built(comment=b"hello"), False),
    "an archive as the comment": (built(comment=lambda r: build(members(r))), False),
    "between members": (built(between=b"?"), False), "before the directory": (built(gap=b"??"), False),
    "before the end record": (built(before_end=b"???"), False), "an archive in between": (built(before_end=savez), False),
    "end record: parts": (built(part=1), False), "end record: count": (built(count=1), False),
    "end record: both counts": (built(here=1, count=1), False), "end record: size": (built(size=92), False),
    "64 bits: damaged": (lambda r: build(members(r), wide={r.choice(("size", "part", "here", "count", "length", "start", "at", "parts")): 7}), False),
    "64 bits: lies": (wide_lies, False), "64 bits: too many": (changed("central", extra=extra(1, bytes(8))), False),
    "64 bits: missing": (changed("both", size=ONES), False),
    "renamed by both": (changed("both", extra=renamed), False), "renamed in the directory": (changed("central", extra=renamed), False),
    "renamed by itself": (changed("local", extra=renamed), False), "another extra field": (changed("both", extra=extra(0xD935, bytes(4))), False),
    "half an extra field": (changed("both", extra=b"\1\0\4\0"), False), "odd bytes as an extra field": (changed("central", extra=b"ab"), False),
    "NUL in a name": (named(b"x.npy\0y", b"y.npy"), False), "NUL in two names": (named(b"x.npy\0a", b"x.npy\0b"), False),
    "a name twice": (named(b"x.npy", b"x.npy"), False), "a name of bytes": (named(b"x.npy", b"\xfc.npy"), False),
    "no UTF-8": (named(b"x.npy", b"\xfc.npy", flags=0x800), False), "UTF-8 that says nothing": (named(b"x.npy", "\u00fc.npy".encode()), False),
    "another name inside": (changed("local", name=b"y.npy"), False), "another CRC inside": (changed("local", crc=1), False),
    "another method inside": (changed("local", method=12), False), "encrypted": (changed("both", flags=1), False),
    "a member's comment": (changed("central", comment=b"x.npy"), False), "a member's part": (changed("central", part=1), False),
    "a member elsewhere": (changed("central", start=1), False), "one member twice": (changed("central", start=0, name=b"y.npy"), False),
    "from a pipe": (piped, False), "stored, longer": (changed("both", size=lambda m: m.fields["size"] + 1), False),
    "flipped": (flipped, None), "flipped header": (flipped_header, None), "flipped content": (flipped_content, None),
    "spliced": (spliced, None), "random fields": (random_fields, None),
}
OFTEN = ("flipped", "flipped header", "flipped content", "spliced", "random fields")


def numpy_array(path, tensor):
    with numpy.load(path, allow_pickle=False) as archive:
        return archive[tensor]


def same_as_numpy(path, content, tensor):
    """What differs between numpy's reading and that of normalize_case.py, or nothing."""
    ours = normalize_case.parse_npz("archive", content, tensor)
    try:
        theirs = numpy_array(path, tensor)
    except Exception as error:  # whatever it throws, it refuses
        return f"numpy refuses: {error}"
    same = isinstance(theirs, numpy.ndarray) and theirs.shape == ours.shape and theirs.ravel().tolist() == list(ours.entries)
    return None if same else f"numpy reads {theirs!r}, we {list(ours.entries)}"


def main():
    attest, count = sys.argv[1], int(os.environ.get("ATTEST_ARCHIVES", "3000"))
    seed = int(os.environ.get("ATTEST_SEED", "1"))
    failures, seen = [], collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as name:
        folder, made = pathlib.Path(name), {}
        for k in range(count):
            r = random.Random(f"{seed}/{k}")
            kind = list(KINDS)[k] if k < len(KINDS) else r.choice(OFTEN if r.random() < 0.7 else list(KINDS))
            content = KINDS[kind][0](r)
            tensor = "x" if r.random() < 0.7 else r.choice(("x.npy", "y", "\u00fc"))
            path = folder / f"{k}.npz"
            path.write_bytes(content)
            path.with_suffix(".toml").write_text(CASE.format(file=path.name, tensor=tensor), encoding="utf-8")
            made[str(path.with_suffix(".toml"))] = kind, path, content, tensor
        found, paths = {}, list(made)
        for k in range(0, count, 1000):
            result = subprocess.run([attest, "digest"] + paths[k:k + 1000], capture_output=True, text=True, check=False)
            lines = [line.split("  ", 1) for line in result.stdout.splitlines()]
            found.update({path: digest for digest, path in lines})
            if len(lines) + len(result.stderr.splitlines()) != len(paths[k:k + 1000]):
                failures.append(f"attest: status {result.returncode}: {result.stderr[-300:]}")
        for case, (kind, path, content, tensor) in made.items():
            try:
                ours = normalize_case.Case(case, False).digest()
                wrong = same_as_numpy(path, content, tensor)
            except (normalize_case.BadInput, normalize_case.TooLarge):
                ours = wrong = None
            if ours != found.get(case):
                wrong = f"attest: {found.get(case)}, normalize_case.py: {ours}"
            expected = KINDS[kind][1]
            if tensor == "x" and expected is not None and expected != (ours is not None):
                wrong = "it is read" if ours else "it is refused"
            if wrong:
                failures.append(f"archive {path.stem} of seed {seed} ({kind}, array {tensor}): {wrong}")
            seen[kind]["read" if ours else "refused"] += 1
    for kind in OFTEN:
        if count >= 3000 and not (seen[kind]["read"] and seen[kind]["refused"]):
            failures.append(f"{kind}: {dict(seen[kind])}")
    print("\n".join(failures[:50]), end="\n" if failures else "")
    read = sum(each["read"] for each in seen.values())
    print(f"{count} archives of {len(KINDS)} kinds, {read} read")
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
