"""What an answer is."""

import json
import pathlib
import tempfile

from . import _attest


class CertificateError(ValueError):
    """The checker does not accept a certificate; the text is what it says."""


class Claim:
    """One statement: `statement`, `verdict` ("verified", "refuted", "inapplicable", "undecided"), the bounds
    `lower` and `upper` of the number that it is about (None when it is about none), `found` (the same in
    words) and `data` (all of it, as in the output of --json)."""

    def __init__(self, data):
        self.data = data
        self.statement = data["statement"]
        self.verdict = data["verdict"]
        self.found = data.get("found") or ""
        interval = next((v for v in data.values() if isinstance(v, dict) and {"lower", "upper"} <= set(v)), {})
        self.lower = interval.get("lower")
        self.upper = interval.get("upper")

    def __repr__(self):
        arguments = f" ({self.data['arguments']})" if self.data.get("arguments") else ""
        return f"{self.statement}{arguments}: {self.verdict}" + (f"; {self.found}" if self.found else "")


class Result(Claim):
    """The answer to a question. It has the attributes of its first claim, and

    claims        all of them; result["assumption-1"] is the one of that name
    certificate   the certificate, as text
    case          the case file that it proves something about, as text
    notes         what the answer takes for granted
    path          where the certificate is when `out` was given, otherwise None
    """

    def __init__(self, name, answer, arrays, path):
        claims = json.loads(answer["out"])
        super().__init__(claims[0])
        self.name = name
        self.claims = [Claim(claim) for claim in claims]
        self.case = answer["case"]
        self.certificate = answer["certificate"]
        self.notes = [line.removeprefix("note: ") for line in answer["err"].splitlines()]
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
            raise _attest.InputError("save: some arrays are files; give out=FOLDER to the question, which copies them")
        folder = pathlib.Path(folder)
        case, certificate = folder / f"{self.name}.toml", folder / f"{self.name}.json"
        _attest.write(str(folder), self._arrays, {case.name: self.case})
        found = command("digest", str(case)).split()[0]
        if found != json.loads(self.certificate)["case"]["digest"]:
            raise _attest.InputError("save: an array has changed since the question was asked; ask again, with out=FOLDER")
        _attest.write(str(folder), [], {certificate.name: self.certificate})
        return certificate

    def check(self):
        """Lets the independent checker validate the certificate, whatever it proves; returns what it says.
        Raises CertificateError when it is not valid, and as `save`."""
        if self.path is not None:
            return check(self.path, ignore_expectations=True)
        with tempfile.TemporaryDirectory(prefix="attest-") as folder:
            return check(self.save(folder), ignore_expectations=True)

    def explain(self):
        """The certificate as a proof in words, after checking it. Raises as `check`."""
        if self.path is not None:
            return command("explain", str(self.path))
        with tempfile.TemporaryDirectory(prefix="attest-") as folder:
            return command("explain", str(self.save(folder)))


def run(arguments, arrays=(), progress=None):
    """Runs a command line of the program in a child process: {"status", "out", "err"}, and of a question also
    {"case", "certificate"}."""
    with tempfile.TemporaryDirectory(prefix="attest-") as temporary:
        return json.loads(_attest.run(list(arguments), list(arrays), temporary, progress))


def command(*arguments):
    """What a command prints; what goes wrong is raised."""
    answer = run(arguments)
    if answer["status"] == 3:
        raise _attest.LimitError(answer["err"].strip())
    if answer["status"] != 0:
        raise _attest.InputError(answer["err"].strip() or answer["out"].strip())
    return answer["out"]


def check(*paths, ignore_expectations=False):
    """`attest check`: validates certificates against their case files, trusting nothing that was computed
    before. Returns what was proved, in words. Raises CertificateError when one is not valid, or, unless
    `ignore_expectations`, does not prove the verdict that its case expects."""
    answer = run(["check", *["--ignore-expectations"] * ignore_expectations, *map(str, paths)])
    if answer["status"] != 0:
        raise CertificateError((answer["out"] + answer["err"]).strip())
    return answer["out"]
