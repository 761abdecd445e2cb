"""attest proves, in exact arithmetic, what multi-head attention layers can memorize.

    import attest
    result = attest.rank(contexts=E, queries=e, key=W_K, query=W_Q)
    result.lower, result.upper, result.verdict
    result.save("proof")          # and then: attest check proof/rank.json

There is a function for every question of the program `attest` (attest.questions lists them); its keyword
arguments are the options of the command, with _ for -. Where the command takes a file, the function also
takes an array: of numpy, a CPU tensor of torch, nested lists, or anything that has a buffer, __array__ or
DLPack; `weights` takes a mapping from names to arrays, such as a state_dict. Arrays that are C-contiguous
binary64, binary32 or 64-bit integers are not copied.

Every question is answered in a child process, which has the arrays as they are at the call: what other
threads write later does not change the answer. Meanwhile the GIL is released, Ctrl-C ends the child, and
`memory`, `work` and `timeout` limit the child alone. All functions also take

    progress    a function that is called ten times a second with (phase, done, total): what is being done, as
                "rows of Z", how much of it, and of how much (None: not known). What it raises ends the question.
                True: shown in notebooks and terminals

Raises InputError (a ValueError) when something is wrong with the arguments: its attributes are `argument`,
`file`, `place`, `wrong` and `right`. LimitError when a limit was hit; CertificateError with check=True when the
checker does not accept the certificate; TypeError for an argument that the question does not have.
"""

import decimal
import difflib
import fractions
import json
import numbers
import operator
import os
import pathlib
import sys

try:
    import numpy
except ImportError as error:
    raise ImportError(f"attest needs numpy, which {sys.executable} does not have ({error}); install it there, or take Debian's /usr/bin/python3 with python3-numpy") from error
try:
    from . import _attest
except ImportError as error:
    raise ImportError(
        f"attest: the compiled module attest._attest is not beside {__file__}, or not for Python {sys.version_info[0]}.{sys.version_info[1]} "
        f"({error}); build it with `cmake --build build --target attest_python` (it needs pybind11-dev and python3-dev), "
        "and import attest from build/python, or install it with `pip install .` or `cmake --install build`"
    ) from error
from ._attest import CertificateError, InputError, LimitError, __version__
from .arrays import as_array, described
from .progress import Shown
from .results import Claim, Result, check, explain
from .results import pythonic as _pythonic
from .surveys import Survey, survey

_QUESTIONS = {question["name"]: question for question in json.loads(_attest.questions())}

questions = tuple(name.replace("-", "_") for name in _QUESTIONS)


class _Arguments:
    """Keyword arguments as the library takes them: texts, flags, and arrays under names of files."""

    def __init__(self, known, values):
        self.given, self.arrays, self.files, self.notes = {}, [], {}, []
        texts = {name: self._text(name, value) for name, value in values.items() if not isinstance(value, bool)}
        self.all_in_memory = True
        taken = {pathlib.PurePath(text).name.split(":")[0] for text in texts.values() if text is not None}
        for name, value in values.items():
            argument = known[name]
            if value is None or value is False:
                continue
            if argument["flag"]:
                given = True
            elif value is True:
                raise InputError(f"{name}= is True; give {argument['says']}")
            elif (given := texts[name]) is None:
                given = self._hold(name, value, taken)
            elif given.split(":")[0].endswith((".npy", ".npz", ".safetensors")):
                self.all_in_memory = False
            self.given[argument["name"]] = given

    def _text(self, name, value):
        """A number or text as the library reads it; None for anything else. A float is the binary number that it is."""
        if isinstance(value, (str, os.PathLike)):
            text = os.fspath(value)
            if not isinstance(text, str) or any("\ud800" <= c <= "\udfff" for c in text):
                raise InputError(f"{name}: {text!r} is no text of Unicode; give a file of another name")
            return text
        if isinstance(value, decimal.Decimal) and value.is_finite():
            value = fractions.Fraction(value)
        if isinstance(value, (numbers.Integral, fractions.Fraction)):
            return str(value)
        if name == "heads" and isinstance(value, range) and value.step == 1 and value:
            return f"{value[0]}:{value[-1]}"
        if name == "positions" and value is not None:
            try:
                return ",".join(str(operator.index(position)) for position in value)
            except TypeError:
                raise InputError(f'positions= is {value!r}; "last", "all", a position from 0, or a list of them') from None
        if isinstance(value, numbers.Real):
            text, exact = repr(float(value)), float(value).hex()
            if name == "timeout" or not exact.lstrip("-").startswith("0x") or fractions.Fraction(text) == fractions.Fraction(float(value)):
                return text
            self.notes.append(f'{name} is the float {exact}, not exactly {text}; give "{text}" for that')
            return exact
        return None

    def _hold(self, name, value, taken):
        several = hasattr(value, "keys")
        ending = ".safetensors" if several else ".npy"
        file, count = name + ending, 1
        while file in taken:
            count += 1
            file = f"{name}-{count}{ending}"
        self.files[file] = name
        for key in list(value.keys()) if several else [""]:
            array = as_array(value[key] if several else value, f"{name}[{key!r}]" if several else name)
            if several and not array.dtype.isnative:
                array = array.astype(array.dtype.newbyteorder("="))
            self.arrays.append((file, str(key), *described(array)))
        return file

    def about_arguments(self, error, function):
        """An error of the library in the words of Python, about an array where it is about a file that stands for one."""
        file = self.files.get(error.file, error.file)
        if file.startswith("attest "):
            file = f"attest.{function}"
        wrong, right = (_pythonic(text.replace("see --help", f"see help(attest.{function})")) for text in (error.wrong, error.right))
        place = f"{error.place}: " if error.place else ""
        worded = InputError(_pythonic(file) + f": {place}{wrong}" + (f"; {right}" if right else ""))
        argument = self.files.get(error.file) or error.argument.replace("-", "_")
        worded.file, worded.place, worded.wrong, worded.right, worded.argument = file, error.place, wrong, right, argument
        return worded


