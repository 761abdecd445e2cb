#!/usr/bin/env python3
"""What attest.torch.capture costs beside the forward pass: a causal layer of LLaMA-1B's size (d = 2048, 32 heads of 64, 8 key heads),
at its last position.

    bench/capture.py BUILD_FOLDER [LENGTH [eager|sdpa]]
"""

import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "python"))

import torch

import attest.torch

LENGTH, WAY = (int((sys.argv[2:] + ["1024"])[0]), (sys.argv[3:] + ["eager"])[0])
torch.set_num_threads(1)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.num_heads = 32
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (torch.nn.Linear(2048, m, bias=False) for m in (2048, 512, 512, 2048))

    def forward(self, x):
        B, L, d = x.shape
        q, k, v = (part(x).view(B, L, -1, 64).transpose(1, 2) for part in (self.q_proj, self.k_proj, self.v_proj))
        angles = torch.cat([torch.arange(L).unsqueeze(1) * 10000.0 ** -(torch.arange(32) / 32)] * 2, -1)
        q, k = (y * angles.cos() + torch.cat([-y[..., 32:], y[..., :32]], -1) * angles.sin() for y in (q, k))
        k, v = (y.repeat_interleave(4, 1) for y in (k, v))
        if WAY == "sdpa":
            z = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            z = (q @ k.transpose(2, 3) / 8 + torch.full((L, L), torch.finfo(x.dtype).min).triu(1)).softmax(-1) @ v
        return self.o_proj(z.transpose(1, 2).reshape(B, L, d))


def main():
    torch.manual_seed(0)
    layer, x = Layer(), torch.randn(1, LENGTH, 2048)
    took = []
    for run in (lambda: layer(x), lambda: attest.torch.capture(layer, x, "")):
        before = time.process_time()
        with torch.no_grad():
            run()
        took.append(time.process_time() - before)
        print(f"{took[-1]:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9:.2f} GB", flush=True)
    print(f"capture takes {took[1] / took[0]:.1f} times the processor time of the forward pass")


if __name__ == "__main__":
    main()
