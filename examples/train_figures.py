"""Trains the layers of the paper's Figures 2, 3 and 4 (Section 5.2, Appendices H and I.1), hundreds at once on one GPU, or small ones on a CPU.

    python3 -m examples.train_figures FOLDER 2a 2b 2c 3 4h 4n      # at the paper's size: needs a GPU
    python3 -m examples.train_figures FOLDER 2a --steps 1000 --share 40   # T / 40, fewer steps: to try

Writes FOLDER/curves.csv, a row for each layer (docs/paper-figures/curves.csv has those of the page), and of Figure 3 the layers at the edge of what
is memorized, as cases/trained has them. The setting is the authors': tokens uniform in [0, 1]^64; a linear embedding and sinusoidal positions (0 is
the query's, 1 to n are the context's); H heads with keys of d_h and values of one dimension, logits divided by sqrt(64), the query attends to its n
tokens; output of dimension 64, a linear read-out to 100 classes; Xavier's uniform weights; cross entropy, batches of 256 in shuffled passes, Adam with
1e-3, warm-up over a twentieth of the steps, cosine decay to 0, binary32. Unlike theirs there are 2 seeds, not 6, batches run on from one pass to the
next, and all layers that share H and n are trained for as many steps as the largest T of the panel asks for.
"""

import argparse
import csv
import math
import pathlib
import sys

import numpy
import torch
from torch.nn.functional import cross_entropy

D, CLASSES, BATCH, RATE = 64, 100, 256, 1e-3
CYCLE, UNROLL = 1000, 5  # steps for which batches are drawn at once; steps of a captured graph, a divisor of CYCLE
SATURATED = 0.99


def positions(n):
    angle = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, D, 2) / D)
    return torch.stack([angle.sin(), angle.cos()], -1).reshape(n, D)


class Data:
    """A data set for each seed; a layer with T examples and n tokens sees the first T and n."""

    def __init__(self, seeds, T, n, shared, device):
        made = [torch.Generator(device).manual_seed(seed) for seed in seeds]
        random = lambda *shape: torch.stack([torch.rand(*shape, generator=generator, device=device) for generator in made])
        self.seeds, self.shared, self.device = seeds, shared, device
        self.queries, self.contexts = random(T, D), random(n, D) if shared else random(T, n, D)
        self.labels = torch.stack([torch.randint(CLASSES, (T,), generator=generator, device=device) for generator in made])


