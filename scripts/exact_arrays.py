"""Exact numbers and arrays, and the files that hold them: .npy, .npz and .safetensors. For normalize_case.py."""
import array
import functools
import hashlib
import itertools
import json
import math
import re
import struct
import sys
import zlib
from fractions import Fraction

MEMORY = 8 << 30


class BadInput(Exception):
    """The case is not valid: exit status 2."""


class TooLarge(Exception):
    """The case is beyond a limit: exit status 3."""


# Numbers

DECIMAL = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?[0-9]+))?")


def parse_number(text):
    """The exact value of a numeral of a case file, an int or a Fraction."""
    body = text[1:] if text[:1] in ("-", "+") else text
    quotient = re.fullmatch(r"([0-9]+)/([0-9]+)", body)
    if quotient:
        if int(quotient[2]) == 0:
            raise BadInput("a zero denominator")
        value = Fraction(int(quotient[1]), int(quotient[2]))
    else:
        base, point, match = 10, 10, DECIMAL.fullmatch(body)
        if body[:2] in ("0x", "0X"):
            base, point, match = 16, 2, HEXADECIMAL.fullmatch(body)
        if not match or not (match[1] or match[2]):
            raise BadInput(f"not an exact number: {text[:60]!r}")
        digits, exponent = match[2] or "", match[3] or "0"
        if abs(int(exponent)) > 100000:
            raise BadInput("an exponent beyond +-100000")
        power = int(exponent) - (4 if base == 16 else 1) * len(digits)
        value = Fraction(int(match[1] + digits, base))
        value = value * point**power if power >= 0 else value / point**-power
    value = -value if text[:1] == "-" else value
    return value.numerator if value.denominator == 1 else value


def number(node, name):
    if type(node) is int:
        return node
    if type(node) is str:
        return parse_number(node)
    raise BadInput(f"{name} is not an exact number")


def number_text(value):
    return str(value)  # an int, or a Fraction in lowest terms


def hexadecimal(value):
    return f"{value.numerator:x}" + (f"/{value.denominator:x}" if value.denominator > 1 else "")


def written(value):
    """As JSON: an integer below 2^53 as such, any other number as a string."""
    p, q = value.as_integer_ratio()
    return f"{p}/{q}" if q != 1 else p if abs(p) < 1 << 53 else str(p)


# Arrays

def binary_class(value):
    """The smallest class of an int or a Fraction, and nothing is rounded in it."""
    if value == 0:
        return "f4"
    numerator, denominator = abs(value.numerator), value.denominator
    if denominator & (denominator - 1):
        return "q"
    zeros = (numerator & -numerator).bit_length() - 1
    bits = numerator.bit_length() - zeros
    exponent = zeros - (denominator.bit_length() - 1)
    if bits <= 24 and exponent >= -149 and exponent + bits <= 128:
        return "f4"
    return "f8" if bits <= 53 and exponent >= -1074 and exponent + bits <= 1024 else "q"


NEGATIVE_ZERO = struct.pack("f", -0.0)  # also a part of that of 64 bits


def parts(entries, size=1 << 16):
    """All entries, not too many at a time: as objects they take ten times their memory."""
    return (entries[i:i + size] for i in range(0, len(entries), size))


class Array:
    """Row-major entries: an array.array of floats ("f" or "d"), or a list of ints and Fractions."""

    def __init__(self, shape, entries):
        self.shape, self.entries = tuple(shape), entries

    def exact(self):
        """All entries as ints and Fractions."""
        if isinstance(self.entries, array.array):
            return [int(x) if x.is_integer() else Fraction(x) for x in self.entries]
        return self.entries

    def rows(self, index, width, shape):
        """The rows `index` of the entries as rows of this width."""
        picked = [x for row in index for x in self.entries[row * width:(row + 1) * width]]
        if isinstance(self.entries, array.array):
            picked = array.array(self.entries.typecode, picked)
        return Array(shape, picked)

    @functools.cached_property
    def canonical(self):
        """The smallest class in which nothing is rounded, and the entries in it, as bytes."""
        floats = isinstance(self.entries, array.array)
        if floats:
            single = self.entries.typecode == "f" or all(array.array("f", part) == part for part in parts(self.entries))
            kind = "f4" if single else "f8"
        else:
            small = all(type(x) is int and -(1 << 24) <= x <= 1 << 24 for x in self.entries)
            kind = "f4" if small else max(map(binary_class, self.entries))  # "f4" < "f8" < "q"
        if kind == "q":
            return kind, "".join(hexadecimal(x) + "\n" for x in self.exact()).encode()
        code = "f" if kind == "f4" else "d"
        out = array.array(code)
        if floats:
            for part in parts(self.entries):
                # The sum turns -0 into +0.
                out.extend(array.array(code, [x + 0.0 for x in part] if NEGATIVE_ZERO in part.tobytes() else part))
            self.entries = out  # the same numbers, held once
        else:
            out.extend(x.numerator / x.denominator for x in self.entries)
        if sys.byteorder == "big":
            out = out[:]
            out.byteswap()
        return kind, memoryview(out).cast("B")

    def digest(self):
        kind, content = self.canonical
        return f"{'x'.join(map(str, self.shape))} {kind} {hashlib.sha256(content).hexdigest()}"

    def json(self):
        return {"shape": list(self.shape), "class": self.canonical[0], "entries": [written(x) for x in self.entries]}


