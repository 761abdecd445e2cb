#!/usr/bin/env python3
"""Writes small case files and arrays into FOLDER/good and FOLDER/bad.  Usage: make_inputs.py FOLDER

Both readers must read the first to the same digest and refuse the second (check_normalize.py).
"""
import json
import math
import pathlib
import struct
import sys
import zipfile
import zlib

CASE = """format = 1
title = "A case"
[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 2
examples = 2
[data]
contexts = [[1, 0, "1/2"], [0, "0.25", "-0x1.8p-3"]]
queries = [[1, 2, 3], [4, 5, 6]]
labels = [[7], [8]]
[weights]
key = [[[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]]
query = [[[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 2]]]
[[claim]]
statement = "rank"
"""
QUERIES = "[[1, 2, 3], [4, 5, 6]]"
CLAIM = '[[claim]]\nstatement = "rank"\n'
LEMMA = "format = 1\n[[claim]]\n"


def edited(*edits):
    text = CASE
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def claim(text):
    return CASE + "[[claim]]\n" + text


def npy(descr, shape, data, fortran=False, header=None, version=1):
    if header is None:
        header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran, shape)
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode() + data


def safetensors(header, data):
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def npz(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, compression)

WEIGHTS = CASE[CASE.index("key ="):CASE.index("[[claim]]")]


def from_layout(layout, file, prefix=None, more="", scale=None):
    """The case with weights in a file as a model stores them."""
    named = f'prefix = "{prefix}"\n' if prefix is not None else ""
    text = edited((WEIGHTS, f'layout = "{layout}"\nfile = "{file}"\n{named}{more}'))
    return text.replace("examples = 2", f"examples = 2\nlogit_scale = {scale}") if scale else text


def tensors(shapes, dtype="F32", code="f"):
    """A .safetensors file of small numbers, other ones in each tensor."""
    header, data = {}, b""
    for k, (name, shape) in enumerate(shapes.items()):
        count = math.prod(shape)
        entries = struct.pack(f"<{count}{code}", *((7 * i * i + 3 * i + 5 * k) % 41 - 20 for i in range(count)))
        header[name] = tensor(dtype, list(shape), len(data), len(data) + len(entries))
        data += entries
    return safetensors(header, data)


def queries_from(name, tensor_name=None):
    named = f', tensor = "{tensor_name}"' if tensor_name is not None else ""
    return edited((QUERIES, f'{{ file = "{name}"{named} }}'))


# What a layer sees, in other forms than contexts, queries and weights.
HIDDEN = "hidden = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [1, 2], [\"1/3\", 0]]]\n"
CONTEXTS = "contexts = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [1, 2], [\"1/3\", 0]]]\n"
SHARED = "contexts = [[1, 2], [3, 4], [5, 6]]\n"
OWN_QUERIES = "queries = [[1, 2], [3, -4]]\n"
MATRICES = "key = [[[1, 0], [0, 1]], [[1, 1], [0, 1]]]\nquery = [[[1, 0], [0, 1]], [[1, 1], [0, 2]]]\n"
LOGITS = "logits = [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, \"1/7\", -11]]]\n"


def numbers(*shape, first=1):
    """Small different numbers, as nested arrays of this shape."""
    if not shape:
        return str(first * 7 % 23 - 11)
    step = math.prod(shape[1:])
    return "[" + ", ".join(numbers(*shape[1:], first=first + k * step) for k in range(shape[0])) + "]"


def projected(queries=(2, 2, 2), keys=(2, 3, 2, 2), more=""):
    return f"projected_queries = {numbers(*queries)}\nprojected_keys = {numbers(*keys)}\n{more}"


def seen(data, weights=MATRICES, examples=2, statement="rank", layer=""):
    return (f"format = 1\n[layer]\nheads = 2\ncontext = 3\nembed_dim = 2\nhead_dim = 2\nexamples = {examples}\n"
            f"{layer}[data]\n{data}[weights]\n{weights}[[claim]]\nstatement = \"{statement}\"\n")


def whole(weights, outputs, claim="classes = [0, 1]", data=CONTEXTS + OWN_QUERIES, examples=2, layer=""):
    """A whole layer with so many outputs."""
    text = seen(data, weights, examples, "accuracy", f"output_dim = {outputs}\n{layer}")
    return text + claim + "\n"


# H = 2, d = 2: values of 3 numbers, outputs of 2, 3 scores.
WHOLE = {"value": (2, 2, 3), "value_bias": (2, 3), "output": (2, 3, 2), "output_bias": (2,), "skip": (2, 2),
         "readout": (2, 3), "readout_bias": (3,)}


def parts(**shapes):
    """The keys of a whole layer with these shapes instead, without those that are None."""
    return MATRICES + "".join(f"{name} = {numbers(*shape)}\n" for name, shape in {**WHOLE, **shapes}.items() if shape)


# Of layouts with H = 2, d = 3, d_h = 2, for 5 outputs.
WHOLE_LAYOUTS = {
    "heads": {"key": (2, 3, 2), "query": (2, 3, 2), "value": (2, 3, 4), "value_bias": (2, 4), "output": (2, 4, 5)},
    "torch": {"in_proj_weight": (12, 3), "in_proj_bias": (12,), "out_proj.weight": (5, 4), "out_proj.bias": (5,)},
    "bert": {"query.weight": (4, 3), "key.weight": (4, 3), "value.weight": (4, 3), "value.bias": (4,),
             "output.dense.weight": (5, 4), "output.dense.bias": (5,)},
    "gpt2": {"c_attn.weight": (3, 12), "c_attn.bias": (12,), "c_proj.weight": (4, 5), "c_proj.bias": (5,)},
    "llama": {"q_proj.weight": (4, 3), "k_proj.weight": (2, 3), "v_proj.weight": (2, 3), "v_proj.bias": (2,),
              "o_proj.weight": (5, 4)},
}


def whole_from_layout(layout, file, prefix="", more="", outputs=5):
    text = from_layout(layout, file, prefix, more).replace("labels = [[7], [8]]\n", "")
    text = text.replace("examples = 2", f"examples = 2\noutput_dim = {outputs}")
    return text.replace(CLAIM, f'[[claim]]\nstatement = "accuracy"\nclasses = [0, {outputs - 1}]\n')


def good_whole_layers():
    cases, files = {}, {}
    cases["nothing"] = whole(MATRICES, 4, "classes = [0, 3]\nat_most = 1")
    cases["values"] = whole(parts(**{**dict.fromkeys(WHOLE), "value": (2, 2, 1)}), 2)
    cases["value-dim"] = whole(parts(), 3, layer="value_dim = 3\n")
    cases["all"] = whole(parts(), 3, "classes = [0, 2]\nvalue = 2")
    cases["output-flat"] = whole(parts(output=(6, 2)), 3)
    cases["skip-queries"] = whole(parts(skip=None) + "skip = true\n", 3)
    cases["one-score"] = whole(parts(readout=(2, 1), readout_bias=None), 1, "classes = [1, 0]")
    cases["epsilon"] = whole(parts(readout=(2, 1), readout_bias=None), 1, 'epsilon = "1/3"\nat_least = 1',
                             CONTEXTS + OWN_QUERIES + "labels = [1, 2]\n")
    cases["rank"] = seen(CONTEXTS + OWN_QUERIES, parts(), layer="output_dim = 3\n")
    cases["logits"] = whole(LOGITS + parts().removeprefix(MATRICES), 3, data=CONTEXTS)
    for name, examples, more in (("all", 6, 'positions = "all"'), ("masked", 4, 'positions = "all"\nmask = [[1, 1, 0], [0, 1, 1]]'),
                                 ("causal", 6, 'positions = "all"\ncausal = true'), ("last", 2, 'positions = "last"')):
        right = f"classes = {[0, 1, 2, 2, 0, 1][:examples]}"
        rest = parts(skip=None).removeprefix(MATRICES) + "skip = true\n"
        cases[f"hidden-{name}"] = whole(MATRICES + rest, 3, right, f"{HIDDEN}{more}\n", examples)
        cases[f"hidden-{name}-logits"] = whole(f"logits = {numbers(examples, 2, 3)}\n{rest}", 3, right, f"{HIDDEN}{more}\n", examples)
    files["turned.npy"] = npy("<f4", (3, 2), struct.pack("<6f", *range(6)))
    files["upright.npy"] = npy("<f4", (2, 3), struct.pack("<6f", 0, 2, 4, 1, 3, 5))
    for name, table in (("turned", '{ file = "turned.npy", transpose = true }'),
                        ("upright", '{ file = "upright.npy", transpose = false }')):
        cases[name] = whole(parts(readout=None) + f"readout = {table}\n", 3)
    cases["classes-file"] = whole(parts(), 3, 'classes = { file = "classes.npy" }')
    files["classes.npy"] = npy("<i8", (2,), struct.pack("<2q", 2, 0))
    for layout, shapes in WHOLE_LAYOUTS.items():
        files[f"whole-{layout}.safetensors"] = tensors(shapes)
        cases[layout] = whole_from_layout(layout, f"whole-{layout}.safetensors")
        cases[f"{layout}-readout"] = whole_from_layout(
            layout, f"whole-{layout}.safetensors", more=f"readout = {numbers(5, 2)}\nreadout_bias = [1, 2]\n", outputs=2)
    around = {("output." if name.startswith("output.") else "self.") + name.removeprefix("output."): shape
              for name, shape in WHOLE_LAYOUTS["bert"].items()}
    files["whole-bert-around.safetensors"] = tensors({f"layers.0.{name}": shape for name, shape in around.items()})
    cases["bert-around"] = whole_from_layout("bert", "whole-bert-around.safetensors", "layers.0.self.")
    files["whole-bert-self.safetensors"] = tensors(around)
    cases["bert-self"] = whole_from_layout("bert", "whole-bert-self.safetensors", "self.")
    return {f"whole-{name}": text for name, text in cases.items()}, files


