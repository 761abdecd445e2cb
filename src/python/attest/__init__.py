"""attest proves, in exact arithmetic, what multi-head attention layers can memorize.

    import attest
    result = attest.rank(contexts=E, queries=e, key=W_K, query=W_Q)
    result.lower, result.upper, result.verdict
    result == 18                  # True, False, or an error where the proof leaves it open
    result.save("proof")          # and then: attest check proof/rank.json

There is a function for every question of the program `attest` (attest.questions lists them); its keyword
arguments are the options of the command, with _ for -. Where the command takes a file, the function also
takes an array: of numpy, a CPU tensor of torch, nested lists, or anything that has a buffer, __array__ or
DLPack; `weights` takes a mapping from names to arrays, such as a state_dict. Entries and numbers are exact: floats
are the binary numbers that they are, integers have any size, and Fraction, Decimal, rationals of sympy and texts
like "1/3" are taken as they are; what is no exact number is refused. Arrays of numpy that are C-contiguous
binary64, binary32 or 64-bit integers are not copied. numpy is not needed: without it there are lists, files, and
whatever gives its entries as lists.

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

import difflib
import inspect
import numbers
import operator
import os
import pathlib
import textwrap

from . import _library
from ._library import CertificateError, InputError, LimitError, __version__
from . import files
from .arrays import held, number, scalar, shown
from .progress import Shown
from .results import Claim, Result, check, explain
from .results import pythonic as _pythonic
from .surveys import Survey, survey
from .potentials import Potential, potential

_QUESTIONS = {question["name"]: question for question in _library.questions()}

questions = tuple(name.replace("-", "_") for name in _QUESTIONS)


class _Arguments:
    """Keyword arguments as the library takes them: texts, flags, and arrays under names of files."""

    _RIGHT = {"count": "an integer", "range": 'an integer, or a range such as range(1, 9) or "1:8"', "file": "the name of a folder"}

    def __init__(self, known, values):
        self.given, self.arrays, self.files, self.notes = {}, [], {}, []
        self.all_in_memory = True
        values = {name: files.loaded(name, value, known[name]["kind"]) for name, value in values.items()}
        paths = {name: self._path(name, value) for name, value in values.items() if isinstance(value, (str, os.PathLike))}
        taken = {pathlib.PurePath(path).name.split(":")[0] for path in paths.values()}
        for name, value in values.items():
            argument = known[name]
            kind = argument["kind"]
            if value is None:
                continue
            if kind == "flag":
                given = scalar(value)
                if not isinstance(given, bool):
                    raise InputError(f"{name}= is {shown(value)}; True or False")
                if not given:
                    continue
            elif name in paths:
                given = paths[name]
                if kind in ("array", "model") and given.split(":")[0].endswith((".npy", ".npz", ".safetensors")):
                    self.all_in_memory = False
            elif kind in ("array", "model"):
                given = self._hold(name, value, taken, argument)
            else:
                given = self._number(name, value, argument)
            self.given[argument["name"]] = given

    @staticmethod
    def _path(name, value):
        text = os.fspath(value)
        if not isinstance(text, str) or any("\ud800" <= c <= "\udfff" or c == "\0" for c in text):
            raise InputError(f"{name}: {text!r} is no text of Unicode without NUL; give a file of another name")
        return str(text)

    def _number(self, name, value, argument):
        """What is no array, as a text that the library reads. A float is the binary number that it is."""
        if name == "heads" and isinstance(value, range) and value.step == 1 and value:
            return f"{value[0]}:{value[-1]}"
        if name == "positions":
            try:
                if isinstance(scalar(value), bool):
                    raise TypeError
                return ",".join(str(operator.index(position)) for position in (value if getattr(value, "shape", ()) or not hasattr(value, "__index__") else [value]))
            except TypeError:
                raise InputError(f'positions= is {shown(value)}; "last", "all", a position from 0, or a list of them') from None
        right = argument["words"].replace(" ", " or ") or self._RIGHT.get(argument["kind"]) or _pythonic(argument["says"])
        text, rounded = number(value, name, right)
        if rounded and argument["kind"] != "seconds":
            self.notes.append(f'{name} is the float {text}, not exactly {rounded}; give "{rounded}" for that')
        return rounded if rounded and argument["kind"] == "seconds" else text

    def _hold(self, name, value, taken, argument):
        several = argument["kind"] == "model" and hasattr(value, "keys")
        if isinstance(value, numbers.Number):
            raise InputError(f"{name}= is {shown(value)}; give an array: {_pythonic(argument['says'])}")
        ending = ".safetensors" if several else ".npy"
        file, count = name + ending, 1
        while file in taken:
            count += 1
            file = f"{name}-{count}{ending}"
        self.files[file] = name
        for key in list(value.keys()) if several else [""]:
            array = held(value[key] if several else value, f"{name}[{key!r}]" if several else name)
            if several and array.numerals:
                raise InputError(f"{name}[{key!r}]: has numbers that are neither binary floats nor 64-bit integers, which {name}= does not take; give key=, query= and others by themselves")
            self.arrays.append((file, str(key), array))
        return file

    def about_arguments(self, error, function):
        """An error of the library in the words of Python, about an array where it is about a file that stands for one."""
        if not error.wrong:  # of this module
            return error
        file = self.files.get(error.file, error.file)
        if file.startswith("attest "):
            file = f"attest.{function}"
        wrong, right = (_pythonic(text.replace("see --help", f"see help(attest.{function})")) for text in (error.wrong, error.right))
        place = f"{error.place}: " if error.place else ""
        worded = InputError(_pythonic(file) + f": {place}{wrong}" + (f"; {right}" if right else ""))
        argument = self.files.get(error.file) or error.argument.replace("-", "_")
        worded.file, worded.place, worded.wrong, worded.right, worded.argument = file, error.place, wrong, right, argument
        return worded


def _ask(name, values, progress):
    function = name.replace("-", "_")
    known = {argument["name"].replace("-", "_"): argument for argument in _QUESTIONS[name]["arguments"]}
    # What a layer does after its heads is captured with it (attest.torch), also for questions that are about its heads alone.
    values = {argument: value for argument, value in values.items() if argument in known or not getattr(value, "after_heads", False)}
    for given in values:
        if given not in known:
            near = difflib.get_close_matches(given, known, 1)
            raise TypeError(f"{function}() has no argument {given!r}" + (f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"))
    out = values.get("out")
    if out is not None and not isinstance(out, (str, os.PathLike)):
        raise InputError(f"out= is {shown(out)}; give the name of a folder")
    if out is not None and os.fspath(out) == "-":
        raise InputError("out: - is for the command line; give a folder")
    unknown = next((value.outputs_unknown for value in values.values() if hasattr(value, "outputs_unknown")), None) if "value" in known and not {"value", "weights"} & set(values) else None
    if unknown and name != "memorizes":
        raise InputError(f"attest.{function}: of the outputs nothing is known: {unknown}")
    arguments = _Arguments(known, values)
    shown_progress = Shown(name) if progress is True else None
    try:
        answer = _library.call("ask", arguments.arrays, shown_progress or progress or None, question=name, given=arguments.given)
    except InputError as error:
        raise arguments.about_arguments(error, function) from None
    except LimitError as error:
        raise LimitError(_pythonic(str(error))) from None
    finally:
        if shown_progress:
            shown_progress.end()
    if unknown:
        answer["notes"] = [note for note in answer["notes"] if not note.startswith("without --value")] + [f"of the values as they are nothing is said: {unknown}"]
    answer["notes"] = [_pythonic(note) for note in answer["notes"]] + arguments.notes
    path = None if out is None else pathlib.Path(out) / f"{name}.json"
    result = Result(name, answer, arguments.arrays if arguments.all_in_memory else None, path)
    behind = next((value.shared_values for value in values.values() if hasattr(value, "shared_values")), None)
    if behind and name == "capacity" and isinstance(values.get("heads"), int):
        from .potentials import behind_values

        arrays = {key: value.detach() if hasattr(value, "shared_values") else value for key, value in values.items()}
        result.notes.append(behind_values(*behind, result, arrays, lambda fewer: _ask(name, {**arrays, "heads": fewer, "out": None}, progress)))
    return result


def _initial(argument):
    """The default of an argument."""
    if argument["kind"] == "flag":
        return False
    text = argument["initial"]
    return int(text) if argument["kind"] in ("count", "range") and text else text or None


def _question(name):
    question = _QUESTIONS[name]
    subject = [argument["name"] for argument in question["arguments"] if argument["subject"]]

    def ask(*about, progress=None, **arguments):
        if len(about) > len(subject) or not arguments.keys().isdisjoint(subject[:len(about)]):
            raise TypeError(f"{ask.__name__}() takes " + (f"{subject[0]} once" if subject else "keyword arguments only"))
        return _ask(name, {**dict(zip(subject, about)), **arguments}, progress)

    ask.__name__ = ask.__qualname__ = name.replace("-", "_")
    keywords = [(argument["name"].replace("-", "_"), _initial(argument)) for argument in question["arguments"]]
    ask.__signature__ = inspect.Signature([inspect.Parameter(
        keyword, inspect.Parameter.POSITIONAL_OR_KEYWORD if keyword in subject else inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if keyword in subject else default)
        for keyword, default in [*keywords, ("progress", None)]])
    lines = [f"{question['says'][0].upper()}{question['says'][1:]}.", "",
             *([] if subject else ["T examples, n tokens of d numbers in a context, H heads of dimension d_h (values: d_v)."]),
             "Returns a Result; raises InputError, LimitError and CertificateError as the module says.", ""]
    group = None
    for argument, (keyword, _) in zip(question["arguments"], keywords):
        if argument["group"] != group:
            group = argument["group"]
            lines.append(group)
        lines += textwrap.wrap(_pythonic(argument["says"]), 115, initial_indent=f"    {keyword:18}", subsequent_indent=" " * 22)
    ask.__doc__ = "\n".join(lines) + "\n"
    return ask


for _name in _QUESTIONS:
    globals()[_name.replace("-", "_")] = _question(_name)


def _layer_arguments():
    """The arguments that say what a layer is, of attest.rank and attest.capacity, by keyword."""
    return {argument["name"].replace("-", "_"): argument for question in ("capacity", "rank") for argument in _QUESTIONS[question]["arguments"]
            if argument["group"] in ("Arrays", "Weights", "Layer")}


_own = [parameter for parameter in inspect.signature(potential).parameters.values() if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
potential.__signature__ = inspect.Signature([*_own, *(inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=_initial(argument))
                                                      for keyword, argument in _layer_arguments().items() if keyword not in {parameter.name for parameter in _own})])


class SampledRanks:
    """How many of the subsets are `independent` and `dependent`, both proved, and `open`: found dependent
    modulo three primes, but not confirmed within the effort. `dependent_share`, an estimate, is the 95 %
    Clopper-Pearson interval (lower, upper) of the share of dependent ones among all subsets. `witness` is (rows, coefficients) of an integer
    relation in the first dependent subset, or None. With a tolerance `numerical` is {numerical rank: number of subsets},
    and `numerical_open` the number of those with a singular value too close to it to say."""

    def __init__(self, data):
        self.independent, self.dependent, self.open = data["independent"], data["dependent"], data["open"]
        self.dependent_share = tuple(data["dependent_share"])
        self.witness = None
        if data["witness"]:
            self.witness = (data["witness"]["rows"], [int(c) for c in data["witness"]["relation"]])
        numerical = data.get("numerical")
        self.numerical = numerical and dict(map(tuple, numerical["subsets"]))
        self.numerical_open = numerical and numerical["open"]

    def __repr__(self):
        text = f"independent: {self.independent}, dependent: {self.dependent}, open: {self.open}"
        return text if self.numerical is None else text + f"; numerical ranks: {self.numerical}, open: {self.numerical_open}"


def _whole(value, name, least):
    try:
        value = operator.index(None if isinstance(scalar(value), bool) else scalar(value))
    except TypeError:
        raise InputError(f"{name}: is {shown(value)}; an integer from {least}") from None
    if not least <= value < 2**63:
        raise InputError(f"{name}: is {shown(value)}; an integer from {least} to 2^63 - 1")
    return value


def sampled_ranks(vectors, *, size, count=5000, seed=0, effort=1e10, tolerance=None, progress=None):
    """Whether random subsets of vectors are linearly independent: `count` subsets of `size` of the rows of `vectors`,
    (m, d), each proved to be independent or dependent over the rationals. The paper tests Assumption 1 on such subsets
    by numerical ranks, which are less where vectors were rounded: with `tolerance`, a number above 0, also how many
    singular values of each subset are above it, proved for the vectors as they are. `effort` bounds the work on
    confirming dependence, in operations. The subsets are a function of `seed`, m and `size`."""
    vectors = held(vectors, "vectors")
    size, count, seed = _whole(size, "size", 1), _whole(count, "count", 0), _whole(seed, "seed", 0)
    if not isinstance(effort, numbers.Real) or not effort >= 0:
        raise InputError(f"effort: is {shown(effort)}; a number of operations, at least 0")
    if tolerance is not None:
        tolerance = number(tolerance, "tolerance")[0]
    shown_progress = Shown("sampled-ranks") if progress is True else None
    try:
        found = _library.call("sampled_ranks", [("vectors.npy", "", vectors)], shown_progress or progress or None, size=size, count=count, seed=seed, effort=min(float(effort), 1e300), tolerance=tolerance)
    except InputError as error:
        raise InputError(str(error).replace("vectors.npy", "vectors")) from None
    finally:
        if shown_progress:
            shown_progress.end()
    return SampledRanks(found)


__all__ = ["CertificateError", "Claim", "InputError", "LimitError", "Potential", "Result", "SampledRanks", "Survey", "check", "explain", "potential", "sampled_ranks", "survey", *questions]