# What a layer does after its heads. attest.torch captures it; a question that is not about it says that it does not use it.
_AFTER = {"value", "value_bias", "output", "output_bias"}


def _ask(name, values, progress):
    function = name.replace("-", "_")
    known = {argument["name"].replace("-", "_"): argument for argument in _QUESTIONS[name]["arguments"]}
    unused = sorted(_AFTER & {argument for argument, value in values.items() if value is not None} - set(known)) if "projected_queries" in known else []
    values = {argument: value for argument, value in values.items() if argument not in unused}
    for given in values:
        if given not in known:
            near = difflib.get_close_matches(given, known, 1)
            raise TypeError(f"{function}() has no argument {given!r}" + (f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"))
    out = values.get("out")
    if out is not None and os.fspath(out) == "-":
        raise InputError("out: - is for the command line; give a folder")
    arguments = _Arguments(known, values)
    shown = Shown(name) if progress is True else None
    try:
        answer = json.loads(_attest.ask(name, arguments.given, arguments.arrays, shown or progress or None))
    except InputError as error:
        raise arguments.about_arguments(error, function) from None
    except LimitError as error:
        raise LimitError(_pythonic(str(error))) from None
    finally:
        if shown:
            shown.end()
    answer["notes"] = [_pythonic(note) for note in answer["notes"]] + arguments.notes
    if unused:
        answer["notes"].append(f"{', '.join(unused)}: not used, as attest.{function} is about what comes before")
    path = None if out is None else pathlib.Path(out) / f"{name}.json"
    return Result(name, answer, arguments.arrays if arguments.all_in_memory else None, path)


def _question(name):
    def ask(*, progress=None, **arguments):
        return _ask(name, arguments, progress)

    described_arguments = "\n".join(f"    {a['name'].replace('-', '_'):12}  {_pythonic(a['says'])}" for a in _QUESTIONS[name]["arguments"])
    ask.__name__ = ask.__qualname__ = name.replace("-", "_")
    ask.__doc__ = f"{_QUESTIONS[name]['says']}.\n\nArrays where the command line takes files:\n\n{described_arguments}\n"
    return ask


for _name in _QUESTIONS:
    globals()[_name.replace("-", "_")] = _question(_name)


class SampledRanks:
    """How many of the subsets are `independent` and `dependent`, both proved, and `open`: found dependent
    modulo three primes, but not confirmed within the effort. `dependent_share`, an estimate, is the 95 %
    Clopper-Pearson interval (lower, upper) of the share of dependent ones among all subsets. `witness` is (rows, coefficients) of an integer
    relation in the first dependent subset, or None."""

    def __init__(self, data):
        self.independent, self.dependent, self.open = data["independent"], data["dependent"], data["open"]
        self.dependent_share = tuple(data["dependent_share"])
        self.witness = None
        if data["witness"]:
            self.witness = (data["witness"]["rows"], [int(c) for c in data["witness"]["relation"]])

    def __repr__(self):
        return f"independent: {self.independent}, dependent: {self.dependent}, open: {self.open}"


def sampled_ranks(vectors, *, size, count=5000, seed=0, effort=1e10, progress=None):
    """The paper's test of Assumption 1, exactly: `count` random subsets of `size` of the rows of `vectors`,
    (m, d), each proved to be linearly independent or dependent over the rationals. `effort` bounds the work on
    confirming dependence, in operations. The subsets are a function of `seed`, m and `size`."""
    vectors = as_array(vectors, "vectors")
    if count < 0 or seed < 0:
        raise InputError("count and seed are not negative")
    shown = Shown("sampled-ranks") if progress is True else None
    try:
        found = _attest.sampled_ranks([("vectors.npy", "", *described(vectors))], count, size, seed, effort, shown or progress or None)
    except InputError as error:
        raise InputError(str(error).replace("vectors.npy", "vectors")) from None
    finally:
        if shown:
            shown.end()
    return SampledRanks(json.loads(found))


__all__ = ["CertificateError", "Claim", "InputError", "LimitError", "Result", "SampledRanks", "Survey", "check", "explain", "sampled_ranks", "survey", *questions]
