"""From a trained model of PyTorch to a proof: how many examples can its attention layer memorize?

Trains a small model on random sequences with random labels, captures its attention module, and asks attest
for the rank of Z and for the capacity of such a layer on this data. docs/guide.md goes through it.

    python3 -m examples.from_pytorch [FOLDER]     in the folder of the sources, after scripts/verify; keeps the certificates in FOLDER
    python3 from_pytorch.py [FOLDER]              where attest is installed
"""

import sys

import torch

import attest
import attest.torch


class Model(torch.nn.Module):
    """Embedding and positions, one attention module, a read-out of the last position."""

    def __init__(self, vocabulary=16, length=8, d=16, heads=2, classes=4):
        super().__init__()
        self.token = torch.nn.Embedding(vocabulary, d)
        self.position = torch.nn.Parameter(torch.randn(length, d))
        self.attention = torch.nn.MultiheadAttention(d, heads, batch_first=True)
        self.readout = torch.nn.Linear(d, classes)

    def forward(self, tokens):
        hidden = self.token(tokens) + self.position
        output, _ = self.attention(hidden[:, -1:], hidden, hidden, need_weights=False)
        return self.readout(output[:, 0])


def trained(examples=32, steps=300, seed=0, **sizes):
    """(model, tokens, labels): trained to memorize random labels."""
    torch.manual_seed(seed)
    model = Model(**sizes)
    length = model.position.shape[0]
    tokens = torch.randint(0, model.token.num_embeddings, (examples, length))
    labels = torch.randint(0, model.readout.out_features, (examples,))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(tokens), labels).backward()
        optimizer.step()
    return model, tokens, labels


def main(folder=None):
    model, tokens, labels = trained()
    accuracy = (model(tokens).argmax(1) == labels).float().mean().item()
    print(f"accuracy on the training set, as torch computes it: {accuracy:.3f}")
    captured = attest.torch.capture(model, tokens)
    print(captured)
    rank = attest.rank(**captured, out=folder)
    print(rank)
    right = attest.accuracy(**captured, readout_linear=model.readout.weight, readout_bias=model.readout.bias, classes=labels, out=folder)
    print(right)
    capacity = attest.capacity(**captured.data(), out=folder)
    print(capacity.claims[0])
    print(rank.check().splitlines()[-1])
    return rank, capacity


if __name__ == "__main__":
    main(*sys.argv[1:])
