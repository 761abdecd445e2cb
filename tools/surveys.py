"""All layers of a model at once: most questions about every layer whose arrays lie in a folder, as JSON and a page of heat maps (docs/guide.md).

    python3 -m attest.survey FOLDER --out DIR
"""

import argparse
import collections
import concurrent.futures
import contextlib
import difflib
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import sys
import threading
import time
import typing
import zipfile

try:
    import numpy
except ImportError:
    numpy = None  # only surveys need it

from . import _library
from ._library import CertificateError, InputError, LimitError
from .results import pythonic, wrapped

WITHOUT = "rank-without-head"  # rank, of the layer without one of its heads
ASKED = ("rank", "output-rank", "numerical-rank", "injective", "saturation", "capacity", WITHOUT)
LARGE = 1 << 21  # entries of Z, beyond which what takes minutes for each layer is asked only by name (docs/guide.md)
LONG = ("numerical-rank", WITHOUT)
# capacity, of the layer with one head more, a sink or query biases (attest.potential); asked where they could be more, or when they are named
OTHERS = {"capacity-one-head-more": lambda arguments: {"heads": int(arguments["heads"]) + 1}, "capacity-with-a-sink": lambda arguments: {"sink": True},
          "capacity-with-query-biases": lambda arguments: {"query-bias": True}}
THERE = {"capacity-with-a-sink": {"sink", "coefficients"}, "capacity-with-query-biases": {"query-bias"}}  # arguments beside which it is nothing else
ARRAY_FILES = (".npy", ".npz", ".safetensors")
OF_LAYERS = ("Arrays", "Weights", "Layer")  # groups of arguments that say what a layer is
# What a layer does after its heads: questions that do not know it are not about it.
AFTER = {"value", "value-bias", "output", "output-bias", "skip", "skip-vectors", "readout", "readout-linear", "readout-bias"}
MOST_OPTIONS = 1 << 20


class Survey(list):
    """A row for each number that was proved, as a dict: pandas.DataFrame(survey) is a data frame. Its keys are

    layer, head      what it is about; head is None for all heads together
    quantity         "rank", "numerical_rank", "different_outputs", "saturated", "capacity", "rank_without_head", ...
    lower, upper     the proved bounds, equal when the number is known
    ceiling          what it cannot exceed by the sizes alone, such as min(T, H d); None when it is not known
    certificate, claim   where the proof is, below `folder`; the checker has accepted it (`checked`)
    query_bias       of a capacity, whether it is over all query biases, too: it is, when the layer has some
    bottleneck       of a capacity, what its bound from above is made of: a sentence
    verdict, statement, seconds, words, and what is known beside it (paper_lower, any_coefficients_upper, ...)

    Attributes: `layers`, a dict for each (name, shape, notes, not_asked: why a question was not answered, one_token: how many
    examples have a context of one token, and equal_heads, constant_heads), `findings`, what the numbers say and what to do about
    it, `folder`, and `page`, the file with heat maps."""

    def __init__(self, data, folder, status=0):
        super().__init__(data["cells"])
        self._data, self.layers, self.findings, self.folder, self.status = data, data["layers"], data["findings"], pathlib.Path(folder), status
        self.page = self.folder / "survey.html"

    def find(self, quantity, layer=None, head=None):
        """The rows about a quantity: of one layer, or of all; of a head, of all heads together (None), or "each". Raises InputError for
        a quantity or a layer that the survey knows nothing of."""
        for name, value, known in (("quantity", quantity, {row["quantity"] for row in self}), ("layer", layer, {each["name"] for each in self.layers})):
            if value is not None and value not in known:
                near = difflib.get_close_matches(str(value), known, 1)
                raise InputError(f"the survey has no {name} {value!r}; it has {', '.join(sorted(known)) or 'none'}"
                                 + (f"; did you mean {near[0]!r}?" if near else ""))
        return [row for row in self if row["quantity"] == quantity and layer in (None, row["layer"]) and (row["head"] == head or (head == "each" and row["head"] is not None))]

    def __repr__(self):
        from . import findings

        page = findings.page(self._data)
        where = lambda runs: ", ".join(" to ".join(run) for run in runs)
        lines = []
        for table in [table for table in page["maps"] if table["title"] == "Layers"]:  # those of heads are on the page
            text = lambda cell: cell["text"] + (f" of {cell['ceiling']}" if cell["ceiling"] is not None else "") if cell else ""
            rows = [["", *table["columns"]]] + [[name, *(text(cells.get(column)) for column in table["columns"])] for name, cells in table["rows"].items()]
            widths = [max(map(len, column)) for column in zip(*rows)]
            lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        for finding in page["findings"]:
            lines += wrapped(f"{where(finding['where'])}: {finding['says']}") + wrapped(f"    {finding['do']}")
        for why in page["not_asked"]:
            lines += wrapped(f"{where(why['where'])}: not asked: {why['says']}")
        if not self:
            lines.append("no question was answered")
        return "\n".join(lines + [f"page: {self.page}"])


