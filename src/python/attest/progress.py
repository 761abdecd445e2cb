"""Showing how far a long question is."""

import sys


class Shown:
    """One line that is written anew: in a notebook below the cell, in a terminal on standard error, nowhere
    else."""

    def __init__(self, name):
        self._name = name
        self._last = -1.0
        self._display = None
        self._notebook = False
        if "IPython" in sys.modules:
            shell = sys.modules["IPython"].get_ipython()
            self._notebook = shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"

    def __call__(self, seconds, operations):
        if seconds - self._last < 0.5:
            return
        self._last = seconds
        line = f"attest {self._name}: {seconds:.0f} s, {operations:.2g} operations"
        if self._notebook:
            from IPython.display import display

            text = {"text/plain": line}
            if self._display is None:
                self._display = display(text, raw=True, display_id=True)
            else:
                self._display.update(text, raw=True)
        elif sys.stderr is not None and sys.stderr.isatty():
            print("\r" + line, end="", file=sys.stderr, flush=True)

    def end(self):
        if self._last >= 0 and not self._notebook and sys.stderr is not None and sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