def bad_whole_layers():
    cases, files = {}, {}
    for name, shapes in (("value", {"value": (2, 3, 3)}), ("value-flat", {"value": (4, 3)}), ("value-bias", {"value_bias": (2, 2)}),
                         ("output", {"output": (2, 2, 2)}), ("output-flat", {"output": (2, 6)}), ("output-bias", {"output_bias": (3,)}),
                         ("skip", {"skip": (2, 3)}), ("skip-flat", {"skip": (2,)}), ("readout", {"readout": (3, 2)}), ("readout-bias", {"readout_bias": (2,)}),
                         ("readout-none", {"readout": None})):
        cases[name] = whole(parts(**shapes), 3)
    cases["value-dim"] = whole(parts(), 3, layer="value_dim = 2\n")
    cases["rank"] = seen(CONTEXTS + OWN_QUERIES, parts(), layer="output_dim = 2\n")
    cases["readout-of-rank"] = seen(CONTEXTS + OWN_QUERIES, MATRICES + f"readout = {numbers(4, 2)}\n")
    cases["nothing"] = whole(MATRICES, 3)
    cases["no-weights"] = whole("", 3).replace("[weights]\n", "")
    cases["skip-false"] = whole(parts(skip=None) + "skip = false\n", 3)
    cases["skip-word"] = whole(parts(skip=None) + 'skip = "yes"\n', 3)
    cases["skip-other-size"] = whole(parts(skip=None, output=(2, 3, 3), output_bias=None, readout=(3, 3)) + "skip = true\n", 3)
    cases["skip-no-queries"] = whole(LOGITS + parts(skip=None).removeprefix(MATRICES) + "skip = true\n", 3, data=CONTEXTS)
    for name, claim_text in (("none", ""), ("both", "classes = [0, 1]\nepsilon = 1"), ("labels", "epsilon = 1"), ("epsilon", "epsilon = 0"),
                             ("beyond", "classes = [0, 3]"), ("negative", "classes = [0, -1]"), ("fraction", 'classes = [0, "1/2"]'),
                             ("short", "classes = [0]"), ("matrix", "classes = [[0, 1]]"), ("word", 'classes = "all"'),
                             ("threshold", "classes = [0, 1]\nthreshold = 1")):
        cases[f"claim-{name}"] = whole(parts(), 3, claim_text)
    cases["claim-one-score"] = whole(parts(readout=(2, 1), readout_bias=None), 1, "classes = [0, 2]")
    cases["claim-of-rank"] = seen(CONTEXTS + OWN_QUERIES) + "classes = [0, 1]\n"
    files["cube.npy"] = npy("<f4", (1, 2, 3), bytes(24))
    cases["transpose-cube"] = whole(parts(readout=None) + 'readout = { file = "cube.npy", transpose = true }\n', 3)
    cases["transpose-word"] = whole(parts(readout=None) + 'readout = { file = "cube.npy", transpose = 1 }\n', 3)
    for layout, name, shape in (
            ("torch", "out_proj.weight", None), ("torch", "out_proj.weight", (4, 5)), ("torch", "out_proj.weight", (20,)),
            ("torch", "out_proj.bias", (4,)), ("bert", "value.weight", None), ("bert", "value.weight", (2, 3)),
            ("bert", "value.weight", (4, 4)), ("bert", "value.bias", (3,)), ("bert", "output.dense.weight", None),
            ("gpt2", "c_proj.weight", (5, 4)), ("gpt2", "c_proj.bias", (1, 5)), ("llama", "v_proj.weight", (4, 3)),
            ("llama", "o_proj.weight", (5, 2)), ("heads", "value", (2, 2, 4)), ("heads", "value_bias", (4, 2)),
            ("heads", "output", (8, 5)), ("heads", "output", (2, 5, 4))):
        shapes = {**WHOLE_LAYOUTS[layout], name: shape}
        label = f"{layout}-{name.replace('.', '-')}-{'x'.join(map(str, shape or ('none',)))}"
        files[f"whole-{label}.safetensors"] = tensors({key: value for key, value in shapes.items() if value})
        cases[label] = whole_from_layout(layout, f"whole-{label}.safetensors")
    files["whole-bert-inner.safetensors"] = tensors({f"self.{name}": shape for name, shape in WHOLE_LAYOUTS["bert"].items()})
    cases["bert-inner"] = whole_from_layout("bert", "whole-bert-inner.safetensors", "self.")
    for name, shape in (("value", (2, 3, 2)), ("output", (2, 2, 5)), ("output_bias", (5,))):
        cases[f"beside-layout-{name}"] = whole_from_layout("bert", "whole-bert-inner.safetensors", "self.", f"{name} = {numbers(*shape)}\n")
    return {f"whole-{name}": text for name, text in cases.items()}, files


def good_forms():
    cases, files = good_whole_layers()
    for name, examples, more in (
            ("last", 2, 'positions = "last"'), ("all", 6, 'positions = "all"'), ("list", 4, "positions = [0, 2]"),
            ("causal", 6, 'positions = "all"\ncausal = true'), ("not-causal", 2, "positions = [1]\ncausal = false"),
            ("causal-last", 2, 'positions = "last"\ncausal = true'),
            ("mask", 4, 'positions = "all"\nmask = [[1, 1, 0], [0, 1, 1]]'),
            ("mask-last", 2, 'positions = "last"\nmask = [[1, 0, 0], [0, 1, 1]]'),
            ("mask-causal", 3, 'positions = "all"\ncausal = true\nmask = [[0, 1, 0], [1, 0, 1]]'),
            ("window", 6, 'positions = "all"\nwindow = 2'), ("window-wide", 2, 'positions = "last"\nwindow = 9'),
            ("window-causal", 4, "positions = [1, 2]\ncausal = true\nwindow = 1"),
            ("window-mask", 4, 'positions = "all"\ncausal = true\nwindow = 2\nmask = [[1, 0, 1], [1, 1, 0]]'),
            ("mask-one-sequence", 1, 'positions = "all"\nmask = [[0, 0, 0], [0, 1, 0]]'),
            ("mask-ones", 6, 'positions = "all"\nmask = [[1, 1, 1], [1, 1, 1]]')):
        cases[f"hidden-{name}"] = seen(f"{HIDDEN}{more}\n", examples=examples)
        cases[f"hidden-{name}-logits"] = seen(f"{HIDDEN}{more}\n", f"logits = {numbers(examples, 2, 3)}\n", examples)
        cases[f"hidden-{name}-scores"] = seen(f"{HIDDEN}{more}\n", f"logits = {numbers(2, 2, 3, 3)}\n", examples)
        cases[f"hidden-{name}-projected"] = seen(f"{HIDDEN}{more}\n", projected((examples, 2, 2), (2, 3, 1, 2)),
                                                 examples)
        cases[f"hidden-{name}-all-projected"] = seen(f"{HIDDEN}{more}\n", projected((2, 3, 2, 2)), examples)
    one = "hidden = [[[1, 2], [3, 4], [1, 2]]]\n"
    cases["hidden-one-sequence"] = seen(one + 'positions = "all"\n', examples=3)
    cases["hidden-one-sequence-projected"] = seen(one + 'positions = "all"\n', projected((1, 3, 2, 2), (1, 3, 2, 2)), 3)
    cases["hidden-one-sequence-causal"] = seen(one + 'positions = "all"\ncausal = true\n', examples=3)
    for name, contexts in (("own", CONTEXTS), ("shared", SHARED)):
        for kind, mask in (("none", ""), ("ragged", "mask = [[1, 0, 1], [0, 0, 1]]\n"),
                           ("apart", "mask = [[1, 0, 1], [0, 1, 0]]\n"), ("same", "mask = [[1, 0, 1], [1, 0, 1]]\n"),
                           ("ones", "mask = [[1, 1, 1], [1, 1, 1]]\n")):
            cases[f"mask-{name}-{kind}"] = seen(contexts + OWN_QUERIES + mask)
            cases[f"mask-{name}-{kind}-projected"] = seen(contexts + mask, projected(keys=(2, 3, 1, 2)))
            cases[f"mask-{name}-{kind}-logits"] = seen(contexts + mask, LOGITS)
            if name == "shared":
                cases[f"mask-{name}-{kind}-keys"] = seen(contexts + mask, projected(keys=(3, 2, 2)))
    files["mask.npy"] = npy("|b1", (2, 3), bytes((1, 0, 1, 1, 1, 0)))
    files["logits.npy"] = npy("<f4", (2, 2, 3), struct.pack("<12f", *(k / 3 for k in range(12))))
    cases["mask-file"] = seen(CONTEXTS + 'mask = { file = "mask.npy" }\n', 'logits = { file = "logits.npy" }\n')
    cases["logits-scale"] = seen(CONTEXTS, LOGITS + 'logit_scale = "1/2"\n', layer='base = "2"\n')
    cases["projected-scale"] = seen(CONTEXTS, projected(), layer='logit_scale = "1/2"\n')
    cases["projected-scale-in-weights"] = seen(CONTEXTS, projected(more="logit_scale = 3\n"))
    for statement, more in (("memorizes", ""), ("injective", ""), ("saturation", 'threshold = "0.99"\nhead = "1"\n'),
                            ("saturation", "threshold = 2\nat_most = 3\n"),
                            ("numerical-rank", 'tolerance = "1e-9"\n')):
        name = f"question-{statement}" + ("-number" if "at_most" in more else "")
        cases[name] = seen(CONTEXTS + "labels = [1, 2]\n", LOGITS, statement=statement) + more
    cases["ragged-capacity"] = seen(HIDDEN + 'positions = "all"\ncausal = true\n', examples=6, statement="capacity")
    return cases, files


