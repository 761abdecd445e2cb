"""What a forward may hide, and what follows the heads: captured as what it computes, or refused.

    capture_forms_test.py BUILD_FOLDER
"""

import fractions
import unittest

from ended import ended
from captures import coefficients, exact_z, rank_of, Attention, Wrapped, Hidden, scaled_dot_product_attention  # sets the path to attest

import numpy
import torch

import attest
import attest.torch


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

    def test_padding_is_none_beside_tokens_that_the_module_adds(self):
        """Queries there see what the mask leaves, but are no examples; where no product shows whose queries they are, it is refused."""
        torch.manual_seed(3)
        x, padding = torch.randn(3, 5, 12).double(), torch.zeros(3, 5)
        padding[1, 3:], padding[2, :2] = 1, 1
        last, every = [(0, 4), (1, 2), (2, 4)], [(b, p) for b in range(3) for p in range(5) if not padding[b, p]]
        for habits in ("causal sink moving", "sink several", "causal sink several bias rope", "sink moving alibi"):
            for positions, examples in (("last", last), ("all", every)):
                module = Hidden(habits).double()
                captured = attest.torch.capture(module, {"x": x, "padding": padding}, positions=positions)
                self.assertEqual(captured.examples, examples, habits)
                for (weights, places), (b, p) in zip(coefficients(captured), examples):
                    added = 2 if "several" in habits else 1
                    expected = numpy.zeros((2, 5 + added))
                    expected[:, places] = weights
                    numpy.testing.assert_allclose(expected, module.seen[b, :, p].numpy(), atol=1e-6)

        class Sums(Hidden):
            def forward(self, x, padding):
                q, k, v = (getattr(self, name)(x).view(3, 5, 2, 6).transpose(1, 2) for name in ("wq", "wk", "wv"))
                z = (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1) + padding[:, None, None].to(x.dtype) * torch.finfo(x.dtype).min
                return self.wo((z.softmax(-1) @ v).transpose(1, 2).reshape(3, 5, 12))

        with self.assertRaisesRegex(attest.InputError, "which positions are padding is not to be told"):
            attest.torch.capture(Sums("").double(), {"x": x, "padding": padding})
        self.assertEqual(attest.torch.capture(Sums("").double(), {"x": x, "padding": padding * 0}).examples, [(b, 4) for b in range(3)])

    def test_windows_copy_no_contexts(self):
        for habits, more in (("window", {}), ("window causal", {"causal": True}), ("rope window causal", {"causal": True}), ("alibi window", {})):
            captured = self.captured(habits)[2]
            self.assertEqual((captured["window"], captured.get("causal", False)), (2, "causal" in more), habits)
            self.assertEqual((captured["hidden"].dim(), "contexts" in captured, "mask" in captured), (3, False, False))
            self.assertIn("window = 2", attest.rank(**captured).case)

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


if __name__ == "__main__":
    ended()
