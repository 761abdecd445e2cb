"""What torch 2 brought: its kernels, compiled models, GPUs.

    capture_torch2_test.py BUILD_FOLDER
"""

import unittest

from ended import ended
from captures import coefficients  # sets the path to attest

import numpy
import torch
import torch.utils.checkpoint

import attest
import attest.torch


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


if __name__ == "__main__":
    ended()
