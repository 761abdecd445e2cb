"""What an answer is."""

import json
import pathlib
import re
import tempfile

from . import _attest
from ._attest import CertificateError, InputError


def pythonic(text):
    """Text about options as text about keyword arguments: --head-dim is head_dim=."""
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda option: option[1].replace("-", "_") + "=", text)


class Claim:
    """One statement: `statement`, `verdict` ("verified", "refuted", "inapplicable", "undecided"), the bounds
    `lower` and `upper` of the number that it is about (None when it is about none), `found` (the same in
    words) and `data` (all of it, as in the output of --json). Of capacity with which=True also `which`, the
    examples that can be memorized together, and `conflicts`, which maps every other one to those that it
    conflicts with; with heads="A:B" `heads`. Printed as the command line prints it."""

    def __init__(self, data, words):
        self.data = data
        self.statement = data["statement"]
        self.verdict = data["verdict"]
        self.found = data.get("found") or ""
        interval = next((v for v in data.values() if isinstance(v, dict) and {"lower", "upper"} <= set(v)), {})
        self.lower = interval.get("lower")
        self.upper = interval.get("upper")
        self.heads, self.which = data.get("heads"), data.get("which")
        self.conflicts = {int(t): others for t, others in data["conflicts"].items()} if "conflicts" in data else None
        self._words = words

    def __repr__(self):
        return self._words


class Result(Claim):
    """The answer to a question. It has the attributes of its first claim, and

    claims        all of them; result["assumption-1"] is the one of that name
    certificate   the certificate, as text
    case          the case file that it proves something about, as text
    notes         what the answer takes for granted
    path          where the certificate is when `out` was given, otherwise None
    """

    def __init__(self, name, answer, arrays, path):
        self.claims = [Claim(claim, words) for claim, words in zip(answer["claims"], answer["words"])]
        super().__init__(answer["claims"][0], answer["words"][0])
        self.name = name
        self.case = answer["case"]
        self.certificate = answer["certificate"]
        self.notes = answer["notes"]
        self.path = path
        self._arrays = arrays

    def __getitem__(self, statement):
        for claim in self.claims:
            if claim.statement == statement:
                return claim
        raise KeyError(statement)

    def __repr__(self):
        return "\n".join([repr(claim) for claim in self.claims] + [f"note: {note}" for note in self.notes])

    def save(self, folder):
        """Writes the case file, the arrays and the certificate into a folder, for `attest check`. Returns the
        path of the certificate. Raises InputError when the arrays have changed since the question, or when
        some were files (give `out` to the question then)."""
        if self._arrays is None:
            raise InputError("save: some arrays are files; give out=FOLDER to the question, which copies them")
        folder = pathlib.Path(folder)
        case, certificate = folder / f"{self.name}.toml", folder / f"{self.name}.json"
        _attest.write(str(folder), self._arrays, {case.name: self.case})
        if _attest.digest(str(case)) != json.loads(self.certificate)["case"]["digest"]:
            raise InputError("save: an array has changed since the question was asked; ask again, with out=FOLDER")
        _attest.write(str(folder), [], {certificate.name: self.certificate})
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
    return _attest.explain(str(certificate))


def check(*paths, ignore_expectations=False):
    """`attest check`: validates certificates against their case files, trusting nothing that was computed
    before. Returns what was proved, in words. Raises CertificateError when one is not valid, or, unless
    `ignore_expectations`, does not prove the verdict that its case expects."""
    answer = json.loads(_attest.check([str(path) for path in paths], ignore_expectations))
    if answer["status"] != 0:
        raise CertificateError(answer["says"].strip())
    return answer["says"]