class Group:
    """Layers (dicts with H, n, dh, T, seed) that are trained as one program of tensors. Of a layer that is smaller than the largest, keys, queries,
    values and outputs are padded with zeros, whose derivatives are 0, and tokens with logits of -inf: it is trained as if it were alone."""

    def __init__(self, layers, data, steps):
        self.layers, self.data, self.steps, self.device = layers, data, steps, data.device
        self.L = len(layers)
        self.H, self.n, self.dh = (max(layer[key] for layer in layers) for key in ("H", "n", "dh"))
        L, H, n, dh = self.L, self.H, self.n, self.dh
        self.which = torch.tensor([data.seeds.index(layer["seed"]) for layer in layers], device=self.device)
        self.sizes = torch.tensor([layer["T"] for layer in layers], device=self.device)
        self.positions = positions(n + 1).to(self.device)
        p = {"key": torch.zeros(L, H, dh, D), "query": torch.zeros(L, H, D, dh), "value": torch.zeros(L, D, H), "output": torch.zeros(L, H, D),
             "embedding": torch.empty(L, D, D), "embedding_bias": torch.empty(L, 1, D), "decoder": torch.empty(L, D, CLASSES), "decoder_bias": torch.empty(L, 1, CLASSES)}  # fmt: skip
        mask = torch.zeros(L, 1, 1, n)
        for i, layer in enumerate(layers):
            h, k = layer["H"], layer["dh"]
            generator = torch.Generator().manual_seed(1000003 * layer["seed"] + 7919 * layer["T"] + 101 * h + 13 * layer["n"] + k)
            uniform = lambda bound, *shape: (2 * torch.rand(*shape, generator=generator) - 1) * bound
            p["key"][i, :h, :k] = uniform((6 / (D + k)) ** 0.5, h, k, D)
            p["query"][i, :h, :, :k] = uniform((6 / (D + k)) ** 0.5, h, D, k)
            p["value"][i, :, :h] = uniform((6 / (D + 1)) ** 0.5, D, h)
            p["output"][i, :h] = uniform((6 / (h + D)) ** 0.5, h, D)
            for name in ("embedding", "embedding_bias", "decoder", "decoder_bias"):
                p[name][i] = uniform(D**-0.5, *p[name][i].shape)
            mask[i, ..., layer["n"] :] = -math.inf
        self.mask = mask.to(self.device)
        self.p = {name: value.to(self.device).requires_grad_() for name, value in p.items()}
        self.done = torch.zeros((), device=self.device)  # steps, on the device: a captured graph counts them itself
        self.rate = torch.zeros((), device=self.device)
        self.graph = None
        on_gpu = {"fused": True, "capturable": True, "lr": self.rate} if self.device == "cuda" else {"lr": 0.0}
        self.adam = torch.optim.Adam(self.p.values(), **on_gpu)
        self.batches = torch.zeros(CYCLE, L, BATCH, dtype=torch.long, device=self.device)

    def inputs(self, i):
        """What enters the layers for the examples i (L, B): queries (L, B, D), contexts (L, n, D) or (L, B, n, D)."""
        p, w = self.p, self.which
        queries = self.data.queries[w[:, None], i] @ p["embedding"] + (p["embedding_bias"] + self.positions[0])
        raw = (self.data.contexts[w] if self.data.shared else self.data.contexts[w[:, None], i])[..., : self.n, :]
        contexts = (raw.reshape(self.L, -1, D) @ p["embedding"] + p["embedding_bias"]).view(raw.shape) + self.positions[1:]
        return queries, contexts

    def forward(self, i):
        """Scores (L, B, CLASSES) and coefficients (L, B, H, n)."""
        p, (L, H, n, B) = self.p, (self.L, self.H, self.n, i.shape[1])
        e, E = self.inputs(i)
        if self.data.shared:  # query key^T context^T once for all examples
            keys = (p["key"].view(L, -1, D) @ E.transpose(1, 2)).view(L, H, self.dh, n)
            joint = (p["query"] @ keys / math.sqrt(D)).permute(0, 2, 1, 3).reshape(L, D, H * n)
            logits = (e @ joint).view(L, B, H, n)
            values = (E @ p["value"]).transpose(1, 2)[:, None]
        else:
            joint = (p["query"] @ p["key"] / math.sqrt(D)).permute(0, 2, 1, 3).reshape(L, D, H * D)
            logits = (e @ joint).view(L, B, H, D) @ E.transpose(2, 3)
            values = (E.reshape(L, B * n, D) @ p["value"]).view(L, B, n, H).transpose(2, 3)
        coefficients = (logits + self.mask).softmax(-1)
        return ((coefficients * values).sum(-1) @ p["output"]) @ p["decoder"] + p["decoder_bias"], coefficients

    def step(self):
        i = self.batches.index_select(0, (self.done.long() % CYCLE).view(1))[0]
        labels = self.data.labels[self.which[:, None], i]
        self.done.add_(1)
        warm = self.steps / 20
        later = 0.5 + 0.5 * torch.cos(math.pi * ((self.done - warm) / (self.steps - warm)).clamp(max=1))
        self.rate.copy_(RATE * torch.where(self.done < warm, 0.01 + 0.99 * self.done / warm, later))
        if self.device != "cuda":
            self.adam.param_groups[0]["lr"] = self.rate.item()
        self.adam.zero_grad(set_to_none=True)
        (cross_entropy(self.forward(i)[0].flatten(0, 1), labels.flatten(), reduction="sum") / BATCH).backward()
        self.adam.step()

    def draw(self):
        """Batches of the next CYCLE steps: shuffled passes over the examples of each layer."""
        for T in {layer["T"] for layer in self.layers}:
            rows = [j for j, layer in enumerate(self.layers) if layer["T"] == T]
            passes = -(-CYCLE * BATCH // T)
            order = torch.rand(len(rows), passes, T, device=self.device).argsort(-1).view(len(rows), -1)[:, : CYCLE * BATCH]
            self.batches[:, torch.tensor(rows, device=self.device)] = order.view(len(rows), CYCLE, BATCH).transpose(0, 1)

    def train(self):
        """All steps; on a GPU by a captured graph, for which a few first steps, with a rate of at most RATE / 100, are made twice."""
        self.draw()
        if self.device == "cuda":
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                for _ in range(3):
                    self.step()
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, stream=stream):
                for _ in range(UNROLL):
                    self.step()
            self.done.zero_()
        for count in range(UNROLL, self.steps + UNROLL, UNROLL):
            if self.graph:
                self.graph.replay()
            else:
                for _ in range(UNROLL):
                    self.step()
            if count % CYCLE == 0:
                self.draw()

    @torch.no_grad()
    def evaluate(self):
        """For each layer: accuracy, mean loss, share of (head, example) that are saturated, of examples with a head that is not."""
        sums = torch.zeros(4, self.L, device=self.device)
        chunk = 2048 if self.data.shared else 512
        for first in range(0, int(self.sizes.max()), chunk):
            t = torch.arange(first, first + chunk, device=self.device).expand(self.L, -1)
            real, t = (t < self.sizes[:, None]).float(), torch.minimum(t, self.sizes[:, None] - 1)
            labels = self.data.labels[self.which[:, None], t]
            scores, coefficients = self.forward(t)
            saturated = (coefficients.amax(-1) > SATURATED).float()
            for j, layer in enumerate(self.layers):
                heads = saturated[j, :, : layer["H"]]
                loss = cross_entropy(scores[j], labels[j], reduction="none")
                each = torch.stack([(scores[j].argmax(1) == labels[j]).float(), loss, heads.mean(1), (heads.sum(1) < layer["H"]).float()])
                sums[:, j] += (each * real[j]).sum(1)
        return (sums / self.sizes).T.cpu().tolist()

    @torch.no_grad()
    def save(self, j, path):
        """The layer and what enters it, as cases/trained has layers: logits are (queries query[h]) . (contexts key[h]) / sqrt(64)."""
        layer, p = self.layers[j], {name: value[j] for name, value in self.p.items()}
        h, k, n, T = (layer[key] for key in ("H", "dh", "n", "T"))
        e, E = self.inputs(torch.arange(T, device=self.device).expand(self.L, -1))
        arrays = {"contexts": E[j][..., :n, :], "queries": e[j], "labels": self.data.labels[self.which[j], :T].to(torch.uint8), "key": p["key"][:h, :k].transpose(1, 2),
                  "query": p["query"][:h, :, :k], "value": p["value"][:, :h].T[..., None], "output": p["output"][:h],
                  "decoder.weight": p["decoder"].T, "decoder.bias": p["decoder_bias"][0]}  # fmt: skip
        numpy.savez_compressed(path, **{name: array.cpu().numpy() for name, array in arrays.items()})


