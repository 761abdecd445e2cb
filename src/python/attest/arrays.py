"""What people hold arrays and numbers in, as the library takes it: exactly, or with an error."""

import array
import ctypes
import decimal
import fractions
import math
import operator
import sys

from ._library import InputError

_FORMS = 'integers, floats, Fraction, Decimal, floats of mpmath and sympy, and texts like "1/3", "0.25" or "0x1.8p-3" are exact numbers'


def numeral(p, q=1):
    """p/q as the library reads it."""
    # Through Decimal, as int's own conversion refuses more than 4,300 digits.
    p, q = (format(decimal.Decimal(n), "f") for n in (p, q))
    return p if q == "1" else f"{p}/{q}"


def shown(value):
    """A value in a message."""
    shape = getattr(value, "shape", ())
    if shape:
        return f"an array of shape {tuple(shape)}"
    try:
        text = repr(value)
    except ValueError:  # of an int of more than 4,300 digits
        text = f"{type(value).__name__} with thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."


def scalar(value):
    """The entry of an array of no dimensions, and a number of numpy's as one of Python's; others as they are."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def exact(value):
    """A number as an int, a float, or a numeral that the library reads; None when it is no number of which all is
    known, as sqrt(2) of sympy. A float is the binary number that it is, and texts are left to the library."""
    if type(value) in (int, float):
        return value
    value = scalar(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(getattr(value, "_mpf_", None), tuple) and not callable(value):  # as mpmath.pi is, whose digits depend on the precision
        return _of_mpf(*value._mpf_[:3])
    try:
        return operator.index(value)
    except TypeError:
        pass
    for p, q in (("numerator", "denominator"), ("p", "q")):  # of numbers.Rational; of sympy and FLINT
        try:
            return numeral(operator.index(getattr(value, p)), operator.index(getattr(value, q)))
        except (AttributeError, TypeError):
            continue
    try:
        p, q = map(operator.index, value.as_integer_ratio())
    except (AttributeError, TypeError):
        return None
    except (ValueError, OverflowError):  # of a long double that is no number, or infinite
        return float(value)
    try:
        if (p / q).as_integer_ratio() == (p, q):
            return p / q
    except OverflowError:
        pass
    return numeral(p, q)


def _of_mpf(sign, mantissa, exponent):
    """A binary float of mpmath's or sympy's, (-1)^sign mantissa 2^exponent, of any number of bits."""
    mantissa, exponent = int(mantissa), int(exponent)
    if not mantissa:
        return 0.0 if exponent == 0 else math.nan if exponent == -123 else math.inf
    if mantissa.bit_length() <= 53 and -1074 <= exponent and exponent + mantissa.bit_length() <= 1024:
        return math.ldexp(-mantissa if sign else mantissa, exponent)
    return f"{'-' if sign else ''}0x{mantissa:x}p{exponent}"


def number(value, name, right=_FORMS):
    """A number, or an array of one, as a text that the library reads; and, of a float that is not what it is printed as,
    what it is printed as."""
    known = None if isinstance(scalar(value), bool) else exact(value)
    if known is None:
        raise InputError(f"{name}= is {shown(scalar(value))}; give {right}")
    if not isinstance(known, float):
        return (known if isinstance(known, str) else numeral(known)), None
    text = repr(known)
    if not math.isfinite(known) or fractions.Fraction(text) == fractions.Fraction(known):
        return text, None
    return known.hex(), text


class Held:
    """An array as the library takes it: a header of numpy's, and where its entries lie, row by row."""

    def __init__(self, descr, shape, owner, address, size):
        self.header = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
        self.owner, self.address, self.size, self.numerals = owner, address, size, descr == "numerals"


def _of_rows(value, name):
    """Nested sequences, as 64-bit integers or binary64 numbers where all entries are, otherwise as numerals."""
    shape, level = [], [value]
    while True:
        rows = [row.tolist() if hasattr(row, "tolist") and getattr(row, "shape", None) != () else row for row in level]
        lengths = [len(row) if isinstance(row, (list, tuple, range)) else None for row in rows]
        if all(length is None for length in lengths):
            break
        if len(set(lengths)) > 1:
            index = next(k for k, length in enumerate(lengths) if length != lengths[0])
            what = ["an entry" if length is None else f"a row of {length}" for length in (lengths[0], lengths[index])]
            raise InputError(f"{name}: index {_index(index, shape)}: is {what[1]}, and {_index(0, shape)} is {what[0]}; all rows of one length")
        shape.append(lengths[0])
        level = [entry for row in rows for entry in row]
        if not level:
            break
    entries = []
    for flat, value in enumerate(level):
        entry = exact(value)
        if entry is None or type(entry) is str and not (entry.isascii() and entry.isprintable()):
            raise InputError(f"{name}: " + (f"index {_index(flat, shape)}: " if shape else "") + f"{shown(value)} is no exact number; {_FORMS}")
        entries.append(entry)
    kinds = set(map(type, entries))
    if kinds <= {int} and all(-(2**63) <= n < 2**63 for n in entries):
        return _native("q", "<i8", shape, entries)
    if kinds <= {int, float} and all(type(n) is float or _is_double(n) for n in entries):
        return _native("d", "<f8", shape, entries)
    text = "\n".join(entry if type(entry) is str else entry.hex() if type(entry) is float else numeral(entry) for entry in entries).encode()
    return Held("numerals", shape, text, ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value, len(text))


