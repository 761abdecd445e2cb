"""Trains a small transformer of today's kind (rotary embeddings, grouped keys, RMSNorm, gated units) to tell sequences apart,
and surveys its four attention layers: what each of them, and each of their heads, can memorize of the training data.

    /usr/bin/python3 -m examples.survey [FOLDER]     in the folder of the sources, after scripts/verify
    python3 survey.py [FOLDER]                       where attest is installed
"""

import math
import sys

import torch

import attest.torch


class RMSNorm(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(d))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotated(x, base=100.0):
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2]).unsqueeze(1) * base ** (-torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)


class Attention(torch.nn.Module):
    def __init__(self, d, heads, key_heads):
        super().__init__()
        self.num_heads, self.key_heads, self.d_h = heads, key_heads, d // heads
        self.wq, self.wo = (torch.nn.Linear(d, d, bias=False) for _ in range(2))
        self.wk, self.wv = (torch.nn.Linear(d, key_heads * self.d_h, bias=False) for _ in range(2))

    def forward(self, x):
        B, L, d = x.shape
        q, k, v = (w(x).view(B, L, -1, self.d_h).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        q, k = rotated(q), rotated(k)
        k, v = (y.repeat_interleave(self.num_heads // self.key_heads, 1) for y in (k, v))
        logits = q @ k.transpose(-1, -2) / math.sqrt(self.d_h)
        logits = logits.masked_fill(~torch.ones(L, L, dtype=torch.bool).tril(), -math.inf)
        return self.wo((logits.softmax(-1) @ v).transpose(1, 2).reshape(B, L, d))


class Block(torch.nn.Module):
    def __init__(self, d, heads, key_heads):
        super().__init__()
        self.norm1, self.norm2, self.attention = RMSNorm(d), RMSNorm(d), Attention(d, heads, key_heads)
        self.gate, self.up, self.down = torch.nn.Linear(d, 2 * d), torch.nn.Linear(d, 2 * d), torch.nn.Linear(2 * d, d)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        y = self.norm2(x)
        return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


class Model(torch.nn.Module):
    def __init__(self, words=8, d=8, heads=4, key_heads=2, layers=4, classes=2):
        super().__init__()
        self.embed = torch.nn.Embedding(words, d)
        self.layers = torch.nn.ModuleList(Block(d, heads, key_heads) for _ in range(layers))
        self.norm, self.head = RMSNorm(d), torch.nn.Linear(d, classes)

    def forward(self, words):
        x = self.embed(words)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x[:, -1]))


def trained(examples=16, length=5, steps=200):
    """(model, words): two of the sequences are equal."""
    torch.manual_seed(0)
    model, words = Model(), torch.randint(0, 8, (examples, length))
    words[-1] = words[0]
    labels = torch.randint(0, 2, (examples,))
    labels[-1] = labels[0]
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(words), labels).backward()
        optimizer.step()
    return model, words


def main(folder="survey"):
    model, words = trained()
    survey = attest.torch.survey(model, words, out=folder, positions="all", threshold="0.7")
    print(survey)
    return survey


if __name__ == "__main__":
    if any(word.startswith("-") for word in sys.argv[1:]):
        sys.exit(__doc__)
    main(*sys.argv[1:])