ATTENTION = 'kind = "attention"\nheads = 2\n'
COMBINED = f"combined = {numbers(2, 2, 2)}\n"
FREE = ATTENTION + "head_dim = 3\n"
NORM = 'kind = "rmsnorm"\nepsilon = "1e-5"\n'
NETWORK = f'kind = "mlp"\nweight_1 = {numbers(2, 3)}\nweight_2 = {numbers(3, 2)}\nactivation = "relu"\n'


def stacked(*layers, data=HIDDEN + 'positions = "all"\n', examples=6, weights=MATRICES, statement="rank", layer=""):
    if statement == "capacity" and "layers_before" not in layer:
        layer += 'layers_before = "free"\n'
    text = seen(data, weights, examples, statement, layer)
    return text.replace("[weights]", "".join(f"[[before]]\n{each}" for each in layers) + "[weights]")


def good_stacks():
    cases = {}
    attention = ATTENTION + COMBINED
    for name, layer in (
            ("combined", attention), ("value", attention + f"value = {numbers(2, 2, 2)}\n"),
            ("factors", ATTENTION + f"key = {numbers(2, 2, 3)}\nquery = {numbers(2, 2, 3)}\n"),
            ("no-residual", attention + "residual = false\n"), ("causal", attention + "causal = true\n"),
            ("mask", attention + "mask = [[1, 0, 1], [0, 1, 1]]\n"), ("network", NETWORK),
            ("window", attention + "window = 2\n"), ("window-causal", attention + "window = 1\ncausal = true\n"),
            ("network-biases", NETWORK + 'bias_1 = [1, "1/3", 0]\nbias_2 = [0, "0.1"]\nresidual = false\n'),
            ("network-tanh", NETWORK.replace("relu", "tanh")), ("network-silu", NETWORK.replace("relu", "silu")),
            ("norm", NORM), ("norm-all", NORM + 'gain = [1, "1/2"]\n'), ("norm-0", NORM.replace("1e-5", "0")),
            ("norm-none", 'kind = "rmsnorm"\n')):
        cases[f"stack-{name}"] = stacked(layer)
    cases["stack-all"] = stacked(NETWORK, attention, NORM, attention)
    zero = HIDDEN.replace("[5, 6]", "[0, 0]") + 'positions = "all"\n'
    cases["stack-norm-0-masked"] = stacked('kind = "rmsnorm"\n', data=zero + "mask = [[1, 1, 0], [1, 1, 1]]\n", examples=5)
    cases["stack-positions"] = stacked(attention, data=HIDDEN + "positions = [0, 2]\ncausal = true\n", examples=4)
    masked = HIDDEN + 'positions = "last"\nmask = [[1, 1, 0], [0, 0, 0]]\n'.replace("[0, 0, 0]", "[0, 1, 0]")
    cases["stack-window"] = stacked(attention, data=HIDDEN + 'positions = "all"\nwindow = 2\n')
    cases["stack-masked"] = stacked(attention, data=masked, examples=2)
    cases["stack-masked-causal"] = stacked(attention + "causal = true\n", data=masked, examples=2)
    cases["stack-unmasked"] = stacked(attention + "mask = [[1, 1, 1], [1, 1, 1]]\n", data=masked, examples=2)
    for statement in ("capacity", "functional-dimension"):
        cases[f"stack-{statement}"] = stacked(attention, statement=statement)
        cases[f"stack-free-{statement}"] = stacked(FREE, FREE + "residual = false\ncausal = true\n", attention, statement=statement)
        cases[f"stack-no-weights-{statement}"] = stacked(FREE, weights="", statement=statement).replace("[weights]\n", "")
    given = 'layers_before = "given"\n'
    for statement in ("capacity", "rank", "injective"):
        cases[f"stack-given-{statement}"] = stacked(NETWORK, attention, NORM, statement=statement, layer=given)
        cases[f"stack-said-free-{statement}"] = stacked(attention, statement=statement, layer=given.replace("given", "free"))
    for statement in ("kruskal-rank", "general-position", "assumption-1", "assumption-2", "assumption-3", "proposition-4"):
        cases[f"stack-{statement}"] = stacked(attention, NETWORK, statement=statement)
        cases[f"stack-given-{statement}"] = stacked(attention, statement=statement, layer=given)
    for statement in ("proposition-1", "theorem-1"):
        cases[f"stack-given-{statement}"] = stacked(NORM, attention, statement=statement, layer=given)
    cases["stack-ragged-kruskal"] = stacked(attention, statement="kruskal-rank", data=HIDDEN + 'positions = "all"\ncausal = true\n')
    cases["stack-given-no-weights"] = stacked(attention, weights="", statement="capacity", layer=given).replace("[weights]\n", "")
    cases["stack-which-false"] = stacked(FREE, statement="capacity") + "which = false\n"
    cases["stack-injective"] = stacked(attention, statement="injective")
    cases["stack-generated"] = stacked(
        attention, weights='generate = { kind = "integers", bound = 3, seed = 1 }\nlogit_scale = "1/sqrt(2)"\n')
    cases["stack-accuracy"] = stacked(attention, statement="accuracy", layer="output_dim = 4\n") + "classes = [0, 1, 2, 3, 0, 1]\n"
    cases["stack-accuracy-labels"] = stacked(
        attention, data=HIDDEN + 'positions = "all"\nlabels = [1, 2, 3, 4, 5, 6]\n', statement="accuracy",
        weights=MATRICES + f"readout = {numbers(4, 1)}\nskip = {numbers(6, 4)}\n") + "epsilon = 1\n"
    return cases