def panel(name, share=1, steps=None, device="cpu"):
    """The groups of a panel; `share` divides the numbers of examples."""
    layer = lambda H, n, dh, T, seed: {"figure": name, "H": H, "n": n, "dh": dh, "T": max(T // share, 2), "seed": seed}
    seeds = [1, 2]
    over = lambda parts, sizes, make: [[make(x, T, seed) for x in part for T in sizes for seed in seeds] for part in parts]
    full = lambda T: max(500 * T // BATCH, 50000)  # 500 passes, 50,000 steps at least
    if name == "2a":
        groups, most = over(([1, 5, 10], [20], [30], [40], [50], [60]), (10000, 20000, 30000, 40000), lambda H, T, s: layer(H, 32, 64, T, s)), full(40000)
    elif name == "2b":
        groups, most = over(([1, 5, 10], [20, 30], [40], [50, 60]), (6000, 10000, 14000, 18000), lambda n, T, s: layer(20, n, 64, T, s)), full(18000)
    elif name == "2c":
        groups, most = over(([10, 20, 25, 30, 35, 40, 50, 64],), (10000, 15000, 20000), lambda dh, T, s: layer(30, 32, dh, T, s)), 300000
    elif name == "3":
        plan = {1: (60, 80, 100, 120, 140), 2: (150, 200, 225, 250, 275, 300), 4: (450, 500, 550, 600, 650), 8: (1100, 1200, 1300, 1400, 1500)}
        groups, most = [[layer(H, 32, dh, T, s) for H in part for dh in (32, 64) for T in plan[H] for s in seeds] for part in ((1, 2, 4), (8,))], 300000
    elif name == "4h":
        groups, most = over(([1, 10], [20, 30], [40], [60]), (30000, 50000), lambda H, T, s: layer(H, 32, 64, T, s)), full(50000)
    else:
        groups, most = over(([1, 5, 10], [20, 30], [40], [60]), (20000, 40000), lambda n, T, s: layer(20, n, 64, T, s)), full(40000)
    every = [each for group in groups for each in group]
    data = Data(seeds, max(each["T"] for each in every), max(each["n"] for each in every), not name.startswith("4"), device)
    return [Group(group, data, steps or most) for group in groups]


def edges(rows):
    """Of Figure 3, for each H and d_h = 32: the index of the largest T that is memorized, and of the smallest from there on that is not."""
    found = []
    for H in sorted({row["H"] for row in rows}):
        mine = [(row["T"], row["accuracy"], j) for j, row in enumerate(rows) if row["H"] == H and row["dh"] == 32]
        full = max((each for each in mine if each[1] == 1), default=None)
        fails = min((each for each in mine if each[1] < 1 and (full is None or each[0] >= full[0])), default=None)
        found += [each[2] for each in (full, fails) if each]
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("panels", nargs="+", choices=["2a", "2b", "2c", "3", "4h", "4n"])
    parser.add_argument("--steps", type=int, help="in place of the paper's")
    parser.add_argument("--share", type=int, default=1, help="divides the numbers of examples")
    options = parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in options.panels:
        for group in panel(name, options.share, options.steps, device):
            group.train()
            own = [{**layer, "contexts": "shared" if group.data.shared else "own", "steps": group.steps, "accuracy": round(accuracy, 5), "loss": round(loss, 5),
                    "saturated": round(saturated, 4), "free_head": round(free, 4)} for layer, (accuracy, loss, saturated, free) in zip(group.layers, group.evaluate())]  # fmt: skip
            for j in edges(own) if name == "3" else []:
                group.save(j, options.folder / f"figure3-h{own[j]['H']}-t{own[j]['T']}-seed{own[j]['seed']}.npz")
            rows += own
            with open(options.folder / "curves.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            print(f"{name}: {len(rows)} layers", file=sys.stderr)


if __name__ == "__main__":
    main()
