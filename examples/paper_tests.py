"""The paper's empirical tests, exactly, on dumped activations and on layers that are trained here.

    python3 -m examples.paper_tests assumptions FILE...    Table 1, Figure 1 and Table 3 for .npz or .safetensors files with
                                                           `contexts`, (n, d) or (T, n, d), and `queries`, (T, d)
    python3 -m examples.paper_tests layers FILE...         trained layers: accuracy, certified accuracy, rank, capacity
    python3 -m examples.paper_tests digits                 Table 1 on real images, for a small vision transformer that is trained here (needs scikit-learn)
    python3 -m examples.paper_tests experiments            Figures 2 and 4 at small size, the layers trained in torch
    python3 -m examples.paper_tests docs FOLDER            docs/paper-tests.md's tables, from the layers in FOLDER

examples/paper_figures.py is about the figures at the paper's size.

in the folder of the sources, after scripts/verify; where attest is installed also as a program. Every number is proved but for those that are marked as torch's or numpy's.
"""

import collections
import json
import pathlib
import sys

import numpy

import attest

SAMPLES = 5000


def load(file):
    """The arrays of a .npz or .safetensors file."""
    file = pathlib.Path(file)
    if file.suffix == ".npz":
        with numpy.load(file) as arrays:
            return {name: arrays[name] for name in arrays.files}
    if file.suffix != ".safetensors":
        raise ValueError("ends neither in .npz nor in .safetensors; one of the two")
    types = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?"}
    content = file.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        half = entry["dtype"] == "BF16"  # the upper half of a binary32
        array = numpy.frombuffer(content[start + first : start + last], "<u2" if half else types[entry["dtype"]]).reshape(entry["shape"])
        arrays[name] = (array.astype("u4") << 16).view("f4") if half else array
    return arrays


def of_each(files, row):
    """`row` of the name and the arrays of each file; what is wrong with a file ends the program."""
    for file in files:
        try:
            yield row(pathlib.Path(file).stem, load(file))
        except KeyError as missing:
            sys.exit(f"{file}: there is no array {missing}; see {sys.argv[0]} without arguments")
        except OSError as error:
            sys.exit(f"{file}: cannot be read ({error.strerror}); a .npz or .safetensors file")
        except ValueError as error:
            sys.exit(f"{file}: {error}")