@functools.lru_cache(maxsize=None)
def questions():
    """{question: {argument: {"group", "file", "flag", ...}}}, and {question: whether it is about given weights}."""
    kinds = _library.questions()
    known = {kind["name"]: {a["name"]: {**a, "file": a["kind"] in ("array", "model"), "flag": a["kind"] == "flag"} for a in kind["arguments"]} for kind in kinds}
    return known, {question: "key" in arguments for question, arguments in known.items()}


def argument_of_layers(name):
    """The argument that says what a layer is, or how it is asked about; None when none of that name does."""
    for question in questions()[0].values():
        argument = question.get(name)
        if argument and (argument["group"] in OF_LAYERS or name in ("tolerance", "threshold")):
            return argument
    return None


def argument_named(key, is_file, place):
    name = key.replace("_", "-")
    argument = argument_of_layers(name)
    if argument is not None and argument["file"] == is_file:
        return name
    known = {a.replace("-", "_") for question in questions()[0].values() for a in question if (of := argument_of_layers(a)) and of["file"] == is_file}
    raise InputError(f"{place}: {json.dumps(key)} is no {'array' if is_file else 'option'} of a layer; {', '.join(sorted(known))}")


class Tensors:
    """The arrays of a .npy, .npz or .safetensors file: `shapes`, by name ("" in a .npy file). Raises InputError for what is no such file."""
    DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1", "BOOL": "|b1", "U16": "<u2", "U32": "<u4", "U64": "<u8"}

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                if not os.path.isfile(f"/proc/self/fd/{file.fileno()}"):
                    raise ValueError("is no regular file")
                self.shapes = getattr(self, "_" + self.path.suffix[1:])(file)
        except (OSError, ValueError, KeyError, TypeError, struct.error, RecursionError, zipfile.BadZipFile) as error:
            raise InputError(f"{path}: is no array ({error}); a file of numpy or of safetensors") from None

    def _npy(self, file):
        version = numpy.lib.format.read_magic(file)
        shape, _, _ = (numpy.lib.format.read_array_header_1_0 if version == (1, 0) else numpy.lib.format.read_array_header_2_0)(file)
        return {"": tuple(shape)}

    def _npz(self, file):
        with zipfile.ZipFile(file) as archive:
            found = {}
            for name in archive.namelist():
                with archive.open(name) as member:
                    found[name.removesuffix(".npy")] = self._npy(member)[""]
            return found

    def _safetensors(self, file):
        (size,) = struct.unpack("<Q", file.read(8))
        if size > 1 << 27:
            raise ValueError("its header is too long")
        self.header, self.start = json.loads(file.read(size)), 8 + size
        return {name: tuple(tensor["shape"]) for name, tensor in self.header.items() if name != "__metadata__"}

    def read(self, name):
        """An array as numpy has it, mapped. None for a type that numpy does not have. Raises InputError."""
        try:
            if self.path.suffix == ".npy":
                return numpy.load(self.path, mmap_mode="r", allow_pickle=False)
            if self.path.suffix == ".npz":
                return numpy.load(self.path, allow_pickle=False)[name]
            tensor = self.header[name]
            if tensor["dtype"] not in self.DTYPES:
                return None
            return numpy.memmap(self.path, self.DTYPES[tensor["dtype"]], "r", self.start + tensor["data_offsets"][0], self.shapes[name])
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise InputError(f"{self.path}: is no array ({error}); a file of numpy or of safetensors") from None


