#!/usr/bin/python3
"""The paper's sampling test: attest.sampled_ranks against torch.linalg.matrix_rank of the same number of samples
of n of T queries in dimension d, one thread each, in turn in the same run: CPU seconds, with those of child
processes. Prints a Markdown table; all of it takes six minutes.

    OPENBLAS_NUM_THREADS=1 PYTHONPATH=build/python bench/sampled_ranks.py
"""

import resource
import statistics

import numpy
import torch

import attest

torch.set_num_threads(1)


def used():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def seconds(function):
    start = used()
    function()
    return used() - start


def compare(T, n, d, count, runs):
    random = numpy.random.default_rng(0)
    queries = random.random((T, d), dtype="f4")
    subsets = torch.from_numpy(numpy.stack([random.permutation(T)[:n] for _ in range(count)]))
    tensor = torch.from_numpy(queries)

    def peer():
        for block in subsets.split(100):
            torch.linalg.matrix_rank(tensor[block])

    times = [(seconds(lambda: attest.sampled_ranks(queries, size=n, count=count)), seconds(peer)) for _ in range(runs)]
    ours, theirs = (statistics.median(t) for t in zip(*times))
    return f"| {T} | {n} | {d} | {count} | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} |"


print("| T | n | d | samples | attest [CPU s] | matrix_rank, binary32 [CPU s] | ratio |")
print("| --- | --- | --- | --- | --- | --- | --- |")
for sizes in ((2000, 32, 64, 5000, 3), (2000, 65, 192, 5000, 3), (2000, 197, 768, 5000, 1), (2000, 512, 768, 5000, 1)):
    print(compare(*sizes), flush=True)
