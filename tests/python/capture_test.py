"""attest.torch.capture: attention modules of PyTorch as arguments, against the modules' own attention and against an
evaluation with 200 digits.

    capture_test.py BUILD_FOLDER
"""

import math
import tempfile
import types
import unittest

from ended import ended
from captures import example, coefficients, exact_z, whole_outputs, rank_of, Conv1D, Attention, Wrapped  # sets the path to attest

import mpmath
import numpy
import torch

import attest
import attest.torch


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
        for tensor, says in ((shared.query.weight, "query.weight has entries that are no numbers"), (hidden, "is nan, no number")):
            with torch.no_grad():
                kept = tensor.clone()
                tensor.view(-1)[3] = math.nan
                self.refused(says, shared, hidden, positions="all")
                tensor.copy_(kept)

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
    ended()
