"""Capacities and ranks over a grid of layers and data sets, as CSV, JSON and a page of heat maps (docs/explore.md).

    python3 -m attest.explore SWEEP.toml --out DIR
"""

import argparse
import concurrent.futures
import contextlib
import difflib
import fcntl
import fractions
import functools
import hashlib
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import typing

import numpy

from . import InputError, __version__
from . import pages

MOST_CELLS = 5_000_000
BOUND = 9  # of random entries
STEPS = 16  # of sign descent
BATCH = 240  # cases of one run of `attest verify`
MOST_NUMBERS = 1 << 22  # of the derivatives by all tokens, of cells whose weights are made together

# Tokens and their entries are part of a cell's seed, one byte each. For more layers there are no nested characters.
SIZES = {"context": (1, 255), "embed_dim": (1, 255), "heads": (1, 1 << 20), "head_dim": (1, 1 << 20), "examples": (1, 1 << 20), "sequences": (1, 1 << 20),
         "seed": (0, 2**31 - 1), "layers": (1, 4)}
FAMILIES = {
    "general-position": "tokens and queries with random integer entries",
    "opposite-pairs": "queries q, -q, q', -q', ...; random tokens",
    "vocabulary": "tokens and queries from a vocabulary of n + 2 random vectors",
    "affine-bag": "tokens and queries whose entries sum to 1",
    "moment-curve": "tokens and queries (1, x, x^2, ..., x^(d-1)), x an integer",
    "near-duplicate": "examples in pairs whose queries differ by 2^-20 in one entry",
    "one-hot": "tokens and queries that are unit vectors",
    "translates": "contexts that are translates of one",
    "trained": "a corner of a trained layer",
}


class Cell(typing.NamedTuple):
    """A point of the grid: a layer, or a stack of layers. Its name says everything, and is fit for a file name (k is d_h)."""
    family: str  # or "stack"
    fresh: bool  # every example has its own context; otherwise all share one
    n: int
    d: int
    H: int
    d_h: int
    T: int  # of a stack: sequences
    base: str
    seed: int
    layers: int = 0  # of a stack
    residual: bool = False

    @property
    def name(self):
        sizes = f"n{self.n}-d{self.d}-H{self.H}-k{self.d_h}"
        if self.layers:
            return f"stack{'-residual' if self.residual else ''}-L{self.layers}-{sizes}-S{self.T}-s{self.seed}"
        return f"{self.family}-{'fresh' if self.fresh else 'shared'}-{sizes}-T{self.T}-{self.base}-s{self.seed}"

    @property
    def formula(self):
        """The upper bound of a stack's functional dimension by its symmetries (docs/mathematics.md, Free layers); for one head and no residual
        connections the number of Conjecture 3.10 of Henry, Marchetti and Kohn."""
        m = min(self.d_h, self.d)
        return self.layers * self.H * (m * (2 * self.d - m) + self.d**2) - (0 if self.residual else (self.layers - 1) * self.d**2)