def bad_stacks():
    cases = {}
    attention = ATTENTION + COMBINED
    for name, layer in (
            ("kind-none", "heads = 1\n"), ("kind-other", 'kind = "layernorm"\n'), ("kind-number", "kind = 1\n"),
            ("heads-none", 'kind = "attention"\n' + COMBINED), ("heads-zero", attention.replace("heads = 2", "heads = 0")),
            ("heads-other", attention.replace("heads = 2", "heads = 3")), ("weights-none", ATTENTION),
            ("key-alone", ATTENTION + f"key = {numbers(2, 2, 3)}\n"),
            ("both", attention + f"key = {numbers(2, 2, 3)}\nquery = {numbers(2, 2, 3)}\n"),
            ("query-width", ATTENTION + f"key = {numbers(2, 2, 3)}\nquery = {numbers(2, 2, 2)}\n"),
            ("combined-shape", ATTENTION + f"combined = {numbers(2, 2, 3)}\n"),
            ("value-shape", attention + f"value = {numbers(2, 2, 3)}\n"), ("scale", attention + "logit_scale = 2\n"),
            ("bias", attention + f"key_bias = {numbers(2, 2)}\n"), ("residual-word", attention + 'residual = "yes"\n'),
            ("causal-word", attention + 'causal = "yes"\n'), ("mask-shape", attention + "mask = [[1, 1, 1]]\n"),
            ("mask-two", attention + "mask = [[1, 2, 1], [1, 1, 1]]\n"),
            ("mask-empty", attention + "mask = [[0, 0, 0], [1, 1, 1]]\n"),
            ("mask-empty-causal", attention + "causal = true\nmask = [[0, 1, 1], [1, 1, 1]]\n"),
            ("activation-none", NETWORK.replace('activation = "relu"\n', "")),
            ("activation-other", NETWORK.replace("relu", "gelu")), ("weight-none", NETWORK.replace("weight_1", "weight_3")),
            ("weight-2-none", NETWORK.replace("weight_2", "bias_2")),
            ("weight-shape", NETWORK.replace(numbers(3, 2), numbers(2, 2))),
            ("bias-1-shape", NETWORK + "bias_1 = [1, 2]\n"), ("bias-2-shape", NETWORK + "bias_2 = [1, 2, 3]\n"),
            ("network-heads", NETWORK + "heads = 1\n"), ("norm-residual", NORM + "residual = true\n"),
            ("norm-gain", NORM + "gain = [1, 2, 3]\n"), ("norm-epsilon-negative", 'kind = "rmsnorm"\nepsilon = "-1/2"\n'),
            ("norm-epsilon-float", 'kind = "rmsnorm"\nepsilon = 0.1\n')):
        cases[f"stack-{name}"] = stacked(layer)
    cases["stack-norm-0-behind"] = stacked(attention, 'kind = "rmsnorm"\n')
    cases["stack-norm-0-vector"] = stacked('kind = "rmsnorm"\n', data=HIDDEN.replace("[5, 6]", "[0, 0]") + 'positions = "all"\n')
    cases["stack-table"] = stacked(attention).replace("[[before]]", "[before]")
    cases["stack-empty"] = "before = []\n" + stacked()
    cases["stack-number"] = "before = [1]\n" + stacked()
    cases["stack-no-layer"] = f"format = 1\n[[before]]\n{attention}[[claim]]\nstatement = \"lemma-2\"\nvectors = [[1]]\nc = 1\n"
    cases["stack-base"] = stacked(attention, layer='base = "2"\n')
    cases["stack-contexts"] = stacked(attention, data=CONTEXTS + OWN_QUERIES, examples=2)
    cases["stack-mixed"] = stacked(attention, data=HIDDEN + 'positions = "all"\nmixed = true\n')
    cases["stack-generate"] = stacked(attention, data='generate = { kind = "integers", bound = 9, seed = 7 }\n')
    cases["stack-logits"] = stacked(attention, weights=f"logits = {numbers(6, 2, 3)}\n")
    cases["stack-projected"] = stacked(attention, weights=projected((2, 3, 2, 2)))
    cases["stack-skip"] = stacked(attention, weights=MATRICES + "skip = true\n", layer="output_dim = 4\n")
    for name, layer in (("rank", FREE), ("injective", FREE), ("capacity", NETWORK), ("functional-dimension", NORM)):
        cases[f"stack-{name}-free"] = stacked(attention, layer, statement=name)
    for key in ("combined", "value"):
        cases[f"stack-free-{key}"] = stacked(FREE + f"{key} = {numbers(2, 2, 2)}\n", statement="capacity")
    cases["stack-free-factors"] = stacked(FREE + f"key = {numbers(2, 2, 3)}\nquery = {numbers(2, 2, 3)}\n", statement="capacity")
    for size in ("0", "-1", '"2"', "2.5"):
        cases[f"stack-free-{size}".replace('"', "'")] = stacked(ATTENTION + f"head_dim = {size}\n", statement="capacity")
    cases["stack-free-network"] = stacked(NETWORK + "head_dim = 2\n", statement="capacity")
    for more in ("heads = 3\n", "which = true\n", "which = true\nvalues = [1, 2, 3, 4, 5, 6]\n"):
        cases[f"stack-capacity-{more.split()[0]}-{len(more)}"] = stacked(attention, statement="capacity") + more
    for more in ("head = 0\n", "bias = true\n"):
        cases[f"stack-rank-{more.split()[0]}"] = stacked(attention) + more
    for statement in ("any-coefficients", "memorizes", "affine-hull-bound", "proposition-1", "proposition-2", "proposition-5", "theorem-1"):
        cases[f"stack-{statement}"] = stacked(attention, statement=statement)
    for statement in ("proposition-1", "theorem-1"):
        cases[f"stack-free-{statement}"] = stacked(attention, statement=statement, layer='layers_before = "free"\n')
    for statement in ("kruskal-rank", "assumption-1"):
        cases[f"stack-no-weights-{statement}"] = stacked(attention, FREE, statement=statement)
    cases["stack-ragged-assumption"] = stacked(attention, statement="assumption-2", data=HIDDEN + 'positions = "all"\ncausal = true\n')
    given = 'layers_before = "given"\n'
    cases["stack-unsaid"] = stacked(attention, statement="capacity").replace('layers_before = "free"\n', "")
    cases["stack-given-free"] = stacked(attention, FREE, statement="capacity", layer=given)
    cases["stack-given-dimension"] = stacked(attention, statement="functional-dimension", layer=given)
    cases["stack-given-dimension-too"] = stacked(attention, statement="capacity", layer=given) + '[[claim]]\nstatement = "functional-dimension"\n'
    cases["stack-given-other"] = stacked(attention, statement="capacity", layer=given.replace("given", "fixed"))
    cases["stack-given-truth"] = stacked(attention, statement="capacity", layer="layers_before = true\n")
    cases["stack-given-nothing"] = stacked(statement="rank", layer=given)
    cases["stack-lemma"] = stacked(attention, statement="lemma-2") + "vectors = [[1, 2]]\nc = 1\n"
    return cases


def bad_forms():
    cases = {}
    last = 'positions = "last"\n'
    for name, data in (
            ("positions-none", HIDDEN), ("positions-word", HIDDEN + 'positions = "first"\n'),
            ("positions-number", HIDDEN + "positions = 0\n"), ("positions-empty", HIDDEN + "positions = []\n"),
            ("positions-beyond", HIDDEN + "positions = [3]\n"), ("positions-negative", HIDDEN + "positions = [-1]\n"),
            ("positions-twice", HIDDEN + "positions = [1, 1]\n"), ("positions-fall", HIDDEN + "positions = [1, 0]\n"),
            ("positions-text", HIDDEN + 'positions = ["0"]\n'), ("positions-count", HIDDEN + 'positions = "all"\n'),
            ("positions-masked", HIDDEN + "positions = [0]\nmask = [[0, 1, 1], [1, 1, 1]]\n"),
            ("positions-alone", CONTEXTS + OWN_QUERIES + last), ("causal-alone", CONTEXTS + OWN_QUERIES + "causal = true\n"),
            ("causal-word", HIDDEN + last + 'causal = "yes"\n'),
            ("window-alone", CONTEXTS + OWN_QUERIES + "window = 2\n"), ("window-0", HIDDEN + last + "window = 0\n"),
            ("hidden-and-contexts", HIDDEN + last + CONTEXTS), ("hidden-and-queries", HIDDEN + last + OWN_QUERIES),
            ("hidden-shape", HIDDEN.replace(", [5, 6]", "").replace(', ["1/3", 0]', "") + last),
            ("hidden-matrix", "hidden = [[1, 2], [3, 4], [5, 6]]\n" + last),
            ("hidden-number", "hidden = 1\n" + last),
            ("hidden-mixed", HIDDEN + 'positions = [0]\ncausal = true\nmask = [[1, 1, 1], [1, 1, 1]]\nmixed = true\n'),
            ("mask-empty", HIDDEN + last + "mask = [[0, 0, 0], [1, 1, 1]]\n"),
            ("mask-empty-example", CONTEXTS + OWN_QUERIES + "mask = [[0, 0, 0], [1, 1, 1]]\n"),
            ("mask-two", CONTEXTS + OWN_QUERIES + "mask = [[1, 2, 1], [1, 1, 1]]\n"),
            ("mask-added", CONTEXTS + OWN_QUERIES + "mask = [[0, -1e30, 0], [0, 0, 0]]\n".replace("-1e30", '"-1e30"')),
            ("mask-shape", CONTEXTS + OWN_QUERIES + "mask = [[1, 1], [1, 1]]\n"),
            ("mask-flat", CONTEXTS + OWN_QUERIES + "mask = [1, 1, 1]\n"),
            ("mask-alone", OWN_QUERIES + "mask = [[1, 1, 1], [1, 1, 1]]\n"),
            ("mask-generated", 'generate = { kind = "integers", bound = 9, seed = 7 }\nmask = [[1, 0, 1], [1, 1, 1]]\n'),
            ("mask-mixed", CONTEXTS + OWN_QUERIES + "mask = [[1, 0, 1], [1, 1, 1]]\nmixed = true\n")):
        cases[f"forms-{name}"] = seen(data)
    for name, weights in (
            ("queries-alone", f"projected_queries = {numbers(2, 2, 2)}\n"),
            ("keys-alone", f"projected_keys = {numbers(2, 3, 2, 2)}\n"),
            ("logits-and-keys", LOGITS + f"projected_keys = {numbers(2, 3, 2, 2)}\n"),
            ("logits-and-matrices", LOGITS + MATRICES), ("logits-and-bias", LOGITS + "key_bias = [[1, 2], [3, 4]]\n"),
            ("logits-and-layout", LOGITS + 'layout = "bert"\nfile = "bert.safetensors"\n'),
            ("logits-shape", f"logits = {numbers(2, 3, 2)}\n"), ("logits-flat", f"logits = {numbers(2, 3)}\n"),
            ("logits-scores", f"logits = {numbers(2, 2, 3, 3)}\n"),
            ("queries-shape", projected(queries=(2, 2, 3))), ("queries-examples", projected(queries=(3, 2, 2))),
            ("queries-by-sequence", projected(queries=(2, 3, 2, 2))),
            ("keys-heads-first", projected(keys=(2, 2, 3, 2))), ("keys-groups", projected(keys=(2, 3, 3, 2))),
            ("keys-tokens", projected(keys=(2, 4, 2, 2))), ("keys-width", projected(keys=(2, 3, 2, 3))),
            ("keys-one-context", projected(keys=(3, 2, 2))), ("keys-flat", projected(keys=(4,))),
            ("scale-zero", projected(more="logit_scale = 0\n"))):
        cases[f"forms-{name}"] = seen(CONTEXTS, weights)
    cases["forms-projected-and-queries"] = seen(CONTEXTS + OWN_QUERIES, projected())
    cases["forms-projected-and-generate"] = seen(
        'generate = { kind = "integers", bound = 9, seed = 7 }\n', projected())
    cases["forms-projected-without-contexts"] = seen("labels = [1, 2]\n", projected())
    cases["forms-projected-capacity"] = seen(CONTEXTS, projected(), statement="capacity")
    cases["forms-scale-twice"] = seen(CONTEXTS, projected(more="logit_scale = 2\n"), layer="logit_scale = 2\n")
    for statement in ("assumption-1", "assumption-2", "assumption-3", "proposition-1", "proposition-2", "proposition-4",
                      "proposition-5", "theorem-1", "remark-1", "finite-lambda", "lemma-3"):
        cases[f"forms-ragged-{statement}"] = seen(HIDDEN + 'positions = "all"\ncausal = true\n', examples=6,
                                                  statement=statement)
    return cases


