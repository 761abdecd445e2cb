"""Showing how far a long question is."""

import sys
import time
import warnings


def _in_notebook():
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def _bars():
    """tqdm's class of progress bars for this place, which takes ipywidgets where they are; None without tqdm."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
        return tqdm
    except ImportError:
        return None


class Shown:
    """A bar for each phase by tqdm, or without it a line that is written anew: in a notebook below the cell, in a
    terminal on standard error, nowhere else."""

    def __init__(self, name, bars=_bars, clock=time.monotonic):
        self._name, self._clock, self._start = name, clock, clock()
        self._last = None
        self._display = None
        self._bar, self._phase = None, None
        self._notebook = _in_notebook()
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._bars = bars() if self._notebook or self._terminal else None

    def __call__(self, phase, done, total):
        if not self._notebook and not self._terminal:
            return
        if self._bars is not None:
            self._show_bar(phase, done, total)
        elif self._last is None or self._clock() - self._last >= 0.5:
            self._last = self._clock()
            self._show_line(phase, done, total)

    def _show_bar(self, phase, done, total):
        if phase != self._phase:
            self.end()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of notebooks without ipywidgets
                self._bar = self._bars(total=total, desc=f"attest {self._name}: {phase}", leave=False)
            self._phase = phase
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def _show_line(self, phase, done, total):
        line = f"attest {self._name}: {self._clock() - self._start:.0f} s"
        if phase:
            line += f", {phase}"
        if total:
            line += f" {done} of {total}"
        if self._notebook:
            from IPython.display import display

            text = {"text/plain": line}
            if self._display is None:
                self._display = display(text, raw=True, display_id=True)
            else:
                self._display.update(text, raw=True)
        else:
            print("\r\033[K" + line, end="", file=sys.stderr, flush=True)

    def end(self):
        if self._bar is not None:
            self._bar.close()
            self._bar, self._phase = None, None
        elif self._last is not None and self._terminal and not self._notebook:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
