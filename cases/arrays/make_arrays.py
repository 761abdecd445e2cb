#!/usr/bin/env python3
"""Writes the small array files beside this script (Debian: python3-numpy). The files are committed; this says what is in them."""
import json
import pathlib
import struct

import numpy as np

here = pathlib.Path(__file__).resolve().parent


def integers(shape, a, b, m):
    """Small integers without a random generator: (a k + b k^2) mod m - m // 2, k = 0, 1, ..."""
    k = np.arange(np.prod(shape), dtype=np.int64)
    return ((a * k + b * k * k) % m - m // 2).reshape(shape)


def save(name, array, fortran=False):
    np.save(here / name, np.asfortranarray(array) if fortran else np.ascontiguousarray(array))


# The layer of the cases here: H = 2, n = 3, d = 4, d_h = 2, T = 6.
contexts = np.array([[1, 0, 0, 2], [0, 1, 0, -1], [0, 0, 1, 3]])
queries = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1], [1, 2, 4, 8]])
key = integers((2, 4, 2), 3, 5, 7)
query = integers((2, 4, 2), 2, 3, 5)

save("contexts-f32.npy", contexts.astype("<f4") / 8)   # eighths: exact in binary32
save("contexts-f64.npy", contexts.astype("<f8") / 10)  # tenths: the nearest doubles
save("contexts-each-f32.npy", np.stack([contexts.astype("<f4") + t * np.eye(3, 4, dtype="<f4") / 16 for t in range(6)]))
save("queries-i64.npy", queries.astype("<i8"))
save("queries-i32.npy", queries.astype("<i4"))
save("queries-fortran-f64.npy", queries.astype("<f8"), fortran=True)
save("key-i64.npy", key.astype("<i8"))
save("key-fortran-i64.npy", key.astype("<i8"), fortran=True)
save("query-i64.npy", query.astype("<i8"))
save("labels-f32.npy", (np.arange(6, dtype="<f4") / 3).reshape(6, 1))  # thirds, rounded to binary32

# The same arrays as tensors of one .safetensors file; bfloat16 is the upper half of binary32.
tensors = {
    "contexts": ("BF16", (contexts.astype("<f4") / 8)),
    "queries": ("F16", queries.astype("<f2")),
    "key": ("I32", key.astype("<i4")),
    "query": ("F32", query.astype("<f4")),
    "labels": ("I64", np.arange(1, 7, dtype="<i8").reshape(6, 1)),
}
header, data = {}, b""
for name, (dtype, array) in tensors.items():
    raw = array.tobytes()
    if dtype == "BF16":
        raw = (array.view("<u4") >> 16).astype("<u2").tobytes()
    header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header, separators=(",", ":")).encode()
text += b" " * (-len(text) % 8)
(here / "layer.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
