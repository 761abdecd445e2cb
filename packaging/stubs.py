"""Types of what `attest` exports, for editors and type checkers, from the table of questions that the library has: writes
attest/__init__.pyi below a folder in which the module is built.

    stubs.py BUILD/python
"""
import inspect
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(folder))
import attest

TYPES = {"array": "Array", "model": "_Path | Mapping[str, Array]", "text": "Number", "count": "Number", "range": "Number | range", "flag": "bool", "file": "_Path",
         "files": "_Path | Sequence[_Path]", "seconds": "Number", "bytes": "Number", "operations": "Number"}

lines = [f'"""{attest.__doc__}"""', "from collections.abc import Callable, Mapping, Sequence", "from decimal import Decimal", "from numbers import Rational", "from os import PathLike",
         "from typing import Any, Literal", "",
         "from ._library import CertificateError as CertificateError, InputError as InputError, LimitError as LimitError",
         "from .results import Claim as Claim, Result as Result, check as check, explain as explain", "from .surveys import Survey as Survey, survey as survey", "from .potentials import Potential as Potential", "",
         "__version__: str", "questions: tuple[str, ...]", "", "_Path = str | PathLike[str]",
         "# An array of numpy, a tensor, nested sequences, what has a buffer, __array__ or DLPack, or the name of a file.", "Array = Any",
         "# Exactly: a float is the binary number that it is, and a text like \"1/3\" or \"0.1\" what it says.", "Number = int | float | str | Rational | Decimal",
         "Progress = Callable[[str, int, int | None], object] | bool | None", ""]


def typed(argument):
    """A keyword argument of a question."""
    keyword, default = argument["name"].replace("-", "_"), attest._initial(argument)
    words = [repr(word) for word in argument["words"].split()]
    kind = f"Literal[{', '.join([*words, *(word[1:-1] for word in words if word[1:-1].isdigit())])}]" if words else TYPES[argument["kind"]]
    if keyword == "positions":
        kind = "str | int | Sequence[int]"
    return f"    {keyword}: {kind}{' | None' if default is None else ''} = {default!r},"


def documented(function):
    text = inspect.cleandoc(function.__doc__).replace("\\", "\\\\").replace('"""', "'''")
    return '    """' + "\n    ".join(text.splitlines()).replace("\n    \n", "\n\n") + '\n    """'


for name in attest.questions:
    arguments = attest._QUESTIONS[name.replace("_", "-")]["arguments"]
    lines += [f"def {name}(", *(f"    {argument['name']}: Array," for argument in arguments if argument["subject"]), "    *,"]
    lines += [typed(argument) for argument in arguments if not argument["subject"]]
    lines += ["    progress: Progress = None,", ") -> Result:", documented(getattr(attest, name)), ""]
own = {"positions": "str | int | Sequence[int]", "out": "_Path | None", "check": "bool", "progress": "Progress", **dict.fromkeys(("timeout", "memory", "work", "jobs"), "Number | None")}
lines.append("def potential(")
layer = attest._layer_arguments()
for parameter in inspect.signature(attest.potential).parameters.values():
    if parameter.name == "positions":
        lines.append("    *,")
    lines.append(typed(layer[parameter.name]) if parameter.name in layer and parameter.name not in own else
                 f"    {parameter.name}: {own.get(parameter.name, 'Any')} = {parameter.default!r},")
lines += [") -> Potential:", documented(attest.potential), ""]
lines += ["class SampledRanks:", f'    """{attest.SampledRanks.__doc__}"""', "    independent: int", "    dependent: int", "    open: int", "    dependent_share: tuple[float, float]",
          "    witness: tuple[list[int], list[int]] | None", "    numerical: dict[int, int] | None", "    numerical_open: int | None", "",
          "def sampled_ranks(vectors: Array, *, size: int, count: int = 5000, seed: int = 0, effort: float = 1e10, tolerance: Number | None = None, progress: Progress = None) -> SampledRanks:",
          f'    """{attest.sampled_ranks.__doc__}"""', ""]
(folder / "attest/__init__.pyi").write_text("\n".join(lines))