def table(head, rows):
    """Lines of a Markdown table."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines)


# Table 1, Figure 1, Table 3: what holds of activations.


def share(ranks):
    """Of the samples, how many were proved independent; then the upper end of the 95 % Clopper-Pearson
    interval of the dependent ones among all subsets when none was, or the witness when one was."""
    total = ranks.independent + ranks.dependent + ranks.open
    text = f"{ranks.independent} of {total}"
    if ranks.open:
        text += f" ({ranks.open} open)"
    if ranks.independent == total:
        return text + f"; dependent < {ranks.dependent_share[1] * 100:.2g} %"
    if ranks.witness:
        rows, coefficients = ranks.witness
        terms = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else abs(c)}e{r}" for r, c in zip(rows, coefficients)]
        return text + (f"; {' '.join(terms).removeprefix('+ ')} = 0" if len(rows) <= 4 and max(map(abs, coefficients)) < 1000 else f"; {len(rows)} dependent")
    return text


def sampled(vectors, size, samples):
    return attest.sampled_ranks(vectors, size=min(size, len(vectors)), count=samples)


def mixed(contexts, queries):
    """e + the mean of the context, times n and a power of two: 64-bit integers, or None when they do not fit."""
    arrays = [numpy.atleast_3d(contexts) if contexts.ndim == 3 else contexts[None], queries]
    exponent = 0
    for array in arrays:
        if array.dtype.kind == "f":
            mantissa, power = numpy.frexp(array.astype("f8")[array != 0])
            bits = (mantissa * 2.0**53).astype("i8")
            exponent = max(exponent, int((53 - power - numpy.log2((bits & -bits).astype("f8"))).max(initial=0)))
    n = arrays[0].shape[1]
    largest = max(float(numpy.abs(array.astype("f8")).max()) for array in arrays)
    if exponent + numpy.log2(2 * n * max(largest, 1)) > 62:
        return None
    tokens, queries = (numpy.ldexp(array.astype("f8"), exponent).astype("i8") if array.dtype.kind == "f" else array.astype("i8") << exponent for array in arrays)
    return n * queries + tokens.sum(axis=1)


def wide_assumption_3(contexts, queries, samples):
    """For numbers that `mixed` has no integers for. Takes longer: `attest.assumptions` looks for a proof first."""
    claim = attest.assumptions(contexts=contexts, queries=queries, samples=samples, timeout=60)["assumption-3"]
    drawn = claim.data.get("sampled")
    if drawn is None or drawn["dependent"]:
        return f"{claim.verdict}; {claim.found}"
    return f"{drawn['independent']} of {drawn['samples']}; dependent < {drawn['dependent_share']['upper'] * 100:.2g} %"


def assumptions(arrays, samples=SAMPLES):
    """A row of Table 1: [T, n, d, General Position, Assumption 1, Assumption 2, Assumption 3]."""
    contexts, queries = arrays["contexts"], arrays["queries"]
    if queries.ndim != 2 or contexts.ndim not in (2, 3) or contexts.shape[-1] != queries.shape[1]:
        raise ValueError(f"contexts have shape {contexts.shape} and queries {queries.shape}; they must be (n, d) or (T, n, d), and (T, d)")
    (T, d), n = queries.shape, contexts.shape[-2]
    each = contexts if contexts.ndim == 3 else contexts[None]
    full = sum(n <= d and attest.sampled_ranks(context, size=n, count=1).independent for context in each)
    position, first = share(sampled(queries, min(d, T), samples)), share(sampled(queries, n, samples))
    vectors = mixed(contexts, queries)
    third = share(sampled(vectors, n, samples)) if vectors is not None else wide_assumption_3(contexts, queries, samples)
    return [T, n, d, position, first, f"{full} of {len(each)} contexts", third]


def tolerance(vectors, size):
    """What torch.linalg.matrix_rank compares singular values of `size` vectors in binary32 with, taken of all vectors, as a decimal;
    of vectors that are all 0, whose numerical rank is 0 at every tolerance, as if they were of size 1."""
    largest = numpy.linalg.svd(vectors.astype("f8"), compute_uv=False)[0] or 1.0
    return f"{2.0**-23 * max(size, vectors.shape[1]) * largest:.1e}"


def numerical(arrays, samples=200):
    """[n, tolerance, numerical ranks of min(d, T) and of n queries, of the contexts]: the paper's tests of General Position and of Assumptions 1 and 2 at that
    tolerance, proved."""
    contexts, queries = arrays["contexts"], arrays["queries"]
    (T, d), n = queries.shape, contexts.shape[-2]
    bound = tolerance(queries, n)

    def ranks(found):
        counts, undecided = collections.Counter(), 0
        for each in found:
            counts.update(each.numerical)
            undecided += each.numerical_open
        return ", ".join(f"{rank} in {count}" for rank, count in sorted(counts.items())) + (f", {undecided} open" if undecided else "")

    sampled = lambda size: ranks([attest.sampled_ranks(queries, size=min(size, T), count=samples, tolerance=bound)])
    each = contexts if contexts.ndim == 3 else contexts[None]
    return [n, d, bound, sampled(d), sampled(n), ranks(attest.sampled_ranks(context, size=n, count=1, tolerance=tolerance(context, n)) for context in each)]


def kruskal_curve(queries, sizes, samples):
    """Figure 1: for each size k, how many of the sampled k-subsets of the queries are independent."""
    return [(k, sampled(queries, k, samples)) for k in sizes if k <= len(queries)]


# Layers: scores = W (sum_h output_h (value_h^T z_h)) + b, as in the shipped files.


def arguments(layer, d):
    """The layer as arguments of `attest.accuracy`; logits are divided by sqrt(d)."""
    names = ("contexts", "queries", "key", "query", "value", "output")
    return {
        **{name: layer[name] for name in names},
        "readout_linear": layer["decoder.weight"],
        "readout_bias": layer["decoder.bias"],
        "classes": layer["labels"],
        "logit_scale": f"1/sqrt({d})",
    }


def certified_accuracy(layer, d):
    """(lower, upper): for how many examples the exact scores are largest at the label alone, logits divided by
    sqrt(d)."""
    found = attest.accuracy(**arguments(layer, d))
    return found.lower, found.upper


def float_z(layer, scale):
    contexts, queries = (layer[name].astype("f8") for name in ("contexts", "queries"))
    each = contexts if contexts.ndim == 3 else numpy.broadcast_to(contexts, (len(queries), *contexts.shape))
    logits = numpy.einsum("tnd,hdk,hek,te->thn", each, layer["key"].astype("f8"), layer["query"].astype("f8"), queries, optimize=True) / scale**0.5
    alpha = numpy.exp(logits - logits.max(-1, keepdims=True))
    return numpy.einsum("thn,tnd->thd", alpha / alpha.sum(-1, keepdims=True), each), alpha / alpha.sum(-1, keepdims=True)


def interval(claim):
    return str(claim.lower) if claim.lower == claim.upper else f"{claim.lower} to {claim.upper}"


def measured(layer):
    """[T, n, d, H, d_h, float accuracy, certified accuracy, float rank, rank, capacity, paper's bound] of a layer
    whose logits are divided by sqrt(d)."""
    (H, d, d_h), T, n = layer["key"].shape, len(layer["queries"]), layer["contexts"].shape[-2]
    z, _ = float_z(layer, d)
    heads = numpy.einsum("thd,hd->th", z, layer["value"].reshape(H, d).astype("f8"))
    scores = heads @ layer["output"].astype("f8") @ layer["decoder.weight"].astype("f8").T + layer["decoder.bias"].astype("f8")
    lower, upper = certified_accuracy(layer, d)
    rank = attest.rank(**{name: layer[name] for name in ("contexts", "queries", "key", "query")}, logit_scale="1/sqrt(d)")
    capacity = attest.capacity(contexts=layer["contexts"], queries=layer["queries"], heads=H, head_dim=d_h)
    return [
        T, n, d, H, d_h,
        f"{(scores.argmax(1) == layer['labels']).mean():.3f}",
        f"{lower / T:.3f}" if lower == upper else f"{lower / T:.3f} to {upper / T:.3f}",
        numpy.linalg.matrix_rank(z.reshape(T, -1)),
        interval(rank),
        interval(capacity.claims[0]),
        min(T, H * (min(n, d_h) - 1) + 1),
    ]  # fmt: skip


LAYER_HEAD = ["T", "n", "d", "H", "d_h", "accuracy (float)", "accuracy (certified)", "rank (numpy)", "rank (exact)", "capacity (exact)", "Theorem 1"]


# Figures 2 and 4: training.


def trained(T, H, d_h, n=8, d=16, classes=10, shared=True, steps=1000, seed=0):
    """A layer as in Sec. 5.2, at small size: uniform raw data, a linear embedding and sinusoidal positions,
    attention with d_v = 1 and logits divided by sqrt(d), a read-out; Adam, warm-up and cosine decay."""
    import torch

    torch.manual_seed(seed)
    raw = torch.rand(n, d) if shared else torch.rand(T, n, d)
    raw_queries, labels = torch.rand(T, d), torch.randint(0, classes, (T,))
    angle = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(n, d)
    embedding = torch.nn.Linear(d, d)
    parameters = {
        "key": torch.randn(H, d, d_h) / d**0.5, "query": torch.randn(H, d, d_h) / d**0.5, "value": torch.randn(H, d, 1) / d**0.5,
        "output": torch.randn(H, d) / H**0.5, "decoder.weight": torch.randn(classes, d) / d**0.5, "decoder.bias": torch.zeros(classes),
    }  # fmt: skip
    for parameter in parameters.values():
        parameter.requires_grad_()
    optimizer = torch.optim.Adam([*parameters.values(), *embedding.parameters()], lr=1e-2)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, s / 50) * 0.5 * (1 + numpy.cos(numpy.pi * s / steps)))

    def inputs():
        return embedding(raw) + positions, embedding(raw_queries)

    def scores():
        contexts, queries = inputs()
        projected = torch.einsum("te,hek->thk", queries, parameters["query"])
        if shared:
            logits = torch.einsum("nd,hdk,thk->thn", contexts, parameters["key"], projected)
        else:
            logits = torch.einsum("tnd,hdk,thk->thn", contexts, parameters["key"], projected)
        alpha = (logits / d**0.5).softmax(-1)
        values = torch.einsum("...nd,hde->...hn", contexts, parameters["value"])
        heads = (alpha * values).sum(-1)
        return heads @ parameters["output"] @ parameters["decoder.weight"].T + parameters["decoder.bias"]

    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(scores(), labels).backward()
        optimizer.step()
        schedule.step()
    contexts, queries = inputs()
    layer = {name: parameter.detach().numpy() for name, parameter in parameters.items()}
    return {**layer, "contexts": contexts.detach().numpy(), "queries": queries.detach().numpy(), "labels": labels.numpy()}


def experiments(cells, **options):
    return [measured(trained(T, H, d_h, **options)) for T, H, d_h in cells]


OVER_H = [(96, H, 8) for H in (1, 2, 4, 6, 8)]
OVER_D_H = [(96, 4, d_h) for d_h in (1, 2, 4, 8, 16)]
FRESH = [(96, H, 8) for H in (1, 2, 4, 6)]


# Table 1 on images: a vision transformer on the 1797 digits of 8 x 8 pixels that come with scikit-learn.


def vision_transformer(d=32, heads=4, layers=2, seed=0):
    """[CLS] and 16 patches of 2 x 2 pixels, learned positions, layers of attention and an MLP, a read-out of [CLS]."""
    import torch

    torch.manual_seed(seed)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.patch = torch.nn.Linear(4, d)
            self.first, self.positions = torch.nn.Parameter(torch.randn(1, 1, d)), torch.nn.Parameter(torch.randn(1, 17, d))
            self.layers = torch.nn.ModuleList(torch.nn.TransformerEncoderLayer(d, heads, 2 * d, dropout=0.0, batch_first=True) for _ in range(layers))
            self.read = torch.nn.Linear(d, 10)

        def embedded(self, images):
            patches = images.reshape(-1, 4, 2, 4, 2).transpose(2, 3).reshape(-1, 16, 4)
            return torch.cat([self.first.expand(len(images), -1, -1), self.patch(patches)], 1) + self.positions

        def forward(self, images):
            x = self.embedded(images)
            for layer in self.layers:
                x = layer(x)
            return self.read(x[:, 0])

    return Model()


def digits(steps=600, most=200):
    """{name: {contexts, queries}}: what enters a layer behind the embedding, a random attention layer, a random and a trained layer of the transformer; the
    queries are those of [CLS], of the first `most` images. And the accuracy of the trained model on the images that it was trained on, all of them."""
    import torch
    from sklearn.datasets import load_digits

    known = load_digits()
    images, labels = torch.tensor(known.images / 16, dtype=torch.float32), torch.tensor(known.target)
    random, model = vision_transformer(), vision_transformer()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        some = torch.randint(len(images), (128,))
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images[some]), labels[some]).backward()
        optimizer.step()
    with torch.no_grad():
        first = images[:most]
        embedded = random.embedded(first)
        found = {"embedding": embedded, "random attention layer": embedded + random.layers[0].self_attn(embedded, embedded, embedded)[0],
                 "random layer": random.layers[0].train()(embedded), "trained layer": model.layers[0].train()(model.embedded(first))}  # fmt: skip
        accuracy = (model(images).argmax(1) == labels).float().mean().item()
    return {name: {"contexts": x.numpy(), "queries": x[:, 0].numpy()} for name, x in found.items()}, accuracy


ASSUMPTION_HEAD = ["data", "T", "n", "d", "General Position", "Assumption 1", "Assumption 2", "Assumption 3"]
NUMERICAL_HEAD = ["data", "n", "d", "tolerance", "min(d, T) queries", "n queries", "contexts"]


def digits_tables(samples=SAMPLES, numerical_samples=200):
    layers, accuracy = digits()
    return {"digits": table(ASSUMPTION_HEAD, [[name, *assumptions(arrays, samples)] for name, arrays in layers.items()]),
            "digits-numerical": table(NUMERICAL_HEAD, [[name, *numerical(arrays, numerical_samples)] for name, arrays in layers.items()]),
            "digits-accuracy": f"Accuracy of the trained model on the images that it was trained on: {accuracy:.3f}."}  # fmt: skip


def assumption_table(files, samples=SAMPLES):
    return table(ASSUMPTION_HEAD, of_each(files, lambda name, arrays: [name, *assumptions(arrays, samples)]))


def curve_table(files, sizes=(2, 8, 16, 32, 48, 64), samples=SAMPLES):
    def row(name, arrays):
        independent = {k: r.independent for k, r in kruskal_curve(arrays["queries"], sizes, samples)}
        return [name, *(independent.get(k, "k > T") for k in sizes)]

    return table(["data", *(f"k = {k}" for k in sizes)], of_each(files, row))


def numerical_table(files, samples=200):
    return table(NUMERICAL_HEAD, of_each(files, lambda name, arrays: [name, *numerical(arrays, samples)]))


def layer_table(files):
    return table(["layer", *LAYER_HEAD], of_each(files, lambda name, arrays: [name, *measured(arrays)]))


def experiment_tables():
    return {
        "figure-2a": table(LAYER_HEAD, experiments(OVER_H)),
        "figure-2c": table(LAYER_HEAD, experiments(OVER_D_H)),
        "figure-4": table(LAYER_HEAD, experiments(FRESH, shared=False)),
    }


def main(command="", *files):
    if command == "assumptions" and files:
        print(assumption_table(files), numerical_table(files), curve_table(files), sep="\n\n")
    elif command == "layers" and files:
        print(layer_table(files))
    elif command in ("digits", "experiments"):
        for name, text in (digits_tables() if command == "digits" else experiment_tables()).items():
            print(name, text, sep="\n\n", end="\n\n")
    elif command == "docs" and len(files) == 1:
        layers = sorted([*pathlib.Path(files[0]).glob("trained-h?-t???.safetensors"), *pathlib.Path(files[0]).glob("figure3-*.npz")])
        page = pathlib.Path(__file__).resolve().parents[1] / "docs" / "paper-tests.md"
        text = page.read_text()
        parts = {"table-1": assumption_table(layers), "numerical": numerical_table(layers), "figure-1": curve_table(layers), "layers": layer_table(layers), **digits_tables(), **experiment_tables()}
        for name, part in parts.items():
            begin, end = f"<!-- {name} -->\n", f"<!-- end {name} -->"
            first, last = text.index(begin) + len(begin), text.index(end)
            text = text[:first] + part + "\n" + text[last:]
        page.write_text(text)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
