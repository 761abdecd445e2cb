"""Runs the programs `attest` and `attest-check` that lie in the wheel, without importing the module."""
import os
import sys


def _run(program):
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attest", "usr", "bin", program)
    os.execv(file, [file, *sys.argv[1:]])


def attest():
    _run("attest")


def attest_check():
    _run("attest-check")
