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

Raises InputError (a ValueError) when something is wrong with the arguments and LimitError when a limit was
hit, with the texts of the program; TypeError for an argument that the question does not have.
"""

import difflib
import fractions
import json
import numbers
import os
import pathlib

from . import _attest
from ._attest import InputError, LimitError, __version__
from .arrays import as_array, described
from .progress import Shown
from .results import CertificateError, Claim, Result, check, command, run

_QUESTIONS = {question["name"]: question for question in json.loads(_attest.questions())}
_OWN = {"json", "progress"}  # options of the command that say how it prints

questions = tuple(name.replace("-", "_") for name in _QUESTIONS)


def _text(name, value):
    """A number or text as the command line has it; None for anything else."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (numbers.Integral, fractions.Fraction)):
        return str(value)
    if name == "positions" and not hasattr(value, "dtype"):
        return ",".join(str(int(position)) for position in value)
    if isinstance(value, numbers.Real):
        text = repr(float(value))
        if name == "timeout" or fractions.Fraction(text) == fractions.Fraction(float(value)):
            return text
        raise InputError(f'{name}: the float {text} is not exactly that number; give "{text}", a Fraction, or float.hex of it')
    return None


class _Arguments:
    """Keyword arguments as a command line, and the arrays among them under names of files."""

    def __init__(self, options, values):
        self.line, self.arrays, self.files = [], [], {}
        texts = {name: _text(name, value) for name, value in values.items() if not isinstance(value, bool)}
        self.all_in_memory = True
        taken = {pathlib.PurePath(text).name.split(":")[0] for text in texts.values() if text is not None}
        for name, value in values.items():
            option = "--" + name.replace("_", "-")
            if value is None or value is False:
                continue
            if value is True or options[name]["flag"]:
                self.line.append(option)
                continue
            text = texts[name]
            if text is None:
                text = self._hold(name, value, taken)
            elif any(text.split(":")[0].endswith(ending) for ending in (".npy", ".npz", ".safetensors")):
                self.all_in_memory = False
            self.line.append(f"{option}={text}")

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

    def about_arguments(self, message):
        """An error about a file that stands for an array, as one about the array."""
        for file, name in self.files.items():
            message = message.replace(file, name)
        return message


def _ask(name, values, progress):
    question = _QUESTIONS[name]
    options = {option["name"].replace("-", "_"): option for option in question["options"] if option["name"] not in _OWN}
    for given in values:
        if given not in options:
            near = difflib.get_close_matches(given, options, 1)
            raise TypeError(f"{name}() has no argument {given!r}" + (f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(options)}"))
    out = values.get("out")
    if out is not None and os.fspath(out) == "-":
        raise InputError("out: - is for the command line; give a folder")
    arguments = _Arguments(options, values)
    shown = Shown(name) if progress is True else None
    try:
        answer = run([name, "--json", *arguments.line], arguments.arrays, shown or progress or None)
    except (InputError, LimitError) as error:
        raise type(error)(arguments.about_arguments(str(error))) from None
    finally:
        if shown:
            shown.end()
    if "certificate" not in answer:
        kind = LimitError if answer["status"] == 3 else InputError
        raise kind(arguments.about_arguments(answer["err"].strip()))
    path = None if out is None else pathlib.Path(out) / f"{name}.json"
    return Result(name, answer, arguments.arrays if arguments.all_in_memory else None, path)


def _question(name):
    def ask(*, progress=None, **arguments):
        return _ask(name, arguments, progress)

    described_options = "\n".join(
        f"    {option['name'].replace('-', '_'):12}  {option['says']}" for option in _QUESTIONS[name]["options"] if option["name"] not in _OWN
    )
    ask.__name__ = ask.__qualname__ = name.replace("-", "_")
    ask.__doc__ = f"{_QUESTIONS[name]['says']}.\n\nArrays where the command line takes files:\n\n{described_options}\n"
    return ask


for _name in _QUESTIONS:
    globals()[_name.replace("-", "_")] = _question(_name)


def explain(certificate):
    """`attest explain`: a certificate file as a proof in words, after checking it."""
    return command("explain", os.fspath(certificate))


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


__all__ = ["CertificateError", "Claim", "InputError", "LimitError", "Result", "SampledRanks", "check", "explain", "sampled_ranks", *questions]