TYPES = {  # name in files: (struct code, bytes)
    "f8": ("d", 8), "f4": ("f", 4), "f2": ("e", 2), "bf16": ("H", 2), "i8": ("q", 8), "i4": ("i", 4),
    "i2": ("h", 2), "i1": ("b", 1), "u1": ("B", 1), "b1": ("B", 1),
    "e4m3": ("B", 1), "e5m2": ("B", 1)}
E4M3 = [(-1 if bits >> 7 else 1) * (math.nan if bits & 127 == 127 else math.ldexp(bits & 7, -9) if bits & 120 == 0
                                    else math.ldexp(8 + (bits & 7), (bits >> 3 & 15) - 10)) for bits in range(256)]


def load_entries(name, kind, order, fortran, shape, content):
    """Entries of a file from exactly the bytes that hold them."""
    if 0 in shape:
        raise BadInput(f"{name}: the array is empty")
    code, width = TYPES[kind]
    if kind in ("f8", "f4"):
        values = array.array(code)
        values.frombytes(content)
        if order != ("<" if sys.byteorder == "little" else ">"):
            values.byteswap()
    else:
        values = array.array("f") if kind in ("f2", "bf16", "e4m3", "e5m2") else []
        for part in parts(content, width << 16):
            count = len(part) // width
            numbers = struct.unpack(f"{order}{count}{code}", part)
            if kind == "bf16":
                numbers = struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *(x << 16 for x in numbers)))
            elif kind == "e4m3":
                numbers = [E4M3[x] for x in numbers]
            elif kind == "e5m2":  # the first byte of a half
                numbers = struct.unpack(f"<{count}e", struct.pack(f"<{count}H", *(x << 8 for x in numbers)))
            values.extend(numbers)
    if isinstance(values, array.array):
        # The sum of finite numbers is finite, but for overflow.
        if not all(math.isfinite(sum(part)) or all(map(math.isfinite, part)) for part in parts(values)):
            raise BadInput(f"{name}: an entry is not finite")
    elif kind == "b1" and max(values) > 1:
        raise BadInput(f"{name}: a truth value that is neither 0 nor 1")
    if fortran:
        strides = list(itertools.accumulate((1,) + tuple(shape[:-1]), lambda a, b: a * b))
        order = (sum(i * s for i, s in zip(index, strides))
                 for index in itertools.product(*map(range, shape)))
        picked = [values[k] for k in order]
        values = array.array(values.typecode, picked) if isinstance(values, array.array) else picked
    return Array(shape, values)


class NpyHeader:
    """The dictionary of a .npy file: descr, fortran_order and shape, each once."""

    def __init__(self, name, text):
        self.name, self.text, self.at = name, text, 0

    def fail(self):
        raise BadInput(f"{self.name}: the header is not valid at character {self.at}")

    def take(self, pattern):
        match = re.compile("[ \n]*(" + pattern + ")").match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def need(self, pattern):
        return self.take(pattern) or self.fail()

    def string(self):
        return self.need("'[^']*'|\"[^\"]*\"")[1][1:-1]

    def shape(self):
        out = []
        self.need(r"\(")
        while not self.take(r"\)"):
            out.append(int(self.need("[0-9]+")[1]))
            if len(out) > 32:
                self.fail()
            if not self.take(","):
                self.need(r"\)")
                break
        return out

    def read(self):
        values = {}
        self.need(r"\{")
        while not self.take(r"\}"):
            key = self.string()
            self.need(":")
            if key in values or key not in ("descr", "fortran_order", "shape"):
                self.fail()
            if key == "descr":
                values[key] = self.string()
            elif key == "shape":
                values[key] = self.shape()
            else:
                values[key] = self.need("True|False")[1] == "True"
            if not self.take(","):
                self.need(r"\}")
                break
        if not re.fullmatch("[ \n]*", self.text[self.at:]) or len(values) != 3:
            self.fail()
        return values["descr"], values["fortran_order"], values["shape"]


