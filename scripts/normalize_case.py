#!/usr/bin/env python3
"""An independent reader of case files: prints the digest of a case's exact contents.

Written from docs/case-files.md and docs/certificate.md with the standard library of Python 3.11, and shares no
code with attest (nor do exact_arrays.py and drawn_arrays.py).  Usage:
normalize_case.py [--allow-outside] [--problem FILE] CASE...
Each case is printed as `digest  path`.  --problem writes the (one) case as JSON for other checkers; to - it prints
that instead.
Exit status: 0, 2 when a case is not valid (one line says why), 3 when it is beyond a limit.
"""
import argparse
import array
import hashlib
import json
import math
import os
import re
import signal
import stat
import sys
import tempfile
import tomllib
from fractions import Fraction

from drawn_arrays import generated
from exact_arrays import (MEMORY, Array, BadInput, TooLarge, npz_members, number, number_text, parse_npy, parse_npz,
                          parse_safetensors, safetensors_header, written)

sys.set_int_max_str_digits(0)
LARGEST = 1 << 40  # of a dimension

# Statement: (needs, required arguments, optional arguments). l layer, c contexts, q queries, w weights,
# m weights that are matrices, y labels, v values; r: contexts of different lengths are allowed;
# d: layers before the layer are; b: whether these are as given or free is said, g: as given only; s: coefficients need not sum to 1.
STATEMENTS = {
    "rank": ("lcqwrds", "", "value at_least at_most head bias"),
    "output-rank": ("lcqwvrs", "", "value at_least at_most head"),
    "capacity": ("lcqrdbs", "", "value at_least at_most heads which values"),
    "any-coefficients": ("lcqrs", "", "value at_least at_most"),
    "memorizable": ("lcqr", "", ""),
    "words-and-positions": ("lcq", "sequences", "value at_least at_most"),
    "memorizes": ("lcqwyrs", "", "bias"),
    "output-memorizes": ("lcqwyvrs", "", "bias"),
    "injective": ("lcqwrds", "", ""),
    "injective-almost-surely": ("lcqwmrd", "", ""),
    "saturation": ("lcqwrd", "threshold", "value at_least at_most head"),
    "numerical-rank": ("lcqwrd", "tolerance", "value at_least at_most"),
    "accuracy": ("lcqwrd", "", "value at_least at_most classes epsilon"),
    "jacobian-rank": ("lcqwmr", "", "value at_least at_most"),
    "functional-dimension": ("lcqrd", "", "value at_least at_most"),
    "unfittable-labels": ("lcqr", "", "labels"),
    "kruskal-rank": ("lqrdgs", "", "value at_least at_most"),
    "general-position": ("lqrdgs", "", ""),
    "assumption-1": ("lqdgs", "", ""),
    "assumption-2": ("lcdgs", "", ""),
    "assumption-3": ("lcqdgs", "", ""),
    "affine-hull-bound": ("lcr", "", ""),
    "matrix-rank": ("", "matrix", "value at_least at_most"),
    "lemma-1": ("", "a b c", ""),
    "lemma-2": ("", "vectors c", ""),
    "lemma-3": ("lcq", "", "subset"),
    "lemma-4": ("lcq", "example w_star w_prime epsilon", ""),
    "lemma-5": ("", "a b", ""),
    "claim-1": ("lcq", "subset coefficients", ""),
    "claim-2": ("lcq", "subset coefficients epsilon", ""),
    "proposition-1": ("lcqdgb", "", ""),
    "proposition-2": ("lc", "", ""),
    "proposition-3": ("l", "neurons", "output_bias labels"),
    "relu-memorizes": ("lcqy", "neurons", "output_bias"),
    "proposition-4": ("lcqdg", "", ""),
    "proposition-5": ("lc", "", ""),
    "finite-lambda": ("lcq", "", "lambda"),
    "theorem-1": ("lcqdgb", "", ""),
    "remark-1": ("lcq", "", ""),
    "skip-connection": ("lcqy", "", ""),
    "positional-encoding": ("l", "", ""),
}
DIMENSIONS = ("heads", "context", "embed_dim", "head_dim", "examples", "output_dim", "value_dim")
ARRAYS = ("contexts", "hidden", "queries", "labels", "key", "query", "combined", "key_bias", "query_bias",
          "projected_queries", "projected_keys", "sink", "value", "value_bias", "output", "output_bias", "readout",
          "readout_bias", "skip")
# Of a layer before the layer, in the order of the canonical text.
BEFORE = ("key", "query", "combined", "value", "weight_1", "bias_1", "weight_2", "bias_2", "gain")
OF_LAYOUT = ("value", "value_bias", "output", "output_bias")
WHOLE = OF_LAYOUT + ("readout", "readout_bias", "skip")
PROJECTED = {"projected_queries", "projected_keys", "logits"}
# Layout of weights: tensors of query and key, their biases, and those that no layer of ours has.
LAYOUTS = {
    "heads": ("query", "key", "query_bias", "key_bias", ()),
    "torch": ("in_proj_weight", "in_proj_weight", "in_proj_bias", "in_proj_bias", ("bias_k",)),
    "bert": ("query.weight", "key.weight", "query.bias", "key.bias", ("distance_embedding.weight",)),
    "gpt2": ("c_attn.weight", "c_attn.weight", "c_attn.bias", "c_attn.bias", ()),
    "llama": ("q_proj.weight", "k_proj.weight", "q_proj.bias", "k_proj.bias", ("q_norm.weight", "k_norm.weight")),
}
# The tensors of whole layers.
WHOLE_TENSORS = {
    "heads": ("value", "value_bias", "output", "output_bias"),
    "torch": ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"),
    "bert": ("value.weight", "value.bias", "output.dense.weight", "output.dense.bias"),
    "gpt2": ("c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias"),
    "llama": ("v_proj.weight", "v_proj.bias", "o_proj.weight", "o_proj.bias"),
}
STREAMS = {"contexts": 1, "queries": 2, "labels": 3, "key": 4, "query": 5}


def open_regular(path, folder=None):
    """A regular file's descriptor; opening does not wait for anybody."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=folder)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path!r} cannot be read: {error}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise BadInput(f"{path!r} is not a regular file")
    return fd


def read_descriptor(fd):
    with os.fdopen(fd, "rb") as file:
        return file.read()


def require_keys(table, where, known):
    for key in table:
        if key not in known:
            raise BadInput(f"unknown key {key!r} in {where}")


def table_of(node, name):
    if type(node) is not dict:
        raise BadInput(f"{name} is not a table")
    return node


def text_of(node, name):
    if type(node) is not str:
        raise BadInput(f"{name} is not a string")
    if not node.isprintable() and any(ord(c) < 0x20 or ord(c) == 0x7F for c in node):
        raise BadInput(f"{name} contains a control character")
    return node


def word_of(node, name, words):
    if text_of(node, name) not in words:
        raise BadInput(f"{name} is {node!r}; it must be one of {', '.join(words)}")
    return node


def integer_of(node, name, least=None, most=None):
    if type(node) is not int:
        raise BadInput(f"{name} is not an integer")
    if least is not None and node < least or most is not None and node > most:
        raise BadInput(f"{name} is {node}, out of range")
    return node


def truth_of(node, name):
    if type(node) is not bool:
        raise BadInput(f"{name} is neither true nor false")
    return node


def dimension_of(node, name):
    if integer_of(node, name, 1) > LARGEST:
        raise TooLarge(f"{name} is {node}; the limit is 2^40")
    return node


def check_integers(node):
    """TOML integers have 64 bits."""
    if type(node) is int and not -(1 << 63) <= node < 1 << 63:
        raise BadInput(f"the integer {node} does not fit 64 bits")
    if isinstance(node, (dict, list)):
        for item in node.values() if isinstance(node, dict) else node:
            check_integers(item)


STRING_OR_COMMENT = re.compile(r"""#[^\n]*|"{3}(?:[^\\]|\\.)*?"{3}|"(?:[^"\\\n]|\\.)*"|'{3}.*?'{3}|'[^'\n]*'""", re.S)


