#!/usr/bin/env python3
"""Trains the small models of this folder and writes their attention layers (README.md): python3 train.py BUILD_FOLDER, in a minute
of one core. Runs differ where torch does; the shipped arrays are those of torch 1.13 on one core."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "python"))

import numpy
import torch

import attest.torch

HERE = pathlib.Path(__file__).resolve().parent
torch.set_num_threads(1)


def rms(x):
    return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()


class Attention(torch.nn.Module):
    """Causal, by heads of d_h; keys and values for `key_heads`; rotary positions or none."""

    def __init__(self, d, heads, key_heads, d_h, rotary):
        super().__init__()
        self.num_heads, self.d_h, self.rotary = heads, d_h, rotary
        linear = lambda m: torch.nn.Linear(d, m * d_h, bias=False)
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = linear(heads), linear(key_heads), linear(key_heads), torch.nn.Linear(heads * d_h, d, bias=False)

    def turned(self, y):
        angles = torch.arange(y.shape[-2]).unsqueeze(1) * 100.0 ** -(torch.arange(self.d_h // 2) / (self.d_h // 2))
        return y * torch.cat([angles.cos()] * 2, -1) + torch.cat([-y[..., self.d_h // 2 :], y[..., : self.d_h // 2]], -1) * torch.cat([angles.sin()] * 2, -1)

    def forward(self, x):
        B, L, _ = x.shape
        q, k, v = (part(x).view(B, L, -1, self.d_h).transpose(1, 2) for part in (self.q_proj, self.k_proj, self.v_proj))
        if self.rotary:
            q, k = self.turned(q), self.turned(k)
        k, v = (y.repeat_interleave(self.num_heads // y.shape[1], 1) for y in (k, v))
        logits = (q @ k.transpose(-1, -2) / self.d_h**0.5).masked_fill(torch.ones(L, L, dtype=torch.bool).triu(1), -torch.inf)
        return self.o_proj((logits.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Model(torch.nn.Module):
    def __init__(self, words, classes, length, d=32, heads=4, key_heads=4, d_h=8, layers=1, rotary=False):
        super().__init__()
        self.embed, self.places = torch.nn.Embedding(words, d), None if rotary else torch.nn.Parameter(torch.randn(length, d) * 0.1)
        self.attentions = torch.nn.ModuleList(Attention(d, heads, key_heads, d_h, rotary) for _ in range(layers))
        self.inner = torch.nn.ModuleList(torch.nn.Sequential(torch.nn.Linear(d, 4 * d), torch.nn.ReLU(), torch.nn.Linear(4 * d, d)) for _ in range(layers))
        self.read = torch.nn.Linear(d, classes)

    def forward(self, tokens):
        x = self.embed(tokens) + (0 if self.places is None else self.places)
        for attention, inner in zip(self.attentions, self.inner):
            x = x + attention(rms(x))
            x = x + inner(rms(x))
        return self.read(x)


def trained(model, tokens, labels, steps, everywhere=False):
    adam = torch.optim.Adam(model.parameters(), 3e-3)
    score = lambda: model(tokens) if everywhere else model(tokens)[:, -1]
    for _ in range(steps):
        adam.zero_grad()
        torch.nn.functional.cross_entropy(score().flatten(0, -2), labels.flatten()).backward()
        adam.step()
    return float((score().argmax(-1) == labels).float().mean())


def write(name, title, model, tokens, accuracy, layer, positions="last"):
    captured = attest.torch.capture(model, tokens, f"attentions.{layer}", positions=positions)
    arrays = {key: value.numpy() for key, value in captured.items() if torch.is_tensor(value) and key not in ("value", "output")}
    if "weights" in captured:
        arrays |= {key: value.numpy() for key, value in captured["weights"].items()}
    rank = attest.rank(**captured)
    z = in_floats(captured)
    T, H, d = len(captured.examples), captured.heads, z.shape[1] // captured.heads
    print(name, captured.form, f"accuracy {accuracy:.3f}, T = {T}, rank {rank.lower} .. {rank.upper}, numpy {numpy.linalg.matrix_rank(z)}, binary32 {numpy.linalg.matrix_rank(z.astype(numpy.float32))}")
    numpy.savez_compressed(HERE / f"{name}.npz", **arrays)
    hidden = "hidden" in arrays
    line = lambda key: f'{key} = {{ file = "{name}.npz", tensor = "{key}" }}'
    data = [line(key) for key in ("hidden", "contexts", "queries") if key in arrays]
    at = captured["positions"] if hidden else ""
    data += [f"positions = [{at}]" if "," in at else f'positions = "{at}"', "causal = true"] if hidden else []
    weights = [f'layout = "llama"\nfile = "{name}.npz"'] if "weights" in captured else [line(key) for key in ("projected_queries", "projected_keys", "query", "key", "logits") if key in arrays]
    scale = "" if "weights" in captured or "logits" in arrays else f'logit_scale = "{captured["logit_scale"]}"\n'
    claims = f'[[claim]]\nstatement = "rank"\nat_least = {rank.lower}\n\n[[claim]]\nstatement = "rank"\nat_least = {rank.upper + 1}\nexpect = "refuted"\n'
    n = (arrays["hidden"] if hidden else arrays["contexts"]).shape[1]
    (HERE / f"{name}.toml").write_text(f'format = 1\ntitle = "{title}"\n\n# Written by train.py; README.md says how it was trained.\n\n'
        f"[layer]\nheads = {H}\ncontext = {n}\nembed_dim = {d}\nhead_dim = {captured.head_dim}\nexamples = {T}\n{scale}\n[data]\n" + "\n".join(data) +
        "\n\n[weights]\n" + "\n".join(weights) + "\n\n" + claims)


def in_floats(captured):
    """Z in binary64, as one computes it without attest: for the table in README.md alone."""
    rows = []
    H, d_h = captured.heads, captured.head_dim
    array = lambda name: captured[name].double().numpy()
    for t, (b, p) in enumerate(captured.examples):
        hidden = "hidden" in captured
        E = array("hidden")[b, : p + 1] if hidden else array("contexts")[t]
        e = E[-1] if hidden or "queries" not in captured else array("queries")[t]
        if "projected_queries" in captured:
            q = array("projected_queries")[(b, p) if hidden else t]
            k = array("projected_keys")[b if hidden else t][: len(E)]
            k = numpy.repeat(k, H // k.shape[1], 1)
        else:
            W = {name: value.double().numpy() for name, value in captured["weights"].items()}
            q = (W["q_proj.weight"] @ e).reshape(H, d_h)
            k = (E @ W["k_proj.weight"].T).reshape(len(E), -1, d_h)
            k = numpy.repeat(k, H // k.shape[1], 1)
        z = numpy.einsum("hd,jhd->hj", q, k) / d_h**0.5
        p = numpy.exp(z - z.max(-1, keepdims=True))
        rows.append((p / p.sum(-1, keepdims=True) @ E).ravel())
    return numpy.array(rows)


def main():
    torch.manual_seed(20261126)
    a, b = (x.flatten() for x in torch.meshgrid(torch.arange(12), torch.arange(12), indexing="ij"))
    tokens = torch.stack([a, b, torch.full_like(a, 12)], 1)
    model = Model(13, 12, 3)
    write("modular-addition", "A layer that learned to add modulo 12: all sums, at the last position", model, tokens, trained(model, tokens, (a + b) % 12, 600), 0)
    lists = torch.randint(0, 10, (40, 5))
    tokens = torch.cat([lists, torch.full((40, 1), 10), lists.sort(1).values[:, :-1]], 1)
    labels = tokens.clone()
    labels[:, 5:] = lists.sort(1).values
    labels = labels[:, 5:]

    class Sorting(Model):
        def forward(self, tokens):
            return super().forward(tokens)[:, 5:]

    model = Sorting(11, 10, 10)
    write("sorting", "A layer that learned to sort lists of five digits: where it writes them", model, tokens, trained(model, tokens, labels, 800, True), 0, positions=list(range(5, 10)))
    sums = torch.randint(0, 5, (40, 6))
    model = Model(5, 5, 6)
    write("cumulative-sums", "A layer that learned cumulative sums modulo 5, at every position", model, sums, trained(model, sums, sums.cumsum(1) % 5, 800, True), 0, positions="all")
    tokens = torch.randint(0, 4, (96, 6))
    tokens[:48, 3:] = tokens[:48, :3].flip(1)
    labels = (tokens == tokens.flip(1)).all(1).long()
    model = Model(4, 2, 6)
    write("palindromes", "A layer that learned to tell palindromes of six letters", model, tokens, trained(model, tokens, labels, 500), 0)
    tokens, labels = torch.randint(0, 16, (192, 8)), torch.randint(0, 10, (192,))
    model = Model(16, 10, 8, heads=8, key_heads=2, layers=2, rotary=True)
    accuracy = trained(model, tokens, labels, 700)
    for layer in (0, 1):
        write(f"random-labels-{layer + 1}", f"Two layers that memorized random labels (rotary, grouped keys, RMSNorm): layer {layer + 1}", model, tokens, accuracy, layer)


if __name__ == "__main__":
    main()
