"""Keys and values from a cache, and text that is generated: refused with what to do.

    capture_caches_test.py BUILD_FOLDER
"""

import unittest

from ended import ended
from captures import Attention  # sets the path to attest

import torch

import attest
import attest.torch


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


if __name__ == "__main__":
    ended()
