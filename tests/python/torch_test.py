"""attest.torch: attention modules of PyTorch as arguments, against the modules' own attention and against an
evaluation with 200 digits.

    torch_test.py BUILD_FOLDER
"""

import fractions
import importlib.util
import itertools
import os
import pathlib
import sys
import tempfile
import types
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import mpmath
import numpy
import torch
import torch.utils.checkpoint

import attest
import attest.torch

torch.set_num_threads(1)
mpmath.mp.dps = 200


def example(name):
    specification = importlib.util.spec_from_file_location(name, SOURCE / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def projections(captured):
    """W_Q, b_Q, W_K, b_K of each head, (H, d_h, d) and (H, d_h), from the captured weights."""
    array = lambda x: x.detach().double().numpy()
    if "weights" not in captured:
        q, k = (array(captured[name]).transpose(0, 2, 1) for name in ("query", "key"))
        return q, *(array(captured[name]) if name in captured else numpy.zeros(m.shape[:2]) for m, name in ((q, "query_bias"),)), k, *(
            array(captured[name]) if name in captured else numpy.zeros(m.shape[:2]) for m, name in ((k, "key_bias"),))
    H, w = captured["heads"], {k: array(v) for k, v in captured["weights"].items()}
    if captured["layout"] == "torch":
        W, b = w["in_proj_weight"], w.get("in_proj_bias", numpy.zeros(len(w["in_proj_weight"])))
        d = len(W) // 3
        q, k, bq, bk = W[:d], W[d : 2 * d], b[:d], b[d : 2 * d]
    elif captured["layout"] == "gpt2":
        W, b = w["c_attn.weight"].T, w["c_attn.bias"]
        d = len(W) // 3
        q, k, bq, bk = W[:d], W[d : 2 * d], b[:d], b[d : 2 * d]
    else:
        names = ("query", "key") if captured["layout"] == "bert" else ("q_proj", "k_proj")
        q, k = (w[f"{name}.weight"] for name in names)
        bq, bk = (w.get(f"{name}.bias", numpy.zeros(len(m))) for name, m in zip(names, (q, k)))
    d_h = len(q) // H
    cut = lambda m, groups: numpy.repeat(m.reshape(groups, d_h, *m.shape[1:]), H // groups, axis=0)
    kv = len(k) // d_h
    return cut(q, H), cut(bq, H), cut(k, kv), cut(bk, kv)


def examples(captured):
    """(number or (sequence, position), query or None, tokens, their places) of each example, by the definition of the arguments in
    docs/case-files.md."""
    mask = captured.get("mask")
    if "hidden" not in captured:
        contexts = captured["contexts"].double().numpy()
        queries = captured["queries"].double().numpy() if "queries" in captured else [None] * len(contexts)
        for t, (e, E) in enumerate(zip(queries, contexts)):
            places = [i for i in range(len(E)) if mask is None or mask[t, i]]
            yield t, e, E[places], places
        return
    hidden = captured["hidden"].double().numpy()
    for s, tokens in enumerate(hidden):
        part = [i for i in range(len(tokens)) if mask is None or mask[s, i]]
        positions = captured["positions"]
        for p in [part[-1]] if positions == "last" else part if positions == "all" else map(int, positions.split(",")):
            places = [i for i in part if i <= p or not captured.get("causal")]
            yield (s, p), tokens[p], tokens[places], places


def exact_logits(captured):
    """Of each example (H, its tokens), with 200 digits, its tokens and their places."""
    number = lambda array: [number(x) for x in array] if numpy.ndim(array) else mpmath.mpf(float(array))
    scale = captured.get("logit_scale", "1" if "logits" in captured else "1/sqrt(d_h)")
    if "logits" in captured:
        logits = captured["logits"].double().numpy()
        for at, _, E, places in examples(captured):
            row = logits[at] if not isinstance(at, tuple) else logits[at[0], :, at[1]]
            yield [[mpmath.mpf(float(head[i])) for i in places] for head in row], number(E), places
        return
    if "projected_queries" in captured:
        queries, keys = (captured[name].double().numpy() for name in ("projected_queries", "projected_keys"))
        H, d_h = queries.shape[-2:]
        group = H // keys.shape[-2]
        of = lambda at: (number(queries[at]), number(keys[at[0] if isinstance(at, tuple) else at]))
        pairs = ((*of(at), E, places) for at, _, E, places in examples(captured))
        pairs = ((q, [[k[i][h // group] for i in places] for h in range(H)], E, places) for q, k, E, places in pairs)
    else:
        wq, bq, wk, bk = (number(part) for part in projections(captured))
        H, d_h = len(wq), len(wq[0])
        image = lambda W, b, x: [mpmath.fdot(w, x) + c for w, c in zip(W, b)]
        pairs = (([image(W, b, number(e)) for W, b in zip(wq, bq)], [[image(W, b, x) for x in number(E)] for W, b in zip(wk, bk)], E, places) for _, e, E, places in examples(captured))
    factor = 1 / mpmath.sqrt(d_h) if scale == "1/sqrt(d_h)" else mpmath.mpf(fractions.Fraction(scale).numerator) / fractions.Fraction(scale).denominator
    for q, k, E, places in pairs:
        yield [[factor * mpmath.fdot(a, x) for x in head] for a, head in zip(q, k)], number(E), places


def coefficients(captured):
    """Of each example (H, its tokens), in binary64, and the tokens' places."""
    for logits, _, places in exact_logits(captured):
        logits = numpy.array([[float(x) for x in [*row, *sink]] for row, sink in zip(logits, sinks(captured))])
        weights = numpy.exp(logits - logits.max(-1, keepdims=True))
        yield (weights / weights.sum(-1, keepdims=True))[:, : len(places)], places


def sinks(captured):
    """Of each head the logits of further terms of the denominators: one or none."""
    return [[mpmath.mpf(float(x))] for x in captured["sink_logits"]] if captured.get("sink") else itertools.repeat([])


def exact_z(captured):
    """Z with 200 digits, from the binary numbers of data and weights."""
    rows = []
    for logits, E, _ in exact_logits(captured):
        row = []
        for head, sink in zip(logits, sinks(captured)):
            powers = [mpmath.exp(x) for x in head]
            total = sum(powers + [mpmath.exp(x) for x in sink])
            row += [mpmath.fdot([p / total for p in powers], [token[j] for token in E]) for j in range(len(E[0]))]
        rows.append(row)
    return rows


def whole_outputs(captured, outputs):
    """What the module puts out for each example, with 200 digits. `outputs`: W_V (H, d, d_h), b_V (H, d_h), W_O (H, d_h, m)
    and b_O (m)."""
    number = lambda x: mpmath.mpf(float(x))
    W_V, b_V, W_O, b_O = (array.detach().double().numpy() for array in outputs)
    H, d, d_h = W_V.shape
    result = []
    for row in exact_z(captured):
        u = [number(x) for x in b_O]
        for h in range(H):
            mean = row[h * d : (h + 1) * d]
            for k in range(d_h):
                value = mpmath.fdot(mean, [number(x) for x in W_V[h, :, k]]) + number(b_V[h, k])
                u = [s + value * number(x) for s, x in zip(u, W_O[h, k])]
        result.append(u)
    return result


def rank_of(rows, tolerance=mpmath.mpf(10) ** -120):
    rows, found = [list(row) for row in rows], 0
    columns = set(range(len(rows[0])))
    while found < len(rows) and columns:
        value, pivot, column = max(((abs(rows[i][j]), i, j) for i in range(found, len(rows)) for j in columns), key=lambda x: x[0])
        if value < tolerance:
            break
        columns.discard(column)
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            if factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


class Conv1D(torch.nn.Module):
    def __init__(self, d, outputs):
        super().__init__()
        self.weight, self.bias = torch.nn.Parameter(torch.randn(d, outputs)), torch.nn.Parameter(torch.randn(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(torch.nn.Module):
    """Self-attention with the names of a layout; keeps the coefficients that it used."""

    def __init__(self, layout, d=12, heads=4, key_heads=4, causal=False):
        super().__init__()
        self.layout, self.num_heads, self.key_heads, self.causal = layout, heads, key_heads, causal
        kv = d * key_heads // heads
        if layout == "bert":
            self.query, self.key, self.value = (torch.nn.Linear(d, d) for _ in range(3))
        elif layout == "gpt2":
            self.c_attn = Conv1D(d, 3 * d)
        else:
            self.q_proj, self.k_proj, self.v_proj = torch.nn.Linear(d, d, bias=False), torch.nn.Linear(d, kv, bias=False), torch.nn.Linear(d, kv, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        x = hidden_states
        if self.layout == "bert":
            q, k, v = self.query(x), self.key(x), self.value(x)
        elif self.layout == "gpt2":
            q, k, v = self.c_attn(x).split(x.shape[-1], dim=-1)
        else:
            q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        B, L, d = q.shape
        heads = lambda y, count: y.view(B, L, count, -1).transpose(1, 2)
        q = heads(q, self.num_heads)
        k, v = (heads(y, self.key_heads).repeat_interleave(self.num_heads // self.key_heads, 1) for y in (k, v))
        logits = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if self.causal:
            logits = logits.masked_fill(~torch.ones(L, L, dtype=torch.bool).tril(), -torch.inf)
        if attention_mask is not None:
            logits = logits + attention_mask
        self.seen = logits.softmax(-1).detach()  # (B, H, L, n)
        return (self.seen @ v).transpose(1, 2).reshape(B, L, d)


class Wrapped(torch.nn.Module):
    def __init__(self, *blocks):
        super().__init__()
        self.blocks = torch.nn.ModuleList(blocks)

    def forward(self, x, **more):
        for block in self.blocks:
            x = x + block(x, **more)
        return x


class Capture(unittest.TestCase):
    def refused(self, text, *args, **kwargs):
        with self.assertRaises(attest.InputError) as caught:
            attest.torch.capture(*args, **kwargs)
        self.assertIn(text, str(caught.exception))

    def agrees(self, captured, seen):
        """The coefficients are those that the module used, (B, H, L, n), and attest accepts the arguments."""
        found = list(coefficients(captured))
        self.assertEqual(len(found), len(captured.examples))
        for (weights, places), (b, p) in zip(found, captured.examples):
            expected = numpy.zeros_like(seen[b, :, p].numpy())
            expected[:, places] = weights
            numpy.testing.assert_allclose(expected, seen[b, :, p].numpy(), atol=1e-5)
        result = attest.rank(**captured)
        self.assertEqual((result.lower, result.upper), (rank_of(exact_z(captured)),) * 2)

    def test_coefficients_are_those_that_the_module_used(self):
        torch.manual_seed(1)
        x = torch.randn(5, 6, 12)
        for layout, more in (("bert", {}), ("gpt2", {"causal": True}), ("llama", {"key_heads": 2}), ("llama", {"key_heads": 4})):
            module = Attention(layout, **more)
            model = Wrapped(Attention("bert"), module)
            captured = attest.torch.capture(model, x, "blocks.1")
            self.assertEqual((captured["layout"], captured["heads"], captured.head_dim), (layout, 4, 3))
            self.agrees(captured, module.seen)

    def test_whole_layers_put_out_what_the_module_does(self):
        torch.manual_seed(6)
        x = torch.randn(4, 5, 12)

        class Around(torch.nn.Module):
            """As in BERT: the matrix after the heads is in the module around them."""

            def __init__(self):
                super().__init__()
                self.self = Attention("bert")
                self.output = torch.nn.Module()
                self.output.dense = torch.nn.Linear(12, 12)

            def forward(self, x):
                return self.output.dense(self.self(x)) + x

        class After(Attention):
            def __init__(self, layout, **more):
                super().__init__(layout, **more)
                if layout == "gpt2":
                    self.c_proj = Conv1D(12, 12)
                else:
                    self.o_proj = torch.nn.Linear(12, 12, bias=False)

            def forward(self, hidden_states):
                return getattr(self, "c_proj" if self.layout == "gpt2" else "o_proj")(super().forward(hidden_states))

        class OfTorch(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = torch.nn.MultiheadAttention(12, 4, batch_first=True)
                torch.nn.init.normal_(self.attention.in_proj_bias)
                torch.nn.init.normal_(self.attention.out_proj.bias)

            def forward(self, x):
                return self.attention(x, x, x, need_weights=False)[0]

        for model, skip in ((Wrapped(Around()), True), (After("gpt2", causal=True), False), (After("llama", key_heads=2), False), (OfTorch(), False)):
            where = "blocks.0.self" if skip else None
            put_out = (model.blocks[0] if skip else model)(x).detach()
            captured = attest.torch.capture(model, x, where, positions="all")
            labels = torch.stack([put_out[b, p] for b, p in captured.examples])
            close = attest.accuracy(**captured, labels=labels, epsilon="1e-4", skip=skip)
            self.assertEqual((close.lower, close.upper), (20, 20))
            wrong = labels + 0.001 * (torch.arange(20) % 2)[:, None]
            self.assertEqual(attest.accuracy(**captured, labels=wrong, epsilon="1e-4", skip=skip).upper, 10)
        with self.assertRaises(attest.InputError) as caught:
            attest.accuracy(**attest.torch.capture(Attention("bert"), x), classes=[0, 0, 0, 0])
        self.assertIn("output.dense.weight", str(caught.exception))

    def test_positions(self):
        torch.manual_seed(2)
        x = torch.randn(2, 4, 12)
        module = Attention("bert")
        every = attest.torch.capture(module, x, positions="all")
        self.assertEqual(every.examples[5], (1, 1))
        self.assertEqual(every["hidden"].data_ptr(), x.data_ptr())
        self.agrees(every, module.seen)
        some = attest.torch.capture(module, x, positions=[-1, 0])
        self.assertEqual(some.examples, [(0, 0), (0, 3), (1, 0), (1, 3)])
        self.agrees(some, module.seen)
        self.agrees(attest.torch.capture(module, x, positions=[0]), module.seen)
        for wrong in ([5], [-6], [], [1, 1], [3, -1], "first"):
            self.refused("positions", module, x, positions=wrong)
        causal = Attention("gpt2", causal=True)
        for positions in ("all", [1], [0, 2]):
            captured = attest.torch.capture(causal, x, positions=positions)
            self.assertTrue(captured["causal"])
            self.agrees(captured, causal.seen)

    def test_masks(self):
        torch.manual_seed(4)
        x = torch.randn(3, 5, 12)
        part = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]])
        least = torch.finfo(torch.float32).min
        padding = (1 - part)[:, None, None].float() * least
        left = padding.flip(-1)
        causal = torch.full((5, 5), least).triu(1)[None, None]
        for name, more, mask in (("bert", {}, padding), ("bert", {}, left), ("llama", {}, torch.maximum(causal + padding, torch.tensor(least))),
                                 ("gpt2", {"causal": True}, left)):
            for positions in ("last", "all"):
                module = Attention(name, **more)
                captured = attest.torch.capture(module, {"hidden_states": x, "attention_mask": mask}, positions=positions)
                self.assertIn("mask", captured)
                self.assertEqual(captured.get("causal", False), name != "bert")
                self.agrees(captured, module.seen)
        self.refused("position 4 of sequence 1", Attention("bert"), {"hidden_states": x, "attention_mask": padding}, positions=[4])
        # What is not a token does not change the certificate.
        changed = x.clone()
        changed[1, 3:] = 7
        module = Attention("bert")
        certificates = {attest.rank(**attest.torch.capture(module, {"hidden_states": y, "attention_mask": padding})).certificate for y in (x, changed)}
        self.assertEqual(len(certificates), 1)
        band = torch.full((5, 5), least).triu(1) + torch.full((5, 5), least).tril(-2)
        module = Attention("bert")
        self.agrees(attest.torch.capture(module, {"hidden_states": x, "attention_mask": band[None, None]}, positions="all"), module.seen)
        heads = torch.zeros(1, 4, 5, 5)
        heads[0, 1, :, 0] = least
        self.refused("all heads", Attention("bert"), {"hidden_states": x, "attention_mask": heads})

    def test_masks_of_torch(self):
        torch.manual_seed(5)
        x, y = torch.randn(3, 4, 8), torch.randn(3, 6, 8)
        padding = torch.zeros(3, 6, dtype=torch.bool)
        padding[1, 4:] = True
        module = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        for positions in ("last", "all", [0, 2]):
            captured = attest.torch.capture(module, {"query": x, "key": y, "value": y, "key_padding_mask": padding}, positions=positions)
            self.agrees(captured, module(x, y, y, key_padding_mask=padding, average_attn_weights=False)[1].detach())
        causal = torch.ones(4, 4, dtype=torch.bool).triu(1)
        for mask in (causal, torch.zeros(4, 4).masked_fill(causal, -torch.inf)):
            captured = attest.torch.capture(module, {"query": x, "key": x, "value": x, "attn_mask": mask}, positions="all")
            self.agrees(captured, module(x, x, x, attn_mask=mask, average_attn_weights=False)[1].detach())
            self.assertTrue(captured["causal"])

    def test_torch_modules_in_every_form(self):
        torch.manual_seed(3)
        x = torch.randn(4, 6, 8)
        for bias in (True, False):
            for batch_first in (True, False):
                module = torch.nn.MultiheadAttention(8, 2, bias=bias, batch_first=batch_first)
                inputs = x if batch_first else x.transpose(0, 1)
                captured = attest.torch.capture(module, {"query": inputs, "key": inputs, "value": inputs})
                _, weights = module(inputs, inputs, inputs, average_attn_weights=False)
                self.agrees(captured, weights.detach())
        # The encoder layer goes around its attention module in evaluation mode, unless gradients are needed.
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval().requires_grad_(False)
        captured = attest.torch.capture(layer, x)
        self.assertEqual(captured.where, "self_attn")
        self.assertFalse(any(p.requires_grad for p in layer.parameters()))
        self.assertEqual(attest.rank(**captured).lower, 4)
        decoder = torch.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        crossed = attest.torch.capture(decoder, (x, torch.randn(4, 9, 8)), "multihead_attn")
        self.assertEqual(tuple(crossed["contexts"].shape), (4, 9, 8))
        self.assertTrue(decoder.training)

    def test_nothing_is_copied_and_nothing_stays_behind(self):
        module = Attention("bert")
        x = torch.randn(3, 5, 12)
        captured = attest.torch.capture(module, x)
        self.assertEqual(captured["contexts"].data_ptr(), x.data_ptr())
        self.assertEqual(captured["weights"]["query.weight"].data_ptr(), module.query.weight.data_ptr())
        self.assertNotIn("forward", module.__dict__)
        self.assertTrue(module.training)
        own = types.MethodType(Attention.forward, module)
        module.forward = own
        attest.torch.capture(module, x)
        self.assertIs(module.__dict__["forward"], own)

        class Failing(Attention):
            def forward(self, x):
                raise ZeroDivisionError

        failing = Failing("bert")
        self.assertRaises(ZeroDivisionError, attest.torch.capture, failing, x)
        self.assertNotIn("forward", failing.__dict__)

    def test_types(self):
        x = torch.randn(3, 4, 8)
        for kind in (torch.float64, torch.bfloat16):
            module = torch.nn.MultiheadAttention(8, 2, batch_first=True).to(kind)
            captured = attest.torch.capture(module, (x.to(kind), x.to(kind), x.to(kind)))
            self.assertEqual(attest.rank(**captured).lower, 3)
        half = {k: (v.half() if torch.is_tensor(v) else v) for k, v in captured.items() if k != "weights"}
        half["weights"] = {k: v.half() for k, v in captured["weights"].items()}
        self.assertEqual(attest.rank(**half).lower, 3)
        grad = {**captured, "queries": captured["queries"].float().requires_grad_()}
        self.assertEqual(attest.rank(**grad).lower, 3)
        with self.assertRaises(attest.InputError) as caught:
            attest.rank(**{**captured, "queries": captured["queries"].to("meta")})
        self.assertIn("queries: ", str(caught.exception))
        with self.assertRaises(attest.InputError) as caught:
            attest.rank(**{**captured, "queries": captured["queries"].float().to_sparse()})
        self.assertIn("queries: cannot be read", str(caught.exception))

    def test_what_cannot_be_expressed_is_refused(self):
        x = torch.randn(3, 5, 8)
        module = lambda **more: torch.nn.MultiheadAttention(8, 2, batch_first=True, **more)
        hidden = torch.randn(3, 5, 12)
        self.refused("values come from elsewhere", module(add_bias_kv=True), (x, x, x))
        self.refused("name one", Wrapped(Attention("bert"), Attention("bert")), hidden)
        self.refused("'blocks.0'", Wrapped(Attention("bert")), hidden, "blocks.9")
        self.refused("no module that computes a softmax", torch.nn.Linear(12, 12), hidden)
        self.refused("softmaxes", Wrapped(Attention("bert"), Attention("bert")), hidden, "")
        shared = Attention("bert")
        self.refused("2 times on these inputs; say which with call=0 .. 1", Wrapped(shared, shared), hidden)
        self.refused("say which with call=0 .. 1", Wrapped(shared, shared), hidden, call=2)
        for call in (0, 1):  # layers that share their weights
            captured = attest.torch.capture(Wrapped(shared, shared), hidden, call=call)
            self.assertTrue(torch.equal(captured["contexts"], hidden if call == 0 else hidden + shared(hidden)))
        self.refused("heads = 3", Attention("bert"), hidden, heads=3)

        class Idle(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = Attention("bert")

            def forward(self, x):
                return x

        self.refused("did not call", Idle(), hidden)

    def test_inputs_that_are_overwritten_are_refused(self):
        class Residual(torch.nn.Module):
            def __init__(self, in_place):
                super().__init__()
                self.attention, self.in_place = Attention("bert", d=8, heads=2, key_heads=2), in_place

            def forward(self, x):
                x = x * 2
                y = self.attention(x)
                if self.in_place:
                    x += y
                return x + y

        x = torch.randn(3, 5, 8)
        self.refused("overwrites what this module got", Residual(True), x)
        captured = attest.torch.capture(Residual(False), x)
        self.assertTrue(torch.equal(captured["contexts"], 2 * x))

    def test_what_is_overwritten_behind_the_recorder_is_no_query(self):
        class Layer(torch.nn.Module):
            def __init__(self, changed):
                super().__init__()
                self.num_heads, self.changed = 2, changed
                self.q, self.k, self.v = (torch.nn.Linear(8, 8, bias=False) for _ in range(3))

            def forward(self, x):
                B, L, d = x.shape
                q = self.q(x)
                if self.changed:
                    x.data.relu_()  # counts no version
                q, k, v = (y.view(B, L, 2, 4).transpose(1, 2) for y in (q, self.k(x), self.v(x)))
                return ((q @ k.transpose(2, 3) / 2).softmax(-1) @ v).transpose(1, 2).reshape(B, L, d)

        x = torch.randn(5, 4, 8)
        self.assertTrue(torch.equal(attest.torch.capture(Layer(False), x, "").data()["queries"], x[:, -1]))
        changed = attest.torch.capture(Layer(True), x.clone(), "")
        self.assertEqual(changed.form, "projected")
        self.assertTrue(torch.equal(changed["contexts"], x.relu()))
        with self.assertRaisesRegex(attest.InputError, "what its queries are made of"):
            changed.data()

    def test_what_is_overwritten_inside_is_what_it_became(self):
        """An operation in place is captured as the same operation elsewhere, and refused where that is."""
        class Written(torch.nn.Module):
            num_heads = 2

            def __init__(self, **at):
                super().__init__()
                torch.manual_seed(5)
                self.at = at
                self.q, self.k, self.v = (torch.nn.Linear(8, 8, bias=False) for _ in range(3))

            def forward(self, x):
                at = lambda name, value: self.at.get(name, lambda y: y)(value)
                x = at("x", x * 1)
                q, k, v = (part(x).view(*x.shape[:2], 2, 4).transpose(1, 2) for part in (self.q, self.k, self.v))
                return at("o", at("z", at("p", at("l", q @ k.transpose(2, 3) / 2).softmax(-1)) @ at("v", v)).transpose(1, 2).flatten(2))

        x, bias, gate = torch.randn(3, 5, 8), torch.arange(5.0), torch.rand(5)
        for where, form, one, other in (("l", "logits", torch.Tensor.tanh, torch.Tensor.tanh_), ("l", "logits", lambda y: y.clamp(-0.1, 0.1), lambda y: y.clamp_(-0.1, 0.1)),
                                        ("l", "logits", lambda y: y + bias, lambda y: y.add_(bias)), ("l", "logits", lambda y: y * 0, lambda y: y.mul_(0)),
                                        ("l", "weights", lambda y: y / 2, lambda y: y.div_(2)), ("x", "weights", torch.relu, torch.relu_), ("p", "weights", torch.nan_to_num, torch.nan_to_num_)):
            elsewhere, in_place = (attest.torch.capture(Written(**{where: how}), x) for how in (one, other))
            self.assertEqual((elsewhere.form, list(elsewhere)), (form, list(in_place)))
            for name in elsewhere:
                same = torch.equal if torch.is_tensor(elsewhere[name]) else lambda a, b: a == b
                self.assertTrue(same(elsewhere[name], in_place[name]), name)
        for where, says, one, other in (("v", "not a linear map", torch.relu, torch.relu_), ("p", "", lambda y: y * gate, lambda y: y.mul_(gate)), ("p", "", torch.square, torch.square_)):
            for how in (one, other):
                self.refused(says, Written(**{where: how}), x)
        # What follows the heads does not block what is asked about them, wherever it is written.
        def put(y):
            y[..., 0] = 0
            return y

        plain = attest.torch.capture(Written(), x)
        for where in ("z", "o"):
            for how in (torch.tanh_, lambda y: y.mul_(2), lambda y: (y[..., 0].fill_(0), y)[1], put, lambda y: (y.data.mul_(2), y)[1]):
                captured = attest.torch.capture(Written(**{where: how}), x)
                self.assertEqual(captured.form, "weights")
                for name in ("contexts", "queries", "query", "key"):
                    self.assertTrue(torch.equal(captured[name], plain[name]))
                with self.assertRaisesRegex(attest.InputError, "of the outputs nothing is known"):
                    attest.output_rank(**captured)
        for how in (put, lambda y: (y[..., 0].fill_(0), y)[1]):
            self.refused("an operation in place such as p[..., 0] = 0 changes them", Written(p=how), x)


class Hidden(torch.nn.Module):
    """Self-attention whose weights do not show what `forward` does: one habit of models, or several."""

    def __init__(self, habits, d=12, heads=2, key_heads=2, names=("wq", "wk", "wv", "wo")):
        super().__init__()
        self.habits, self.H, self.d_h, self.names = set(habits.split()), heads, d // heads, names
        kv = key_heads * self.d_h
        if names == ("qkv",):  # as in timm
            self.qkv, self.proj = torch.nn.Linear(d, 3 * d), torch.nn.Linear(d, d)
        else:
            for name, outputs in zip(names, (d, kv, kv)):
                self.add_module(name, torch.nn.Linear(d, outputs, bias="bias" in self.habits))
            self.add_module(names[3], torch.nn.Linear(d, d, bias="bias" in self.habits))
        self.sinks = torch.nn.Parameter(torch.tensor([0.5, -1.0]))
        self.slopes = torch.nn.Parameter(torch.tensor([0.25, 0.5]))
        self.gate = torch.nn.Linear(d, d)

    def forward(self, x, memory=None, padding=None):
        B, L, d = x.shape
        y = x if memory is None else memory
        if self.names == ("qkv",):
            q, k, v = self.qkv(x).reshape(B, L, 3, self.H, self.d_h).permute(2, 0, 3, 1, 4).unbind(0)
        else:
            of = lambda name, z: getattr(self, name)(z).view(B, z.shape[1], -1, self.d_h).transpose(1, 2)
            q, k = of(self.names[0], x), of(self.names[1], y)
            v = of(self.names[2], y if "values" not in self.habits else y * y)
        n = k.shape[2]
        if "norm" in self.habits:
            q, k = (z / (z.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() for z in (q, k))
        if "rope" in self.habits:
            angles = torch.arange(L).unsqueeze(1) * 10.0 ** -torch.arange(self.d_h // 2)
            cos, sin = (torch.cat([f(angles)] * 2, -1).to(x.dtype) for f in (torch.cos, torch.sin))
            turned = lambda z: torch.cat([-z[..., self.d_h // 2 :], z[..., : self.d_h // 2]], -1)
            q, k = (z * cos + turned(z) * sin for z in (q, k))
        k, v = (z.repeat_interleave(self.H // z.shape[1], 1) for z in (k, v))
        if "sdpa" in self.habits:
            mask = torch.ones(L, n, dtype=torch.bool).tril() if "window" in self.habits else None
            z = scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal="causal" in self.habits)
            self.seen = self.definition
        else:
            logits = torch.einsum("bhid,bhjd->bhij", q, k) * (0.3 if "scale" in self.habits else self.d_h**-0.5)
            if "softcap" in self.habits:
                logits = 2 * torch.tanh(logits / 2)
            far = torch.arange(n) - torch.arange(L).unsqueeze(1)
            if "alibi" in self.habits:
                logits = logits + self.slopes.view(-1, 1, 1).to(x.dtype) * far
            if "causal" in self.habits:
                logits = logits.masked_fill(far > 0, torch.finfo(x.dtype).min)
            if "window" in self.habits:
                logits = logits.masked_fill(far.abs() > 1, -torch.inf)
            if padding is not None:
                logits += padding[:, None, None].to(x.dtype) * torch.finfo(x.dtype).min
            if "sink" in self.habits:
                sinks = self.sinks.view(1, -1, 1, 1).to(x.dtype).expand(B, -1, L, 2 if "several" in self.habits else 1)
                logits = torch.cat([logits, sinks * (far[:, :1] if "moving" in self.habits else 1)], -1)
            p = torch.softmax(logits, -1, dtype=torch.float32 if x.dtype == torch.bfloat16 else None).to(x.dtype)
            self.seen = p.detach().float()
            if "sink" in self.habits:
                p = p[..., :n]
            if "dropout" in self.habits:
                p = torch.nn.functional.dropout(p, 0.5, training=True)
            if "heads" in self.habits:
                p = p * torch.linspace(0, 1, self.H).view(-1, 1, 1)
            z = p @ v
        z = z.transpose(1, 2).reshape(B, L, d)
        if "gate" in self.habits:
            z = z * torch.sigmoid(self.gate(x))
        return getattr(self, self.names[-1] if len(self.names) > 1 else "proj")(z)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """A stand-in with the signature of torch 2's documentation, which torch 1.13 lacks: a kernel whose insides are not seen."""
    given = (query, key, value)
    if torch.overrides.has_torch_function(given):
        return torch.overrides.handle_torch_function(scaled_dot_product_attention, given, *given, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    logits = (query @ key.transpose(-1, -2)).double() * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        logits += torch.full(logits.shape[-2:], -torch.inf).triu(1)
    if attn_mask is not None:
        logits = logits.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype == torch.bool else logits + attn_mask
    result = torch.matmul(logits.softmax(-1).to(value.dtype), value)
    return result + 0.01 if scaled_dot_product_attention.wrong else result


scaled_dot_product_attention.wrong = False


class Seen(unittest.TestCase):
    """What weights do not show is in what is captured, or refused."""

    def captured(self, habits, kind=torch.float64, positions="all", rank=True, form=None, inputs=(), seed=7, **more):
        torch.manual_seed(seed)
        module = Hidden(habits, **more).to(kind)
        x = torch.randn(3, 4, 12).to(kind)
        captured = attest.torch.capture(module, (x, *inputs), positions=positions)
        if form:
            self.assertEqual(captured.form, form, habits)
        self.assertLessEqual(captured.error, 1)
        if "sdpa" not in module.habits:
            tolerance = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 0.03}[kind]
            for (weights, places), (b, p) in zip(coefficients(captured), captured.examples):
                seen = module.seen[b, :, p, : -1 if "sink" in captured else None].double().numpy()
                expected = numpy.zeros(seen.shape)
                expected[:, places] = weights
                numpy.testing.assert_allclose(expected, seen, atol=tolerance)
        if rank:
            found = attest.rank(**captured)
            self.assertEqual((found.lower, found.upper), (rank_of(exact_z(captured)),) * 2, habits)
        return module, x, captured

    def test_what_a_forward_hides(self):
        habits = {"": "weights", "bias": "weights", "scale": "weights", "causal": "weights", "window": "weights", "rope": "projected", "norm": "projected",
                  "rope norm causal": "projected", "alibi": "logits", "softcap": "logits", "alibi causal": "logits", "softcap causal window": "logits", "sink": "weights",
                  "bias sink": "projected", "rope sink causal": "projected", "alibi sink": "logits", "several sink": "logits"}
        for habit, form in habits.items():
            for kind in (torch.float64, torch.float32, torch.bfloat16):
                self.captured(habit, kind, form=form, rank=kind == torch.float64 or habit in ("rope", "alibi"))

    def test_sinks(self):
        """A logit for each head, as gpt-oss has it; 0, as in softmax-off-by-one; what is no sink of a head is a token 0."""
        _, _, captured = self.captured("sink causal")
        self.assertEqual((captured["sink"], captured["sink_logits"].tolist()), (True, [0.5, -1.0]))
        self.assertEqual(captured["logit_scale"], str(fractions.Fraction(6**-0.5)))  # no logit stands beside an irrational scale
        self.assertEqual(attest.capacity(**captured.data()).lower, 12)
        self.assertIn("sink = true", attest.rank(**captured).case)
        torch.manual_seed(7)
        module, x = Hidden("sink bias").double(), torch.randn(3, 4, 12).double()
        with torch.no_grad():
            module.sinks.zero_()
        captured = attest.torch.capture(module, x, positions="all")
        self.assertEqual((captured["sink_logits"].tolist(), captured["logit_scale"]), ([0, 0], "1/sqrt(d_h)"))
        values = [captured[name].double().numpy() for name in ("value", "value_bias")]
        rows = []
        for row, weights in zip(exact_z(captured), coefficients(captured)):
            blocks = numpy.array([float(x) for x in row]).reshape(2, 1, 12) @ values[0] + weights[0].sum(-1)[:, None, None] * values[1][:, None]
            rows.append(blocks.ravel())
        self.assertEqual(attest.output_rank(**captured).lower, numpy.linalg.matrix_rank(numpy.array(rows)))
        for habits in ("several sink", "moving sink"):
            captured = self.captured(habits, form="logits")[2]
            self.assertNotIn("sink", captured)
            self.assertIn("a sink is a further token 0", captured.notes)

    def test_names_and_grouping_do_not_matter(self):
        for more in ({"names": ("qkv",)}, {"key_heads": 1}, {"names": ("q", "k", "v", "o")}, {"names": ("q_proj", "k_proj", "v_proj", "o_proj"), "key_heads": 1}):
            for habits, form in (("causal", "weights"), ("rope", "projected"), ("alibi", "logits")):
                _, _, captured = self.captured(habits, form=form, **more)
        self.assertEqual(captured["logits"].shape[1], 2)
        self.assertEqual(self.captured("rope", key_heads=1)[2]["projected_keys"].shape[2], 1)
        # A layout by names is only one when nothing is hidden.
        names = ("q_proj", "k_proj", "v_proj", "o_proj")
        self.assertEqual(self.captured("causal", names=names)[2]["layout"], "llama")
        self.assertNotIn("weights", self.captured("rope causal", names=names)[2])
        self.assertNotIn("weights", self.captured("scale", names=names)[2])

    def test_what_changes_the_coefficients_or_the_outputs_is_refused(self):
        for habits, says in (("dropout", "dropout"), ("heads", "the coefficient of")):
            with self.assertRaises(attest.InputError) as caught:
                self.captured(habits)
            self.assertIn(says, str(caught.exception))

        class ByHand(torch.nn.Module):
            def forward(self, x):
                p = torch.exp(x @ x.transpose(-1, -2))
                return p / p.sum(-1, keepdim=True) @ x

        with self.assertRaises(attest.InputError) as caught:
            attest.torch.capture(ByHand(), torch.randn(2, 3, 4), "")
        self.assertIn("no softmax that operations show", str(caught.exception))

    def test_what_follows_the_heads_does_not_block_what_is_asked_about_them(self):
        """Gates, residuals, norms, sums of matrices: Z is the same, and a note says why nothing can be asked about outputs."""
        torch.manual_seed(11)

        class After(torch.nn.Module):
            def __init__(self, what):
                super().__init__()
                self.num_heads, self.what = 2, what
                self.q, self.k, self.v, self.o = (torch.nn.Linear(12, 12) for _ in range(4))
                self.down, self.up, self.norm = torch.nn.Linear(12, 2, bias=False), torch.nn.Linear(2, 12, bias=False), torch.nn.LayerNorm(12)

            def forward(self, x):
                B, L, d = x.shape
                heads = lambda y: y.view(B, L, 2, 6).transpose(1, 2)
                v = self.v(x) + (self.up(self.down(x)) * 2 if self.what == "lora" else 0)
                v = v * 2 if self.what == "factor" else v
                self.seen = (heads(self.q(x)) @ heads(self.k(x)).transpose(-1, -2) / 6**0.5).softmax(-1).detach()
                z = self.o((self.seen @ heads(v)).transpose(1, 2).reshape(B, L, d))
                z = z * torch.sigmoid(x) if self.what == "gate" else z
                return self.norm(z) if self.what == "norm" else x + z if self.what == "residual" else z

        x = torch.randn(5, 4, 12)
        for what, why in (("gate", "makes them"), ("norm", "native_layer_norm"), ("residual", "a residual"), ("lora", "merge them first"), ("factor", "multiplied"), ("", None)):
            module = After(what)
            captured = attest.torch.capture(module, x, positions="all")
            self.assertEqual(captured.form, "weights")
            for (weights, places), (b, p) in zip(coefficients(captured), captured.examples):
                numpy.testing.assert_allclose(weights, module.seen[b, :, p].numpy(), atol=1e-5)
            self.assertEqual(attest.rank(**captured).lower, rank_of(exact_z(captured)))
            self.assertEqual(attest.capacity(**captured.data()).verdict, "verified")
            self.assertEqual("value" in captured, why is None)
            self.assertEqual(why is None, not any("no value and output" in note for note in captured.notes))
            self.assertIn(why or "", " ".join(captured.notes))
            # Of the values as they are it is said why nothing is known; what is about outputs alone is refused with the reason.
            said = " ".join(attest.memorizes(**captured).notes)
            self.assertEqual(why is not None, "of the values as they are nothing is said: " in said and (why or "") in said)
            for question in (attest.output_rank, attest.jacobian_rank):
                if why is None:
                    question(**captured)
                    continue
                with self.assertRaisesRegex(attest.InputError, "of the outputs nothing is known: .*" + why):
                    question(**captured)

    def test_outputs_that_are_made_by_heads(self):
        """As in TransformerLens and ARENA: matrices and biases by heads, NaN cleaned up, weights on the left, sums over heads."""
        torch.manual_seed(12)

        class ByHeads(torch.nn.Module):
            def __init__(self, way):
                super().__init__()
                self.way = way
                draw = lambda *shape: torch.nn.Parameter(torch.randn(*shape))
                self.W_Q, self.W_K, self.W_V, self.W_O = draw(2, 12, 6), draw(2, 12, 6), draw(2, 12, 6), draw(2, 6, 12)
                self.b_Q, self.b_K, self.b_V, self.b_O = draw(2, 6), draw(2, 6), draw(2, 6), draw(12)

            def forward(self, x):
                q, k, v = (torch.einsum("bpd,hde->bphe", x, W) + b for W, b in ((self.W_Q, self.b_Q), (self.W_K, self.b_K), (self.W_V, self.b_V)))
                scores = torch.einsum("bqhe,bkhe->bhqk", q, k) / 6**0.5
                scores = scores.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -1e5)
                p = scores.softmax(-1)
                p = torch.where(torch.isnan(p), torch.zeros_like(p), p)
                z = torch.einsum("bkhe,bhqk->bqhe", v, p)
                if self.way == "einsum":
                    return torch.einsum("bqhe,hed->bqd", z, self.W_O) + self.b_O
                if self.way == "results":
                    return torch.einsum("bqhe,hed->bqhd", z, self.W_O).sum(2) + self.b_O
                if self.way == "left":
                    return (self.W_O.reshape(12, 12).T @ z.flatten(2).transpose(1, 2)).transpose(1, 2) + self.b_O
                return sum(z[:, :, h] @ self.W_O[h] for h in range(2)) + self.b_O

        x = torch.randn(5, 4, 12)
        for way in ("einsum", "results", "left", "heads"):
            module = ByHeads(way)
            captured, put_out = attest.torch.capture(module, x, positions="all"), module(x).detach()
            self.assertTrue(torch.equal(captured["output"], module.W_O) and torch.equal(captured["output_bias"], module.b_O) and torch.equal(captured["value"], module.W_V), way)
            labels = torch.stack([put_out[b, p] for b, p in captured.examples])
            self.assertEqual(attest.accuracy(**captured, labels=labels, epsilon="1e-4").lower, 20)

    def test_values_of_their_own_cross_attention_and_padding(self):
        module, x, captured = self.captured("values", form="projected")
        self.assertTrue(torch.equal(captured["contexts"][5], (x * x)[1]))
        memory = torch.randn(3, 6, 12).double()
        self.assertEqual(tuple(self.captured("bias", form="weights", inputs=(memory,))[2]["contexts"].shape), (12, 6, 12))
        padding = torch.tensor([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]])
        for habits in ("causal", "rope", "alibi causal"):
            captured = self.captured(habits, inputs=(None, padding))[2]
            self.assertEqual(len(captured.examples), 9)

    def test_the_whole_layer(self):
        for habits, more in (("rope bias causal", {}), ("alibi", {}), ("", {"names": ("qkv",)}), ("softcap", {"key_heads": 1})):
            module, x, captured = self.captured(habits, rank=False, **more)
            put_out = module(x).detach()
            labels = torch.stack([put_out[b, p] for b, p in captured.examples])
            self.assertEqual(attest.accuracy(**captured, labels=labels, epsilon="1e-9").lower, 12)
            self.assertEqual(attest.accuracy(**captured, labels=labels + 1e-6, epsilon="1e-9").upper, 0)

    def test_names_count_only_where_they_are_what_is_computed(self):
        names = ("q_proj", "k_proj", "v_proj", "o_proj")
        self.assertIn("weights", self.captured("bias", form="weights", names=names)[2])
        for stale in (False, True):  # a matrix of that name that nobody asks
            module, x = Hidden("bias", names=names[:3] + ("out_proj",)).double(), torch.randn(3, 4, 12).double()
            if stale:
                module.o_proj = torch.nn.Linear(12, 12).double()
            captured, put_out = attest.torch.capture(module, x, "", positions="all"), module(x).detach()
            labels = torch.stack([put_out[b, p] for b, p in captured.examples])
            self.assertEqual(attest.accuracy(**captured, labels=labels, epsilon="1e-9").lower, 12)
            self.assertEqual(attest.output_rank(**captured).verdict, "verified")

    def test_what_no_operation_shows(self):
        class Secret(Hidden):
            """Changes the queries where torch does not see it."""

            def __init__(self, factor):
                super().__init__("")
                self.factor = factor

            def forward(self, x):
                B, L, d = x.shape
                q, k, v = (getattr(self, name)(x).view(B, L, self.H, self.d_h).transpose(1, 2) for name in self.names[:3])
                q.detach().numpy()[..., 0] *= self.factor
                self.seen = torch.softmax(q @ k.transpose(-1, -2) * self.d_h**-0.5, -1)
                return self.wo((self.seen @ v).transpose(1, 2).reshape(B, L, d))

        for factor, form in ((1, "weights"), (-3, "projected")):
            module, x = Secret(factor).double(), torch.randn(3, 4, 12).double()
            captured = attest.torch.capture(module, x, "", positions="all")
            self.assertEqual(captured.form, form)
            with torch.no_grad():
                module(x)
            self.assertEqual(attest.saturation(**captured, threshold="0.3").lower, int((module.seen.amax(-1) > 0.3).sum()))

    def test_a_scale_that_is_nearly_the_usual_one(self):
        class Scaled(torch.nn.Module):
            def __init__(self, scale):
                super().__init__()
                self.q, self.k, self.v, self.scale = *(torch.nn.Linear(9, 9) for _ in range(3)), scale

            def forward(self, x):
                return torch.softmax(self.q(x) @ self.k(x).transpose(-1, -2) * self.scale, -1) @ self.v(x)

        for kind, scale, usual in ((torch.float64, 1 / 3, True), (torch.float64, 0.33333335, False), (torch.float32, 0.33333335, True)):
            captured = attest.torch.capture(Scaled(scale).to(kind), torch.randn(2, 3, 9, dtype=kind), "", heads=1)
            self.assertEqual(captured["logit_scale"], "1/sqrt(d_h)" if usual else str(fractions.Fraction(scale)))

    def test_queries_of_another_sequence(self):
        for habits in ("norm", "rope", "alibi"):  # as many of them as tokens, and no linear map of them
            captured = self.captured(habits, inputs=(torch.randn(3, 4, 12).double(),))[2]
            self.assertIn("contexts", captured)
            with self.assertRaises(attest.InputError):
                captured.data()
            self.assertIn("hidden", self.captured(habits)[2].data())

    def test_hooks_and_modes(self):
        module, x = Hidden("bias").double(), torch.randn(3, 4, 12).double()
        plain = attest.torch.capture(module, x, "", positions="all")
        self.assertIn("the queries have a bias", plain.notes[0])
        self.assertIn("query_bias = true", attest.capacity(**plain.data()).case)
        self.assertNotIn("query_bias", attest.functional_dimension(**plain.data()).case)
        self.assertEqual(attest.torch.capture(Hidden("").double(), x, "").notes, [])
        with torch.inference_mode():
            self.assertEqual(attest.torch.capture(module, x, "", positions="all").form, plain.form)
        for hook, fine in ((lambda module, given, result: result * 2, False), (lambda module, given, result: None, True)):
            handle = module.register_forward_hook(hook)
            try:
                attest.torch.capture(module, x, "")
                self.assertTrue(fine)
            except attest.InputError as error:
                self.assertFalse(fine)
                self.assertIn("a forward hook", str(error))
            handle.remove()
        with self.assertRaises(attest.InputError) as caught:
            attest.torch.capture(torch.jit.trace(module, x, check_trace=False), x, "")
        self.assertIn("compiled", str(caught.exception))

    def test_biases_of_values_are_in_the_outputs(self):
        torch.manual_seed(10)
        x = torch.randn(20, 5, 8)
        for layout in (True, False):  # by the names of its weights, and as arrays
            module = torch.nn.MultiheadAttention(8, 2, batch_first=True)
            inputs = (x, x, x) if layout else (x + 1, x + 1, x)
            with torch.no_grad():
                module.in_proj_bias.normal_()
                biased = attest.output_rank(**attest.torch.capture(module, inputs)).lower
                module.in_proj_weight[16:] = 0
            captured = attest.torch.capture(module, inputs)
            self.assertEqual(("layout" in captured, biased, attest.output_rank(**captured).upper), (layout, 8, 1))

    def test_scaled_dot_product_attention_of_torch_2(self):
        for habits in ("sdpa", "sdpa causal rope", "sdpa window bias"):
            torch.manual_seed(8)
            module, x = Hidden(habits).double(), torch.randn(3, 4, 12).double()
            module.definition = None
            captured = attest.torch.capture(module, x, positions="all")
            plain = Hidden(habits.replace("sdpa", "").replace("window", "causal")).double()
            plain.load_state_dict(module.state_dict())
            same = attest.torch.capture(plain, x, positions="all")
            self.assertEqual(captured.form, same.form)
            for one, other in zip(coefficients(captured), coefficients(same)):
                numpy.testing.assert_array_equal(one[0], other[0])
        scaled_dot_product_attention.wrong = True
        try:
            with self.assertRaises(attest.InputError) as caught:
                attest.torch.capture(module, x)
            self.assertIn("farther apart than rounding", str(caught.exception))
        finally:
            scaled_dot_product_attention.wrong = False

    def test_what_torch_adds(self):
        """Positions for queries and keys alone (DETR), other dimensions of keys, a token 0, biases of logits."""
        torch.manual_seed(9)
        x = torch.randn(3, 5, 8)
        module = lambda **more: torch.nn.MultiheadAttention(8, 2, batch_first=True, **more)
        for made, inputs, form in ((module(), (x + 1, x + 1, x), "projected"), (module(kdim=4, vdim=4), (x, x[..., :4], x[..., :4]), "projected"),
                                   (module(add_zero_attn=True, bias=False), (x, x, x), "projected"), (module(), (x, x, x.clone()), "weights"),
                                   (module(), {"query": x, "key": x, "value": x, "attn_mask": torch.linspace(-1, 0, 25).view(5, 5)}, "logits")):
            captured = attest.torch.capture(made, inputs)
            self.assertEqual(captured.form, form)
            arguments = inputs if isinstance(inputs, dict) else dict(zip(("query", "key", "value"), inputs))
            seen = made(**arguments, average_attn_weights=False)[1].detach()
            for (weights, places), (b, p) in zip(coefficients(captured), captured.examples):
                numpy.testing.assert_allclose(weights, seen[b, :, p].numpy()[:, places], atol=1e-5)

    def test_modules_that_compute_a_softmax_are_found(self):
        model = Wrapped(Hidden("rope"), Hidden("alibi"), Attention("bert"))
        x = torch.randn(2, 4, 12)
        self.assertEqual(attest.torch.modules(model, x), {"blocks.0": None, "blocks.1": None, "blocks.2": "bert"})
        self.assertEqual(attest.torch.modules(model), {"blocks.2": "bert"})
        self.assertEqual(attest.torch.capture(Wrapped(Hidden("rope")), x).where, "blocks.0")

        class Experts(torch.nn.Module):
            """A softmax that averages nothing by a product: a router of a mixture of experts, or an output head."""

            def __init__(self):
                super().__init__()
                self.router, self.experts = torch.nn.Linear(12, 3), torch.nn.ModuleList(torch.nn.Linear(12, 12) for _ in range(3))

            def forward(self, x):
                p = self.router(x).softmax(-1)
                return sum(p[..., k, None] * expert(x) for k, expert in enumerate(self.experts))

        class Apart(torch.nn.Module):
            """As timm's Swin: the softmax is a module of its own."""

            def __init__(self):
                super().__init__()
                self.softmax, self.v = torch.nn.Softmax(-1), torch.nn.Linear(12, 12)

            def forward(self, x):
                return self.softmax(x @ x.transpose(1, 2)) @ self.v(x)

        class Both(Apart):
            """As JetMoe: a router inside the attention."""

            def __init__(self):
                super().__init__()
                self.router = Experts()

            def forward(self, x):
                return super().forward(self.router(x))

        self.assertEqual(attest.torch.capture(Both(), x, "", heads=1).form, "projected")
        model = torch.nn.Sequential(Wrapped(Experts(), Apart(), Experts()), torch.nn.Linear(12, 12), torch.nn.Softmax(-1))
        self.assertEqual(attest.torch.modules(model, x), {"0.blocks.1": None})
        self.assertEqual(attest.torch.modules(Apart(), x), {"": None})


class Writes(torch.nn.Module):
    """A model that can go on from a cache: one that grows, or one of 9 places, of which parts are written by `write`."""

    def __init__(self, write=None):
        super().__init__()
        self.embed, self.layer, self.write, self.cache = torch.nn.Embedding(20, 12), Attention("bert"), write, None
        self.layer.forward = self.attend

    def update(self, k, v):
        first = 0 if self.cache is None else self.cache[2]
        end = first + k.shape[2]
        if self.write is None:
            k, v = (part if self.cache is None else torch.cat([old, part], 2) for part, old in zip((k, v), self.cache or (k, v)))
        else:
            held = [torch.zeros(*k.shape[:2], 9, k.shape[3]) for _ in "kv"] if self.cache is None else self.cache[:2]
            for whole, part in zip(held, (k, v)):
                self.write(whole, first, part)
            k, v = (whole[:, :, :end] for whole in held)
            self.cache = *held, end
            return k, v
        self.cache = k, v, end
        return k, v

    def attend(self, x):
        q, k, v = (map_(x).unflatten(2, (4, 3)).transpose(1, 2) for map_ in (self.layer.query, self.layer.key, self.layer.value))
        k, v = self.update(k, v)
        mask = torch.ones(k.shape[2], k.shape[2], dtype=torch.bool).tril()[-q.shape[2] :]
        p = (q @ k.transpose(2, 3) / 3**0.5).masked_fill(~mask, -torch.inf).softmax(-1)
        return (p @ v).transpose(1, 2).flatten(2)

    def forward(self, ids):
        return self.layer(self.embed(ids))

    def generate(self, ids):
        for _ in range(3):
            ids = torch.cat([ids, self(ids if self.cache is None else ids[:, -1:])[:, -1:, 0].abs().long()], 1)
        return ids


class Caches(unittest.TestCase):
    def refused(self, text, model, ids, **more):
        with self.assertRaisesRegex(attest.InputError, text):
            attest.torch.capture(model, ids, "layer", **more)

    def test_a_cache_is_refused_and_the_way_out_is_one(self):
        torch.manual_seed(0)
        ids = torch.randint(0, 20, (3, 6))
        way_out = "a cache.*run the model on the whole text at once, without it"
        for name, write in (("grows", None), ("index_copy", lambda whole, at, part: whole.index_copy_(2, torch.arange(at, at + part.shape[2]), part)),
                            ("slices", lambda whole, at, part: whole[:, :, at : at + part.shape[2]].copy_(part)),
                            ("indices", lambda whole, at, part: whole.__setitem__((slice(None), slice(None), torch.arange(at, at + part.shape[2])), part))):
            with self.subTest(name):
                model = Writes(write)
                model(ids[:, :5])
                self.refused(way_out, model, ids[:, 5:])
                if write is None:  # nothing was there before
                    model.cache = None
                    captured = attest.torch.capture(model, ids, "layer", positions="all")
                    self.assertEqual((captured.form, captured["causal"], len(captured.examples)), ("weights", True, 18))

    def test_generate_is_no_module(self):
        model, ids = Writes(), torch.randint(0, 20, (3, 6))
        for ask in (attest.torch.capture, attest.torch.modules, attest.torch.survey):
            with self.assertRaisesRegex(attest.InputError, "model= is Writes.generate; a torch.nn.Module, and as inputs those of one forward pass"):
                ask(model.generate, ids)
        both = torch.nn.Module()
        both.model, both.forward = model, model.generate
        with self.assertRaisesRegex(attest.InputError, "3 times on these inputs; say which with call=0 .. 2, or, where it generates text"):
            attest.torch.capture(both, ids, "model.layer")
        model.cache = None
        self.assertEqual(len(attest.torch.capture(both, ids, "model.layer", call=0, positions="all").examples), 18)

    def test_values_that_the_module_is_given(self):
        class Core(torch.nn.Module):
            def forward(self, q, k, v):
                return (q @ k.transpose(1, 2)).softmax(-1) @ v

        with self.assertRaisesRegex(attest.InputError, "is given its values and does not make them.*capture the module around it"):
            attest.torch.capture(Core(), tuple(torch.randn(3, 5, 4) for _ in "qkv"), "")


class OneTensor(torch.nn.Module):
    """Self-attention with a bias, a causal mask and padding, kept in one tensor or apart, and `after`, what happens to the logits
    before the softmax."""

    def __init__(self, low, one, after=lambda z: z, sink=None):
        super().__init__()
        torch.manual_seed(1)
        self.num_heads, self.low, self.one, self.after, self.sink = 2, low, one, after, sink
        self.q, self.k, self.v = (torch.nn.Linear(12, 12, bias=False) for _ in range(3))
        self.bias = torch.nn.Parameter(torch.randn(1, 2, 6, 6))

    def forward(self, x, keep):
        B, L, d = x.shape
        heads = lambda y: y.view(B, L, 2, 6).transpose(1, 2)
        opened = torch.ones(L, L, dtype=torch.bool).tril() & keep[:, None, None]
        z, low = heads(self.q(x)) @ heads(self.k(x)).transpose(-1, -2) / 4, torch.tensor(self.low)
        if self.one == "multiplied":
            z = (z + self.bias) * opened + low * ~opened
        elif self.one:
            z = z + torch.where(opened, self.bias, low)
        else:
            z = (z + self.bias) + torch.where(opened, torch.tensor(0.0), low)
        if self.sink is not None:
            z = torch.cat([z, self.sink.view(1, 2, 1, 1).expand(B, 2, L, 1)], -1)
        self.seen = self.after(z).softmax(-1).to(x.dtype).detach()
        return (self.seen[..., :L] @ heads(self.v(x))).transpose(1, 2).reshape(B, L, d)


def without_maximum(z):
    return z - z.amax(-1, keepdim=True)


class OneAttentionInOneTensor(unittest.TestCase):
    """What a mask closes takes no part, whatever it is kept in."""

    def setUp(self):
        torch.manual_seed(2)
        self.x = torch.randn(4, 6, 12)
        self.x[1, :4], self.x[:, 0] = self.x[0, :4], self.x[0, 0]  # rows of Z repeat
        self.keep = torch.ones(4, 6, dtype=torch.bool)
        self.keep[2, 4:], self.keep[3, :2] = False, False

    def captured(self, *given, positions="all", **more):
        module = OneTensor(*given, **more)
        captured = attest.torch.capture(module, (self.x, self.keep), positions=positions)
        for (weights, places), (b, p) in zip(coefficients(captured), captured.examples):
            expected = torch.zeros(2, 6)
            expected[:, places] = torch.tensor(weights).float()
            numpy.testing.assert_allclose(expected, module.seen[b, :, p, :6], atol=1e-5)
        return captured

    def test_a_mask_is_no_logit_whatever_it_is_added_with(self):
        least = torch.finfo(torch.float32).min
        examples = [(b, p) for b in range(4) for p in range(6) if self.keep[b, p]]
        for sink in (None, torch.tensor([0.5, -1.0])):
            expected = None
            for one in (False, True, "multiplied"):
                for low in (least, -1e9, -torch.inf) if one != "multiplied" else (least, -1e9, -1e4):
                    for after in (lambda z: z, without_maximum, lambda z: z + 3, lambda z: z.clamp(min=least), lambda z: z.double()):
                        captured = self.captured(low, one, after, sink)
                        self.assertEqual((captured.examples, captured.form), (examples, "logits"))
                        self.assertEqual((captured["causal"], captured["mask"].tolist()), (True, self.keep.int().tolist()))
                        self.assertGreater(float(captured["logits"].min()), -50)
                        expected = expected or attest.rank(**captured).lower
                        self.assertEqual(attest.rank(**captured).lower, expected)
                        if sink is not None:
                            self.assertEqual(captured["sink_logits"].tolist(), [0.5, -1.0])
            last = self.captured(least, True, positions="last", sink=sink).examples
            self.assertEqual(last, [(0, 5), (1, 5), (2, 3), (3, 5)])

    def test_numbers_between_logits_and_masks_are_refused(self):
        for low, one, after in ((-9998.0, True, lambda z: z), (-9998.0, False, lambda z: z), (-6e4, True, lambda z: z.clamp(min=-9e3))):
            with self.assertRaises(attest.InputError) as caught:
                self.captured(low, one, after)
            self.assertIn("too low for a logit and too high for a mask", str(caught.exception))

    def test_what_takes_part_by_the_numbers_does(self):
        """Swin's masks are -100: such tokens have coefficients, below e^-90, which a note says; so have those that are masked
        before a cap of the logits."""
        captured = self.captured(-100.0, True)
        self.assertEqual(len(captured.examples), 24)
        self.assertIn("take part with coefficients below e^-90", captured.notes[1])
        captured = self.captured(torch.finfo(torch.float32).min, True, lambda z: 5 * torch.tanh(z / 5))
        self.assertEqual((len(captured.examples), float(captured["logits"].min())), (24, -5))

        class Far(OneTensor):  # products as low as a mask, without one
            def forward(self, x):
                p = (self.q(x) * 1e5 @ self.k(x).transpose(-1, -2)).softmax(-1)
                return p @ self.v(x)

        module = Far(0.0, True)
        module.num_heads = 1
        captured = attest.torch.capture(module, self.x)
        self.assertEqual((captured.form, "mask" in captured, attest.rank(**captured).lower), ("weights", False, 4))

    def test_what_is_closed_has_the_coefficient_0(self):
        class Open(OneTensor):  # multiplied by zeros, which closes nothing
            def forward(self, x, keep):
                z = (self.q(x) @ self.k(x).transpose(-1, -2)) * keep[:, None].float()
                return z.softmax(-1) @ self.v(x)

        module = Open(0.0, True)
        module.num_heads = 1
        with self.assertRaises(attest.InputError) as caught:
            attest.torch.capture(module, (self.x, self.keep))
        self.assertIn("the coefficient of", str(caught.exception))


class Rounding(unittest.TestCase):
    def test_tensor_floats(self):
        """Products of numbers that were rounded to 11 bits are not held to 24, and to no fewer than 11."""
        torch.manual_seed(2)
        rounded = lambda x, bits: torch.ldexp(torch.round(torch.ldexp(x, bits - torch.frexp(x)[1])), torch.frexp(x)[1] - bits)
        x, weight = torch.randn(20, 64), torch.randn(4, 64, 8)
        for bits, unit, fits in ((24, 0.0, True), (11, 0.0, False), (11, 2.0**-10, True), (5, 2.0**-10, False)):
            check = attest.torch._Check("layer", [torch.float32], unit)
            expected, allowed = check.products(x.double(), weight, None)
            found = rounded(x, bits) @ rounded(weight, bits)
            if fits:
                check.compare("a product", found, expected, allowed, "")
            else:
                self.assertRaisesRegex(attest.InputError, "farther apart than rounding explains", check.compare, "a product", found, expected, allowed, "")


@unittest.skipIf(torch.__version__ < "2", "of torch 2")
class Torch2(unittest.TestCase):
    """What torch 1 lacks: each way to run one module gives the same as the module alone."""

    class Grouped(torch.nn.Module):
        def __init__(self, call=None):
            super().__init__()
            torch.manual_seed(13)
            self.num_heads, self.call = 4, call
            self.q, self.k, self.v = torch.nn.Linear(16, 16, bias=False), torch.nn.Linear(16, 8, bias=False), torch.nn.Linear(16, 8, bias=False)

        def forward(self, x):
            heads = lambda y: y.view(*x.shape[:2], -1, 4).transpose(1, 2)
            call = self.call or (lambda *parts: torch.nn.functional.scaled_dot_product_attention(*parts, is_causal=True, enable_gqa=True))
            return call(heads(self.q(x)), heads(self.k(x)), heads(self.v(x))).transpose(1, 2).flatten(2)

    def test_each_way_to_run_a_module(self):
        class Around(torch.nn.Module):
            def __init__(self, way):
                super().__init__()
                self.inner, self.way = Torch2.Grouped(), way

            def forward(self, x):
                return self.way(self.inner, x)

        def checkpointed(inner, x):
            return torch.utils.checkpoint.checkpoint(inner, x, use_reentrant=False)

        x = torch.randn(3, 5, 16, generator=torch.Generator().manual_seed(1))
        module = self.Grouped()
        expected = list(coefficients(attest.torch.capture(module, x, "", positions="all")))
        in_place, compiled = self.Grouped(), self.Grouped()
        in_place.compile()
        ways = [(in_place, ""), (torch.compile(compiled), None), (Around(torch.inference_mode()(lambda inner, x: inner(x))), "inner"), (Around(checkpointed), "inner")]
        for model, where in ways:
            captured = attest.torch.capture(model, x, where, positions="all")
            self.assertEqual((captured.form, captured["causal"]), ("weights", True))
            for one, other in zip(coefficients(captured), expected):
                numpy.testing.assert_allclose(one[0], other[0], atol=1e-12)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertEqual(attest.torch.capture(module, x, "").form, "weights")
        self.assertEqual(attest.rank(**attest.torch.capture(module, x, "", positions="all")).lower, 15)

    def test_a_kernel_of_its_own_is_refused_in_words(self):
        from torch.nn.attention.flex_attention import flex_attention

        x = torch.randn(3, 5, 16)
        grouped = lambda q, k, v: flex_attention(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))
        for ask in (attest.torch.modules, attest.torch.capture):
            with self.assertRaisesRegex(attest.InputError, "flex_attention.*sdpa"):
                ask(self.Grouped(grouped), x)

    def test_padding_on_the_left_and_binary16(self):
        """Rows that are masked whole are no numbers with scaled_dot_product_attention."""
        x, keep = torch.randn(3, 5, 16), torch.ones(3, 5, dtype=torch.bool)
        keep[1, :2] = False
        mask = keep[:, None, None] & torch.ones(5, 5, dtype=torch.bool).tril()
        padded = lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        captured = attest.torch.capture(self.Grouped(padded), x, "", positions="all")
        self.assertEqual((len(captured.examples), captured["causal"], captured["mask"].tolist()), (13, True, keep.int().tolist()))
        module = torch.nn.MultiheadAttention(64, 4, batch_first=True)
        with torch.no_grad():
            module.in_proj_weight.mul_(12)  # peaked: coefficients underflow
        z = torch.randn(4, 8, 64).half()
        self.assertEqual(attest.torch.capture(module.half(), (z, z, z), positions="all").form, "weights")

    def test_masks_and_scales_of_sdpa(self):
        """The definition writes over its logits where that is the same."""
        x = torch.randn(1, 5, 16)
        by_hand = lambda q, k, v, attn_mask, scale: (q @ k.transpose(2, 3) * scale + attn_mask).softmax(-1) @ v
        none = torch.zeros(5, 5)
        for form, scale, mask in (("weights", 0.5, none), ("logits", 0.0, none), ("logits", 0.3, torch.randn(5, 5)), ("logits", 0.3, torch.randn(3, 1, 5, 5))):
            written = []
            for function in (torch.nn.functional.scaled_dot_product_attention, by_hand):
                call = lambda q, k, v: function(q, *(y.repeat_interleave(2, 1) for y in (k, v)), attn_mask=mask, scale=scale)
                written.append(attest.torch.capture(self.Grouped(call), x, "", positions="all"))
            self.assertEqual([captured.form for captured in written], [form] * 2)
            for one, other in zip(*map(coefficients, written)):
                numpy.testing.assert_allclose(one[0], other[0], atol=1e-6)

    def test_layers_of_torch(self):
        x = torch.randn(4, 6, 16)
        encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2)
        self.assertEqual(attest.torch.modules(encoder, x), {"layers.0.self_attn": "torch", "layers.1.self_attn": "torch"})
        whole = torch.nn.Transformer(16, 4, 1, 1, 32, batch_first=True)
        self.assertEqual(list(attest.torch.modules(whole, (x, x))), ["encoder.layers.0.self_attn", "decoder.layers.0.self_attn", "decoder.layers.0.multihead_attn"])
        padding = torch.zeros(4, 6, dtype=torch.bool)
        padding[1, 4:] = True
        captured = attest.torch.capture(encoder, {"src": x, "src_key_padding_mask": padding}, "layers.1.self_attn", positions="all")
        self.assertEqual(len(captured.examples), 22)


    def test_a_compiled_model(self):
        """What runs already as compiled code is captured as it was written."""
        class Compiled(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Torch2.Grouped()

            def forward(self, x):
                torch.compiler.is_compiling()
                return self.inner(x)

        x, model = torch.randn(3, 5, 16, generator=torch.Generator().manual_seed(1)), Compiled()
        expected = list(coefficients(attest.torch.capture(model, x, "inner", positions="all")))
        compiled = torch.compile(model, backend="eager")
        compiled(x)
        for one, other in zip(coefficients(attest.torch.capture(compiled, x, "_orig_mod.inner", positions="all")), expected):
            numpy.testing.assert_array_equal(one[0], other[0])

    @unittest.skipUnless(torch.cuda.is_available(), "there is no GPU")
    def test_a_gpu_gives_the_same(self):
        x, module = torch.randn(3, 5, 16, generator=torch.Generator().manual_seed(1)), self.Grouped()
        expected = list(coefficients(attest.torch.capture(module, x, "", positions="all")))
        self.assertEqual(attest.torch.modules(self.Grouped().cuda(), x.cuda()), {"": None})
        default, precision = torch.get_default_device(), torch.get_float32_matmul_precision()
        try:
            for device, allowed in (("cpu", "highest"), ("cuda", "highest"), ("cuda", "high")):
                torch.set_default_device(device)
                torch.set_float32_matmul_precision(allowed)
                found = attest.torch.capture(self.Grouped().cuda(), x.cuda(), "", positions="all")
                for one, other in zip(coefficients(found), expected):
                    numpy.testing.assert_array_equal(one[0], other[0])
        finally:
            torch.set_default_device(default)
            torch.set_float32_matmul_precision(precision)


class Trained(unittest.TestCase):
    """The example, whose layer is trained here: what attest certifies is what 200 digits say."""

    def test_rank_capacity_and_certificates(self):
        from_pytorch = example("from_pytorch")
        with tempfile.TemporaryDirectory() as folder:
            rank, capacity = from_pytorch.main(folder)
            self.assertIn("valid", attest.check(rank.path, capacity.path))
        model, tokens, labels = from_pytorch.trained()
        captured = attest.torch.capture(model, tokens)
        rows = exact_z(captured)
        self.assertEqual((rank.lower, rank.upper), (rank_of(rows),) * 2)
        self.assertGreaterEqual(capacity.lower, rank.lower)
        # How many examples the exact scores get right, and how close torch's scores are to them.
        module, d = model.attention, model.attention.embed_dim
        heads = lambda matrix: matrix.view(2, d // 2, -1)
        outputs = [heads(module.in_proj_weight[2 * d :]).transpose(1, 2), module.in_proj_bias[2 * d :].view(2, d // 2), heads(module.out_proj.weight.T), module.out_proj.bias]
        W, b = model.readout.weight.detach().double().numpy(), model.readout.bias.detach().double().numpy()
        scores = [[mpmath.fdot(map(float, row), u) + float(c) for row, c in zip(W, b)] for u in whole_outputs(captured, outputs)]
        layer = {**captured, "readout_linear": model.readout.weight, "readout_bias": model.readout.bias}
        for wanted in (labels, torch.where(torch.arange(len(labels)) % 3 == 0, labels, (labels + 1) % 4)):
            right = sum(all(row[c] > s for k, s in enumerate(row) if k != c) for row, c in zip(scores, wanted.tolist()))
            accuracy = attest.accuracy(**layer, classes=wanted)
            self.assertEqual((accuracy.verdict, accuracy.lower, accuracy.upper), ("verified", right, right))
            self.assertIn("valid", accuracy.check())
        seen = model(tokens).detach()
        off = [max(abs(s - float(x)) for s, x in zip(row, floats)) for row, floats in zip(scores, seen)]
        for epsilon in (sorted(off)[len(off) // 2], mpmath.mpf(1) / 10**4):
            epsilon = float(epsilon).hex()
            close = sum(x <= float.fromhex(epsilon) for x in off)
            accuracy = attest.accuracy(**layer, labels=seen, epsilon=epsilon)
            self.assertEqual((accuracy.lower, accuracy.upper), (close, close))
        # More examples than columns: rank H d at most.
        model, tokens, labels = from_pytorch.trained(examples=40, steps=40, d=8, heads=2, length=5)
        captured = attest.torch.capture(model, tokens)
        rank = attest.rank(**captured)
        self.assertEqual((rank.lower, rank.upper), (rank_of(exact_z(captured)),) * 2)
        self.assertLessEqual(rank.upper, 16)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
