"""Trains the first attention layer of a model of two, and writes what behind-a-trained-layer.toml is about: first-layer.npz.

    /usr/bin/python3 train_first_layer.py

Sixteen sequences of two random tokens and a last one that all share, as [CLS] does; the model learns a random class of each at
the last position. Without biases, binary32, on one thread.
"""

import pathlib

import numpy
import torch

S, n, d, CLASSES = 16, 3, 6, 4
torch.manual_seed(5)
torch.set_num_threads(1)


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.key, self.query, self.value = (torch.nn.Parameter(torch.randn(d, d) / d**0.5) for _ in range(3))

    def forward(self, x):
        return x + torch.softmax(x @ self.query @ (x @ self.key).transpose(1, 2), -1) @ x @ self.value


hidden = torch.randn(S, n, d)
hidden[:, -1] = hidden[0, -1]
classes = torch.randint(CLASSES, (S,))
model = torch.nn.Sequential(Attention(), Attention(), torch.nn.Linear(d, CLASSES))
optimizer = torch.optim.Adam(model.parameters(), 0.02)
for _ in range(300):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(hidden)[:, -1], classes).backward()
    optimizer.step()
right = int((model(hidden)[:, -1].argmax(-1) == classes).sum())
print(f"{right} of {S} right")
arrays = {"hidden": hidden, **{name: getattr(model[0], name)[None] for name in ("key", "query", "value")}}
numpy.savez(pathlib.Path(__file__).with_name("first-layer.npz"), **{name: array.detach().numpy() for name, array in arrays.items()})