class Sweep:
    """A grid, from a TOML file. Raises InputError, which says where in the file."""

    def __init__(self, file, allow_outside=False):
        try:
            import tomllib
        except ImportError:
            try:
                import tomli as tomllib
            except ImportError as error:
                raise ImportError(f"sweeps are TOML, which {sys.executable} cannot read ({error}); Python 3.11 or newer, or `pip install tomli`") from None
        self.file, self.allow_outside = pathlib.Path(file), allow_outside
        data = pages.read(self.file, 1 << 26, "a sweep")
        self.digest = hashlib.sha256(data).hexdigest()
        try:
            root = tomllib.loads(data.decode())
        except UnicodeDecodeError as error:
            raise InputError(f"{self.file}: byte {error.start} is not UTF-8; a sweep in UTF-8") from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise InputError(f"{self.file}: is not TOML: {error}; docs/explore.md has an example") from None
        self._known(root, "the sweep", {"format", "title", "trained", "functional_dimension", "grid", "stack"})
        if type(root.get("format")) is not int or root["format"] != 1:
            self._fail("format", "is missing or not 1", "format = 1")
        self.title = self._typed(root, "title", str, "")
        self.functional_dimension = self._typed(root, "functional_dimension", bool, False)
        self.trained, self.trained_digest = None, ""
        if "trained" in root:
            self._read_trained(self._typed(root, "trained", str, ""))
        self.stacks = "stack" in root and "grid" not in root
        if "stack" in root and ("grid" in root or self.trained or self.functional_dimension):
            self._fail("stack", "a sweep of stacks has no other grids, no trained layer and one dimension only", "[[stack]] alone")
        kind = "stack" if self.stacks else "grid"
        grids = root.get(kind)
        if not isinstance(grids, list) or not grids or not all(isinstance(grid, dict) for grid in grids):
            self._fail(kind, "there is no grid", "at least one [[grid]] or [[stack]]")
        cells = {}
        for k, grid in enumerate(grids, 1):
            place, kept = f"[[{kind}]] {k}", len(cells)
            axes, cells_of = (self._stack_axes, self._stacks) if self.stacks else (self._layer_axes, self._layers)
            values = axes(grid, place)
            if kept + math.prod(map(len, values.values())) > MOST_CELLS:
                self._fail(place, f"the sweep has more than {MOST_CELLS} cells", "fewer values")
            for cell in cells_of(values):
                if cell.family == "trained":
                    self._require_trained(cell, place)
                cells.setdefault(cell.name, cell)
        self.cells = list(cells.values())
        self.cases = ["any"] if self.stacks else ["random", "trained"] + ["any"] * self.functional_dimension

    def _fail(self, place, wrong, right):
        raise InputError(f"{self.file}: {place}: {wrong}; {right}")

    def _known(self, table, place, keys):
        for key in table:
            if key not in keys:
                self._fail(place, f"unknown key {key!r}", "one of " + ", ".join(sorted(keys)))

    def _typed(self, table, key, wanted, initial):
        value = table.get(key, initial)
        if type(value) is not wanted:
            self._fail(key, f"is {value!r}", {str: "a text", bool: "true or false"}[wanted])
        return value

    def _values(self, grid, place, key, valid, right):
        """The values of an axis: one, or an array of them, each once."""
        if key not in grid:
            self._fail(place, f"has no {key}", f"{key} = a value, or an array of values")
        values = grid[key] if isinstance(grid[key], list) else [grid[key]]
        if not values:
            self._fail(f"{place}, {key}", "has no value", "at least one")
        for k, value in enumerate(values):
            if not valid(value):
                self._fail(f"{place}, {key}", f"is {str(value)[:80]!r}", right)
            if value in values[:k]:
                self._fail(f"{place}, {key}", f"has the value {value!r} twice", "each value once")
        return values

    def _sizes(self, grid, place, *keys):
        found = {}
        for key in keys:
            least, most = SIZES[key] if (key, place[:8]) != ("context", "[[stack]]"[:8]) else (2, SIZES[key][1])
            found[key] = self._values(grid, place, key, lambda v, a=least, b=most: type(v) is int and a <= v <= b, f"an integer from {least} to {most}")
        return found

    def _words(self, grid, place, key, words):
        return {key: self._values(grid, place, key, lambda v: isinstance(v, str) and v in words, "one of " + ", ".join(words))}

    def _layer_axes(self, grid, place):
        self._known(grid, place, {"family", "contexts", "context", "embed_dim", "heads", "head_dim", "examples", "base", "seed"})
        return {**self._words(grid, place, "family", FAMILIES), **self._words(grid, place, "contexts", ("shared", "fresh")), **self._words(grid, place, "base", ("e", "2")),
                **self._sizes(grid, place, "seed", "context", "embed_dim", "examples", "heads", "head_dim")}

    def _layers(self, values):
        for family, contexts, base, seed, n, d, T, H, d_h in itertools.product(*values.values()):
            yield Cell(family, contexts == "fresh", n, d, H, d_h, T, base, seed)

    def _stack_axes(self, grid, place):
        self._known(grid, place, {"layers", "residual", "context", "embed_dim", "heads", "head_dim", "sequences", "seed"})
        residual = self._values(grid, place, "residual", lambda v: isinstance(v, bool), "true or false")
        return {**self._sizes(grid, place, "seed", "context", "sequences", "heads"), "residual": residual, **self._sizes(grid, place, "layers", "embed_dim", "head_dim")}

    def _stacks(self, values):
        for seed, n, S, H, residual, L, d, d_h in itertools.product(*values.values()):
            # The last layer has a read-out and no residual connection, also where it is the first.
            yield Cell("stack", True, n, d, H, d_h, S, "e", seed, L, residual and L > 1)

    def _require_trained(self, cell, place):
        if self.trained is None:
            self._fail(place, "the family trained needs a trained layer", 'trained = "FILE.safetensors" above the grids')
        if cell.fresh:
            self._fail(place, "the trained layer has one context for all examples", 'contexts = "shared"')
        shapes = {name: tensor.shape for name, tensor in self.trained.items()}
        for key, wanted, has in (("context", cell.n, shapes["contexts"][0]), ("embed_dim", cell.d, shapes["contexts"][1]), ("examples", cell.T, shapes["queries"][0]),
                                 ("heads", cell.H, shapes["key"][0]), ("head_dim", cell.d_h, shapes["key"][2])):
            if wanted > has:
                self._fail(f"{place}, {key}", f"is {wanted}, but the trained layer has {has}", "a smaller one")

    def _read_trained(self, name):
        folder = self.file.resolve().parent
        path = (folder / name).resolve()
        if not self.allow_outside and folder not in path.parents:
            self._fail("trained", f"{name!r} lies outside the folder of the sweep", "a file below it, or --allow-outside")
        try:
            data = pages.read(path, 1 << 30, "a .safetensors file with contexts, queries, key and query")
        except InputError as error:
            raise InputError(f"{self.file}: trained: {error}") from None
        self.trained_digest = hashlib.sha256(data).hexdigest()
        dtypes = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}
        try:
            (size,) = struct.unpack("<Q", data[:8])
            header, body = json.loads(data[8:8 + size]), data[8 + size:]
            self.trained = {}
            for tensor in ("contexts", "queries", "key", "query"):
                first, last = header[tensor]["data_offsets"]
                self.trained[tensor] = numpy.frombuffer(body[first:last], dtypes[header[tensor]["dtype"]]).reshape(header[tensor]["shape"])
                if not numpy.isfinite(self.trained[tensor]).all():
                    raise ValueError(f"{tensor} has an entry that is no number")
            (n, d), (T, queries_d), (H, key_d, d_h) = (self.trained[name].shape for name in ("contexts", "queries", "key"))
            if not d == queries_d == key_d or self.trained["query"].shape != (H, d, d_h):
                raise ValueError("the tensors do not fit together")
        except (KeyError, TypeError, ValueError, struct.error, RecursionError) as error:
            self._fail("trained", f"{name!r} is no such layer ({type(error).__name__}: {error})",
                       "tensors contexts (n, d), queries (T, d), key and query (H, d, d_h) of F64, F32, F16, I64 or I32")


