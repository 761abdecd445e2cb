"""What an answer is."""

import decimal
import html
import json
import numbers
import pathlib
import re
import tempfile
import textwrap

from . import _library
from ._library import CertificateError, InputError
from .arrays import scalar


def integer(numeral):
    """Of any number of digits; int's own conversion refuses more than 4,300."""
    return int(decimal.Decimal(numeral))


def pythonic(text):
    """Text about options as text about keyword arguments: --head-dim is head_dim=."""
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda option: option[1].replace("-", "_") + "=", text)


def commanded(text, options):
    """The other way round, for these options of a command: contexts= is --contexts."""
    names = {option.replace("-", "_"): option for option in options}
    return re.sub(r"\b([a-z]+(?:_[a-z]+)*)=", lambda keyword: f"--{names[keyword[1]]}" if keyword[1] in names else keyword[0], text)


def wrapped(text):
    """A line as the command line prints it: lines of at most 120 columns."""
    return textwrap.wrap(text, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def noted(notes):
    return [line for note in notes for line in wrapped(f"note: {note}")]


class Claim:
    """One statement: `statement`, `verdict` ("verified", "refuted", "inapplicable", "undecided"), the bounds
    `lower` and `upper` of the number that it is about (None when it is about none), `answer` (a
    sentence), `findings` (what the proof found besides: a lambda, equal heads, the example that breaks an assumption,
    as dicts with "kind" and "says"), `found` (all numbers in words) and `data` (all of it, as in the output of --json). Of capacity with which=True also `which`, the
    examples that can be memorized together, and `conflicts`, which maps every other one to those that it
    conflicts with; with heads="A:B" `heads`. Of matrix_rank with nullspace=True `nullspace`, a basis of the x
    with M x = 0, lists of integers. Printed as the command line prints it.

    Where the question is whether something holds, bool(claim) is the answer, and claim == True asks the same.
    Where it is how many, claim == 18 asks whether the number is this one. What the proof leaves open is no answer:
    ValueError."""

    def __init__(self, data, words):
        self.data = data
        self.statement = data["statement"]
        self.verdict = data["verdict"]
        self.answer = data.get("answer") or ""
        self.findings = data.get("findings") or []
        self.found = data.get("found") or ""
        interval = next((v for v in data.values() if isinstance(v, dict) and {"lower", "upper"} <= set(v)), {})
        self.lower = interval.get("lower")
        self.upper = interval.get("upper")
        self.heads, self.which = data.get("heads"), data.get("which")
        self.conflicts = {int(t): others for t, others in data["conflicts"].items()} if "conflicts" in data else None
        self.nullspace = [[integer(entry) for entry in x] for x in data["nullspace"]] if "nullspace" in data else None
        self._words = words

    def __repr__(self):
        return self._words

    @property
    def _asked(self):
        """What its line begins with: of memorizes this, and not "rank", the statement that decides it."""
        return self._words.partition(":")[0]

    @property
    def _is_number(self):
        return self.lower is not None and self.data["claimed"].endswith("= ?")

    def __bool__(self):
        if self._is_number:
            raise ValueError(f"{self._asked} is a number, neither true nor false: compare it, as with == {self.lower}, or see .lower and .upper")
        if self.verdict not in ("verified", "refuted"):
            raise ValueError(f"{self._asked} is {self.verdict}, neither true nor false: {self._words}")
        return self.verdict == "verified"

    def __eq__(self, other):
        if isinstance(other, Claim):
            return self is other
        other = scalar(other)  # truth values of numpy too
        if isinstance(other, bool):
            return bool(self) == other
        if not isinstance(other, numbers.Number):
            return NotImplemented
        if not self._is_number:
            raise ValueError(f"{self._asked} is true or false, no number: see bool(), or .lower and .upper")
        if self.lower != self.upper and other == other.real and self.lower <= other.real <= self.upper:
            raise ValueError(f"{self._asked} lies between {self.lower} and {self.upper}; whether it is {other} is not decided")
        return self.lower == self.upper == other

    __hash__ = object.__hash__

    def _html(self):
        colour = {"verified": "#1a7f37", "refuted": "#cf222e"}.get(self.verdict, "#9a6700")
        first, *more = html.escape(self._words).split("\n")
        return f'<tr><td style="color:{colour}">{self.verdict}</td><td style="text-align:left">' + "<br>".join([first, *more]) + "</td></tr>"

    def _repr_html_(self):
        return f"<table>{self._html()}</table>"


class Result(Claim):
    """The answer to a question. It has the attributes of its first claim, and

    claims        all of them; result["assumption-1"] is the one of that name
    examples      (sequence, position) of each example, where hidden vectors were given; otherwise None
    certificate   the certificate, as text
    case          the case file that it proves something about, as text
    notes         what the answer takes for granted
    path          where the certificate is when `out` was given, otherwise None
    """

    def __init__(self, name, answer, arrays, path):
        words = [pythonic(text) for text in answer["words"]]
        self.claims = [Claim(claim, text) for claim, text in zip(answer["claims"], words)]
        super().__init__(answer["claims"][0], words[0])
        self.name = name
        self.case = answer["case"]
        self.certificate = answer["certificate"]
        self.notes = answer["notes"]
        self.examples = None if answer["examples"] is None else [tuple(example) for example in answer["examples"]]
        self.path = path
        self._arrays = arrays

    def __bool__(self):
        if self.name == "assumptions":
            raise ValueError('several are asked about, not one: see ["assumption-1"] and the others of .claims')
        return super().__bool__()

    def __getitem__(self, statement):
        for claim in self.claims:
            if claim.statement == statement:
                return claim
        raise KeyError(statement)

    def __repr__(self):
        return "\n".join([repr(claim) for claim in self.claims] + noted(self.notes))

    def _repr_html_(self):
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes)
        return f"<table>{''.join(claim._html() for claim in self.claims)}</table>" + (f"<ul>{notes}</ul>" if notes else "")

    def save(self, folder):
        """Writes the case file, the arrays and the certificate into a folder, for `attest check`. Returns the
        path of the certificate. Raises InputError when the arrays have changed since the question, or when
        some were files (give `out` to the question then)."""
        if self._arrays is None:
            raise InputError("save: some arrays are files; give out=FOLDER to the question, which copies them")
        folder = pathlib.Path(folder)
        case, certificate = folder / f"{self.name}.toml", folder / f"{self.name}.json"
        _library.call("write", self._arrays, folder=str(folder), texts={case.name: self.case})
        if _library.call("digest", case=str(case)) != json.loads(self.certificate)["case"]["digest"]:
            raise InputError("save: an array has changed since the question was asked; ask again, with out=FOLDER")
        _library.call("write", folder=str(folder), texts={certificate.name: self.certificate})
        return certificate

    def _of_certificate(self, function):
        if self.path is not None:
            return function(self.path)
        with tempfile.TemporaryDirectory(prefix="attest-") as folder:
            return function(self.save(folder))

    def check(self):
        """Lets the independent checker validate the certificate, whatever it proves; returns what it says.
        Raises CertificateError when it is not valid, and as `save`."""
        return self._of_certificate(lambda path: check(path, ignore_expectations=True))

    def explain(self):
        """The certificate as a proof in words, after checking it. Raises as `check`."""
        return self._of_certificate(explain)


def explain(certificate):
    """`attest explain`: a certificate file as a proof in words, after checking it."""
    return _library.call("explain", certificate=str(certificate))


def check(*paths, ignore_expectations=False):
    """`attest check`: validates certificates against their case files, trusting nothing that was computed
    before. Returns what was proved, in words. Raises CertificateError when one is not valid, or, unless
    `ignore_expectations`, does not prove the verdict that its case expects."""
    if not paths:
        raise InputError("check: there is no certificate; the path of one at least")
    answer = _library.call("check", certificates=[str(path) for path in paths], ignore_expectations=bool(ignore_expectations))
    if answer["status"] != 0:
        raise CertificateError(answer["says"].strip())
    return answer["says"]