def parse_npy(name, content):
    if content[:6] != b"\x93NUMPY" or len(content) < 8 or content[6] not in (1, 2, 3) or content[7] != 0:
        raise BadInput(f"{name}: this is not a .npy file of format 1.0 to 3.0")
    width = 2 if content[6] == 1 else 4
    start = 8 + width
    length = int.from_bytes(content[8:start], "little")
    if len(content) < start + length or length > 1 << 16:
        raise BadInput(f"{name}: the header is truncated or too long")
    header = content[start:start + length].decode("latin-1")
    descr, fortran, shape = NpyHeader(name, header).read()
    kind = descr[1:]
    if descr == "|V2":  # as JAX writes bfloat16
        kind, descr = "bf16", "<bf16"
    elif kind == "bf16":
        kind = ""
    if kind not in TYPES or kind.startswith("e") or descr[0] not in ("<>|" if TYPES[kind][1] == 1 else "<>"):
        raise BadInput(f"{name}: dtype {descr!r} is not supported")
    data = memoryview(content)[start + length:]
    if math.prod(shape) * TYPES[kind][1] != len(data):
        raise BadInput(f"{name}: the shape does not agree with the size of the file")
    return load_entries(name, kind, ">" if descr[0] == ">" else "<", fortran, shape, data)


WIDTHS = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2,
          "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8}
SAFETENSORS = {"F64": "f8", "F32": "f4", "F16": "f2", "BF16": "bf16", "I64": "i8", "I32": "i4", "I16": "i2",
               "I8": "i1", "U8": "u1", "BOOL": "b1", "F8_E4M3": "e4m3", "F8_E5M2": "e5m2"}


def safetensors_header(name, content):
    """The tensors that a .safetensors file describes, and its data."""
    def fail(what):
        raise BadInput(f"{name}: {what}")

    def pairs(items):
        out = dict(items)
        if len(out) != len(items):
            fail("a key twice in the header")
        for key in out:
            key.encode()
        return out

    def size(text):
        return int(text) if text[0] != "-" and int(text) < 1 << 64 else fail("a number that is not a size")

    def reject(_):
        fail("a number that is not a size")

    def sizes(node):
        return type(node) is list and len(node) <= 64 and all(type(x) is int for x in node)

    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > len(content) - 8 or length > 100_000_000:
        fail("the file is shorter than its header says")
    if content[8:9] != b"{" or length == 0:
        fail("the header does not start with '{'")
    try:
        header = json.loads(content[8:8 + length].decode(), object_pairs_hook=pairs, parse_int=size,
                            parse_float=reject, parse_constant=reject)
        json.dumps(header, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        fail(f"the header is not JSON ({error})")
    metadata = header.pop("__metadata__", {})
    if type(metadata) is not dict or not all(type(x) is str for x in metadata.values()):
        fail("__metadata__ is not a table of strings")
    data = memoryview(content)[8 + length:]
    ranges = []
    for key, entry in header.items():
        if type(entry) is not dict or set(entry) != {"dtype", "shape", "data_offsets"}:
            fail(f"tensor {key!r} is not described by dtype, shape and data_offsets")
        if type(entry["dtype"]) is not str or not sizes(entry["shape"]) or not sizes(entry["data_offsets"]):
            fail(f"tensor {key!r} has a value of a wrong type")
        if len(entry["data_offsets"]) != 2:
            fail(f"tensor {key!r} does not have two data_offsets")
        begin, end = entry["data_offsets"]
        if begin > end or end > len(data):
            fail(f"tensor {key!r} is not within the file")
        width = WIDTHS.get(entry["dtype"])
        if width and math.prod(entry["shape"]) * width != end - begin:
            fail(f"tensor {key!r}: the shape does not agree with its bytes")
        ranges.append((begin, end))
    filled = 0
    for begin, end in sorted(ranges):
        if begin != filled:
            fail("the tensors overlap or leave a gap")
        filled = end
    if filled != len(data):
        fail("bytes after the last tensor")
    return header, data


def parse_safetensors(name, content, tensor):
    header, data = safetensors_header(name, content)
    if tensor not in header:
        raise BadInput(f"{name}: there is no tensor {tensor!r}")
    entry = header[tensor]
    if entry["dtype"] not in SAFETENSORS:
        raise BadInput(f"{name}: dtype {entry['dtype']} is not supported")
    begin, end = entry["data_offsets"]
    return load_entries(name, SAFETENSORS[entry["dtype"]], "<", False, entry["shape"], data[begin:end])


class Fields:
    """The fields of a record of a zip archive, one after the other."""

    def __init__(self, name, content, at, end):
        self.name, self.content, self.at, self.end = name, content, at, end

    def fail(self, what):
        raise BadInput(f"{self.name}: this is not a well-formed zip archive: {what}")

    def take(self, size):
        if size > self.end - self.at:
            self.fail("a record ends too early")
        self.at += size
        return self.content[self.at - size:self.at]

    def numbers(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))

    def header(self, in_directory):
        """What a header of a member says: the fields that are in both of them, and where the member begins."""
        if self.take(4) != (b"PK\1\2" if in_directory else b"PK\3\4"):
            self.fail("a header does not begin where it should")
        if in_directory:
            self.take(2)  # who made it
        version, flags, method, time, crc, packed, size, name_size, extra_size = self.numbers("HHHIIIIHH")
        comment, part, start = 0, 0, 0
        if in_directory:
            comment, part, _, start = self.numbers("HH6sI")
        if comment or part:
            self.fail("a member has a comment or is in another part")
        name = self.take(name_size)
        wide = self.extra(self.at + extra_size)
        if wide and not in_directory:  # both sizes, also when the header itself has them
            if len(wide) != 2 or any(x not in (0xFFFFFFFF, y) for x, y in zip((size, packed), wide)):
                self.fail("a header contradicts itself")
            size, packed = wide
        else:
            size, packed, start = (wide.pop(0) if x == 0xFFFFFFFF and wide else x for x in (size, packed, start))
            if wide:
                self.fail("an extra field has too many numbers")
        return (version, flags, method, time, crc, packed, size, name), start

    def extra(self, end):
        """The 64-bit numbers in the extra fields up to `end`, of which only times and owners may be others."""
        if end > self.end:
            self.fail("a record ends too early")
        found = {}
        while self.at < end:
            kind, size = self.numbers("HH")
            if kind in found or kind not in (1, 0x5455, 0x7875) or self.at + size > end:
                self.fail("an extra field is none that numpy writes")
            found[kind] = self.take(size)
        if len(found.get(1, bytes(8))) % 8 or found.get(1) == b"":
            self.fail("an extra field is damaged")
        return [number for (number,) in struct.iter_unpack("<Q", found.get(1, b""))]