class Draws:
    """SplitMix64, as of generated arrays in case files (docs/case-files.md). A case's arrays have streams of their own."""
    MASK = (1 << 64) - 1

    def __init__(self, seed, stream):
        self.state = (256 * seed + stream) & self.MASK

    def below(self, bound):
        """Uniform in [0, bound), by rejection of the incomplete last block."""
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
            x = ((self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9) & self.MASK
            x = ((x ^ x >> 27) * 0x94D049BB133111EB) & self.MASK
            x ^= x >> 31
            if x <= self.MASK - (self.MASK + 1) % bound:
                return x % bound

    def integers(self, count, bound):
        return [self.below(2 * bound + 1) - bound for _ in range(count)]


def data_of(cell, sweep):
    """(contexts, queries) as nested lists of integers and fractions: contexts (n, d), or (T, n, d) when fresh."""
    if cell.family == "trained":
        corner = lambda tensor, *sizes: exact(sweep.trained[tensor][tuple(map(slice, sizes))])
        return corner("contexts", cell.n, cell.d), corner("queries", cell.T, cell.d)
    seed, d = 65536 * cell.seed + 256 * cell.n + cell.d, cell.d
    contexts, queries, words = Draws(seed, 1), Draws(seed, 2), Draws(seed, 16)
    vocabulary = [words.integers(d, BOUND) for _ in range(cell.n + 2)] if cell.family == "vocabulary" else []

    def on_curve(x):
        return [x**j for j in range(d)]

    def vector(draws):
        if vocabulary:
            return vocabulary[draws.below(len(vocabulary))]
        if cell.family == "one-hot":
            at = draws.below(d)
            return [int(j == at) for j in range(d)]
        drawn = draws.integers(d, BOUND)
        return [*drawn[:-1], 1 - sum(drawn[:-1])] if cell.family == "affine-bag" else drawn

    def context(t):
        return [on_curve(t * cell.n + i + 1) if cell.family == "moment-curve" else vector(contexts) for i in range(cell.n)]

    first = now = context(0)
    all_contexts, all_queries = [], []
    for t in range(cell.T):
        second = t % 2 == 1
        if cell.fresh and t > 0:
            if cell.family == "translates":
                shift = contexts.integers(d, BOUND)
                now = [[x + s for x, s in zip(token, shift)] for token in first]
            elif not (second and cell.family == "near-duplicate"):
                now = context(t)
        all_contexts.append(now)
        if second and cell.family == "opposite-pairs":
            query = [-x for x in all_queries[-1]]
        elif second and cell.family == "near-duplicate":
            query = [all_queries[-1][0] + fractions.Fraction(1, 1 << 20), *all_queries[-1][1:]]
        elif cell.family == "moment-curve":
            query = on_curve((t + 1) // 2 if second else -(t // 2))
        else:
            query = vector(queries)
        all_queries.append(query)
    return (all_contexts if cell.fresh else first), all_queries


def exact(array):
    """Nested lists of the exact values."""
    if array.ndim:
        return [exact(part) for part in array]
    return fractions.Fraction(array.item())


def toml(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value) if value.denominator == 1 and abs(value) < 2**63 else f'"{value}"'


def exponential(x):
    """exp of x <= 0 by IEEE operations alone: libraries differ in the last bit."""
    k = numpy.floor(x / 0.6931471805599453 + 0.5)
    r = x - k * 0.6931471805599453
    total = numpy.ones_like(x)
    for j in range(14, 0, -1):
        total = 1 + total * r / j
    return numpy.where(x >= -700, numpy.ldexp(total, k.astype(int)), 0.0)


def summed(terms, axis):
    """The sum one after the other, from the first: the same bits everywhere."""
    terms = numpy.moveaxis(terms, axis, 0)
    total = numpy.zeros(terms.shape[1:])
    for term in terms:
        total = total + term
    return total


def trained_like(cells, data):
    """What sign descent (signSGD) makes of random weights on each cell's data, with labels 1 and -1 (docs/explore.md): weights as training leaves them, not drawn
    independently of the data. [(key, query)] in eighths, (H, d, d_h) each. Binary64 decides signs only, by sums in a fixed order and without fused operations, so
    that the result is the same wherever IEEE 754 holds. Precondition: the cells have the same sizes."""
    n, d, H, K, T = (getattr(cells[0], size) for size in ("n", "d", "H", "d_h", "T"))
    B = len(cells)
    as_float = lambda values: numpy.array(values, dtype=object).astype(float)
    # Of each cell (first axis): tokens (T, n, d), queries (T, d).
    tokens = numpy.stack([numpy.broadcast_to(as_float(contexts), (T, n, d)) for contexts, _ in data])
    queries = numpy.stack([as_float(q) for _, q in data])
    scale = numpy.array([1 if cell.base == "e" else 0.6931471805599453 for cell in cells])[:, None, None, None]
    drawn = lambda stream, *shape: numpy.array([Draws(cell.seed, stream).integers(math.prod(shape), 4) for cell in cells]).reshape(B, *shape)
    key, query, read_out = drawn(4, H, d, K), drawn(5, H, d, K), drawn(17, H, d)
    labels = numpy.empty((B, T))
    for b, cell in enumerate(cells):
        draws = Draws(cell.seed, 18)
        labels[b] = [-1 if draws.below(2) == 0 else 1 for _ in range(T)]
    with numpy.errstate(over="ignore", invalid="ignore", under="ignore"):
        for _ in range(STEPS):
            # Axes: cell, example, head, token, entry j, column k. Outputs sum_h o_h . z_{t,h}; loss: half the sum of squared errors.
            projected = summed(queries[:, :, None, :, None] * query[:, None] / 8, 3)  # (B, T, H, K)
            keys = summed(tokens[:, :, None, :, :, None] * key[:, None, :, None] / 8, 4)  # (B, T, H, n, K)
            logits = summed(keys * projected[:, :, :, None], 4) * scale
            alpha = exponential(logits - numpy.fmax.reduce(logits, axis=3, keepdims=True, initial=-numpy.inf))
            alpha = alpha / summed(alpha, 3)[..., None]
            z = summed(alpha[..., None] * tokens[:, :, None], 3)  # (B, T, H, d)
            output = summed((z * read_out[:, None] / 8).reshape(B, T, H * d), 2)
            error = output - labels
            gain = summed(tokens[:, :, None] * read_out[:, None, :, None] / 8, 4)  # (B, T, H, n)
            mean = summed(alpha * gain, 3)
            slope = error[:, :, None, None] * alpha * (gain - mean[..., None])
            by_token = lambda terms: summed(numpy.moveaxis(terms, 3, 2).reshape(B, T * n, H, d, K), 1)
            key_gradient = by_token(slope[..., None, None] * tokens[:, :, None, :, :, None] * projected[:, :, :, None, None])
            query_gradient = by_token(slope[..., None, None] * queries[:, :, None, None, :, None] * keys[:, :, :, :, None])
            read_out_gradient = summed(error[:, :, None, None] * z, 1)
            for weights, gradient in ((key, key_gradient), (query, query_gradient), (read_out, read_out_gradient)):
                weights -= numpy.where(gradient > 0, 1, numpy.where(gradient != 0, -1, 0))
    return [([[[fractions.Fraction(int(x), 8) for x in row] for row in head] for head in key[b]],
             [[[fractions.Fraction(int(x), 8) for x in row] for row in head] for head in query[b]]) for b in range(B)]


def case_text(cell, which, data, weights, expected=None):
    """The text of one of a cell's cases, a function of its parameters. `expected`: verdicts by statement, which are no part of the contents that a certificate is bound to."""
    contexts, queries = data

    def claims(*statements):
        return "".join(f'\n[[claim]]\nstatement = "{statement}"\n' + (f'expect = "{verdict}"\n' if (verdict := (expected or {}).get(statement, "verified")) != "verified" else "")
                       for statement in statements)

    sizes = f"heads = {cell.H}\ncontext = {cell.n}\nembed_dim = {cell.d}\nhead_dim = {cell.d_h}\n"
    if cell.layers:  # all positions of the sequences put out d numbers; all weights of all layers are free
        before = f'\n[[before]]\nkind = "attention"\nheads = {cell.H}\nhead_dim = {cell.d_h}\nresidual = {"true" if cell.residual else "false"}\n'
        return (f'format = 1\ntitle = "{cell.name}, all weights"\n\n[layer]\n{sizes}examples = {cell.T * cell.n}\noutput_dim = {cell.d}\n\n'
                f'[data]\nhidden = {toml(contexts)}\npositions = "all"\n' + (cell.layers - 1) * before + claims("functional-dimension"))
    kind = {"any": "all", "random": "random", "trained": "trained" if cell.family == "trained" else "trained-like"}[which]
    text = (f'format = 1\ntitle = "{cell.name}, {kind} weights"\n\n[layer]\n{sizes}examples = {cell.T}\nbase = "{cell.base}"\n\n'
            f"[data]\ncontexts = {toml(contexts)}\nqueries = {toml(queries)}\n")
    if which == "any":
        return text + claims("functional-dimension")
    if which == "random":
        return text + f'\n[weights]\ngenerate = {{ kind = "integers", bound = {BOUND}, seed = {cell.seed} }}\n' + claims("capacity", "rank", "assumption-1", "assumption-2")
    return text + f"\n[weights]\nkey = {toml(weights[0])}\nquery = {toml(weights[1])}\n" + claims("rank")


def texts(cells, which, sweep):
    """A function of verdicts for each cell: the text of its case. Precondition: the cells have the same sizes."""
    data = [data_of(cell, sweep) for cell in cells]
    weights = [None] * len(cells)
    if which == "trained":
        own = [cell.family == "trained" for cell in cells]
        like = [k for k, is_own in enumerate(own) if not is_own]
        for k, found in zip(like, trained_like([cells[k] for k in like], [data[k] for k in like]) if like else []):
            weights[k] = found
        for k, cell in enumerate(cells):
            if own[k]:
                weights[k] = [exact(sweep.trained[name][:cell.H, :cell.d, :cell.d_h]) for name in ("key", "query")]
    return [functools.partial(case_text, *arguments) for arguments in zip(cells, [which] * len(cells), data, weights)]


def program():
    """The program `attest` of this version: beside the build of the module, where scripts of this Python are, or on the PATH."""
    built = pathlib.Path(__file__).resolve().parent.parent.parent / "attest"
    for place in (str(built), str(pathlib.Path(__file__).resolve().parent / "usr/bin/attest"), os.path.join(sysconfig.get_path("scripts"), "attest"), shutil.which("attest")):
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            said = subprocess.run([place, "--version"], capture_output=True, text=True).stdout.split()
            if said[:2] == ["attest", __version__]:
                return place
    raise InputError(f"there is no program attest {__version__} beside this module or on the PATH; scripts/verify builds it, `pip install .` and the Debian package install it")


def found_in(claims):
    """What a line remembers of the claims' reports: bounds, and verdicts on the assumptions."""
    found = {}
    for claim in claims:
        statement, key = claim["statement"], claim["statement"].replace("-", "_")
        if key in claim:
            found[key] = [claim[key]["lower"], claim[key]["upper"]]
        if statement == "capacity":
            # Where a bound is an interval, one from below counts by its lower end, one from above by its upper.
            end = lambda name, which: claim["bounds"][name][which] if isinstance(claim["bounds"][name], dict) else claim["bounds"][name]
            found["paper"], found["hull"] = end("paper_lower", "lower"), end("any_coefficients", "upper")
        if statement.startswith("assumption"):
            found[key] = claim["verdict"]
    return found


WANTED = {"random": {"capacity", "rank", "paper", "hull", "assumption_1", "assumption_2"}, "trained": {"rank"}, "any": {"functional_dimension"}}


def valid_line(line):
    """Whether it is a record of a case; nothing is proved by it, but tables are made of it."""
    count = lambda value: type(value) is int and value >= 0
    valid = {"paper": count, "hull": count, **dict.fromkeys(("assumption_1", "assumption_2"), lambda v: v in ("verified", "refuted", "inapplicable", "undecided"))}
    interval = lambda value: isinstance(value, list) and len(value) == 2 and all(map(count, value)) and value[0] <= value[1]
    return (isinstance(line, dict) and all(isinstance(line.get(key), str) for key in ("attest", "trained", "case", "sha256", "limits")) and isinstance(line.get("found"), dict)
            and re.fullmatch("[0-9a-f]{64}", line["sha256"]) is not None and line["case"].rsplit("-", 1)[-1] in WANTED
            and WANTED[line["case"].rsplit("-", 1)[-1]] <= set(line["found"]) and all(valid.get(key, interval)(value) for key, value in line["found"].items()))


def read_results(folder, sweep):
    """The lines of results-*.jsonl below a folder, by case; while other shards add to theirs, too. A line that was torn is none. Raises InputError for lines of another
    version or trained layer, for damaged ones, and for those that contradict each other."""
    found = {}
    for file in sorted(folder.glob("results-*.jsonl")):
        lines = pages.read(file, 1 << 34, "what attest.explore wrote").split(b"\n")
        for number, text in enumerate(lines, 1):
            place = f"{file}: line {number}"
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                if text and number < len(lines) and not text.startswith(b'{"attest":'):
                    raise InputError(f"{place}: is no result of a case; a file as attest.explore writes it, or none") from None
                continue  # cut off when a run was killed
            if not valid_line(line):
                raise InputError(f"{place}: is no result of a case; a file as attest.explore writes it, or none")
            if (line["attest"], line["trained"]) != (__version__, sweep.trained_digest):
                raise InputError(f"{place}: is of attest {line['attest']!r}, or of another trained layer; --out with another folder, or the file removed")
            before = found.get(line["case"])
            if before and not before["limits"] and not line["limits"] and (before["sha256"], before["found"]) != (line["sha256"], line["found"]):
                raise InputError(f"{place}: contradicts another line about {line['case']!r}; --out with another folder, or the file removed")
            if before is None or before["limits"] or not line["limits"]:
                found[line["case"]] = line
    return found


class Results:
    """The file that this shard adds to, one line for each case that was run."""

    def __init__(self, path):
        self.path = path
        pages.require_place(path)

    def add(self, lines):
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            size = os.fstat(file).st_size
            torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
            data = (b"\n" if torn else b"") + b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
            while data:
                data = data[os.write(file, data):]
            os.fsync(file)
        finally:
            os.close(file)


class Limits(typing.NamedTuple):
    timeout: str
    memory: str
    work: str

    def options(self):
        return [word for name, value in zip(self._fields, self) if value for word in (f"--{name}", value)]


def verify(attest, folder, cases, limits, jobs):
    """Verifies cases, {name: text of verdicts}, in a folder. Returns ({name: line}, {name: why it was not run}); certificates and cases lie in the folder."""
    files = [folder / f"{name}.toml" for name in cases]
    for file, text in zip(files, cases.values()):
        pages.write(file, text(), lasting=False)
    run = subprocess.run([attest, "verify", *map(str, files), "--out", str(folder), "--json", "-", "--jobs", str(jobs), *limits.options()], capture_output=True, text=True)
    if not run.stdout.startswith("{"):
        raise InputError(f"attest verify: {run.stderr.strip() or run.returncode}")
    found, failed = {}, {}
    for case in json.loads(run.stdout)["cases"]:
        name = pathlib.Path(case["path"]).stem
        if "error" in case:
            failed[name] = case["error"]
            continue
        certificate = (folder / f"{name}.json").read_bytes()
        undecided = any(claim["verdict"] == "undecided" for claim in case["claims"])
        found[name] = {"case": name, "sha256": hashlib.sha256(certificate).hexdigest(), "found": found_in(case["claims"]), "limits": " ".join(limits.options()) if undecided else ""}
        if undecided and not found[name]["limits"]:
            found[name]["limits"] = "none"
        pages.write(folder / f"{name}.toml", cases[name](expected={claim["statement"]: claim["verdict"] for claim in case["claims"]}), lasting=False)
    return found, failed


@contextlib.contextmanager
def folder_of(kept):
    """A folder that stays, or a temporary one."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="attest-explore-") as folder:
        yield pathlib.Path(folder)


def batches(waiting):
    """Lists of (which, cells): cells of the same sizes, whose weights are made together. A batch is small enough that little is lost when a run is killed."""
    groups, batch = {}, []
    for cell, which in waiting:
        groups.setdefault((which, cell.n, cell.d, cell.H, cell.d_h, cell.T), []).append(cell)
    for (which, *sizes), cells in groups.items():
        most = max(1, min(BATCH, MOST_NUMBERS // math.prod(sizes)))
        for k in range(0, len(cells), most):
            batch.append((which, cells[k:k + most]))
            if sum(len(cells) for _, cells in batch) >= BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def run_missing(sweep, options, limits):
    """Verifies the cases of a shard that no file in the folder has a line about. Returns how many cells had one that was run, and why some were not."""
    out, shard, shards = pathlib.Path(options.out), *options.shard
    known = read_results(out, sweep)
    results = Results(out / f"results-{shard}-of-{shards}.jsonl")
    now = " ".join(limits.options()) or "none"

    def stands(name):
        line = known.get(name)
        return line is not None and line["limits"] in ("", now) and (not options.keep or (out / "cells" / f"{name}.json").exists())

    mine = lambda name: int(hashlib.sha256(name.encode()).hexdigest()[:16], 16) % shards == shard - 1
    waiting = [(cell, which) for cell in sweep.cells for which in sweep.cases if mine(name := f"{cell.name}-{which}") and not stands(name)]
    attest, progress, failures, done = program(), options.progress or sys.stderr.isatty(), {}, 0
    stem = {"attest": __version__, "trained": sweep.trained_digest}

    def prepared(batch):
        return {f"{cell.name}-{which}": text for which, cells in batch for cell, text in zip(cells, texts(cells, which, sweep))}

    def told():
        if progress:
            print(f"\rcases: {done} of {len(waiting)}", end="", file=sys.stderr, flush=True)

    told()
    # The next cases are written while these are verified.
    with concurrent.futures.ThreadPoolExecutor(1) as ahead:
        queue = batches(waiting)
        coming = next(queue, None)
        coming = coming and ahead.submit(prepared, coming)
        while coming:
            cases = coming.result()
            coming = next(queue, None)
            coming = coming and ahead.submit(prepared, coming)
            with folder_of(out / "cells" if options.keep else None) as folder:
                found, failed = verify(attest, folder, cases, limits, options.jobs)
            results.add([{**stem, **line} for line in found.values()])
            failures.update(failed)
            done += len(cases)
            told()
    if progress:
        print(file=sys.stderr)
    return len({cell for cell, _ in waiting}), failures




COLUMNS = ["family", "contexts", "n", "d", "H", "d_h", "T", "base", "seed", "capacity_lower", "capacity_upper", "random_lower", "random_upper", "trained_lower", "trained_upper",
           "paper", "hull", "assumption_1", "assumption_2", "certificates"]
STACK_COLUMNS = ["L", "residual", "n", "d", "H", "d_h", "S", "seed", "functional_lower", "functional_upper", "formula", "certificates"]


def leaf(cell, lines):
    return " ".join([cell.name, *(line["sha256"] for line in lines)]) + "\n"


def row(cell, lines, sweep):
    """What the tables have of a cell, by column."""
    by_case = {line["case"].rsplit("-", 1)[1]: line["found"] for line in lines}
    values = {"family": cell.family, "contexts": "fresh" if cell.fresh else "shared", "n": cell.n, "d": cell.d, "H": cell.H, "d_h": cell.d_h, "T": cell.T, "S": cell.T,
              "L": cell.layers, "residual": "yes" if cell.residual else "no", "base": cell.base, "seed": cell.seed,
              "certificates": hashlib.sha256(leaf(cell, lines).encode()).hexdigest()[:16]}
    if cell.layers:
        values["formula"] = cell.formula
    else:
        random = by_case["random"]
        values |= {key: random[key] for key in ("paper", "hull", "assumption_1", "assumption_2")}
        for name, interval in (("capacity", random["capacity"]), ("random", random["rank"]), ("trained", by_case["trained"]["rank"])):
            values[name + "_lower"], values[name + "_upper"] = interval
    if "any" in by_case:
        values["functional_lower"], values["functional_upper"] = by_case["any"]["functional_dimension"]
    return values


def summary(rows, sweep):
    """(headings, [(group, cells, counts)]): how many cells of each group have what the heading says."""
    decided = lambda of: lambda c: c[of + "_lower"] == c[of + "_upper"]
    if sweep.stacks:
        has = {"dimension decided": decided("functional"), "the formula": lambda c: c["functional_lower"] == c["formula"]}
        group = lambda c: str(c["L"]) + (", residual connections" if c["residual"] == "yes" else "")
    else:
        has = {"capacity decided": decided("capacity"), "above the paper's bound": lambda c: c["capacity_lower"] > c["paper"],
               "the hull's bound is reached": lambda c: c["capacity_lower"] == c["hull"], "random weights reach the capacity": lambda c: c["random_lower"] == c["capacity_upper"],
               "trained-like weights reach it": lambda c: c["trained_lower"] == c["capacity_upper"]}
        if sweep.functional_dimension:
            has |= {"functional dimension decided": decided("functional"), "above the capacity": lambda c: c["functional_lower"] > c["capacity_upper"]}
        group = lambda c: f"{c['family']}, {c['contexts']}"
    groups = {}
    for c in rows:
        groups.setdefault(group(c), []).append(c)
    return list(has), [(name, len(cells), [sum(map(test, cells)) for test in has.values()]) for name, cells in groups.items()]


def write_atlas(sweep, lines, options):
    """atlas.csv, atlas.json, atlas.html and manifest.json: the same bytes whatever the shards, jobs and restarts were. Returns the root. `lines`: of each cell."""
    out = pathlib.Path(options.out)
    columns = STACK_COLUMNS if sweep.stacks else COLUMNS + ["functional_lower", "functional_upper"] * sweep.functional_dimension
    rows = [row(cell, its, sweep) for cell, its in zip(sweep.cells, lines)]
    # The cell's name follows from its columns, and the JSON leaves it out.
    compact = functools.partial(json.dumps, separators=(",", ":"), ensure_ascii=False)
    csv = ",".join(["cell", *columns]) + "\n" + "".join(",".join([cell.name, *(str(c[column]) for column in columns)]) + "\n" for cell, c in zip(sweep.cells, rows))
    text = (f'{{"format": "attest-atlas/1", "attest": "{__version__}",\n"title": {compact(sweep.title)},\n"columns": {compact(columns)},\n"cells": ['
            + "".join(("\n" if k == 0 else ",\n") + compact([c[column] for column in columns]) for k, c in enumerate(rows)) + "\n]}\n")
    sha256 = lambda text: hashlib.sha256(text.encode()).hexdigest()
    root = sha256("".join(sorted(map(leaf, sweep.cells, lines))))
    manifest = {"format": "attest-atlas-manifest/1", "attest": __version__, "sweep": sweep.digest, "cells": len(rows), "root": root, "atlas.csv": sha256(csv), "atlas.json": sha256(text)}
    headings, groups = summary(rows, sweep)
    families = {c["family"] for c in rows}
    page = pages.environment().get_template("atlas.html").stream(
        sweep=sweep, version=__version__, kept=options.keep, headings=headings, groups=groups, families=[item for item in FAMILIES.items() if item[0] in families], data=pages.in_script(text))
    for name, content in (("atlas.csv", csv), ("atlas.json", text), ("atlas.html", page), ("manifest.json", json.dumps(manifest, indent=1) + "\n")):
        pages.write(out / name, content)
    return root


def write_cell(sweep, options, limits):
    cell = next((cell for cell in sweep.cells if cell.name == options.cell), None)
    if cell is None:
        near = difflib.get_close_matches(options.cell, [cell.name for cell in sweep.cells], 1)
        raise InputError(f"--cell: the sweep has no cell {options.cell!r}; " + (f"{near[0]}, perhaps" if near else "a name of atlas.csv"))
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    for which in sweep.cases:
        name = f"{cell.name}-{which}"
        found, failed = verify(program(), out, {name: texts([cell], which, sweep)[0]}, limits, options.jobs)
        for why in failed.values():
            print(pages.line(why), file=sys.stderr)
            return 3
        print(f"{pages.line(str(out / name))}.json  sha256 {found[name]['sha256']}")
        for quantity, value in found[name]["found"].items():
            print(f"  {quantity}: {value if not isinstance(value, list) else value[0] if value[0] == value[1] else f'{value[0]} to {value[1]}'}")
    return 0


def shard_of(text):
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not i/N with 1 <= i <= N")
    return int(found[1]), int(found[2])


def main():
    parser = argparse.ArgumentParser(prog="python3 -m attest.explore", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Exit status: 0 all cells were run, 2 wrong usage or bad input, 3 some could not be run.")
    parser.add_argument("sweep", help="the grid (docs/explore.md)")
    parser.add_argument("--out", default="atlas", help="folder of the results; what is there is not run again (default: atlas)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="cases that run at the same time (default: cores)")
    parser.add_argument("--shard", type=shard_of, default=(1, 1), help="i/N: only the i-th of N parts of the cases, 1 <= i <= N")
    parser.add_argument("--cell", help="only write the cases and certificates of this cell, to --out")
    parser.add_argument("--keep", action="store_true", help="keep the cases and certificates of all cells, in OUT/cells")
    parser.add_argument("--progress", action="store_true", help="say how far it is, also when standard error is no terminal")
    parser.add_argument("--allow-outside", action="store_true", help="the trained layer may lie outside the sweep's folder")
    for name, says in (("timeout", "seconds per claim"), ("memory", "bytes per case, like 500M"), ("work", "operations per case, like 100G")):
        parser.add_argument(f"--{name}", default="", help=says + ", as of attest verify")
    options = parser.parse_args()
    pages.environment()  # before hours of work
    limits = Limits(options.timeout, options.memory, options.work)
    sweep = Sweep(options.sweep, options.allow_outside)
    if options.cell is not None:
        return write_cell(sweep, options, limits)
    ran, failures = run_missing(sweep, options, limits)
    lines = read_results(pathlib.Path(options.out), sweep)
    of_cells = [[lines[name] for which in sweep.cases if (name := f"{cell.name}-{which}") in lines] for cell in sweep.cells]
    missing = sum(len(its) < len(sweep.cases) for its in of_cells)
    failed = len({name.rsplit("-", 1)[0] for name in failures})
    for why in list(failures.values())[:10]:
        print(pages.line(why), file=sys.stderr)
    print(f"{len(sweep.cells)} cells, {ran} run now, {missing - failed} of other shards missing, {failed} not run")
    if missing == 0:
        root = write_atlas(sweep, of_cells, options)
        print(f"atlas.html, atlas.csv, atlas.json and manifest.json are in {pages.line(options.out)}\nroot {root}")
    return 3 if failures else 0


if __name__ == "__main__":
    pages.ended(main)
