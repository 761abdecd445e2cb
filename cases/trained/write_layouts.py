#!/usr/bin/env python3
"""Writes the key and query weights of trained-h4-t400.safetensors as BERT, GPT-2, LLaMA and torch.nn.MultiheadAttention
store them, and its projected queries and keys, rounded to binary32.

The values that GPT-2 and torch keep beside them do not matter to the rank; they are written as zeros.
"""
import array
import json
import operator
import pathlib
import struct
import zipfile

HERE = pathlib.Path(__file__).parent
BERT, GPT2, LLAMA = "encoder.layer.0.attention.self.", "h.0.attn.", "layers.0.self_attn."


def read(file, names):
    """Binary32 tensors as (shape, entries)."""
    content = file.read_bytes()
    size, = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    for name in names:
        begin, end = header[name]["data_offsets"]
        yield header[name]["shape"], array.array("f", data[begin:end])


def projected(vectors, weights, H, d, d_h):
    """(rows, H, d_h): what the heads' matrices make of the rows of an array (rows, d)."""
    columns = [weights[(h * d) * d_h + k:(h + 1) * d * d_h:d_h] for h in range(H) for k in range(d_h)]
    rows = [vectors[r:r + d] for r in range(0, len(vectors), d)]
    return array.array("f", [sum(map(operator.mul, row, column)) for row in rows for column in columns])


def write(name, tensors):
    header, data = {}, b""
    for key, (shape, entries) in tensors.items():
        header[key] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * len(entries)]}
        data += entries.tobytes()
    text = json.dumps(header).encode()
    (HERE / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_npz(name, array_name, rows, cols, entries):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {cols}), }}\n".encode()
    with zipfile.ZipFile(HERE / name, "w") as archive:
        member = zipfile.ZipInfo(f"{array_name}.npy", (1980, 1, 1, 0, 0, 0))
        archive.writestr(member, b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + entries,
                         zipfile.ZIP_DEFLATED)


def main():
    (shape, key), (_, query), (_, contexts), (_, queries) = read(
        HERE / "trained-h4-t400.safetensors", ("key", "query", "contexts", "queries"))
    H, d, d_h = shape
    width = H * d_h
    write("trained-h4-t400-projected.safetensors", {
        "projected_keys": ([len(contexts) // d, H, d_h], projected(contexts, key, H, d, d_h)),
        "projected_queries": ([len(queries) // d, H, d_h], projected(queries, query, H, d, d_h))})

    def output(source, row):
        """The weights (d) of one output, the row of a linear layer of PyTorch."""
        h, k = divmod(row, d_h)
        return [source[(h * d + j) * d_h + k] for j in range(d)]

    for file, prefix, names in (("bert", BERT, ("key.weight", "query.weight")),
                                ("llama", LLAMA, ("k_proj.weight", "q_proj.weight"))):
        write(f"trained-h4-t400-{file}.safetensors", {
            prefix + name: ([width, d], array.array("f", [x for row in range(width) for x in output(source, row)]))
            for name, source in zip(names, (key, query))})

    outputs = [output(source, row) for source in (query, key) for row in range(width)] + [[0.0] * d] * width
    write_npz("trained-h4-t400-gpt2.npz", f"{GPT2}c_attn.weight", d, 3 * width,
              array.array("f", [out[j] for j in range(d) for out in outputs]).tobytes())
    write_npz("trained-h4-t400-torch.npz", "in_proj_weight", 3 * width, d,
              array.array("f", [x for out in outputs for x in out]).tobytes())


if __name__ == "__main__":
    main()
