#!/usr/bin/env python3
"""Writes the key and query weights of trained-h4-t400.safetensors as BERT and as GPT-2 store them.

The values that GPT-2 keeps beside them do not matter to the rank; they are written as zeros.
"""
import array
import json
import pathlib
import struct
import zipfile

HERE = pathlib.Path(__file__).parent
BERT, GPT2 = "encoder.layer.0.attention.self.", "h.0.attn."


def read(file, names):
    """Binary32 tensors as (shape, entries)."""
    content = file.read_bytes()
    size, = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    for name in names:
        begin, end = header[name]["data_offsets"]
        yield header[name]["shape"], array.array("f", data[begin:end])


def main():
    (shape, key), (_, query) = read(HERE / "trained-h4-t400.safetensors", ("key", "query"))
    H, d, d_h = shape
    width = H * d_h

    def output(source, row):
        """The weights (d) of one output, the row of a linear layer of PyTorch."""
        h, k = divmod(row, d_h)
        return [source[(h * d + j) * d_h + k] for j in range(d)]

    header, data = {}, b""
    for name, source in (("key.weight", key), ("query.weight", query)):
        entries = array.array("f", [x for row in range(width) for x in output(source, row)]).tobytes()
        header[BERT + name] = {"dtype": "F32", "shape": [width, d],
                               "data_offsets": [len(data), len(data) + len(entries)]}
        data += entries
    text = json.dumps(header).encode()
    (HERE / "trained-h4-t400-bert.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)

    outputs = [output(source, row) for source in (query, key) for row in range(width)] + [[0.0] * d] * width
    entries = array.array("f", [out[j] for j in range(d) for out in outputs]).tobytes()
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({d}, {3 * width}), }}\n".encode()
    with zipfile.ZipFile(HERE / "trained-h4-t400-gpt2.npz", "w") as archive:
        member = zipfile.ZipInfo(f"{GPT2}c_attn.weight.npy", (1980, 1, 1, 0, 0, 0))
        archive.writestr(member, b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + entries,
                         zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
