"""What a layer could still learn: its capacity beside the rank of its weights, what the bound is made of, and the capacity of layers like it (docs/guide.md)."""

import argparse
import json
import pathlib
import re
import sys

from . import InputError, LimitError, _library, pages
from .results import commanded, noted, wrapped
from .surveys import questions, read_array, shared_values

SIZES = ("heads", "context", "embed_dim", "head_dim", "examples")
UPPER = re.compile(r"(.*) <= (\d+)")


class Potential(list):
    """A row for each layer that was asked about, as a dict: pandas.DataFrame(potential) is a data frame. Its keys are

    layer            "trained weights", "as built", "one head more", "with a sink", "with query biases", "d_h = 1"
    quantity         "rank" of Z for the trained weights, else "capacity": the largest rank of Z over all keys and queries
    lower, upper     the proved bounds, equal when the number is known
    gain_lower, gain_upper   how much more that is than the capacity as built; of the trained weights how much they leave
    query_bias       whether that is of layers with query biases: the capacity is, over all of them, when the weights have some
    verdict, words, certificate (where it is below `folder`; None without out=)

    Attributes: `rank` (None without weights) and `capacity`, the answers; `examples`, T; `bottleneck`, what the bound from above is made of, a dict with
    `says` (a sentence), `examples` (those that it is about, None: all) and `certificate`'s steps `steps`; `gap`, (lower, upper) of what the trained
    weights leave; `values`, what of the capacity a read-out behind the values can use, a sentence (None where no value was given); `notes`.
    Printed as a table."""

    def __init__(self, rows, examples, found, limit, values, notes):
        super().__init__(rows)
        self.examples, self.bottleneck, self.values, self.notes = examples, limit, values, notes
        self.rank, self.capacity = found.get("trained weights"), found["as built"]
        self.results = found
        self.gap = next(((row["gain_lower"], row["gain_upper"]) for row in rows if row["quantity"] == "rank"), None)

    @property
    def data(self):
        """What --json prints."""
        return {"attest": _library.__version__, "format": "attest-potential/1", "examples": self.examples, "bottleneck": self.bottleneck, "values": self.values, "rows": list(self), "notes": self.notes}

    def __repr__(self):
        interval = lambda lower, upper: str(lower) if lower == upper else f"{lower} to {upper}"
        table = [("", "rank of Z", "difference")]
        for row in self:
            sign = "-" if row["quantity"] == "rank" else "+"
            gain = "" if row["layer"] == "as built" else "0" if row["gain_upper"] == row["gain_lower"] == 0 else sign + interval(row["gain_lower"], row["gain_upper"])
            table.append((row["layer"], interval(row["lower"], row["upper"]), gain))
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table]
        return "\n".join([*lines, *wrapped(f"of {plural(self.examples, 'example')}; {self.bottleneck['says']}"), *wrapped(self.values or ""), *noted(self.notes)])


