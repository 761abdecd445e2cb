#!/usr/bin/env python3
"""Cuts trained.safetensors out of cases/trained/trained-h8-t300.safetensors: the first 5 tokens, 24 queries, 4 heads and 4 columns of each, in the first 5 coordinates."""
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
SIZES = {"contexts": (5, 5), "queries": (24, 5), "key": (4, 5, 4), "query": (4, 5, 4)}


def corner(data, shape, sizes):
    """The entries (4 bytes each) of the leading corner of a row-major array."""
    if not shape:
        return data[:4]
    row = len(data) // shape[0]
    return b"".join(corner(data[k * row:(k + 1) * row], shape[1:], sizes[1:]) for k in range(sizes[0]))


def main():
    whole = (HERE / "../../cases/trained/trained-h8-t300.safetensors").read_bytes()
    size = struct.unpack("<Q", whole[:8])[0]
    header, body = json.loads(whole[8:8 + size]), whole[8 + size:]
    cut, out = {}, b""
    for name, sizes in SIZES.items():
        tensor = header[name]
        assert tensor["dtype"] == "F32"
        first, last = tensor["data_offsets"]
        data = corner(body[first:last], tensor["shape"], sizes)
        cut[name] = {"dtype": "F32", "shape": sizes, "data_offsets": [len(out), len(out) + len(data)]}
        out += data
    text = json.dumps(cut).encode()
    text += b" " * (-len(text) % 8)
    (HERE / "trained.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + out)


if __name__ == "__main__":
    main()
