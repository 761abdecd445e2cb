"""Processor time of attest and of attest-check on its certificate, in turn; for the benchmarks that compare the two."""
import argparse
import pathlib
import resource
import statistics
import subprocess


def options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, run.stdout


def prove_and_check(arguments, prover, certificate):
    """The last columns of a row, medians on one core, and what the prover prints. The options of `prover` are those of attest."""
    prover = [arguments.build / "attest", *prover, "--jobs=1"]
    checker = [arguments.build / "attest-check", "--quiet", "--jobs=1", "--ignore-expectations", certificate]
    runs = [(cpu_seconds(prover), cpu_seconds(checker)[0]) for _ in range(arguments.runs)]
    proved, checked = statistics.median(run[0][0] for run in runs), statistics.median(run[1] for run in runs)
    return f"{proved:.2f} | {checked:.2f} | {checked / proved:.2f} |", runs[-1][0][1]