def toml_of(text):
    """Keys of many dots, which no case has, take tomllib a time that grows with the square of their number."""
    plain = STRING_OR_COMMENT.sub("q", text)
    if any(part.count(".") > 8 for line in plain.split("\n") if line.count(".") > 8 for part in re.split(r"[,={}\[\]]", line)):
        raise ValueError("a key has more than 8 dots")
    return tomllib.loads(text)


def claim_places(text, count):
    """Line and column of each of so many [[claim]]; none when they are written otherwise."""
    plain = STRING_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    found = [(plain.count("\n", 0, match.start(1)) + 1, len(match[1]) + 1)
             for match in re.finditer(r"^([ \t]*)\[\[[ \t]*claim[ \t]*\]\]", plain, re.M)]
    return found if len(found) == count else [None] * count


class Case:
    """The canonical contents of a case file."""

    def __init__(self, path, allow_outside=False):
        self.allow_outside = allow_outside
        content = read_descriptor(open_regular(path))
        try:
            text = content.decode().removeprefix("\ufeff")
            self.root = toml_of(text)
            check_integers(self.root)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"not valid TOML: {error}") from error
        folder = os.path.dirname(path) or "."
        self.folder = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.read()
        finally:
            os.close(self.folder)
        self.title, self.places = self.root.get("title", ""), claim_places(text, len(self.claims))

    def read(self):
        if integer_of(self.root.get("format"), "format") != 1:
            raise BadInput("the format is not 1")
        require_keys(self.root, "the case", ("format", "title", "layer", "data", "before", "weights", "claim"))
        if "title" in self.root:
            text_of(self.root["title"], "title")
        claims = self.root.get("claim")
        if type(claims) is not list or not claims or not all(type(c) is dict for c in claims):
            raise BadInput("there are no [[claim]] tables")
        self.layer, self.scale, self.base, self.arrays, self.other, self.query_bias = None, 1, "e", {}, {}, {}
        self.members = None  # for each example its rows of the contexts, when the shapes do not say them
        # What (T, n, ...) and (S, L, ...) arrays are turned into rows by.
        self.own_tokens = ()  # the hidden vectors of the examples, as rows of the contexts
        self.own_rows, self.kept, self.slots, self.blocks, self.one_context = None, None, None, None, False
        if "layer" in self.root:
            self.read_layer(table_of(self.root["layer"], "layer"), claims)
        for claim in claims:
            self.check_claim(claim)
        if {"data", "before", "weights"} & set(self.root) and self.layer is None:
            raise BadInput("[data], [[before]] and [weights] need [layer]")
        self.positions, self.before = None, []
        if "before" in self.root:
            self.refuse_with_before()
        if "data" in self.root:
            self.read_data(table_of(self.root["data"], "data"))
        if "before" in self.root:
            self.read_before(self.root["before"])
        if "weights" in self.root:
            weights = table_of(self.root["weights"], "weights")
            self.read_weights({key: node for key, node in weights.items() if key != "sink"})
            self.read_sink(weights)
            self.read_whole_layer(weights)
        for claim in claims:
            needs = STATEMENTS[claim["statement"]][0]
            given = {"w", "g"} & set(needs) or self.before and self.given_before
            if any(given if "head_dim" in layer else not given and layer["kind"] != "attention"
                   for layer in self.before):
                raise BadInput(f"{claim['statement']} is about given weights, or about all weights of attention")
            whole = self.before and all(len(rows) == self.layer["context"] for rows in self.members)
            if self.members is not None and needs and "r" not in needs and not whole:
                raise BadInput(f"{claim['statement']} is about contexts of one length")
            if self.other and "l" in needs and "s" not in needs:
                raise BadInput(f"{claim['statement']} is about coefficients of the softmax")
            if self.query_bias and "l" in needs and "s" not in needs:
                raise BadInput(f"{claim['statement']} is about weights without query biases")
            if "v" in needs and "value" not in self.arrays:
                raise BadInput(f"{claim['statement']} is about values, and there are none")
        self.claims = [(claim["statement"], self.arguments(claim)) for claim in claims]
        self.expected = [claim.get("expect", "verified") for claim in claims]
        if any(claim["statement"] == "proposition-3" for claim in claims):
            self.make_network_data()

    # [layer]

    def read_layer(self, table, claims):
        require_keys(table, "[layer]", DIMENSIONS + ("base", "logit_scale", "sink", "coefficients", "query_bias",
                                           "layers_before"))
        statements = {c.get("statement") if type(c.get("statement")) is str else None for c in claims}
        own_data = statements == {"proposition-3"} and "data" not in self.root
        layer = {key: dimension_of(table[key], key) for key in DIMENSIONS if key in table}
        if own_data or statements == {"positional-encoding"}:
            layer.setdefault("heads", 1)
            layer.setdefault("head_dim", layer.get("embed_dim", 1))
            if own_data and "examples" not in layer and "embed_dim" in layer and "neurons" in claims[0]:
                neurons = dimension_of(claims[0]["neurons"], "neurons")
                bias = truth_of(claims[0].get("output_bias", False), "output_bias")
                layer["examples"] = neurons * (layer["embed_dim"] + 1) + 1 + bias
                if layer["examples"] > LARGEST:
                    raise TooLarge("the claim needs too many examples")
            layer.setdefault("examples", 1)
        for key in DIMENSIONS[:5]:
            if key not in layer:
                raise BadInput(f"[layer] has no key {key!r}")
        layer.setdefault("output_dim", 1)
        layer.setdefault("value_dim", layer["output_dim"])
        self.layer = layer
        # What is not the softmax, as its keys.
        self.other = {}
        if truth_of(table.get("sink", False), "sink"):
            self.other["sink"] = True
        if word_of(table.get("coefficients", "softmax"), "coefficients", ("softmax", "sigmoid")) == "sigmoid":
            if self.other:
                raise BadInput("sigmoid coefficients have no denominator for a sink")
            self.other["coefficients"] = "sigmoid"
        self.query_bias = {"query_bias": True} if truth_of(table.get("query_bias", False), "query_bias") else {}
        # What a capacity behind other layers is of, when it is not of all of them.
        self.given_before = {}
        if "layers_before" in table:
            if "before" not in self.root:
                raise BadInput("layers_before without [[before]]")
            if word_of(table["layers_before"], "layers_before", ("given", "free")) == "given":
                self.given_before = {"layers_before": "given"}
        if "base" in table:
            self.base = word_of(table["base"], "base", ("e", "2"))
        if "logit_scale" in table:
            self.read_scale(table["logit_scale"])
        columns = layer["heads"] * layer["embed_dim"]
        if 64 * layer["examples"] + 8 * min(layer["examples"], columns) * columns > MEMORY:
            raise TooLarge("indices of the examples and a basis of Z do not fit into 8 GiB")

    def read_scale(self, node):
        if not (type(node) is str and node.startswith("1/sqrt(")):
            self.scale = number(node, "logit_scale")
            if self.scale == 0:
                raise BadInput("logit_scale is 0")
            return
        match = re.fullmatch(r"1/sqrt\((d|d_h|[0-9]+)\)", node)
        if not match:
            raise BadInput("logit_scale is none of its forms")
        names = {"d": self.layer["embed_dim"], "d_h": self.layer["head_dim"]}
        radicand = names[match[1]] if match[1] in names else int(match[1])
        if radicand == 0:
            raise BadInput("logit_scale is 1/sqrt(0)")
        root = math.isqrt(radicand)
        if root * root == radicand:
            self.scale = Fraction(1, root) if root > 1 else 1
        elif radicand < 1 << 64:
            self.scale = f"1/sqrt({radicand})"
        else:
            raise BadInput("the radicand of logit_scale is beyond 2^64")

    # Arrays

    def shape(self, keys):
        return tuple(self.layer[key] for key in keys.split())

    def read_array(self, node, name, shapes=None):
        if type(node) is list:
            result = self.inline(node, name)
        elif type(node) is dict:
            result = self.array_file(node, name)
        else:
            raise BadInput(f"{name} is neither an array nor a table like {{ file = \"x.npy\" }}")
        if shapes is not None and result.shape not in shapes:
            raise BadInput(f"{name} has shape {result.shape}; expected {' or '.join(map(str, shapes))}")
        return result

    @staticmethod
    def inline(node, name):
        shape, row = [], node
        while type(row) is list:
            if not row or len(shape) == 8:
                raise BadInput(f"{name} has an empty array or more than 8 dimensions")
            shape.append(len(row))
            row = row[0]
        entries = []

        def collect(row, level):
            if len(row) != shape[level]:
                raise BadInput(f"{name} is ragged")
            for item in row:
                if (type(item) is list) != (level + 1 < len(shape)):
                    raise BadInput(f"{name} is ragged")
                if type(item) is list:
                    collect(item, level + 1)
                else:
                    entries.append(number(item, name))
        collect(node, 0)
        return Array(shape, entries)

    def array_file(self, table, name):
        require_keys(table, name, ("file", "tensor", "transpose"))
        found = self.stored_array(table, name)
        if not truth_of(table.get("transpose", False), "transpose"):
            return found
        if len(found.shape) != 2:
            raise BadInput(f"{name} is no matrix, so it is not transposed")
        rows, columns = found.shape
        return self.picked((columns, rows), found, (i * columns + j for j in range(columns) for i in range(rows)))

    def stored_array(self, table, name):
        written = text_of(table.get("file"), "file")
        tensor = text_of(table["tensor"], "tensor") if "tensor" in table else None
        single = written.endswith(".npy")
        if not single and not written.endswith((".npz", ".safetensors")):
            raise BadInput(f"{written!r} is not the name of an array file")
        if single != (tensor is None):
            raise BadInput("a .npy file holds one array; of other files one must be named")
        content = self.file_content(written)
        if single:
            return parse_npy(written, content)
        return (parse_npz if written.endswith(".npz") else parse_safetensors)(written, content, tensor)

    def file_content(self, written):
        """The bytes of a file below the folder of the case."""
        if not self.allow_outside:
            normal = os.path.normpath(written)
            if os.path.isabs(written) or normal == ".." or normal.startswith("../"):
                raise BadInput(f"{written!r} is outside the folder of the case")
        fd = open_regular(written, self.folder)
        found = os.readlink(f"/proc/self/fd/{fd}")
        home = os.readlink(f"/proc/self/fd/{self.folder}")
        if not self.allow_outside and os.path.commonpath([found, home]) != home:
            os.close(fd)
            raise BadInput(f"{written!r} leads outside the folder of the case")
        if os.fstat(fd).st_size > MEMORY:
            os.close(fd)
            raise TooLarge(f"{written!r} has more than 8 GiB")
        return read_descriptor(fd)

    @staticmethod
    def generator(node, where, shared):
        table = table_of(node, where)
        require_keys(table, where, ("kind", "bound", "denominator", "scale", "seed")
                     + (("shared_context",) if shared else ()))
        kind = word_of(table.get("kind"), "kind", ("integers", "rationals", "uniform-f64", "normal-f64"))
        spec = {"kind": kind, "scale": number(table.get("scale", 1), "scale"),
                "seed": integer_of(table.get("seed"), "seed", 0)}
        for key, kinds in (("bound", ("integers", "rationals")), ("denominator", ("rationals",))):
            if (key in table) != (kind in kinds):
                raise BadInput(f"{key} is missing or does not belong to {kind}")
            if key in table:
                spec[key] = integer_of(table[key], key, 1, 1 << 62)
        spec["shared"] = truth_of(table.get("shared_context", False), "shared_context")
        return spec

    # [data] and [weights]

    def read_data(self, table):
        require_keys(table, "[data]", ("contexts", "queries", "labels", "generate", "mixed", "hidden", "positions",
                                       "causal", "window", "mask"))
        projected = PROJECTED & set(table_of(self.root.get("weights", {}), "weights"))
        if projected and ({"generate", "queries"} & set(table)):
            raise BadInput("queries are given or generated, and the weights are projected")
        contexts, shared = self.shape("examples context embed_dim"), self.shape("context embed_dim")
        queries, labels = self.shape("examples embed_dim"), self.shape("examples output_dim")
        if "generate" in table:
            if any(key in table for key in ("contexts", "queries", "labels", "hidden", "mask")):
                raise BadInput("arrays are given beside generate")
            spec = self.generator(table["generate"], "data.generate", True)
            for key, shape in (("contexts", shared if spec["shared"] else contexts), ("queries", queries)):
                self.arrays[key] = generated(spec, shape, STREAMS[key])
            own = {"kind": "integers", "bound": spec["bound"] if spec["kind"] == "integers" else 9,
                   "scale": 1, "seed": spec["seed"]}
            self.arrays["labels"] = generated(own, labels, STREAMS["labels"])
        else:
            if "contexts" in table:
                self.arrays["contexts"] = self.read_array(table["contexts"], "contexts", (contexts, shared))
            if "queries" in table:
                self.arrays["queries"] = self.read_array(table["queries"], "queries", (queries,))
            if "labels" in table:
                shapes = (labels, labels[:1]) if labels[1] == 1 else (labels,)
                found = self.read_array(table["labels"], "labels", shapes)
                self.arrays["labels"] = Array(labels, found.entries)
        self.select(table, bool(projected))
        if truth_of(table.get("mixed", False), "mixed"):
            self.mix()

    def select(self, table, projected):
        """hidden, positions, causal, window and mask: the examples' queries, and the tokens of each."""
        T, n, d = self.shape("examples context embed_dim")
        self.slots = [range(t * n, (t + 1) * n) for t in range(T)]
        if "contexts" in self.arrays:
            self.one_context = len(self.arrays["contexts"].shape) == 2
            self.blocks = 1 if self.one_context else T
        if "hidden" not in table:
            if {"positions", "causal", "window"} & set(table):
                raise BadInput("positions, causal and window belong to hidden")
            if "mask" not in table:
                return
            if "contexts" not in self.arrays:
                raise BadInput("a mask without contexts")
            source = self.arrays["contexts"]
            mask = self.mask(table, T)
            lists = [[(0 if self.one_context else t * n) + i for i in range(n) if mask[t * n + i]] for t in range(T)]
            if not all(lists):
                raise BadInput("an example without tokens")
        else:
            if {"contexts", "queries"} & set(table):
                raise BadInput("contexts or queries are given beside hidden")
            source = self.read_array(table["hidden"], "hidden")
            if len(source.shape) != 3 or source.shape[1:] != (n, d):
                raise BadInput(f"hidden has shape {source.shape}; expected (S, {n}, {d})")
            self.blocks = blocks = source.shape[0]
            mask = self.taking_part = self.mask(table, blocks)
            self.view = self.view_of(table, (False, n))
            self.own_rows = self.places(table.get("positions"), mask, blocks, n)
            if len(self.own_rows) != T:
                raise BadInput(f"{len(self.own_rows)} examples, but examples = {T}")
            lists = [[i for i in self.seen(row, self.view) if mask[i]] for row in self.own_rows]
            if "before" in self.root:
                self.arrays["hidden"], self.members, self.positions = source, lists, self.own_rows
                return
            if not projected:
                self.arrays["queries"] = source.rows(self.own_rows, d, (T, d))
        # Tokens in the order of their first use.
        numbers = {}
        members = [[numbers.setdefault(row, len(numbers)) for row in rows] for rows in lists]
        self.kept = list(numbers)
        self.own_tokens = [numbers[row] for row in self.own_rows or ()]
        self.slots = [[t * n + row % n for row in rows] for t, rows in enumerate(lists)]
        if members == [list(range(t * n, (t + 1) * n)) for t in range(T)]:
            shape = (T, n, d)
        elif members == [list(range(n))] * T:
            shape = (n, d)
        else:
            shape = (len(self.kept), d)
            self.members = members
        self.arrays["contexts"] = source.rows(self.kept, d, shape)

    # [[before]]

    def refuse_with_before(self):
        data, weights = table_of(self.root.get("data", {}), "data"), table_of(self.root.get("weights", {}), "weights")
        if "hidden" not in data or "mixed" in data:
            raise BadInput("[[before]] needs hidden, and no mixed data")
        if self.other or self.query_bias or self.base != "e" or PROJECTED & set(weights) or type(weights.get("skip")) is bool:
            raise BadInput("[[before]] in base 2, with other coefficients or query biases, beside projected weights, or beside skip = true")

    def read_before(self, tables):
        if type(tables) is not list or not tables:
            raise BadInput("before is no array of tables")
        for table in tables:
            kind = word_of(table_of(table, "before").get("kind"), "kind", ("attention", "mlp", "rmsnorm"))
            self.before.append(getattr(self, "read_" + kind)(table))

    def read_attention(self, table):
        require_keys(table, "[[before]]",
                     ("kind", "heads", "head_dim", "combined", "key", "query", "value", "residual", "causal", "window", "mask"))
        d, heads = self.layer["embed_dim"], dimension_of(table.get("heads"), "heads")
        free = {"head_dim": dimension_of(table["head_dim"], "head_dim")} if "head_dim" in table else {}
        weights = {"combined", "key", "query", "value"} & set(table)
        if weights if free else weights - {"value"} not in ({"combined"}, {"key", "query"}):
            raise BadInput("a layer before has combined, or key and query, or else head_dim alone")
        arrays = self.shaped(table, {"combined": (heads, d, d), "key": (heads, d, None), "value": (heads, d, d)})
        if "key" in arrays:
            arrays |= self.shaped(table, {"query": arrays["key"].shape})
        return {"kind": "attention", "heads": heads, **free, "residual": truth_of(table.get("residual", True), "residual"),
                "members": self.tokens_before(table), "arrays": arrays}

    def tokens_before(self, table):
        """For each row of hidden its tokens, all of which take part; none when it does not."""
        n, part = self.layer["context"], self.taking_part
        view = self.view_of(table, self.view)
        keys = self.mask(table, len(part) // n) if "mask" in table else part
        lists = [[i for i in self.seen(row, view) if keys[i] and part[i]] if part[row] else [] for row in range(len(part))]
        if any(taking and not tokens for taking, tokens in zip(part, lists)):
            raise BadInput("a position without tokens in a layer before")
        return lists

    def read_mlp(self, table):
        require_keys(table, "[[before]]",
                     ("kind", "weight_1", "bias_1", "weight_2", "bias_2", "activation", "residual"))
        d = self.layer["embed_dim"]
        if not {"weight_1", "weight_2"} <= set(table):
            raise BadInput("an mlp has weight_1 and weight_2")
        arrays = self.shaped(table, {"weight_1": (d, None)})
        m = arrays["weight_1"].shape[1]
        arrays |= self.shaped(table, {"weight_2": (m, d), "bias_1": (m,), "bias_2": (d,)})
        return {"kind": "mlp", "activation": word_of(table.get("activation"), "activation", ("relu", "silu", "tanh")),
                "residual": truth_of(table.get("residual", True), "residual"), "arrays": arrays}

    def read_rmsnorm(self, table):
        require_keys(table, "[[before]]", ("kind", "gain", "epsilon"))
        epsilon = number(table.get("epsilon", 0), "epsilon")
        d, entries = self.layer["embed_dim"], self.arrays["hidden"].entries
        if epsilon < 0 or epsilon == 0 and (self.before or not all(
                any(entries[row * d:(row + 1) * d]) for row, taking in enumerate(self.taking_part) if taking)):
            raise BadInput("epsilon is negative, or 0 behind another layer or where a vector is 0")
        return {"kind": "rmsnorm", "epsilon": epsilon,
                "arrays": self.shaped(table, {"gain": (self.layer["embed_dim"],)})}

    def shaped(self, table, shapes):
        """The arrays of these names that there are; None is any extent."""
        arrays = {}
        for name, shape in shapes.items():
            if name in table:
                found = arrays[name] = self.read_array(table[name], name)
                if len(found.shape) != len(shape) or any(x not in (None, y) for x, y in zip(shape, found.shape)):
                    raise BadInput(f"{name} has shape {found.shape}; expected {shape}")
        return arrays

    @staticmethod
    def view_of(table, view):
        """(causal, window) where the table has them."""
        window = dimension_of(table["window"], "window") if "window" in table else view[1]
        return truth_of(table.get("causal", view[0]), "causal"), window

    def seen(self, row, view):
        """The rows that a row of hidden sees, but for masks."""
        n = self.layer["context"]
        first, (causal, window) = row - row % n, view
        return range(max(first, row - window + 1), row + 1 if causal else min(first + n, row + window))

    def mask(self, table, lines):
        n = self.layer["context"]
        if "mask" not in table:
            return [1] * (lines * n)
        entries = self.read_array(table["mask"], "mask", ((lines, n),)).exact()
        if not set(entries) <= {0, 1}:
            raise BadInput("mask has an entry that is neither 0 nor 1")
        return entries

    @staticmethod
    def places(node, mask, sequences, n):
        """Rows of the hidden vectors that are examples."""
        rows = []
        if type(node) is list:
            places = [integer_of(item, "a position", 0, n - 1) for item in node]
            if not places or any(a >= b for a, b in zip(places, places[1:])):
                raise BadInput("positions are empty or do not increase")
        elif node not in ("last", "all"):
            raise BadInput("positions is neither last, all nor a list")
        for s in range(sequences):
            taking_part = [i for i in range(n) if mask[s * n + i]]
            if type(node) is list:
                if not set(places) <= set(taking_part):
                    raise BadInput("a position that does not take part")
                taking_part = places
            elif node == "last":
                if not taking_part:
                    raise BadInput("a sequence without tokens")
                taking_part = taking_part[-1:]
            rows += [s * n + i for i in taking_part]
        return rows

    def mix(self):
        """The outputs of the layer of Proposition 4: every token and the query plus the tokens' mean."""
        if "contexts" not in self.arrays or "queries" not in self.arrays:
            raise BadInput("mixed data needs contexts and queries")
        if self.members is not None:
            raise BadInput("mixed data is for contexts of one length")
        T, n, d = self.shape("examples context embed_dim")
        contexts, queries = self.arrays["contexts"], self.arrays["queries"]
        tokens, query = contexts.exact(), queries.exact()
        blocks = 1 if len(contexts.shape) == 2 else T
        means = [[Fraction(sum(tokens[(b * n + i) * d + j] for i in range(n))) / n for j in range(d)]
                 for b in range(blocks)]
        self.arrays["contexts"] = Array(contexts.shape, [
            tokens[(b * n + i) * d + j] + means[b][j]
            for b in range(blocks) for i in range(n) for j in range(d)])
        self.arrays["queries"] = Array(queries.shape, [
            query[t * d + j] + means[t if blocks > 1 else 0][j] for t in range(T) for j in range(d)])

    def read_weights(self, table):
        require_keys(table, "[weights]",
                     ("key", "query", "combined", "generate", "key_bias", "query_bias", "logit_scale",
                      "layout", "file", "prefix", "projected_queries", "projected_keys", "logits") + WHOLE)
        self.whole = bool({"readout", "readout_bias", "skip"} & set(table)) or any(
            claim["statement"] in ("accuracy", "jacobian-rank") for claim in self.root["claim"])
        self.valued = any(claim["statement"].startswith("output-") for claim in self.root["claim"])
        whole, table = table, {key: node for key, node in table.items() if key not in WHOLE}
        if "layout" in table and set(OF_LAYOUT) & set(whole):
            raise BadInput("a layout's file has the values and outputs")
        if "logit_scale" in table:
            if "logit_scale" in self.root["layer"]:
                raise BadInput("logit_scale is given in [layer] and in [weights]")
            self.read_scale(table["logit_scale"])
        if PROJECTED & set(table):
            self.read_projected(table)
            return
        if {"layout", "file", "prefix"} & set(table):
            if not {"layout", "file"} <= set(table) <= {"layout", "file", "prefix", "logit_scale"}:
                raise BadInput("layout and file belong together, and nothing but prefix and logit_scale beside them")
            self.read_layout(table)
            return
        forms = {frozenset(("key", "query")), frozenset(("combined",)), frozenset(("generate",))}
        if frozenset(table) & {"key", "query", "combined", "generate"} not in forms:
            raise BadInput("[weights] must have key and query, combined, or generate")
        factor = self.shape("heads embed_dim head_dim")
        if "generate" in table:
            spec = self.generator(table["generate"], "weights.generate", False)
            for key in ("key", "query"):
                self.arrays[key] = generated(spec, factor, STREAMS[key])
        elif "combined" in table:
            shape = self.shape("heads embed_dim embed_dim")
            self.arrays["combined"] = self.read_array(table["combined"], "combined", (shape,))
        else:
            for key in ("key", "query"):
                self.arrays[key] = self.read_array(table[key], key, (factor,))
        for key in ("key_bias", "query_bias"):
            if key in table:
                if "combined" in table:
                    raise BadInput(f"{key} is given beside combined")
                self.arrays[key] = self.read_array(table[key], key, (self.shape("heads head_dim"),))

    def read_sink(self, table):
        if "sink" in table and "sink" not in self.other:
            raise BadInput("[layer] has no sink")
        if self.other and "key_bias" in self.arrays:
            raise BadInput("key_bias matters beside a sink or sigmoid coefficients")
        if "sink" not in self.other:
            return
        shape = self.shape("heads")
        self.arrays["sink"] = self.read_array(table["sink"], "sink", (shape,)) if "sink" in table else Array(shape, [0] * shape[0])
        if type(self.scale) is str and any(self.arrays["sink"].exact()):
            raise BadInput("a sink's logit that is not 0 beside an irrational scale")

    def read_whole_layer(self, table):
        """Values, outputs, skip connection, read-out: each shape follows from what comes before it."""
        H, d, T, d_out = self.shape("heads embed_dim examples output_dim")
        given = self.whole or bool(set(WHOLE) & set(table)) and not self.valued

        def check(name, *shape):
            if name in table and name not in self.arrays:
                self.arrays[name] = self.read_array(table[name], name)
            found = self.arrays.get(name)
            if found and not (len(found.shape) == len(shape)
                              and all(x in (None, y) for x, y in zip(shape, found.shape))):
                raise BadInput(f"{name} has shape {found.shape}; expected {shape}")
            return found.shape[-1] if found else None

        d_v = check("value", H, d, None) or d
        if "value" in self.arrays:
            if "value_dim" in self.root["layer"] and self.layer["value_dim"] != d_v:
                raise BadInput("value_dim is not that of the values")
            self.layer["value_dim"] = d_v
        check("value_bias", H, d_v)
        if "output" in table:
            found = self.read_array(table["output"], "output")
            if len(found.shape) == 2 and found.shape[0] == H * d_v:
                found = Array((H, d_v, found.shape[1]), found.entries)
            self.arrays["output"] = found
        m = check("output", H, d_v, None) or H * d_v
        check("output_bias", m)
        if type(table.get("skip")) is bool:
            source, rows = self.arrays.get("queries"), range(T)
            if source is None and self.own_tokens:
                source, rows = self.arrays["contexts"], self.own_tokens
            if not table["skip"] or source is None or m != d:
                raise BadInput("skip is false, or there are no queries to add, or m is not d")
            self.arrays["skip"] = source.rows(rows, d, (T, d))
        check("skip", T, m)
        check("readout", m, d_out)
        check("readout_bias", d_out)
        if given and "readout" not in self.arrays and m != d_out:
            raise BadInput(f"the layer puts out {m} numbers, not output_dim")

    def read_projected(self, table):
        """What the softmax sees: projected queries and keys, or logits as keys of one entry."""
        if set(table) - {"logit_scale"} not in ({"logits"}, {"projected_queries", "projected_keys"}):
            raise BadInput("either projected_queries and projected_keys or logits, and nothing beside them")
        if "contexts" not in self.arrays:
            raise BadInput("projected queries and keys, or logits, need contexts")
        T, H, m, n = self.shape("examples heads head_dim context")
        slots = [slot for row in self.slots for slot in row]
        if "logits" in table:
            shapes = [(T, H, n)] + ([(self.blocks, H, n, n)] if self.own_rows else [])
            found = self.read_array(table["logits"], "logits", shapes)
            places = []
            for slot in slots:
                t, i = divmod(slot, n)
                for h in range(H):
                    if len(found.shape) == 4:
                        s, own = divmod(self.own_rows[t], n)
                        places.append(((s * H + h) * n + own) * n + i)
                    else:
                        places.append((t * H + h) * n + i)
            self.arrays["projected_keys"] = found.rows(places, 1, (len(slots), H, 1))
            self.arrays["projected_queries"] = Array((T, H, 1), [1] * (T * H))
            return
        shapes = [(T, H, m)] + ([(self.blocks, n, H, m)] if self.own_rows else [])
        found = self.read_array(table["projected_queries"], "projected_queries", shapes)
        rows = self.own_rows if len(found.shape) == 4 else range(T)
        self.arrays["projected_queries"] = found.rows(rows, H * m, (T, H, m))
        found = self.read_array(table["projected_keys"], "projected_keys")
        by_token = bool(self.own_rows) or (len(found.shape) == 3 and self.one_context)
        expected = (self.blocks, n) if self.own_rows else (n,) if by_token else (T, n)
        groups = found.shape[-2] if len(found.shape) > 1 else 0
        if found.shape != expected + (groups, m) or H % groups:
            raise BadInput(f"projected_keys has shape {found.shape}; expected {expected + (H, m)} or fewer key heads")
        if by_token:
            rows = range(n) if self.kept is None else self.kept
        else:
            rows = slots
        self.arrays["projected_keys"] = found.rows(rows, groups * m, (len(rows), groups, m))
        if not {"logit_scale"} & (set(table) | set(self.root["layer"])):
            self.read_scale("1/sqrt(d_h)")

    def read_layout(self, table):
        """Key and query weights as a model stores them."""
        layout = word_of(table["layout"], "layout", LAYOUTS)
        written = text_of(table["file"], "file")
        prefix = text_of(table.get("prefix", ""), "prefix")
        query, key, query_bias, key_bias, refused = LAYOUTS[layout]
        if not written.endswith((".npz", ".safetensors")):
            raise BadInput(f"{written!r} is neither a .npz nor a .safetensors file")
        content = self.file_content(written)
        if written.endswith(".npz"):
            names = {name.removesuffix(".npy") for name in npz_members(written, content)}
            parse = parse_npz
        else:
            names, parse = set(safetensors_header(written, content)[0]), parse_safetensors
        for tensor in refused:
            if prefix + tensor in names:
                raise BadInput(f"{written}: {prefix + tensor!r} changes the logits after the projection")

        H, d, width = self.shape("heads embed_dim head_dim")

        def tensor(name, *shapes):
            if prefix + name not in names:
                raise BadInput(f"{written}: there is no tensor {prefix + name!r}")
            found = parse(written, content, prefix + name)
            if found.shape not in shapes:
                raise BadInput(f"{written}: {prefix + name!r} has shape {found.shape}; expected "
                               f"{' or '.join(map(str, shapes))}")
            return found

        if layout == "heads":
            self.arrays["key"], self.arrays["query"] = tensor(key, (H, d, width)), tensor(query, (H, d, width))
            for name in (key_bias, query_bias):
                if prefix + name in names:
                    self.arrays[name] = tensor(name, (H, width))
            for name in WHOLE_TENSORS[layout]:
                if (self.whole or self.valued) and prefix + name in names:
                    self.arrays[name] = parse(written, content, prefix + name)
            return
        if "logit_scale" not in table and "logit_scale" not in self.root["layer"]:
            self.read_scale("1/sqrt(d_h)")
        # Where the heads of query and key begin among the outputs of their tensors.
        starts = dict.fromkeys(("query", "key"), range(0, H * width, width))
        outputs = {"query": H * width, "key": H * width}
        if query == key:
            starts["key"] = range(H * width, 2 * H * width, width)
            outputs = {"query": 3 * H * width, "key": 3 * H * width}
        # Queries first: a file that has them bounds H.
        for what, weight, bias in (("query", query, query_bias), ("key", key, key_bias)):
            size = outputs[what]
            if layout == "gpt2":
                found = tensor(weight, (d, size))
            elif layout == "llama" and what == "key":
                groups = [g for g in range(1, H + 1) if H % g == 0]
                found = tensor(weight, *((g * width, d) for g in groups))
                size = found.shape[0]
                starts["key"] = [h * (size // width) // H * width for h in range(H)]
            else:
                found = tensor(weight, (size, d))
            at = (lambda r, j: j * size + r) if layout == "gpt2" else (lambda r, j: r * d + j)
            self.arrays[what] = self.picked((H, d, width), found, (
                at(start + k, j) for start in starts[what] for j in range(d) for k in range(width)))
            if prefix + bias in names:
                self.arrays[what + "_bias"] = self.picked((H, width), tensor(bias, (size,)), (
                    start + k for start in starts[what] for k in range(width)))
        if not self.whole and not self.valued:
            return
        # Values are stored as keys are; in a fused tensor after them.
        value, value_bias, weight, bias = WHOLE_TENSORS[layout]
        shift = H * width if value == key else 0
        found = tensor(value, (d, size) if layout == "gpt2" else (size, d))
        self.arrays["value"] = self.picked((H, d, width), found, (
            at(start + shift + k, j) for start in starts["key"] for j in range(d) for k in range(width)))
        if prefix + value_bias in names:
            self.arrays["value_bias"] = self.picked((H, width), tensor(value_bias, (size,)), (
                start + shift + k for start in starts["key"] for k in range(width)))
        if layout == "bert" and (prefix == "self." or prefix.endswith(".self.")):
            prefix = prefix.removesuffix("self.")
        if prefix + weight not in names:
            raise BadInput(f"{written}: there is no tensor {prefix + weight!r}")
        found = parse(written, content, prefix + weight)
        inputs = 0 if layout == "gpt2" else 1
        if len(found.shape) != 2 or found.shape[inputs] != H * width:
            raise BadInput(f"{written}: {prefix + weight!r} has shape {found.shape}")
        m = found.shape[1 - inputs]
        places = range(H * width * m) if layout == "gpt2" else (
            j * H * width + i for i in range(H * width) for j in range(m))
        self.arrays["output"] = self.picked((H, width, m), found, places)
        if prefix + bias in names:
            self.arrays["output_bias"] = tensor(bias, (m,))

    @staticmethod
    def picked(shape, source, places):
        entries = [source.entries[place] for place in places]
        if isinstance(source.entries, array.array):
            entries = array.array(source.entries.typecode, entries)
        return Array(shape, entries)

    # [[claim]]

    def check_claim(self, table):
        """The statement, its keys, and that the case has what it needs."""
        statement = word_of(table.get("statement"), "statement", STATEMENTS)
        needs, required, optional = STATEMENTS[statement]
        required = required.split()
        require_keys(table, f"a claim of {statement}", required + optional.split() + ["statement", "expect", "name"])
        for key in required:
            if key not in table:
                raise BadInput(f"{statement} needs the key {key!r}")
        if "expect" in table:
            word_of(table["expect"], "expect",
                    ("verified", "refuted", "inapplicable", "undecided", "verified-as-stated"))
        if "l" in needs and self.layer is None:
            raise BadInput(f"{statement} needs [layer]")
        data = self.root.get("data")
        for letter, key in (("c", "contexts"), ("q", "queries"), ("y", "labels")):
            weights = self.root.get("weights")
            if key == "queries" and type(weights) is dict and PROJECTED & set(weights):
                given = "w" in needs and "m" not in needs
            else:
                given = type(data) is dict and (key in data or "generate" in data
                                                or (key != "labels" and "hidden" in data))
            if letter in needs and not given:
                raise BadInput(f"{statement} needs the {key} of [data]")
        if "before" in self.root and ("d" not in needs or statement in ("rank", "capacity") and any(
                table.get(key, False) is not False for key in ("head", "bias", "heads", "which", "values"))):
            raise BadInput(f"{statement}, or one of its keys, is not about a layer behind others")
        if "before" in self.root and "b" in needs and "layers_before" not in self.root["layer"]:
            raise BadInput(f"{statement} needs layers_before")
        if "before" in self.root and {"b", "g"} <= set(needs) and not self.given_before:
            raise BadInput(f"{statement} is about given layers before")
        if "before" in self.root and self.given_before and not {"w", "b", "g"} & set(needs):
            raise BadInput(f"{statement} frees the layers before")
        if "w" in needs and "weights" not in self.root:
            raise BadInput(f"{statement} needs [weights]")

    def arguments(self, claim):
        """The arguments in the order of their keys, each an int, Fraction, word, list or Array."""
        statement, out = claim["statement"], {}
        bounds = [key for key in ("value", "at_least", "at_most") if key in claim]
        if len(bounds) > 1:
            raise BadInput("more than one of value, at_least and at_most")
        for key in bounds:
            out[key] = number(claim[key], key)
            if type(out[key]) is not int:
                raise BadInput(f"{key} is not an integer")
        if "subset" in claim:
            out["subset"] = self.subset(claim["subset"])
        if "coefficients" in claim:
            shape = (len(out["subset"]), self.layer["context"])
            out["coefficients"] = self.read_array(claim["coefficients"], "coefficients", (shape,))
            entries = out["coefficients"].exact()
            rows = [entries[i:i + shape[1]] for i in range(0, len(entries), shape[1])]
            if min(entries) <= 0 or any(sum(row) != 1 for row in rows):
                raise BadInput("coefficients must be positive and sum to 1 in every row")
        if statement == "accuracy":
            if ("classes" in claim) == ("epsilon" in claim):
                raise BadInput("accuracy has classes or epsilon")
            if "epsilon" in claim and "labels" not in self.arrays:
                raise BadInput("epsilon is about labels")
        if "classes" in claim:
            out["classes"] = self.read_array(claim["classes"], "classes", (self.shape("examples"),))
            count = max(2, self.layer["output_dim"])
            if not all(x == int(x) and 0 <= x < count for x in out["classes"].exact()):
                raise BadInput("there is no such class")
        if "heads" in claim:
            out["heads"] = dimension_of(claim["heads"], "heads")
        if "which" in claim and truth_of(claim["which"], "which"):
            out["which"] = True
        if "values" in claim:
            out["values"] = self.read_array(claim["values"], "values", (self.shape("examples"),))
            if "which" not in out:
                raise BadInput("values need which = true")
        self.matrices(claim, statement, out)
        if "neurons" in claim:
            self.network(claim, statement, out)
        if statement == "unfittable-labels":
            out["labels"] = word_of(claim.get("labels", "transcendental"), "labels", ("transcendental", "integer"))
        if statement == "lemma-3":
            size, T = self.layer["context"] - 1, self.layer["examples"]
            if T < size or len(out.setdefault("subset", list(range(T - size, T)))) != size:
                raise BadInput("subset must have n - 1 members")
        if statement == "skip-connection" and self.layer["output_dim"] > self.layer["embed_dim"]:
            raise BadInput("output_dim exceeds embed_dim")
        if "lambda" in claim:
            out["lambda"] = number(claim["lambda"], "lambda")
        for key in ("threshold", "tolerance"):
            if key in claim:
                out[key] = number(claim[key], key)
                if out[key] <= 0:
                    raise BadInput(f"{key} is not positive")
        if "head" in claim:
            out["head"] = number(claim["head"], "head")
            if type(out["head"]) is not int or not 0 <= out["head"] < self.layer["heads"]:
                raise BadInput("there is no such head")
        if truth_of(claim.get("bias", False), "bias"):
            if "head" in claim:
                raise BadInput("head and bias exclude each other")
            out["bias"] = True
        if "example" in claim:
            out["example"] = integer_of(claim["example"], "example", 0, self.layer["examples"] - 1)
        if "epsilon" in claim:
            out["epsilon"] = number(claim["epsilon"], "epsilon")
            if out["epsilon"] <= 0:
                raise BadInput("epsilon is not positive")
        return dict(sorted(out.items()))

    def subset(self, node):
        if type(node) is not list or not node:
            raise BadInput("subset is not an array of examples")
        members = [integer_of(x, "a member of subset", 0, self.layer["examples"] - 1) for x in node]
        if len(set(members)) != len(members):
            raise BadInput("subset has a member twice")
        return members

    def matrices(self, claim, statement, out):
        names = {"matrix-rank": ("matrix",), "lemma-1": ("a", "b", "c"), "lemma-2": ("vectors",), "lemma-4": ("w_star", "w_prime"),
                 "lemma-5": ("a", "b"), "words-and-positions": ("sequences",)}.get(statement, ())
        for name in names:
            out[name] = self.read_array(claim[name], name)
            if len(out[name].shape) != 2:
                raise BadInput(f"{name} is not a matrix")
        expected = {}
        if statement == "lemma-1":
            expected["b"] = (out["a"].shape[0], out["c"].shape[1])
        elif statement == "lemma-2":
            out["c"] = number(claim["c"], "c")
        elif statement == "lemma-4":
            expected = dict.fromkeys(names, self.shape("embed_dim embed_dim"))
        elif statement == "lemma-5":
            expected["b"] = out["a"].shape
        elif statement == "words-and-positions":
            expected["sequences"] = self.shape("examples context")
        for name, shape in expected.items():
            if out[name].shape != shape:
                raise BadInput(f"{name} has shape {out[name].shape}; expected {shape}")

    def network(self, claim, statement, out):
        out["neurons"] = dimension_of(claim["neurons"], "neurons")
        out["output_bias"] = truth_of(claim.get("output_bias", False), "output_bias")
        if statement == "relu-memorizes":
            if self.layer["output_dim"] != 1:
                raise BadInput("relu-memorizes needs output_dim = 1")
            return
        out["labels"] = word_of(claim.get("labels", "integer"), "labels", ("integer", "transcendental"))
        if "data" not in self.root:
            if self.layer["context"] > self.layer["embed_dim"]:
                raise BadInput("context exceeds embed_dim")
        elif "contexts" not in self.arrays or "queries" not in self.arrays:
            raise BadInput("proposition-3 needs contexts and queries, or no [data]")

    def make_network_data(self):
        """Without contexts and queries: [I_n 0] for all examples, and (1, x, ..., x^(d-1)), x = t - floor(T / 2)."""
        if "contexts" in self.arrays or "queries" in self.arrays:
            return
        n, d, T = (self.layer[key] for key in ("context", "embed_dim", "examples"))
        self.arrays["contexts"] = Array((n, d), [int(i == j) for i in range(n) for j in range(d)])
        self.arrays["queries"] = Array((T, d), [(t - T // 2) ** j for t in range(T) for j in range(d)])

    # The canonical forms

    def text(self):
        lines = ["attest-problem/1"]
        if self.layer:
            symbols = zip(("H", "n", "d", "d_h", "T", "d_out", "d_v"), DIMENSIONS)
            sizes = " ".join(f"{symbol}={self.layer[key]}" for symbol, key in symbols)
            lines.append(f"layer {sizes} base={self.base} scale={number_text(self.scale)}"
                         + "".join(f" {key}={'true' if value is True else value}" for key, value in (self.other | self.query_bias | self.given_before).items()))
        for name in ARRAYS:
            if name in self.arrays:
                lines.append(f"array {name} shape={self.arrays[name].digest()}")
            if name == ("hidden" if self.before else "contexts") and self.members is not None:
                lines.append(f"members {self.lists_digest(self.members)}")
                if self.before:
                    lines.append("positions " + ",".join(map(str, self.positions)))
            if name == "labels":
                for index, layer in enumerate(self.before):
                    lines += self.before_text(index, layer)
        for index, (statement, arguments) in enumerate(self.claims):
            lines.append(f"claim {index} {statement}")
            lines += [f"{key}={self.argument_text(value)}" for key, value in arguments.items()]
        return "\n".join(lines) + "\n"

    @staticmethod
    def lists_digest(lists):
        return hashlib.sha256("".join(",".join(map(str, rows)) + "\n" for rows in lists).encode()).hexdigest()

    def before_text(self, index, layer):
        def shown(key):
            value = layer[key]
            if key == "members":
                return self.lists_digest(value)
            return self.argument_text(value)
        keys = [key for key in ("heads", "head_dim", "activation", "epsilon", "residual", "members") if key in layer]
        return [" ".join([f"before.{index} {layer['kind']}"] + [f"{key}={shown(key)}" for key in keys])] + [
            f"array before.{index}.{name} shape={layer['arrays'][name].digest()}"
            for name in BEFORE if name in layer["arrays"]]

    @staticmethod
    def argument_text(value):
        if isinstance(value, Array):
            return value.digest()
        if type(value) is bool:
            return "true" if value else "false"
        return ",".join(map(str, value)) if type(value) is list else str(value)

    def digest(self):
        return hashlib.sha256(self.text().encode()).hexdigest()

    def json(self, of_array=Array.json):
        def argument(value):
            if isinstance(value, Array):
                return of_array(value)
            return written(value) if type(value) in (int, Fraction) else value
        layer = self.layer and {**self.layer, "base": self.base, "logit_scale": number_text(self.scale), **self.other,
                               **self.query_bias, **self.given_before}
        return {"format": "attest-problem/1", "digest": self.digest(), "layer": layer,
                "arrays": {name: of_array(self.arrays[name]) for name in ARRAYS if name in self.arrays},
                **({"members": self.members} if self.members is not None else {}),
                **({"positions": self.positions, "before": [self.before_json(layer, of_array) for layer in self.before]}
                   if self.before else {}),
                "claims": [{"statement": statement, "expect": expect,
                            "arguments": {key: argument(value) for key, value in arguments.items()}}
                           for (statement, arguments), expect in zip(self.claims, self.expected)]}

    @staticmethod
    def before_json(layer, of_array):
        arrays = {name: of_array(layer["arrays"][name]) for name in BEFORE if name in layer["arrays"]}
        epsilon = {"epsilon": written(layer["epsilon"])} if "epsilon" in layer else {}
        return {**layer, **epsilon, "arrays": arrays}


    def packed(self):
        """What json() says, in a form for large arrays: a line with two lengths, JSON in which arrays say where their
        canonical bytes begin and how many they are, and these bytes."""
        contents, at = [], 0

        def placed(found):
            nonlocal at
            kind, content = found.canonical
            contents.append(content)
            at += len(content)
            return {"shape": list(found.shape), "class": kind, "at": at - len(content), "bytes": len(content)}

        text = json.dumps(self.json(placed)).encode()
        return [f"{len(text)} {at}\n".encode(), text, *contents]


def one_line(text):
    """Nothing in it ends the line or steers a terminal."""
    def escaped(c):
        surrogates = "surrogateescape" if "\udc80" <= c <= "\udcff" else "surrogatepass"
        return "".join(f"\\x{byte:02x}" for byte in c.encode("utf-8", surrogates))

    return "".join(c if c.isprintable() else escaped(c) for c in text)


def write(path, text):
    """To a temporary name, then renamed; only over a regular file."""
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise BadInput(f"{path}: this is no regular file; give another name")
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".attest.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--allow-outside", action="store_true",
                        help="arrays may lie outside the folder of their case")
    parser.add_argument("--problem", metavar="FILE", help="write the canonical problem as JSON; - for standard output")
    parser.add_argument("case", nargs="+")
    options = parser.parse_args()
    if options.problem and len(options.case) != 1:
        parser.error("--problem is for one case")
    status = 0
    for path in options.case:
        try:
            case = Case(path, options.allow_outside)
            if options.problem == "-":
                print(json.dumps(case.json()))
                continue
            print(case.digest(), "", one_line(path))
            if options.problem:
                write(options.problem, json.dumps(case.json()))
        except (BadInput, TooLarge, OSError) as error:
            print(one_line(f"{path}: {error}"), file=sys.stderr)
            status = 3 if isinstance(error, TooLarge) and status != 2 else 2
    return status


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends as other filters do when nobody reads what it prints
    sys.exit(main())