def npz_directory(name, content):
    """Where the directory begins and ends, and the number of its members."""
    end = len(content) - 22
    record = Fields(name, content, max(end, 0), len(content))
    signature, part, here, count, size, start, comment = record.numbers("4sIHHIIH")
    if signature != b"PK\5\6" or part or comment:
        record.fail("it does not end with an end record without a comment")
    wide = here, count, size, start
    if content[max(end - 20, 0):end][:4] == b"PK\6\7":
        end -= 76
        if end < 0:
            record.fail("it is too short")
        fields = struct.unpack("<4sQ4sQ4Q4sIQI", content[end:end + 76])
        wide = fields[4:8]
        if (fields[:2] + fields[3:4] + fields[8:] != (b"PK\6\6", 44, 0, b"PK\6\7", 0, end, 1)
                or (here, count, size, start) != tuple(map(min, wide, (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)))):
            record.fail("its end record of 64 bits contradicts itself")
    here, count, size, start = wide
    if here != count or start + size != end:
        record.fail("its directory does not end where its end record begins")
    return start, end, count


def npz_members(name, content):
    """Flags, method, CRC, size and stored bytes of each member, by its name. They tile the archive."""
    start, end, count = npz_directory(name, content)
    members, own, directory = {}, Fields(name, content, 0, start), Fields(name, content, start, end)
    while directory.at < end:
        expected = own.at
        (version, flags, method, _, crc, packed, size, member), begin = header = directory.header(True)
        if begin != expected or own.header(False)[0] != header[0]:
            own.fail("a member is not where the one before it ends, or contradicts the directory")
        if 0xFFFFFFFF in (begin, packed, size):
            own.fail("a number of 64 bits is missing")
        if version > 63 or flags & ~0x807:
            own.fail("a member is stored in a way that numpy.savez does not store it")
        try:
            member = member.decode("utf-8" if flags & 0x800 else "ascii")
        except UnicodeDecodeError:
            own.fail("a name is not what it says")
        if "\0" in member or member in members:
            own.fail("a name has a NUL, or is there twice")
        members[member] = flags, method, crc, size, own.take(packed)
    if own.at != start or len(members) != count:
        own.fail("there are other members than its directory says")
    return members


def parse_npz(name, content, tensor):
    def fail(what):
        raise BadInput(f"{name}: {what}")

    members = npz_members(name, content)
    found = tensor if tensor in members else tensor + ".npy"
    if found not in members:
        fail(f"there is no array {tensor!r}")
    flags, method, crc, size, data = members[found]
    if flags & 1:
        fail("the array is encrypted")
    if method not in (0, 8):
        fail("the compression method is not supported")
    if size > MEMORY:
        raise TooLarge(f"{name}: the array needs {size} bytes")
    if method == 8:
        inflater = zlib.decompressobj(-15)
        try:
            data = inflater.decompress(data, size + 1)
        except zlib.error as error:
            fail(f"a member is damaged ({error})")
        if not inflater.eof or inflater.unused_data:
            fail("a member does not end where its compressed bytes end")
    if len(data) != size or zlib.crc32(data) != crc:
        fail("a member is damaged or not as long as it says")
    return parse_npy(f"{name}:{tensor}", data)