def plural(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def bottleneck(result):
    """What the upper bound of a capacity is made of, read from its certificate: {"says", "examples", "steps"}."""
    certificate = json.loads(result.certificate)
    claim = next(claim for claim in certificate["claims"] if claim["statement"] == "capacity")
    steps = {number: certificate["steps"][number] for number in claim["steps"]}
    sizes = {key: int(re.search(rf"(?m)^{key} = (\d+)", result.case)[1]) for key in SIZES}
    says, examples, used = _limit(steps, sizes, "all", sizes["examples"], sizes["heads"])
    if not used and result.lower < min(sizes["examples"], sizes["heads"] * sizes["embed_dim"]):
        says = f"nothing is known that holds these {sizes['examples']} examples back, nor that more than {result.lower} can be reached"
    return {"says": says, "examples": examples, "steps": used}


def _best(steps, quantity):
    """(bound, number, step) of the least upper bound that a step proves of a quantity."""
    found = [(int(match[2]), number, step) for number, step in steps.items() if (match := UPPER.fullmatch(step["fact"])) and match[1] == quantity]
    return min(found, key=lambda each: each[:2], default=(None, None, None))


def _limit(steps, sizes, who, count, heads):
    """The sentence, the examples (None: all), and the steps that it is about, for `count` examples."""
    those = ("the" if who == "all" else "this") + " example" if count == 1 else f"{who} {count} examples"
    most = "gives at most" if heads == 1 else "give at most"
    give = f"{plural(heads, 'head')} {most}"
    width = heads * sizes["embed_dim"]
    bound, number, step = _best(steps, "capacity")
    if bound is None or bound >= min(count, width):
        if count <= width:
            return f"nothing holds {those} back: {plural(heads, 'head')} can give {count}", None, []
        return f"the width: {plural(heads, 'head')} of {plural(sizes['embed_dim'], 'dimension')} {most} {width}", None, []
    used, theorem = [number], step.get("theorem", step["rule"])
    if theorem == "any-weights":
        bound, number, step = _best(steps, "rank(Z(any))")
        used, theorem = [*used, number, *step["uses"]], step["theorem"]
    known = {match[1]: int(match[2]) for k in step.get("uses", ()) if (match := UPPER.fullmatch(steps[k]["fact"]))}
    if theorem == "affine-hull":
        return f"{those} vary in {plural((bound - 1) // heads, 'direction')}: {give} {bound}", None, used
    if theorem == "linear-hull":
        return f"the tokens of {those} span {plural(bound // heads, 'dimension')}: {give} {bound}", None, used
    if theorem == "context-hulls":
        directions = known.get("rank(differences)", sizes["embed_dim"])
        return (f"within a context the tokens of {those} vary in {plural(directions, 'direction')}, and together they span {bound - (heads - 1) * directions}: "
                f"{give} {bound}"), None, used
    if theorem == "equal-examples":
        return f"{those} are equal: at most 1" if bound == 1 else f"only {bound} of {those} are different", None, used
    if theorem == "hulls":
        return f"of {those} weights move those whose query is not 0, each within the span of its tokens: {give} {bound}", None, used
    if theorem == "zero":
        return f"{plural(count - bound, 'linear relation')} between the outputs of {those} hold{'s' if count - bound == 1 else ''} for all weights of this layer: at most {bound}", None, used
    part = steps[step["parts"][0]] if step.get("parts") else None
    inner = dict(enumerate(part["steps"])) if part else {}
    if theorem == "part-and-others":
        members = part.get("examples")
        within = int(UPPER.fullmatch(part["fact"])[2])
        says, further, _ = _limit(inner, sizes, "these" if members else "all", len(members or range(count)), part.get("heads", heads))
        if members is None:
            return says, None, [*used, *step["parts"]]
        others = bound - within
        more = f"; the {plural(count - len(members), 'other')} add at most {others}: {bound}" if others else ""
        return says + more, members if further is None else [members[k] for k in further], [*used, *step["parts"]]
    if part and theorem.startswith("concave"):
        fewer = part.get("heads", heads)
        return f"{plural(fewer, 'head')} of {those} give at most {UPPER.fullmatch(part['fact'])[2]}, and heads have diminishing returns: {give} {bound}", None, [*used, *step["parts"]]
    return f"{those}: {give} {bound} ({theorem})", None, used


def by_biases(value_bias, heads, dimension, arguments):
    """How much value biases can add to a rank: they come with the sum of each head's coefficients, which is 1 in a softmax without a sink."""
    if value_bias is None:
        return 0
    value_bias = read_array(value_bias, "value_bias")
    if value_bias.shape != (heads, dimension):
        raise InputError(f"value_bias= has shape {value_bias.shape}; (H, d_v), which is {(heads, dimension)}")
    if not (value_bias != 0).any():
        return 0
    return heads if arguments.get("sink") or arguments.get("coefficients", "softmax") != "softmax" else 1


def behind_values(values, value_bias, built, arguments, ask):
    """What of a capacity, `built`, of a layer with these arguments a read-out can use behind values, (d_v, how many heads share them): those that are
    trained with it have, for k labels, any rank up to min(d, sharing k) where they have as many dimensions, and else for one label all of the capacity of
    fewer heads, which `ask` answers (docs/mathematics.md, Shared values); fixed ones put out H d_v numbers."""
    dimension, sharing = values
    heads, width, T = (int(re.search(rf"(?m)^{key} = (\d+)", built.case)[1]) for key in ("heads", "embed_dim", "examples"))
    most = min(T, heads * dimension, built.upper + by_biases(value_bias, heads, dimension, arguments))
    labels = "any number of labels" if dimension >= width else plural(dimension // sharing, "label") if dimension < 2 * sharing else f"up to {dimension // sharing} labels"
    after = f"all of it, for {labels} of an example"
    if dimension < min(width, sharing):
        fewer = -(-heads * dimension // sharing)  # so many heads of each group may have any read-out, the others none
        after = f"{ask(fewer).lower} of it at least, the capacity of {plural(fewer, 'head')}, for 1 label of an example; all of it with {min(width, sharing)} dimensions"
    return (f"values of {plural(dimension, 'dimension')}{f' that {sharing} heads share' if sharing > 1 else ''}: trained with the read-out, they let it use {after}; "
            f"fixed before the labels, at most {most}")


def potential(model=None, inputs=None, where=None, *, positions="last", call=None, value=None, value_bias=None, out=None, check=False, timeout=None, memory=None, work=None, jobs=None, progress=None, **arguments):
    """What a layer could still learn: the capacity of attention as it is built, the largest rank of Z over all keys and
    queries; the rank of Z for its trained weights; which examples hold the capacity back, and why; and the capacity with one head more, with a sink, with
    query biases, and with d_h = 1 (which changes nothing, by a theorem). With `value` (and `value_bias`), also what a read-out behind values of their dimension can use.

    potential(model, inputs, where) is about a module of a torch model, as attest.torch.capture; otherwise `arguments` are arrays and options of attest.rank, or
    of attest.capacity where there are no weights. `out` is a folder for the certificates, a folder in it for each row; `check` and the limits
    are those of each question. Returns a Potential. Raises InputError, LimitError and CertificateError as the questions do."""
    heads = arguments.get("heads")
    if isinstance(heads, range) or (isinstance(heads, str) and ":" in heads):
        raise InputError(f"attest.potential: heads= is {heads!r}, and this is about one layer; one number")
    if model is not None:
        from . import torch

        unused = [*arguments, *(name for name, given in (("value", value), ("value_bias", value_bias)) if given is not None)]
        if unused:
            raise InputError(f"attest.potential: {unused[0]}= is given beside a model, which has its own; one of them")
        captured = torch.capture(model, inputs, where, positions=positions, call=call)
        arguments, shape, notes, values, value_bias = dict(captured), captured.data(values=False), list(captured.notes), captured.values, captured.by_head.get("value_bias")
    else:
        if positions != "last" or "hidden" in arguments:
            arguments["positions"] = positions
        if value is None and value_bias is not None:
            raise InputError("attest.potential: value_bias= requires value=; value weights, (H, d, d_v)")
        shape, notes, values = None, [], None if value is None else shared_values(value)
    asked = {name: value for name, value in (("timeout", timeout), ("memory", memory), ("work", work), ("jobs", jobs)) if value is not None} | {"check": check, "progress": progress}
    return Asked(arguments, shape, values, value_bias, notes, out, asked).found()


def named_potential(error, question):
    """The same error of attest.rank or attest.capacity, about attest.potential."""
    named = lambda text: re.sub(rf"\battest\.{question}\b", "attest.potential", text).replace(", or a range like 1:8 of at most 1000", "")
    worded = InputError(named(str(error)))
    worded.__dict__.update({name: named(text) for name, text in vars(error).items()})
    return worded


class Asked:
    """The questions about a layer that is given by arguments of attest.rank, and by those of attest.capacity where these are others (`shape`)."""

    def __init__(self, arguments, shape, values, value_bias, notes, out, limits):
        self.known = {question: {name.replace("-", "_"): argument for name, argument in questions()[0][question].items()} for question in ("rank", "capacity")}
        self.arguments = {name: value for name, value in arguments.items() if not getattr(value, "after_heads", False)}
        self.shape, self.values, self.value_bias, self.notes, self.out, self.limits, self.results = shape, values, value_bias, notes, out, limits, {}
        for name in self.arguments:
            if all(name not in known or known[name]["group"] not in ("Arrays", "Weights", "Layer") for known in self.known.values()):
                raise TypeError(f"potential() has no argument {name!r}")

    def ask(self, layer, question, arguments):
        import attest

        place = {} if self.out is None else {"out": pathlib.Path(self.out) / re.sub(r"[^a-z_]+", "-", layer)}
        try:
            self.results[layer] = result = getattr(attest, question)(**arguments, **self.limits, **place)
        except InputError as error:  # in the name of what was asked
            raise named_potential(error, question) from None
        self.notes += [note for note in result.notes if note not in self.notes]
        return result

    def row(self, layer, gain):
        result = self.results[layer]
        return {"layer": layer, "quantity": "rank" if layer == "trained weights" else "capacity", "lower": result.lower, "upper": result.upper,
                "gain_lower": gain[0], "gain_upper": gain[1], "query_bias": result.data["query_bias"], "verdict": result.verdict, "words": repr(result.claims[0]),
                "certificate": None if result.path is None else str(pathlib.Path(result.path).relative_to(self.out))}

    def found(self):
        is_weight = {name for name, argument in self.known["rank"].items() if argument["group"] == "Weights"}
        weighted = any(name in is_weight for name in self.arguments)
        # Names of both that are not of one kind, such as query_bias, are weights of the one and a key of the other.
        shared = {name: value for name, value in self.arguments.items() if name in self.known["capacity"] and (name not in self.known["rank"] or self.known["capacity"][name]["kind"] == self.known["rank"][name]["kind"]
                                                                                                                or name == "heads")}
        if weighted:
            trained = self.ask("trained weights", "rank", self.arguments)
            sizes = {key: int(re.search(rf"(?m)^{key} = (\d+)", trained.case)[1]) for key in ("heads", "head_dim")}
        shape = dict(self.shape or shared) | (sizes if weighted else {})
        if weighted and trained.data["query_bias"]:
            shape["query_bias"] = True
        built = self.ask("as built", "capacity", shape)
        heads, T = (int(re.search(rf"(?m)^{key} = (\d+)", built.case)[1]) for key in ("heads", "examples"))
        others = {"one head more": {"heads": heads + 1}}
        if not shape.get("sink") and shape.get("coefficients", "softmax") == "softmax":
            others["with a sink"] = {"sink": True}
        if not shape.get("query_bias"):
            others["with query biases"] = {"query_bias": True}
        if shape.get("head_dim") != 1:
            others["d_h = 1"] = {"head_dim": 1}
        rows = [self.row("as built", (0, 0))]
        if weighted:
            rows.insert(0, self.row("trained weights", (built.lower - trained.upper, built.upper - trained.lower)))
        for layer, change in others.items():
            result = self.ask(layer, "capacity", shape | change)
            rows.append(self.row(layer, (0, 0) if layer == "d_h = 1" else (max(0, result.lower - built.upper), result.upper - built.lower)))
        values = self.values and behind_values(self.values, self.value_bias, built, shape, lambda fewer: self.ask("behind its values", "capacity", shape | {"heads": fewer}))
        return Potential(rows, T, self.results, bottleneck(built), values, self.notes)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"attest potential: {message}; attest potential --help shows the options")


def main():
    known, _ = questions()
    parser = Parser(prog="attest potential", description=__doc__,
                                     epilog="Exit status: 0 all was answered, 1 a certificate is rejected, 2 wrong usage or bad input, 3 a limit was hit or something is left open.")
    for question in ("rank", "capacity"):
        for name, argument in known[question].items():
            if argument["group"] in ("Arrays", "Weights", "Layer") and f"--{name}" not in parser._option_string_actions:
                options = {"action": "store_true"} if argument["flag"] else {"default": None}
                parser.add_argument(f"--{name}", help=argument["says"].replace("%", "%%"), **options)
    parser.add_argument("--value", help=known["output-rank"]["value"]["says"].split(";")[0] + ", for what a read-out behind them can use")
    parser.add_argument("--value-bias", help=known["output-rank"]["value-bias"]["says"] + "; needs --value")
    parser.add_argument("--out", help="folder of the certificates, a folder in it for each row")
    parser.add_argument("--check", action="store_true", help="let the checker validate each certificate")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--version", action="version", version=f"attest {_library.__version__}")
    for name, says in (("timeout", "seconds per claim"), ("memory", "bytes per question, like 500M"), ("work", "operations per question, like 100G"), ("jobs", "threads")):
        parser.add_argument(f"--{name}", help=says)
    named = [option[2:] for option in parser._option_string_actions if option.startswith("--")]
    options = {name: value for name, value in vars(parser.parse_args()).items() if value not in (None, False)}
    as_json = options.pop("json", False)
    about_options = lambda error: re.sub(r"help\(attest\.\w+\)", "attest potential --help", commanded(re.sub(r"^attest\.\w+:", "attest potential:", str(error)), named))
    try:
        found = potential(**options)
    except _library.CertificateError as error:
        print(pages.line(str(error)), file=sys.stderr)
        return 1
    except (InputError, LimitError, ImportError) as error:
        raise type(error)(about_options(error)) from None
    print(json.dumps(found.data, indent=1) if as_json else "\n".join(pages.line(text) for text in repr(found).split("\n")))
    return 3 if any(row["verdict"] == "undecided" for row in found) else 0


__all__ = ["Potential", "potential"]