def good(folder):
    cases, files = {}, {}
    six = (1, -2, 3, 0, 5, 6)
    types = {"f8": "d", "f4": "f", "f2": "e", "i8": "q", "i4": "i", "i2": "h", "i1": "b"}
    for name, code in types.items():
        for order, word in (("<", "little"), (">", "big")):
            files[f"{name}-{word}.npy"] = npy(order + name, (2, 3), struct.pack(order + "6" + code, *six))
    files["u1.npy"] = npy("|u1", (2, 3), bytes((1, 2, 3, 200, 255, 0)))
    files["b1.npy"] = npy("|b1", (2, 3), bytes((1, 0, 1, 1, 1, 0)))
    files["fortran.npy"] = npy("<f8", (2, 3), struct.pack("<6d", 1, 4, 2, 5, 3, 6), fortran=True)
    files["fortran-3.npy"] = npy("<i2", (2, 3, 2), struct.pack("<12h", *range(12)), fortran=True)
    files["version-2.npy"] = npy("<f4", (2, 3), struct.pack("<6f", *six), version=2)
    files["edges.npy"] = npy("<f8", (2, 3), struct.pack(
        "<6d", 5e-324, -1.7976931348623157e308, 0.1, -0.0, 2.0**-149, 2.0**-150))
    files["large-sum.npy"] = npy("<f8", (2, 3), struct.pack("<6d", *[1.7976931348623157e308] * 5, -0.0))
    files["minus-zeros.npy"] = npy("<f4", (2, 3), struct.pack("<6f", 0.0, -0.0, 1, -0.0, 2.0**-149, -1))
    files["loose-header.npy"] = npy(None, None, struct.pack("<6f", *six),
                                    header='{ "shape":(2,3),\'fortran_order\' :False , "descr":"<f4"}   \n')
    for name in files:
        cases[f"npy-{name[:-4]}"] = queries_from(name)
    cases["npy-fortran-3"] = edited(("[[[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]]",
                                     '{ file = "fortran-3.npy" }'))
    parts = {"F64": "<6d", "F32": "<6f", "F16": "<6e", "I64": "<6q", "I32": "<6i", "I16": "<6h", "I8": "<6b"}
    header, data = {"__metadata__": {"about": "a test"}}, b""
    blobs = {key: struct.pack(code, *six) for key, code in parts.items()}
    blobs["BF16"] = struct.pack("<6H", 0x3F80, 0xC000, 0x4040, 0x8000, 1, 0x7F7F)
    blobs["U8"], blobs["BOOL"] = bytes((1, 2, 3, 200, 255, 0)), bytes((1, 0, 1, 1, 1, 0))
    blobs["C64"] = bytes(48)  # of no dtype that is read, and not read
    for key, blob in blobs.items():
        header[key.lower()] = tensor(key, [2, 3], len(data), len(data) + len(blob))
        data += blob
        if key != "C64":
            cases[f"safetensors-{key.lower()}"] = queries_from("all.safetensors", key.lower())
    files["all.safetensors"] = safetensors(json.dumps(header) + "     ", data)
    members = [("q.npy", files["f4-little.npy"]), ("layer.0/w.npy", files["edges.npy"]),
               ("raw", files["i1-little.npy"])]
    npz(folder / "stored.npz", members)
    npz(folder / "deflated.npz", members, zipfile.ZIP_DEFLATED)
    for name, array in (("stored", "q"), ("stored", "layer.0/w"), ("stored", "raw"), ("deflated", "q"),
                        ("deflated", "layer.0/w"), ("deflated", "q.npy")):
        cases[f"npz-{name}-{array.replace('/', '-').replace('.', '-')}"] = queries_from(f"{name}.npz", array)
    numbers = ('"+7"', '"6/4"', '".5"', '"1."', '"-2.5e-3"', '"1E5"', '"0x1.8p-3"', '"-0X3P10"', '"0x.8"',
               '"00012"', '"1e00100"', "-9223372036854775808")
    for k in range(0, len(numbers), 6):
        row = numbers[k:k + 6]
        cases[f"numbers-{k}"] = edited((QUERIES, f"[[{', '.join(row[:3])}], [{', '.join(row[3:])}]]"))
    for name, scale in (("rational", '"-3/7"'), ("integer", "2"), ("root-d", '"1/sqrt(d)"'),
                        ("root-d-h", '"1/sqrt(d_h)"'), ("root-64", '"1/sqrt(64)"'), ("root-1", '"1/sqrt(1)"'),
                        ("root-8", '"1/sqrt(0008)"')):
        cases[f"scale-{name}"] = edited(("examples = 2", f"examples = 2\nlogit_scale = {scale}"))
    cases["scale-in-weights"] = edited(("[weights]", '[weights]\nlogit_scale = "1/4"'))
    for kind, more in (("integers", "bound = 5"), ("rationals", "bound = 5, denominator = 7"),
                       ("uniform-f64", 'scale = "1/3"'), ("normal-f64", 'scale = "-3/8"')):
        for where in ("data", "weights"):
            spec = f'generate = {{ kind = "{kind}", {more}, seed = 9 }}'
            data_at, weights_at = CASE.index("contexts ="), CASE.index("[weights]")
            if where == "data":
                cases[f"generate-{kind}"] = CASE[:data_at] + spec + "\nmixed = true\n" + CASE[weights_at:]
            else:
                cases[f"generate-weights-{kind}"] = (CASE[:weights_at] + "[weights]\n" + spec
                                                     + "\nquery_bias = [[1, 2], [3, 4]]\n" + CLAIM)
    cases["generate-shared"] = CASE[:data_at] + (
        'generate = { kind = "integers", bound = 1, shared_context = true, seed = 9223372036854775807 }\n'
    ) + CASE[weights_at:]
    cases["combined"] = CASE[:weights_at] + (
        "[weights]\ncombined = [[[1,0,0],[0,1,0],[0,0,1]],[[0,0,1],[0,1,0],[1,0,0]]]\n" + CLAIM)
    cases["biases"] = edited(("[[claim]]", "key_bias = [[0, 0], [0, 1]]\nquery_bias = [[1, 2], [3, 4]]\n[[claim]]"))
    cases["base-2"] = edited(("examples = 2", 'examples = 2\nbase = "2"\noutput_dim = 1\nvalue_dim = 5'))
    cases["labels-flat"] = edited(("[[7], [8]]", "[7, 8]"))
    cases["dots"] = edited(('"A case"', "'a.b.c.d.e.f.g.h.i.j.k'  # ............"), ("heads = 2", "heads = 2 # a.b.c.d.e.f.g.h.i.j.k"))
    cases["byte-order-mark"] = "\ufeff" + CASE
    cases["windows"] = CASE.replace("\n", "\r\n")
    cases["claims"] = CASE + "".join(f"[[claim]]\n{text}\n" for text in (
        'statement = "rank"\nvalue = "0x4"', 'statement = "rank"\nat_most = "-1"\nexpect = "refuted"',
        'statement = "kruskal-rank"\nat_least = 1', 'statement = "general-position"',
        'statement = "lemma-1"\na = [[1]]\nb = [[2, "1/3"]]\nc = [[3, 4]]',
        'statement = "lemma-2"\nvectors = { file = "f2-big.npy" }\nc = "-1/2"',
        'statement = "lemma-3"', 'statement = "lemma-3"\nsubset = [0]',
        'statement = "lemma-4"\nexample = 1\nepsilon = "1e-9"\nw_star = [[1,0,0],[0,1,0],[0,0,1]]\n'
        'w_prime = [[0,0,0],[0,0,0],[0,0,"0.1"]]',
        'statement = "lemma-5"\na = [[1, 2]]\nb = [[3, 4]]',
        'statement = "claim-1"\nsubset = [1, 0]\ncoefficients = [["1/4", "3/4"], ["0.5", "0.5"]]',
        'statement = "claim-2"\nsubset = [1]\nepsilon = 1\ncoefficients = [["1/4", "3/4"]]',
        'statement = "relu-memorizes"\nneurons = 2\noutput_bias = true',
        'statement = "capacity"\nheads = 5', 'statement = "capacity"\nwhich = true\nvalue = 2',
        'statement = "capacity"\nwhich = false', 'statement = "capacity"\nwhich = true\nvalues = ["1/3", -2]',
        'statement = "finite-lambda"\nlambda = "1/3"', 'statement = "skip-connection"'))
    cases["lemma-without-layer"] = LEMMA + 'statement = "lemma-5"\na = [[1]]\nb = [[1]]\n'
    cases["network-without-data"] = (
        'format = 1\n[layer]\ncontext = 2\nembed_dim = 3\n[[claim]]\nstatement = "proposition-3"\n'
        "neurons = 3\noutput_bias = true\n")
    cases["positions-only"] = (
        'format = 1\n[layer]\ncontext = 2\nembed_dim = 4\n[[claim]]\nstatement = "positional-encoding"\n')
    cases["one-token"] = (
        "format = 1\n[layer]\nheads = 1\ncontext = 1\nembed_dim = 1\nhead_dim = 1\nexamples = 1\n[data]\n"
        'contexts = [[1]]\nqueries = [[1]]\n[[claim]]\nstatement = "lemma-3"\n')

    # H = 2, d = 3, d_h = 2: 4 outputs of each projection.
    layouts = {
        "heads": {"key": (2, 3, 2), "query": (2, 3, 2), "query_bias": (2, 2)},
        "torch": {"in_proj_weight": (12, 3), "in_proj_bias": (12,), "out_proj.weight": (3, 4)},
        "bert": {"query.weight": (4, 3), "key.weight": (4, 3), "query.bias": (4,), "key.bias": (4,)},
        "gpt2": {"c_attn.weight": (3, 12), "c_attn.bias": (12,)},
        "llama": {"q_proj.weight": (4, 3), "k_proj.weight": (2, 3), "k_proj.bias": (2,)},
    }
    for layout, shapes in layouts.items():
        files[f"{layout}.safetensors"] = tensors({f"layers.0.{name}": shape for name, shape in shapes.items()})
        cases[f"layout-{layout}"] = from_layout(layout, f"{layout}.safetensors", "layers.0.")
        cases[f"layout-{layout}-scale"] = from_layout(layout, f"{layout}.safetensors", "layers.0.", scale='"2/3"')
    cases["layout-scale-in-weights"] = from_layout("bert", "bert.safetensors", "layers.0.", 'logit_scale = "1/3"\n')
    files["plain.safetensors"] = tensors({"q_proj.weight": (4, 3), "k_proj.weight": (4, 3)}, "F64", "d")
    cases["layout-no-prefix"] = from_layout("llama", "plain.safetensors")
    npz(folder / "gpt2.npz", [("a/c_attn.weight.npy", npy("<i1", (3, 12), bytes(range(36)), fortran=True))],
        zipfile.ZIP_DEFLATED)
    cases["layout-npz"] = from_layout("gpt2", "gpt2.npz", "a/")
    return cases, files


