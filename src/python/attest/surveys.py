"""All layers of a model at once."""

import json
import os
import pathlib

from . import _library
from ._library import InputError
from .arrays import number
from .results import pythonic


class Survey(list):
    """A row for each number that was proved, as a dict: pandas.DataFrame(survey) is a data frame. Its keys are

    layer, head      what it is about; head is None for all heads together
    quantity         "rank", "numerical_rank", "different_outputs", "saturated", "capacity", ...
    lower, upper     the proved bounds, equal when the number is known
    certificate, claim   where the proof is, below `folder`; the checker has accepted it (`checked`)
    verdict, statement, seconds, words, and what is known beside it (paper_lower, any_coefficients_upper, ...)

    Attributes: `layers`, a dict for each (name, shape, notes, not_asked: why a question was not answered), `folder`, and
    `page`, the file with heat maps."""

    def __init__(self, data, folder):
        super().__init__(data["cells"])
        self.layers, self.folder = data["layers"], pathlib.Path(folder)
        for layer in self.layers:
            layer["notes"], layer["not_asked"] = ([pythonic(line) for line in layer[key]] for key in ("notes", "not_asked"))
        self.page = self.folder / "survey.html"

    def find(self, quantity, layer=None, head=None):
        """The rows about a quantity: of one layer, or of all; of a head, of all heads together (None), or "each". An InputError
        says which there are when there is no such quantity or layer."""
        for name, asked, there in (("quantity", quantity, [row["quantity"] for row in self]), ("layer", layer, [layer["name"] for layer in self.layers])):
            if asked is not None and asked not in there:
                raise InputError(f"{name}: the survey has no {asked!r}; it has {', '.join(dict.fromkeys(there)) or 'none'}")
        return [row for row in self if row["quantity"] == quantity and layer in (None, row["layer"]) and (row["head"] == head or (head == "each" and row["head"] is not None))]

    def __repr__(self):
        lines = []
        for layer in self.layers:
            lines.append(layer["name"])
            lines += ["  " + row["words"].split("\n")[0] for row in self if row["layer"] == layer["name"] and row["head"] is None]
            lines += ["  not asked: " + why for why in layer["not_asked"]]
        return "\n".join(lines + [f"page: {self.page}"])


def survey(folder, *, out="survey", layers=(), ask=(), tolerance=None, threshold=None, jobs=None, timeout=None, memory=None, work=None):
    """`attest survey`: answers every question about every layer whose arrays lie below `folder`, and writes certificates, survey.json
    and survey.html below `out`. What has a valid certificate there, as after a run that was killed, is not proved again.

    A layer is a folder of .npy files, or one .safetensors file, with the names of the keyword arguments of the questions
    (contexts, queries, key, query, ...); FOLDER/LAYER.options is a JSON object with what is no array, such as {"heads": 12}.
    `layers` and `ask` select some, `tolerance` is that of attest.numerical_rank, `threshold` that of attest.saturation. On
    a terminal it says how far it is. Returns a Survey. Raises InputError when there are no layers."""
    options = {"tolerance": tolerance, "threshold": threshold, "jobs": jobs, "timeout": timeout, "memory": memory, "work": work}
    given = {name: number(value, name)[0] if name in ("tolerance", "threshold") else str(value) for name, value in options.items() if value is not None}
    if jobs is not None and not 1 <= jobs <= 1024:
        raise InputError(f"jobs is {jobs}; an integer from 1 to 1024")
    questions = [name.replace("_", "-") for name in ([ask] if isinstance(ask, str) else ask)]
    data, _ = _library.call("survey", folder=os.fspath(folder), out=os.fspath(out), layers=list(layers), ask=questions, given=given)
    return Survey(data, out)


__all__ = ["Survey", "survey"]