def read_array(given, name):
    """An array, a tensor or a file, as numpy has it. Raises InputError, and ImportError without numpy."""
    if numpy is None:
        raise ImportError(f"{name}= needs numpy, which {sys.executable} does not have; install it there, or leave {name}= out")
    if isinstance(given, (str, os.PathLike)):
        file, _, tensor = os.fspath(given).partition(":")
        given = Tensors(file).read(tensor)
    return numpy.asarray(given.detach().cpu().double() if hasattr(given, "detach") else given)


def shared_values(value):
    """(d_v, the most heads that share one matrix) of values (H, d, d_v). Raises as read_array."""
    array = read_array(value, "value")
    if array.ndim != 3 or 0 in array.shape:
        raise InputError(f"value= has shape {array.shape}; (H, d, d_v)")
    parts = [str(part.tolist()) if array.dtype == object else numpy.ascontiguousarray(part).tobytes() for part in array]
    return array.shape[2], max(collections.Counter(parts).values())


class Layer:
    """A layer of the folder: arguments of questions, by the names of the command line; arrays as FILE or FILE:NAME."""

    def __init__(self, name):
        self.name, self.given, self.files, self.refused, self.notes, self.not_asked = name, {}, {}, None, [], []
        self.shape, self.data = None, {"one_token": None, "equal_heads": [], "constant_heads": []}

    @classmethod
    def at(cls, place):
        """FOLDER/NAME/*.npy or FOLDER/NAME.safetensors, and FOLDER/NAME.options. None when there is nothing."""
        layer = cls(place.name if place.is_dir() else place.stem)
        try:
            if place.is_dir():
                for file in sorted(place.iterdir()):
                    if file.suffix in ARRAY_FILES:
                        layer.files[argument_named(file.stem, True, file)] = (file, "")
            else:
                layer.files = {argument_named(name, True, place): (place, name) for name in Tensors(place).shapes}
            layer._read_options(place.parent / f"{layer.name}.options")
        except InputError as error:
            layer.refused = str(error)
        except OSError as error:
            layer.refused = f"{place}: cannot be read ({error.strerror}); a folder of arrays"
        return layer if layer.files or layer.given or layer.refused else None

    def _read_options(self, file):
        """{"heads": 12, "causal": true, "logit_scale": "1/8"}, and "notes" for the page."""
        if not os.path.lexists(file):
            return
        from . import pages
        form = 'an integer, true, or a text such as "1/3": {"heads": 12}'
        try:
            options = json.loads(pages.read(file, MOST_OPTIONS, form))
        except RecursionError:
            raise InputError(f"{file}: is nested deeper than any option; {form}") from None
        except ValueError as error:
            raise InputError(f"{file}: is not JSON ({error}); {form}") from None
        if not isinstance(options, dict):
            raise InputError(f"{file}: is no JSON object; {form}")
        for key, value in options.items():
            if key == "refused" and isinstance(value, str):
                self.refused = value
            elif key == "notes" and isinstance(value, list):
                self.notes += [note if isinstance(note, str) else json.dumps(note) for note in value]
            else:
                name = argument_named(key, False, file)
                if not isinstance(value, (bool, int, str)) or isinstance(value, bool) != argument_of_layers(name)["flag"]:
                    raise InputError(f"{file}: {key}: is {json.dumps(value)[:80]}; {form.split(':')[0]}")
                if value is not False:
                    self.given[name] = value

    def bring(self, folder):
        """Copies the files to the folder of the layer's cases, unless they are there: several questions need them."""
        self.folder = folder
        brought = {}
        for argument, (file, tensor) in self.files.items():
            if file not in brought:
                Tensors(file)  # a link may lead to what is no array and nobody's business
                brought[file] = to = folder / file.name
                try:
                    folder.mkdir(parents=True, exist_ok=True)
                    if not to.exists() or not os.path.samefile(file, to):
                        half = folder / ".half"
                        shutil.copyfile(file, half)
                        os.replace(half, to)
                except OSError as error:
                    raise InputError(f"{file}: cannot be copied to {folder} ({error.strerror}); a folder that is writable and has room") from None
            self.files[argument] = (brought[file], tensor)
            model = argument == "weights"
            self.given[argument] = f"{brought[file]}:{tensor}" if tensor and not model else str(brought[file])
        self._learn()

    def array(self, argument):
        """An array of the layer, or None."""
        if argument not in self.files:
            return None
        file, tensor = self.files[argument]
        return Tensors(file).read(tensor)

    def shape_of(self, argument):
        if argument not in self.files:
            return None
        file, tensor = self.files[argument]
        return Tensors(file).shapes.get(tensor)

    def heads_shown(self):
        """What the weights show of the heads: {"heads", "head-dim"}."""
        for argument, heads, head_dim in (("key", 0, 2), ("combined", 0, None), ("projected-queries", -2, -1), ("logits", 1, None)):
            shape = self.shape_of(argument)
            if shape:
                pick = lambda at: shape[at] if at is not None and -len(shape) <= at < len(shape) and shape[at] > 0 else None
                return {name: value for name, value in (("heads", pick(heads)), ("head-dim", pick(head_dim))) if value}
        return {}

    def by_head(self, argument):
        """An array with its heads in front, a group's keys for each of its heads; None when it is not there or cannot be read."""
        array = self.array(argument)
        if array is None:
            return None
        heads = self.heads_shown().get("heads", 0)
        array = numpy.moveaxis(array, {"logits": 1, "projected-queries": -2, "projected-keys": -2}.get(argument, 0), 0)
        return array if len(array) == heads or argument != "projected-keys" or heads % max(len(array), 1) else numpy.repeat(array, heads // len(array), 0)

    def _learn(self):
        """What the arrays show without a proof: contexts of one token, heads that are equal or constant, exactly."""
        with contextlib.suppress(InputError, ValueError, IndexError, TypeError):
            self.data["one_token"] = self._one_token()
        same, constant = collections.defaultdict(list), []
        with contextlib.suppress(InputError, ValueError, IndexError, TypeError):
            parts = {name: part for name in ("key", "query", "combined", "key-bias", "query-bias", "projected-queries", "projected-keys", "logits", "sink-logits")
                     if (part := self.by_head(name)) is not None}
            if not {"key", "combined", "projected-queries", "logits"} & set(parts):
                return
            for h in range(self.heads_shown()["heads"]):
                digest = hashlib.sha256(b"".join(hashlib.sha256(numpy.ascontiguousarray(part[h] + 0.0)).digest() for part in parts.values())).digest()
                same[digest].append(h)
                zero = lambda *names: all(name not in parts or not parts[name][h].any() for name in names)
                if "logits" in parts:
                    is_constant = bool((parts["logits"][h] == parts["logits"][h][..., :1]).all())
                elif "combined" in parts:
                    is_constant = zero("combined", "key-bias", "query-bias")
                else:
                    is_constant = zero("key") if "key" in parts and zero("key") else zero("query", "query-bias") if "query" in parts else zero("projected-queries")
                if is_constant:
                    constant.append(h)
        self.data["equal_heads"], self.data["constant_heads"] = [heads for heads in same.values() if len(heads) > 1], constant

    def _one_token(self):
        """How many examples have a context of one token, of which every coefficient is 1."""
        if "hidden" in self.files:
            return int((self._tokens() == 1).sum())
        mask, contexts = self.array("mask"), self.shape_of("contexts") or self.shape_of("logits")
        if mask is None:
            examples = self.shape_of("queries") or self.shape_of("projected-queries") or self.shape_of("logits") or (None,)
            return 0 if contexts is None or contexts[-2 if self.shape_of("contexts") else -1] > 1 else examples[0]
        return int((numpy.asarray(mask != 0).sum(1) == 1).sum())

    def _tokens(self):
        """How many tokens each example of the hidden vectors has."""
        mask = self.array("mask")
        S, L, _ = self.shape_of("hidden")
        takes_part = numpy.ones((S, L), bool) if mask is None else numpy.asarray(mask != 0)
        window = min(int(self.given.get("window", L)), L)
        before = numpy.concatenate([numpy.zeros((S, 1), int), takes_part.cumsum(1)], 1)  # each position
        here = numpy.arange(L)
        tokens = before[:, here + 1 if "causal" in self.given else numpy.minimum(here + window, L)] - before[:, numpy.maximum(here - window + 1, 0)]
        positions = str(self.given.get("positions", "last"))
        if positions == "all":
            return tokens[takes_part]
        if positions == "last":
            return tokens[numpy.arange(S), L - 1 - takes_part[:, ::-1].argmax(1)]
        return tokens[:, [int(position) for position in positions.split(",")]].ravel()

    def size_of_z(self):
        """(T, H d), or None when the arrays do not show it."""
        with contextlib.suppress(InputError, ValueError, IndexError, TypeError):
            heads = int(self.heads_shown().get("heads") or self.given["heads"]) if self.heads_shown() or "heads" in self.given else 0
            tokens = self.shape_of("hidden") or self.shape_of("contexts")
            queries = self.shape_of("queries") or self.shape_of("projected-queries") or self.shape_of("logits")
            T = len(self._tokens()) if "hidden" in self.files else queries[0] if queries else tokens[0]
            return (T, heads * tokens[-1]) if heads else None

    def without(self, h):
        """The arrays that have heads, without head h: {argument: array}. None when they cannot be read apart."""
        found = {}
        for name in self.files:
            if name in ("key", "query", "combined", "key-bias", "query-bias", "projected-queries", "projected-keys", "logits", "sink-logits"):
                part = self.by_head(name)
                if part is None:
                    return None
                rest = numpy.delete(part, h, 0)
                found[name] = numpy.ascontiguousarray(numpy.moveaxis(rest, 0, {"logits": 1, "projected-queries": -2, "projected-keys": -2}.get(name, 0)))
        return found or None

    def linked(self, argument, folder):
        """An array's argument in another folder, where its file is linked, or copied where it cannot be."""
        file, tensor = self.files[argument]
        folder.mkdir(parents=True, exist_ok=True)
        to = folder / file.name
        to.unlink(missing_ok=True)
        try:
            os.link(file, to)
        except OSError:
            shutil.copyfile(file, to)
        return f"{to}:{tensor}" if tensor else str(to)


def order_of(name):
    """Numbers in names count as such: layers.2 is before layers.10."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d{1,20})", name)], name


def read_layers(folder, only):
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; a folder of layers")
    places = [place for place in folder.iterdir() if place.is_dir() or place.suffix == ".safetensors"]
    layers = [layer for place in places if not only or (place.name if place.is_dir() else place.stem) in only if (layer := Layer.at(place))]
    if len(layers) < max(len(set(only)), 1):
        raise InputError(f"{folder}: {'does not hold all layers that are named' if only else 'holds no layers'}; a folder with .npy files, or a .safetensors file, for each layer")
    layers.sort(key=lambda layer: order_of(layer.name))
    for layer, other in zip(layers, layers[1:]):
        if layer.name == other.name:
            raise InputError(f"{folder}: holds two layers {layer.name!r}; one of each name")
    return layers


class Task(typing.NamedTuple):
    """A question about a layer, or about it without a head."""
    layer: Layer
    question: str
    out: pathlib.Path
    arguments: dict
    without: int = None


def arguments_of(layer, question, options):
    """The arguments of a question about a layer. Raises InputError when it cannot be asked."""
    known, of_weights = questions()[0][question], questions()[1][question]
    projected = "logits" in layer.given or "projected-queries" in layer.given
    arguments = {}
    for name, value in {**options, **layer.given}.items():
        of = argument_of_layers(name)
        # Of this name, and about the layer: the `value` of a capacity is another one.
        if name not in known or known[name]["group"] != of["group"]:
            if of["group"] == "Layer" or (of_weights and of["group"] == "Weights" and name not in AFTER):
                raise InputError(f"{question} is not asked about layers with --{name}; a layer without it")
        elif not (of_weights and projected and name == "queries"):  # those of other questions
            arguments[name] = value
    if "per-head" in known:
        arguments["per-head"] = True
    if not of_weights:
        arguments = {**layer.heads_shown(), **arguments}
        if "query-bias" in known and "query-bias" in layer.given:
            arguments["query-bias"] = True  # a capacity is over all of them
    return arguments


def tasks_of(layer, asked, named, options):
    rows, columns = layer.size_of_z() or (0, 0)
    # In the case of the rank: where the weights reach the capacity, one minor shows both.
    together = {"rank", "capacity"} <= set(asked) and {"key", "query"} <= set(layer.given) and "query-bias" not in layer.given
    for question in asked:
        try:
            if question == "capacity" and together:
                continue
            if question in OTHERS and THERE.get(question, set()) & set(layer.given):
                continue
            if not named and question in LONG and rows * columns > LARGE:
                raise InputError(f"Z has {rows} x {columns} entries, for which {question} takes minutes; it is asked when it is named")
            if question == "output-rank" and not {"value", "weights"} & set(layer.given):
                raise InputError("output-rank: there are no values; an array value, or weights with a layout")
            if question in OTHERS:
                yield Task(layer, question, layer.folder / question, arguments_of(layer, "capacity", options))
                continue
            if question != WITHOUT:
                yield Task(layer, question, layer.folder, arguments_of(layer, question, options) | ({"trainable": True} if question == "rank" and together else {}))
                continue
            arguments = {name: value for name, value in arguments_of(layer, "rank", options).items() if name not in ("per-head", "heads")}
            if "weights" in layer.given:
                raise InputError(f"{WITHOUT}: weights of a layout are not taken apart by heads; arrays key and query, (H, d, d_h)")
            for h in range(layer.heads_shown().get("heads", 0)) if layer.heads_shown().get("heads", 0) > 1 else ():
                yield Task(layer, question, layer.folder / f"without-{h}", arguments, h)
        except InputError as error:
            layer.not_asked.append(str(error))


def answered(task, limits, jobs, stop, shapes):
    """The rows of the table that a question gives, notes, whether something is open, and whether its certificate was there. Raises what the question raises."""
    import attest

    def progress(*_):
        if stop.is_set():
            raise KeyboardInterrupt

    arguments = dict(task.arguments)
    if task.without is not None:
        arguments = {name: task.layer.linked(name, task.out) if name in task.layer.files else value for name, value in arguments.items()}
        arguments |= task.layer.without(task.without) or {}
    elif not questions()[1].get(task.question) and "weights" in task.layer.given and task.layer.name in shapes:
        shape = shapes[task.layer.name].result()  # of the heads nothing shows but the layout
        if shape:
            arguments = {"heads": shape["heads"], "head-dim": shape["head_dim"]} | ({"query-bias": True} if shape["query_bias"] else {}) | arguments
    name = {WITHOUT: "rank", **dict.fromkeys(OTHERS, "capacity")}.get(task.question, task.question)
    if task.question in OTHERS:
        if "heads" not in arguments:
            raise InputError(f"{task.question}: how many heads there are is not known; heads in the layer's options")
        arguments |= OTHERS[task.question](arguments)
        # Query biases of any value are no file.
        arguments = {argument: task.layer.linked(argument, task.out) if argument in task.layer.files and value is not True else value for argument, value in arguments.items()}
    ask = getattr(attest, name.replace("-", "_"))
    result = ask(**{argument.replace("-", "_"): value for argument, value in arguments.items()}, **limits, out=task.out, check=True, changed=True, jobs=jobs, progress=progress)
    shape = {key: int(found[1]) for key in ("heads", "context", "embed_dim", "head_dim", "examples") if (found := re.search(rf"(?m)^{key} = (\d+)$", result.case))} | {"query_bias": result.data["query_bias"]}
    rows = []
    for k, claim in enumerate(result.claims):
        quantity = next((key for key, value in claim.data.items() if isinstance(value, dict) and {"lower", "upper"} <= set(value)), None)
        if quantity is None:
            continue
        head = re.search(r"\bhead = (\d+)", claim.data["arguments"])
        row = {"layer": task.layer.name, "head": int(head[1]) if head else task.without, "quantity": task.question.replace("-", "_") if task.question in (WITHOUT, *OTHERS) else quantity,
               "lower": claim.lower, "upper": claim.upper, "verdict": claim.verdict, "statement": claim.statement,
               "certificate": str(pathlib.PurePosixPath("layers", task.layer.name, *([task.out.name] if task.out != task.layer.folder else []), f"{name}.json")), "claim": k,
               "checked": claim.data.get("checked", False), "seconds": claim.data["seconds"], "words": (f"without head {task.without}: " if task.without is not None else "") + repr(claim)}
        if quantity == "capacity":
            row["query_bias"] = claim.data["query_bias"]
        if row["quantity"] == "capacity":
            from . import potentials
            row["bottleneck"] = potentials.bottleneck(result)["says"]
        for bound, value in claim.data.get("bounds", {}).items():
            if bound.endswith("_lower"):
                row[bound] = value
            else:
                row[f"{bound}_lower"], row[f"{bound}_upper"] = (value["lower"], value["upper"]) if isinstance(value, dict) else (value, value)
        rows.append(row)
    # Another rank than that of the whole layer has nothing to add.
    notes = result.notes if task.out == task.layer.folder else []
    return rows, notes, shape, any(claim.verdict == "undecided" for claim in result.claims), bool(result.claims[0].data.get("unchanged"))


def run(tasks, limits, jobs, told):
    """What `answered` says of each task, or what it raised; in the order of the tasks. Ctrl-C ends all that is under way."""
    stop, each = threading.Event(), max(1, jobs // max(1, len(tasks)))
    shapes, futures = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for task in tasks:
                future = pool.submit(answered, task, limits, each, stop, shapes)
                futures.append(future)
                if questions()[1].get(task.question) and task.layer.name not in shapes:
                    shapes[task.layer.name] = shape = concurrent.futures.Future()
                    future.add_done_callback(lambda done, shape=shape: shape.set_result(None if done.cancelled() or done.exception() else done.result()[2]))
            for done, _ in enumerate(concurrent.futures.as_completed(futures), 1):
                told(done)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return futures


def survey(folder, *, out="survey", layers=(), ask=(), tolerance=None, threshold=None, jobs=None, timeout=None, memory=None, work=None, progress=None):
    """Answers every question about every layer whose arrays lie below `folder`, and writes certificates, survey.json
    and survey.html below `out`. What has a valid certificate there, as after a run that was killed, is not proved again.

    A layer is a folder of .npy files, or one .safetensors file, with the names of the keyword arguments of the questions
    (contexts, queries, key, query, ...); FOLDER/LAYER.options is a JSON object with what is no array, such as {"heads": 12}.
    `layers` and `ask` select some, `tolerance` is that of attest.numerical_rank, `threshold` that of attest.saturation. On
    a terminal, or with progress=True, it says how far it is. Returns a Survey. Raises InputError when there are no layers, and
    ImportError without Jinja2."""
    from . import findings, pages

    environment = pages.environment()  # before hours of work
    if numpy is None:
        raise ImportError(f"a survey needs numpy, which {sys.executable} does not have; install it there, or take Debian's /usr/bin/python3 with python3-numpy")
    asked = [name.replace("_", "-") for name in ([ask] if isinstance(ask, str) else ask)]
    for name in asked:
        if name not in (*ASKED, *OTHERS):
            raise InputError(f"ask: {name!r} is no question of a survey; {', '.join((*ASKED, *OTHERS))}")
    if jobs is not None and not 1 <= jobs <= 1024:
        raise InputError(f"jobs is {jobs}; an integer from 1 to 1024")
    limits = {name: value for name, value in (("timeout", timeout), ("memory", memory), ("work", work)) if value is not None}
    options = {name: value for name, value in (("tolerance", tolerance), ("threshold", threshold)) if value is not None}
    out, found, status = pathlib.Path(out), read_layers(folder, [layers] if isinstance(layers, str) else list(layers)), 0
    pages.require_place(out / "survey.json")
    tasks = []
    for layer in found:
        if layer.refused is None:
            try:
                layer.bring(out / "layers" / layer.name)
            except InputError as error:
                layer.refused = str(error)
        if layer.refused is not None:
            layer.not_asked.append(layer.refused)
            status = 2
            continue
        tasks += tasks_of(layer, asked or ASKED, bool(asked), options)
    shown = progress if progress is not None else sys.stderr is not None and sys.stderr.isatty()
    jobs = jobs or len(os.sched_getaffinity(0))
    cells, unchanged = [], 0

    def told(done):
        if shown:
            print(f"\rquestions: {done} of {len(tasks)}", end="" if done < len(tasks) else "\n", file=sys.stderr, flush=True)

    def collect(task, future):
        nonlocal cells, status, unchanged
        layer = task.layer
        try:
            rows, notes, shape, is_open, was_there = future.result()
        except (InputError, LimitError, CertificateError) as error:
            if getattr(error, "argument", "") in ("memory", "work", "timeout", "jobs"):
                raise  # of all questions
            why = pythonic(str(error))
            if why not in layer.not_asked:
                layer.not_asked.append(why)
            if isinstance(error, InputError) and getattr(error, "file", "").startswith("attest."):
                return  # arrays that this question needs are not there
            status = 2 if isinstance(error, InputError) or status == 2 else 3 if isinstance(error, LimitError) else max(status, 1)
            return
        cells += rows
        layer.notes += [note for note in notes if note not in layer.notes]
        layer.shape = shape if task.without is None and task.question not in OTHERS else layer.shape
        status = status if status == 2 or not is_open else 3
        unchanged += was_there

    for task, future in zip(tasks, run(tasks, limits, jobs, told)):
        collect(task, future)
    if not asked:
        capacities = {row["layer"]: row for row in cells if row["quantity"] == "capacity"}
        further = [task for layer in found if layer.name in capacities and not findings.is_all(capacities[layer.name], layer.shape["examples"]) for task in tasks_of(layer, OTHERS, False, options)]
        start, tasks = len(tasks), tasks + further
        for task, future in zip(further, run(further, limits, jobs, lambda done: told(start + done))):
            collect(task, future)
    place = {layer.name: k for k, layer in enumerate(found)}
    cells.sort(key=lambda row: (place[row["layer"]], row["quantity"].startswith("capacity")))
    data = {"attest": _library.__version__, "format": "attest-survey/1",
            "layers": [{"name": layer.name, "notes": [pythonic(note) for note in layer.notes], "not_asked": [pythonic(why) for why in layer.not_asked],
                        **layer.data, **({"shape": layer.shape} if layer.shape else {}), "value_dim": (layer.shape_of("value") or (None,))[-1] if layer.refused is None else None}
                       for layer in found], "cells": cells}
    findings.add(data)
    pages.write(out / "survey.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    pages.write(out / "survey.html", environment.get_template("survey.html").stream(**findings.page(data)))
    result = Survey(data, out, status)
    result.questions, result.unchanged = len(tasks), unchanged
    return result


def main():
    from . import pages

    parser = argparse.ArgumentParser(prog="python3 -m attest.survey", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Exit status: 0 all was answered, 2 wrong usage or a layer that could not be read, 3 something is left open.")
    parser.add_argument("folder", help="FOLDER/LAYER/*.npy or FOLDER/LAYER.safetensors (docs/guide.md)")
    parser.add_argument("--out", default="survey", help="folder of the results; what has a valid certificate there is not proved again (default: survey)")
    parser.add_argument("--layer", action="append", default=[], help="only these layers")
    parser.add_argument("--ask", default=[], type=lambda text: text.split(","), help="only these questions, with commas between them: " + ", ".join((*ASKED, *OTHERS)))
    parser.add_argument("--tolerance", help="an exact number, as of attest numerical-rank")
    parser.add_argument("--threshold", help="an exact number, as of attest saturation")
    parser.add_argument("--jobs", type=int, help="questions that are answered at the same time (default: cores)")
    parser.add_argument("--progress", action="store_true", default=None, help="say how far it is, also when standard error is no terminal")
    for name, says in (("timeout", "seconds per claim"), ("memory", "bytes per question, like 500M"), ("work", "operations per question, like 100G")):
        parser.add_argument(f"--{name}", help=says)
    options = vars(parser.parse_args())
    start = time.monotonic()
    found = survey(options.pop("folder"), layers=options.pop("layer"), **options)
    print("\n".join(pages.line(text) for text in repr(found).split("\n")))
    print(f"{len(found.layers)} {'layer' if len(found.layers) == 1 else 'layers'}, {found.questions} questions, {found.unchanged} of them answered before; "
          f"{time.monotonic() - start:.1f} s; survey.html, survey.json and certificates are in {pages.line(str(options['out']))}")
    return found.status


__all__ = ["Survey", "survey"]