def _native(code, descr, shape, entries):
    entries = array.array(code, entries)
    address, count = entries.buffer_info()
    return Held(descr, shape, entries, address, count * entries.itemsize)


def _is_double(integer):
    """Whether an int is exactly a binary64 number."""
    try:
        return int(float(integer)) == integer
    except OverflowError:
        return False


def _index(flat, shape):
    index = []
    for size in reversed(shape):
        index.insert(0, flat % size)
        flat //= size
    return index


def _of_numpy(value, name):
    """An array of numpy's, in place where the library reads it there."""
    import numpy

    kind, size = value.dtype.kind, value.dtype.itemsize
    if kind == "V" and value.dtype.names is None and numpy.can_cast(value.dtype, numpy.float32):
        value = value.astype(numpy.float32)  # bfloat16 and floats of 8 bits, exactly
    elif kind == "S":
        return _of_rows(numpy.char.decode(value, "ascii", "replace").tolist(), name)
    elif kind in "OU" or kind == "u" and size > 1 or kind == "f" and size > 8:
        return _of_rows(value.tolist(), name)
    elif kind not in "biuf":
        return Held(value.dtype.str, value.shape, None, None, 0)  # which the library refuses
    if not value.dtype.isnative:
        value = value.astype(value.dtype.newbyteorder("="))
    if not value.flags.c_contiguous or not value.flags.aligned:
        value = value.copy(order="C")
    return Held(value.dtype.str, value.shape, value, value.ctypes.data, value.nbytes)


def _on_cpu(value, name):
    """Refuses arrays in the memory of a device."""
    try:
        device = value.__dlpack_device__()[0] if hasattr(value, "__dlpack_device__") else 1
    except Exception:
        device = 1  # numpy says below what cannot be read
    if device != 1 or hasattr(type(value), "__cuda_array_interface__") and getattr(value, "is_cuda", True):
        where = getattr(value, "device", "a device")
        raise InputError(f"{name}: the array lies in the memory of {where}; give a copy in main memory, as by .cpu()")


def held(value, name):
    """`value` (a numpy array, a CPU tensor, nested lists, or what has a buffer, __array__ or DLPack) as the library
    takes it, with the same entries, exactly; not copied where it is contiguous binary floats or 64-bit integers of
    numpy. Without numpy all but lists is read through lists."""
    _on_cpu(value, name)
    if hasattr(value, "detach"):  # torch
        value = value.detach()
        if str(getattr(value, "dtype", "")).startswith(("torch.bfloat16", "torch.float8")):
            value = value.float()  # exactly; numpy has no such types
    if isinstance(value, (list, tuple, range)):
        return _of_rows(value, name)
    try:
        import numpy
    except ImportError:
        numpy = None
    try:
        if numpy is None:
            value = value.tolist() if hasattr(value, "tolist") else memoryview(value).tolist()
        elif isinstance(value, numpy.ma.MaskedArray):
            raise InputError(f"{name}: is a masked array, and what the masked entries are is not defined; give its .data or .filled()")
        elif hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            value = numpy.from_dlpack(value)
        else:
            # Of sequences, and of frames with columns of several types, numpy makes floats, and rounds what is none.
            typed = any(hasattr(value, how) for how in ("dtype", "__array__", "__array_interface__", "__array_struct__")) or _has_buffer(value)
            if not typed and hasattr(value, "tolist"):  # a matrix of mpmath, which numpy takes for a row
                return _of_rows(value.tolist(), name)
            value = numpy.asarray(value, dtype=None if typed and not hasattr(value, "columns") else object)
    except InputError:
        raise
    except Exception as error:
        others = "" if numpy else f", as {sys.executable} has no numpy"
        raise InputError(f"{name}: cannot be read as an array ({error}){others}; give " + ("a numpy array" if numpy else "nested lists")) from None
    return _of_numpy(value, name) if numpy else _of_rows(value, name)


def _has_buffer(value):
    try:
        memoryview(value)
        return True
    except TypeError:
        return False
