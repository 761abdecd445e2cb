"""The library libattest.so (python/library.h), which lies beside this file: one for every Python. What people call is in attest."""

import ctypes
import json
import os

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libattest.so")
try:
    _free = ctypes.CDLL(_file)
    _held = ctypes.PyDLL(_file)  # calls of it hold the GIL
except OSError as error:
    raise ImportError(f"attest: the library {_file} cannot be loaded ({error}); build it with `cmake --build build --target attest_python` and import attest from build/python, "
                      "or install the wheel that scripts/wheel makes; the wheel is for Linux on x86-64 with glibc 2.36 or newer") from error


class InputError(ValueError):
    """Something is wrong with the arrays or the arguments. `wrong` says what, `right` what would be right,
    `argument` and `file` what it is about, `place` where in it."""

    __module__ = "attest"
    file = place = wrong = right = argument = ""


class LimitError(RuntimeError):
    """A limit on time, memory or work was hit: the question is legal, the answer too costly."""

    __module__ = "attest"


class CertificateError(ValueError):
    """The checker does not accept a certificate; the text is what it says."""

    __module__ = "attest"


class _Array(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("name", ctypes.c_char_p), ("header", ctypes.c_char_p), ("entries", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


def _declared(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


_count = ctypes.POINTER(ctypes.c_uint64)
# For the fork the GIL is held: no other thread of Python's is in the middle of loading a library then.
_start = _declared(_held, "attest_start", ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(_Array), ctypes.c_size_t, ctypes.c_int)
_ended = _declared(_free, "attest_ended", ctypes.c_int, ctypes.c_void_p, ctypes.c_double)
_progress = _declared(_held, "attest_progress", ctypes.c_char_p, ctypes.c_void_p, _count, _count)
_answer = _declared(_free, "attest_answer", ctypes.c_char_p, ctypes.c_void_p)
_end = _declared(_free, "attest_end", None, ctypes.c_void_p)
__version__ = _declared(_free, "attest_version", ctypes.c_char_p)().decode()


def questions():
    """Every question and its arguments, from the one table that the program has too."""
    return json.loads(_declared(_free, "attest_questions", ctypes.c_char_p)())


def call(function, arrays=(), progress=None, **arguments):
    """What a function of the library answers. `arrays`: (file, name, held) as of arrays.held. Meanwhile signals are
    handled, and `progress` is called ten times a second with what is done, how much of it is done, and how much there
    is (None: nobody knows). What they raise, as a KeyboardInterrupt, ends the work. Raises InputError, LimitError and
    CertificateError."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress= is {progress!r}; a function, True or None")
    given = (_Array * len(arrays))(*((file.encode(), name.encode(), held.header.encode(), held.address, held.size) for file, name, held in arrays))
    task = _start(function.encode(), json.dumps(arguments).encode(), given, len(given), progress is not None)
    try:
        while not _ended(task, 0.1):
            if progress is not None:
                done, total = ctypes.c_uint64(), ctypes.c_uint64()
                phase = _progress(task, done, total)
                progress(phase.decode(), done.value, total.value or None)
        ((kind, answer),) = json.loads(_answer(task)).items()
    finally:
        _end(task)
    if kind == "answer":
        return answer
    if kind == "input":
        file, place, wrong, right, argument = answer
        error = InputError(f"{file}: " + (f"{place}: " if place else "") + wrong + (f"; {right}" if right else ""))
        error.file, error.place, error.wrong, error.right, error.argument = answer
        raise error
    raise {"limit": LimitError, "rejected": CertificateError, "failed": RuntimeError}[kind](answer)
