#!/usr/bin/python3
"""Trains the layer of trained-causal.safetensors: causal attention that memorizes a random class for each of 60
sequences of 8 tokens. Needs python3-torch and python3-numpy; some seconds. The seed is fixed, but another version of
torch or another processor rounds differently, so what it writes is close to the shipped file and not equal.

    /usr/bin/python3 cases/trained/train_causal.py [FILE]
"""
import json
import pathlib
import struct
import sys

import numpy
import torch

SEQUENCES, LENGTH, WIDTH, HEADS, TOKENS, CLASSES, STEPS, SEED = 60, 8, 24, 4, 40, 10, 1500, 20261122


def write(file, tensors):
    header, data = {}, b""
    for name, tensor in tensors.items():
        array = tensor.detach().numpy()
        kind = {"float32": "F32", "int64": "I64"}[array.dtype.name]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += numpy.ascontiguousarray(array).tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(file).write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "trained-causal.safetensors"
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    tokens = torch.randint(TOKENS, (SEQUENCES, LENGTH))
    labels = torch.randint(CLASSES, (SEQUENCES,))
    embedding, places = torch.nn.Embedding(TOKENS, WIDTH), torch.nn.Parameter(torch.randn(LENGTH, WIDTH))
    attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    decoder = torch.nn.Linear(WIDTH, CLASSES)
    parameters = [*embedding.parameters(), places, *attention.parameters(), *decoder.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=0.003)
    later = torch.triu(torch.ones(LENGTH, LENGTH, dtype=torch.bool), 1)
    for _ in range(STEPS):
        hidden = embedding(tokens) + places
        scores = decoder(attention(hidden, hidden, hidden, attn_mask=later, need_weights=False)[0][:, -1])
        loss = torch.nn.functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        hidden = embedding(tokens) + places
        scores = decoder(attention(hidden, hidden, hidden, attn_mask=later, need_weights=False)[0][:, -1])
    right = int((scores.argmax(-1) == labels).sum())
    print(f"loss {loss.item():.4f}; {right} of {SEQUENCES} right")
    write(file, {"hidden": hidden, "labels": labels, "decoder.weight": decoder.weight, "decoder.bias": decoder.bias,
                 **{f"attention.{name}": tensor for name, tensor in attention.state_dict().items()}})  # fmt: skip


if __name__ == "__main__":
    main()