def bad(folder):
    cases, files = {}, {}
    six = struct.pack("<6f", *range(6))

    def toml(name, *edits):
        cases[f"toml-{name}"] = edited(*edits)

    toml("unclosed-array", (QUERIES, "[[1, 2, 3], [4, 5, 6]"))
    toml("key-twice", ("heads = 2", "heads = 2\nheads = 2"))
    toml("table-twice", ("[weights]", "[data]\n[weights]"))
    toml("not-ascii", ("heads = 2", "h\u00e9ads = 2"))
    toml("leading-zero", ("heads = 2", "heads = 02"))
    toml("nested-too-deeply", (QUERIES, "[" * 300 + "]" * 300))
    toml("header-nested-too-deeply", ("[data]", "[" + ".".join(["data"] * 1500) + "]"))
    toml("many-dots", ("title", "a" + ".a" * 200_000 + " = 1\ntitle"))  # of which a parser's time may grow with the square
    toml("many-dots-in-a-header", ("[data]", "[a" + ".a" * 200_000 + "]\n[data]"))
    toml("many-dots-in-a-table", (QUERIES, "{ a" + ".a" * 200_000 + " = 1 }"))
    cases["toml-empty"] = ""
    cases["toml-not-text"] = b"format = 1\n# \xff\xfe\n" + CASE[11:].encode()
    toml("title-two-lines", ('"A case"', '"A\\ncase"'))

    def layer(name, old, new):
        cases[f"layer-{name}"] = edited((old, new))

    layer("negative", "context = 2", "context = -2")
    layer("float", "embed_dim = 3", "embed_dim = 3.0")
    layer("text", "head_dim = 2", 'head_dim = "2"')
    layer("none", CASE[CASE.index("[layer]"):CASE.index("[data]")], "")

    def queries(name, value):
        cases[f"data-{name}"] = edited((QUERIES, value))

    queries("wrong-shape", "[[1, 2], [3, 4]]")
    queries("text", '"queries.npy"')
    for name, text in (("negative-denominator", "1/-2"),
                       ("empty", ""), ("sign-only", "-"), ("two-signs", "--1"), ("point-only", "."),
                       ("underscore", "1_000"), ("nan", "nan"), ("hex-empty", "0x"), ("hex-point", "0x.p1"),
                       ("exponent", "1e100001"), ("exponent-empty", "1e"), ("hex-exponent", "0x1p100001"),
                       ("fraction-of-decimals", "1.5/2"), ("fraction-exponent", "1/2e3"),
                       ("arabic-digits", "\u0661")):
        queries(f"number-{name}", f'[[1, 2, 3], [4, 5, "{text}"]]')
    cases["data-unknown-key"] = edited(("queries =", "query ="))
    cases["data-labels-shape"] = edited(("[[7], [8]]", "[7]"))
    cases["data-mixed-without-queries"] = edited((f"queries = {QUERIES}", "mixed = true"),
                                                 (CLAIM, '[[claim]]\nstatement = "assumption-2"\n'))
    cases["data-mixed-number"] = edited(("labels =", "mixed = 1\nlabels ="))
    spec = 'generate = { kind = "integers", bound = 9, seed = 7 }'
    head, tail = CASE[:CASE.index("contexts =")], CASE[CASE.index("[weights]"):]
    for name, new in (("scale", spec.replace("seed", "scale = 0.5, seed")), ("not-a-table", 'generate = "integers"'),
                      ("beside", f"{spec}\nqueries = {QUERIES}")):
        cases[f"data-generate-{name}"] = head + new + "\n" + tail

    weights = CASE[CASE.index("key ="):CASE.index("[[claim]]")]
    query = weights.splitlines()[1]
    for name, new in (("combined-shape", "combined = [[[1]]]"), ("key-shape", "key = [[[1]]]\n" + query),
                      ("bias-shape", weights + "key_bias = [1, 2]"), ("bias-text", weights + 'key_bias = "zero"')):
        cases[f"weights-{name}"] = edited((weights, new + "\n"))

    def array_file(name, content, tensor_name=None):
        files[name] = content
        cases[name.replace(".", "-")] = queries_from(name, tensor_name)

    array_file("magic.npy", b"PK\3\4 is an archive")
    array_file("nothing.npy", b"")
    array_file("version-4.npy", npy("<f4", (2, 3), six, version=4))
    array_file("truncated.npy", npy("<f4", (2, 3), six[:-1]))
    array_file("appended.npy", npy("<f4", (2, 3), six + b"x"))
    array_file("header-cut.npy", npy("<f4", (2, 3), six)[:40])
    array_file("dtype-u8.npy", npy("<u8", (2, 3), bytes(48)))
    array_file("dtype-complex.npy", npy("<c8", (2, 3), bytes(48)))
    array_file("dtype-native.npy", npy("=f4", (2, 3), six))
    array_file("dtype-no-order.npy", npy("|f4", (2, 3), six))
    array_file("dtype-empty.npy", npy("", (2, 3), six))
    array_file("dtype-objects.npy", npy("|O", (2, 3), six))
    array_file("structured.npy", npy(None, None, six, header="{'descr': [('x', '<f4')], 'fortran_order': "
                                     "False, 'shape': (2, 3), }"))
    array_file("key-repeated.npy", npy(None, None, six, header="{'descr': '<f4', 'descr': '<f4', "
                                       "'fortran_order': False, 'shape': (2, 3)}"))
    array_file("key-missing.npy", npy(None, None, six, header="{'descr': '<f4', 'shape': (2, 3)}"))
    array_file("key-unknown.npy", npy(None, None, six, header="{'descr': '<f4', 'fortran_order': False, "
                                      "'shape': (2, 3), 'x': 1}"))
    array_file("order-number.npy", npy("<f4", (2, 3), six, fortran=0))
    array_file("shape-number.npy", npy("<f4", "6", six))
    array_file("shape-negative.npy", npy("<f4", "(-2, -3)", six))
    array_file("shape-huge.npy", npy("<f4", f"({2**63}, 3)", six))
    array_file("shape-zero.npy", npy("<f4", (0, 3), b""))
    array_file("shape-other.npy", npy("<f4", (3, 2), six))
    array_file("header-goes-on.npy", npy(None, None, six, header="{'descr': '<f4', 'fortran_order': False, "
                                         "'shape': (2, 3)} 7"))
    array_file("nan.npy", npy("<f4", (2, 3), struct.pack("<6f", 0, 1, 2, 3, 4, float("nan"))))
    array_file("infinite-half.npy", npy(">f2", (2, 3), struct.pack(">6e", 0, 1, 2, 3, 4, float("-inf"))))
    array_file("truth-2.npy", npy("|b1", (2, 3), bytes((0, 1, 0, 1, 0, 2))))
    array_file("word.csv", b"1,2,3\n4,5,6\n")
    array_file("pickle.pt", b"\x80\x02.")
    array_file("tensor-of.npy", npy("<f4", (2, 3), six), "x")
    cases["file-absolute"] = queries_from("/dev/null.npy")
    cases["file-above"] = queries_from("../good/f4-little.npy")
    cases["file-missing"] = queries_from("none.npy")
    cases["file-number"] = edited((QUERIES, "{ file = 7 }"))
    cases["file-none"] = edited((QUERIES, '{ tensor = "x" }'))
    cases["file-unknown-key"] = edited((QUERIES, '{ file = "x.npy", tenser = "x" }'))
    cases["file-control-character"] = queries_from("x\\u0001.npy")

    x = tensor("F32", [2, 3], 0, 24)
    for name, header, data in (
            ("not-json", '{"x":', six), ("list", "[]", six), ("key-twice", '{"x":%s,"x":%s}' % (
                json.dumps(x), json.dumps(x)), six),
            ("field-twice", json.dumps({"x": x}).replace('"shape"', '"dtype":"F32","shape"'), six),
            ("unknown-field", {"x": {**x, "size": 24}}, six), ("missing-field", {"x": {"dtype": "F32"}}, six),
            ("null", {"x": None}, six), ("negative", {"x": tensor("F32", [2, -3], 0, 24)}, six),
            ("minus-zero", json.dumps({"x": x}).replace("[0, 24]", "[-0, 24]"), six),
            ("fraction", {"x": tensor("F32", [2, 3.5], 0, 24)}, six),
            ("beyond", {"x": tensor("F32", [2, 3], 0, 25)}, six),
            ("shape", {"x": tensor("F32", [2, 4], 0, 24)}, six),
            ("gap", {"x": tensor("F32", [2, 3], 4, 28)}, bytes(4) + six),
            ("overlap", {"x": x, "y": tensor("F32", [6], 4, 28)}, six + bytes(4)),
            ("appended", {"x": x}, six + b"x"), ("swapped", {"x": tensor("F32", [2, 3], 24, 0)}, six),
            ("dtype", {"x": tensor("U16", [2, 3], 0, 12)}, six[:12]),
            ("dtype-unknown", {"x": tensor("F128", [2, 3], 0, 24)}, six),
            ("metadata-number", {"__metadata__": {"n": 1}, "x": x}, six),
            ("metadata-twice", '{"__metadata__":{},"__metadata__":{},"x":%s}' % json.dumps(x), six),
            ("nul", json.dumps({"x": x}) + "\0", six), ("nul-hides", json.dumps({"x": x}) + "\0{", six),
            ("surrogate", '{"\\ud800":%s}' % json.dumps(x), six), ("other-tensor", {"y": x}, six),
            ("nan", {"x": x}, struct.pack("<6f", 0, 1, 2, 3, 4, float("nan"))),
            ("truth", {"x": tensor("BOOL", [2, 3], 0, 6)}, b"\0\1\0\1\0\5")):
        array_file(f"{name}.safetensors", safetensors(header, data), "x")
    array_file("short.safetensors", b"1234567", "x")
    array_file("header-long.safetensors", struct.pack("<Q", 1 << 40) + b"{}", "x")
    array_file("no-tensor.safetensors", safetensors({"x": x}, six))

    member = npy("<f4", (2, 3), six)
    npz(folder / "plain.npz", [("x.npy", member)])
    whole = (folder / "plain.npz").read_bytes()
    directory, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")

    def patched(local, central, code, value):
        """A field of the member changed in both of its headers."""
        out = bytearray(whole)
        struct.pack_into(code, out, local, value)
        struct.pack_into(code, out, directory + central, value)
        return bytes(out)

    array_file("encrypted.npz", patched(6, 8, "<H", 1), "x")
    array_file("method.npz", patched(8, 10, "<H", 12), "x")
    array_file("crc.npz", patched(14, 16, "<I", 1), "x")
    array_file("size.npz", patched(22, 24, "<I", len(member) + 1), "x")
    array_file("cut.npz", whole[:-5], "x")
    array_file("appended.npz", whole + b"x", "x")
    array_file("prepended.npz", b"x" + whole, "x")
    for name, place, value in (
            ("version", 4, 99), ("local-method", 8, 8), ("local-date", 12, 9), ("local-crc", 14, 1),
            ("local-size", 18, len(member) - 1), ("local-name", 30, ord("y")), ("local-extra", 28, 2),
            ("local-extra-more", 28, 50), ("local-extra-long", 29, 2), ("signature", 3, 5),
            ("directory-extra", directory + 30, 1), ("directory-comment", directory + 32, 1),
            ("disk", end + 4, 1), ("entries-here", end + 8, 2), ("entries", end + 10, 2), ("directory-start", end + 16, 1)):
        array_file(f"{name}.npz", whole[:place] + bytes([value]) + whole[place + 1:], "x")
    array_file("not-an-archive.npz", b"an archive?", "x")
    array_file("other-array.npz", whole, "y")
    array_file("no-array.npz", whole)
    (folder / "plain.npz").unlink()
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    squeezed = squeezer.compress(member + bytes(1000)) + squeezer.flush()
    for name, size, content in (("says-less", len(member), squeezed), ("says-more", len(member) + 2000, squeezed),
                                ("deflate-damaged", len(member), b"\7" + squeezed[1:])):
        crc = zlib.crc32(member)
        common = struct.pack("<HHIIIIHH", 0, 8, 0x00210000, crc, len(content), size, 5, 0)
        local = b"PK\3\4" + struct.pack("<H", 20) + common + b"x.npy" + content
        central = b"PK\1\2" + struct.pack("<HH", 20, 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + b"x.npy"
        end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
        array_file(f"{name}.npz", local + central + end, "x")
    twice = whole[:directory] + whole[:directory] + whole[directory:-22] + whole[directory:-22]
    array_file("name-twice.npz", twice + b"PK\5\6" + struct.pack(
        "<HHHHIIH", 0, 0, 2, 2, 2 * (len(whole) - 22 - directory), 2 * directory, 0), "x")

    layer = {
        "torch": {"in_proj_weight": (12, 3), "in_proj_bias": (12,)},
        "bert": {"query.weight": (4, 3), "key.weight": (4, 3), "query.bias": (4,), "key.bias": (4,)},
        "gpt2": {"c_attn.weight": (3, 12)},
        "llama": {"q_proj.weight": (4, 3), "k_proj.weight": (2, 3)},
        "heads": {"key": (2, 3, 2), "query": (2, 3, 2)},
    }
    for layout, name, shape in (
            ("torch", "in_proj_weight", (3, 12)), ("torch", "in_proj_weight", (12, 4)),
            ("torch", "in_proj_weight", (13, 3)), ("torch", "in_proj_weight", (9, 3)),
            ("torch", "in_proj_weight", (36,)), ("torch", "in_proj_weight", (4, 3, 3)),
            ("torch", "in_proj_bias", (4,)), ("torch", "in_proj_bias", (12, 1)), ("torch", "in_proj_weight", None),
            ("torch", "bias_k", (1, 1, 3)), ("bert", "query.weight", (3, 4)), ("bert", "query.weight", (5, 3)),
            ("bert", "key.weight", (3, 4)), ("bert", "key.weight", (2, 3)), ("bert", "key.weight", None),
            ("bert", "key.bias", (3,)), ("bert", "query.bias", (2, 2)), ("bert", "distance_embedding.weight", (1,)),
            ("gpt2", "c_attn.weight", (12, 3)), ("gpt2", "c_attn.weight", (3, 4)), ("gpt2", "c_attn.bias", (4,)),
            ("llama", "q_proj.weight", (2, 3)), ("llama", "k_proj.weight", (3, 3)),
            ("llama", "k_proj.weight", (1, 3)), ("llama", "k_proj.weight", (6, 3)),
            ("llama", "k_proj.weight", (3, 2)), ("llama", "k_proj.bias", (4,)), ("llama", "q_norm.weight", (2,)),
            ("heads", "key", (2, 2, 3)), ("heads", "query", (1, 3, 2)), ("heads", "query", None),
            ("heads", "key", (6, 2)), ("heads", "key_bias", (4,))):
        shapes = {**layer[layout], name: shape}
        label = f"{layout}-{name.replace('.', '-')}-{'x'.join(map(str, shape or ('none',)))}"
        files[f"{label}.safetensors"] = tensors({key: value for key, value in shapes.items() if value})
        cases[f"layout-{label}"] = from_layout(layout, f"{label}.safetensors")
    files["bert.safetensors"] = tensors({f"a.{key}": shape for key, shape in layer["bert"].items()})
    files["q.npy"] = npy("<f4", (2, 3), six)
    cases["layout-unknown"] = from_layout("bart", "bert.safetensors", "a.")
    cases["layout-number"] = from_layout("bert", "bert.safetensors", "a.").replace('"bert"', "7")
    cases["layout-prefix-none"] = from_layout("bert", "bert.safetensors")
    cases["layout-prefix-without-dot"] = from_layout("bert", "bert.safetensors", "a")
    cases["layout-prefix-number"] = from_layout("bert", "bert.safetensors", "a.").replace('"a."', "7")
    cases["layout-file-none"] = edited((WEIGHTS, 'layout = "bert"\n'))
    cases["layout-file-alone"] = edited((WEIGHTS, 'file = "bert.safetensors"\n'))
    cases["layout-prefix-alone"] = edited((WEIGHTS, WEIGHTS + 'prefix = "a."\n'))
    cases["layout-file-missing"] = from_layout("bert", "none.safetensors")
    cases["layout-npy"] = from_layout("bert", "q.npy")
    cases["layout-pickle"] = from_layout("bert", "pickle.pt")
    cases["layout-above"] = from_layout("bert", "../good/bert.safetensors", "layers.0.")
    cases["layout-beside-key"] = from_layout("bert", "bert.safetensors", "a.", WEIGHTS)
    cases["layout-beside-generate"] = from_layout("bert", "bert.safetensors", "a.", spec + "\n")
    cases["layout-beside-bias"] = from_layout("bert", "bert.safetensors", "a.", "key_bias = [[1, 2], [3, 4]]\n")
    cases["layout-scale-twice"] = from_layout("bert", "bert.safetensors", "a.", "logit_scale = 2\n", scale="2")
    cases["layout-five-heads"] = from_layout("bert", "bert.safetensors", "a.").replace("heads = 2", "heads = 5")
    cases["layout-head-dim"] = from_layout("bert", "bert.safetensors", "a.").replace("head_dim = 2", "head_dim = 4")

    def one(name, text):
        cases[f"claim-{name}"] = claim(text + "\n")

    cases["claim-number"] = edited((CLAIM, "")).replace("format = 1", "format = 1\nclaim = 1")
    one("no-statement", "value = 3")
    one("unknown-statement", 'statement = "theorem-2"')
    one("unknown-key", 'statement = "rank"\nvalues = 3')
    one("expect", 'statement = "rank"\nexpect = "true"')
    one("two-bounds", 'statement = "rank"\nvalue = 3\nat_least = 3')
    one("value-fraction", 'statement = "rank"\nvalue = "7/2"')
    one("value-float", 'statement = "rank"\nvalue = 3.0')
    one("heads-zero", 'statement = "capacity"\nheads = 0')
    one("heads-of-rank", 'statement = "rank"\nheads = 2')
    one("which-word", 'statement = "capacity"\nwhich = "yes"')
    one("values-alone", 'statement = "capacity"\nvalues = [1, 2]')
    one("values-not-which", 'statement = "capacity"\nwhich = false\nvalues = [1, 2]')
    one("values-shape", 'statement = "capacity"\nwhich = true\nvalues = [1]')
    one("values-float", 'statement = "capacity"\nwhich = true\nvalues = [1, 0.5]')
    one("subset-missing", 'statement = "claim-1"\ncoefficients = [[1, 2]]')
    half = '\ncoefficients = [["1/2", "1/2"]]'
    one("subset-number", 'statement = "claim-1"\nsubset = 0' + half)
    one("subset-empty", 'statement = "claim-1"\nsubset = []' + half)
    one("subset-twice", 'statement = "claim-1"\nsubset = [1, 1]\n'
        'coefficients = [["1/2", "1/2"], ["1/2", "1/2"]]')
    one("subset-large", 'statement = "claim-1"\nsubset = [2]' + half)
    one("subset-negative", 'statement = "claim-1"\nsubset = [-1]' + half)
    one("coefficients-shape", 'statement = "claim-1"\nsubset = [0, 1]' + half)
    one("coefficients-sum", 'statement = "claim-1"\nsubset = [0]\ncoefficients = [["1/2", "1/3"]]')
    one("coefficients-zero", 'statement = "claim-1"\nsubset = [0]\ncoefficients = [[1, 0]]')
    one("epsilon-zero", 'statement = "claim-2"\nsubset = [0]\nepsilon = 0' + half)
    one("epsilon-missing", 'statement = "claim-2"\nsubset = [0]' + half)
    one("lemma-1-rows", 'statement = "lemma-1"\na = [[1]]\nb = [[1], [2]]\nc = [[1]]')
    one("lemma-1-columns", 'statement = "lemma-1"\na = [[1]]\nb = [[1, 2]]\nc = [[1]]')
    one("lemma-1-vector", 'statement = "lemma-1"\na = [1]\nb = [[1]]\nc = [[1]]')
    one("lemma-2-c", 'statement = "lemma-2"\nvectors = [[1]]\nc = [[1]]')
    one("sequences-missing", 'statement = "words-and-positions"')
    one("sequences-rows", 'statement = "words-and-positions"\nsequences = [[0, 1]]')
    one("sequences-columns", 'statement = "words-and-positions"\nsequences = [[0, 1, 2], [1, 0, 2]]')
    one("sequences-vector", 'statement = "words-and-positions"\nsequences = [0, 1]')
    one("lemma-3-size", 'statement = "lemma-3"\nsubset = [0, 1]')
    one("lemma-4-shape", 'statement = "lemma-4"\nexample = 0\nepsilon = 1\nw_star = [[1]]\nw_prime = [[1]]')
    one("lemma-4-example", 'statement = "lemma-4"\nexample = 2\nepsilon = 1\n'
        "w_star = [[1,0,0],[0,1,0],[0,0,1]]\nw_prime = [[1,0,0],[0,1,0],[0,0,1]]")
    one("lemma-5-shape", 'statement = "lemma-5"\na = [[1]]\nb = [[1, 2]]')
    one("neurons-zero", 'statement = "proposition-3"\nneurons = 0')
    one("neurons-missing", 'statement = "proposition-3"')
    one("labels-word", 'statement = "proposition-3"\nneurons = 1\nlabels = "real"')
    one("bias-word", 'statement = "proposition-3"\nneurons = 1\noutput_bias = "true"')
    one("threshold-missing", 'statement = "saturation"')
    one("threshold-zero", 'statement = "saturation"\nthreshold = 0')
    one("threshold-word", 'statement = "saturation"\nthreshold = "high"')
    one("tolerance-missing", 'statement = "numerical-rank"')
    one("tolerance-zero", 'statement = "numerical-rank"\ntolerance = 0')
    one("tolerance-negative", 'statement = "numerical-rank"\ntolerance = "-1e-9"')
    one("threshold-of-rank", 'statement = "rank"\nthreshold = 1')
    one("head-large", 'statement = "saturation"\nthreshold = 1\nhead = 2')
    one("head-negative", 'statement = "saturation"\nthreshold = 1\nhead = -1')
    one("head-fraction", 'statement = "saturation"\nthreshold = 1\nhead = "1/2"')
    one("lambda-word", 'statement = "finite-lambda"\nlambda = "large"')
    cases["claim-needs-layer"] = LEMMA + 'statement = "rank"\n'
    cases["claim-needs-weights"] = edited(("[weights]\n" + weights, ""))
    cases["claim-needs-contexts"] = edited(('contexts = [[1, 0, "1/2"], [0, "0.25", "-0x1.8p-3"]]\n', ""))
    cases["claim-needs-labels"] = edited(("labels = [[7], [8]]\n", ""),
                                         (CLAIM, '[[claim]]\nstatement = "skip-connection"\n'))
    cases["claim-memorizes-labels"] = edited(("labels = [[7], [8]]\n", ""),
                                             (CLAIM, '[[claim]]\nstatement = "memorizes"\n'))
    cases["claim-given-labels"] = edited(("labels = [[7], [8]]\n", ""), (
        CLAIM, '[[claim]]\nstatement = "relu-memorizes"\nneurons = 1\n'))
    cases["claim-skip-output"] = edited(("examples = 2", "examples = 2\noutput_dim = 4"), (
        "[[7], [8]]", "[[1,2,3,4],[1,2,3,4]]"), (CLAIM, '[[claim]]\nstatement = "skip-connection"\n'))
    cases["claim-network-context"] = (
        'format = 1\n[layer]\ncontext = 4\nembed_dim = 3\n[[claim]]\nstatement = "proposition-3"\nneurons = 3\n')
    return cases, files


def make_inputs(where):
    for name, make in (("good", good), ("bad", bad)):
        folder = where / name
        folder.mkdir(parents=True)
        cases, files = make(folder)
        if name == "good":
            cases.update(good_stacks())
            more_cases, more_files = good_forms()
            cases.update(more_cases)
            files.update(more_files)
        else:
            cases.update(bad_forms())
            cases.update(bad_stacks())
            more_cases, more_files = bad_whole_layers()
            cases.update(more_cases)
            files.update(more_files)
        for file, content in {**{f"{case}.toml": text for case, text in cases.items()}, **files}.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    make_inputs(pathlib.Path(sys.argv[1]))
