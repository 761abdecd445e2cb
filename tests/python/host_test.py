"""What a host process must not notice: limits, signals, threads, children.

    host_test.py BUILD_FOLDER
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types

from ended import ended
from layers import BUILD, layer, long_layer, slow_question, children, InFolder  # sets the path to attest

import numpy

import attest
from attest.progress import Shown


class Host(InFolder):
    """What happens to the interpreter's process: nothing."""

    def test_limits_are_of_the_question(self):
        limits = {k: resource.getrlimit(getattr(resource, k)) for k in dir(resource) if k.startswith("RLIMIT_")}
        arrays = long_layer()
        self.refused(attest.LimitError, "bytes of memory", attest.rank, **arrays, memory="20M")
        self.refused(attest.LimitError, "the limit is 10 (work=)", attest.rank, **arrays, work=10)
        # What was proved until then is the answer, with its certificate.
        little = attest.saturation(**layer(), work="1M")
        self.assertIn("undecided; 0 <= saturated pairs <= 60 (of 60); at least", repr(little))
        self.assertIn("the limit is 1000000 (work=)", " ".join(repr(little).split()))
        little.save(self.folder / "little")
        self.assertIn("1 valid", attest.check(self.folder / "little/saturation.json", ignore_expectations=True))
        little = attest.rank(**layer(T=400, n=200, d=200), memory="30M")
        self.assertEqual(little.verdict, "undecided")
        self.assertIn("there is not enough memory", little.data["reason"])
        self.assertEqual(attest.rank(**arrays, timeout=0.05).verdict, "undecided")
        self.assertEqual(limits, {k: resource.getrlimit(getattr(resource, k)) for k in limits})
        self.assertEqual(attest.rank(**layer()).lower, 18)

    def test_signals_interrupt_it(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        def send(number):
            while not children():
                time.sleep(0.001)
            os.kill(os.getpid(), number)

        # Programs in the background of a script ignore SIGINT.
        for number, handler, raised in ((signal.SIGALRM, ring, Alarm), (signal.SIGINT, signal.default_int_handler, KeyboardInterrupt)):
            old = signal.signal(number, handler)
            self.addCleanup(signal.signal, number, old)
            sender = threading.Thread(target=send, args=(number,))
            sender.start()
            self.assertRaises(raised, slow_question)
            sender.join()
            self.assertEqual(children(), [])

    def test_questions_need_no_temporary_files(self):
        old = tempfile.tempdir, os.environ.get("TMPDIR")
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.folder / "nowhere")
        try:
            self.assertEqual(attest.rank(**layer(), check=True).lower, 18)
        finally:
            tempfile.tempdir = old[0]
            os.environ.pop("TMPDIR")
            os.environ.update({"TMPDIR": old[1]} if old[1] else {})

    def test_progress(self):
        def of(question, **arguments):
            seen = []
            result = question(**arguments, progress=lambda phase, done, total: seen.append((phase, done, total)))
            for phase in {phase for phase, _, _ in seen} if len(result.claims) == 1 else ():  # each claim begins anew
                counts = [done for own, done, _ in seen if own == phase]
                self.assertEqual(counts, sorted(counts), phase)
            for phase, done, total in seen:
                self.assertTrue(total is None or 0 <= done <= total, (phase, done, total))
            return result, {(phase, total) for phase, _, total in seen}

        # A phase of less than a tenth of a second may go by unseen: of more examples it takes longer.
        def shows(phase, question, arguments, T=400):
            for examples in (T, 2 * T, 4 * T):
                result, seen = of(question, **arguments(examples))
                if (phase, examples) in seen:
                    return result, examples
            self.fail(f"{phase} is not among {seen}")

        some = lambda T: layer(T=T, n=16, d=48, H=8, d_h=8)
        result, T = shows("rows of Z", attest.rank, long_layer, T=1000)
        self.assertEqual(result.lower, T)
        shows("rows of Z", attest.rank, lambda T: {**long_layer(T), "timeout": 1000}, T=1000)  # in a process of the child's
        shows("diagonally dominant matrices", attest.numerical_rank, lambda T: {**some(T), "tolerance": "1/1000", "timeout": 60}, T=384)
        shows("coefficients", attest.saturation, some)
        result, T = shows("outputs", attest.accuracy, lambda T: {**some(T), "labels": numpy.zeros((T, 384)), "epsilon": "100"})
        self.assertEqual(result.lower, T)
        shows("rows of Z", attest.memorizes, lambda T: {**long_layer(T), "labels": numpy.zeros((T, 1))}, T=1000)
        attest.rank(**layer(), progress=True)

    def test_what_progress_raises_ends_the_question(self):
        class Enough(Exception):
            pass

        def stop(phase, done, total):
            raise Enough(phase)

        self.assertRaises(Enough, attest.rank, **long_layer(), progress=stop)
        self.assertRaises(Enough, slow_question, progress=stop)
        self.assertEqual(children(), [])
        self.assertRaises(TypeError, slow_question, progress=lambda: None)

    def test_progress_in_notebooks(self):
        shown = []

        class ZMQInteractiveShell:
            pass

        class Handle:
            def update(self, data, raw):
                shown.append(data["text/plain"])

        def display(data, raw, display_id):
            shown.append(data["text/plain"])
            return Handle()

        notebook, displays = types.ModuleType("IPython"), types.ModuleType("IPython.display")
        notebook.get_ipython, displays.display = ZMQInteractiveShell, display
        sys.modules.update({"IPython": notebook, "IPython.display": displays})
        self.addCleanup(lambda: [sys.modules.pop(name) for name in ("IPython", "IPython.display")])
        clock = iter((0, 0.1, 0.1, 0.2, 0.7, 0.7, 0.7, 1.4, 1.4, 1.4))
        line = Shown("rank", bars=lambda: None, clock=lambda: next(clock))
        line("reading", 0, None)
        for done in (1, 2, 3):
            line("rows of Z", done, 9)
        line.end()
        self.assertEqual(shown, ["attest rank: 0 s, reading", "attest rank: 1 s, rows of Z 2 of 9", "attest rank: 1 s, rows of Z 3 of 9"])

        bars = []

        class Bar:
            def __init__(self, total, desc, leave):
                self.n, self.total, self.open = 0, total, True
                bars.append((desc, total, self))

            def update(self, more):
                self.n += more

            def close(self):
                self.open = False

        line = Shown("rank", bars=lambda: Bar)
        line("reading", 0, None)
        line("rows of Z", 4, 9)
        line("rows of Z", 9, 9)
        line.end()
        self.assertEqual([(desc, total, bar.n, bar.open) for desc, total, bar in bars], [("attest rank: reading", None, 0, False), ("attest rank: rows of Z", 9, 9, False)])

    def test_other_threads_run(self):
        ticks = [0]
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks[0] += 1
                time.sleep(0.001)

        class Enough(Exception):
            pass

        last = [None]

        def progress(*_):
            # Between two calls nothing of this thread's runs but the extension.
            if last[0] is not None and ticks[0] - last[0] > 10:
                raise Enough
            last[0] = ticks[0]

        thread = threading.Thread(target=tick)
        thread.start()
        try:
            self.assertRaises(Enough, slow_question, progress=progress, timeout=60)
        finally:
            stop.set()
            thread.join()

    def test_two_questions_at_once(self):
        ranks = {}
        threads = [threading.Thread(target=lambda H=H: ranks.__setitem__(H, attest.rank(**layer(H=H)).lower)) for H in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ranks, {1: 6, 2: 12, 3: 18})

    def test_a_child_that_dies_is_an_error(self):
        def kill(*_):
            for pid in children():
                os.kill(pid, signal.SIGKILL)

        self.refused(RuntimeError, "its process was ended by signal 9", slow_question, progress=kill)

    def test_hosts_that_ignore_or_reap_children(self):
        old = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGCHLD, old)
        self.assertEqual(attest.rank(**layer()).lower, 18)
        self.assertEqual(signal.getsignal(signal.SIGCHLD), signal.SIG_IGN)

    def test_output_of_the_host_is_not_repeated(self):
        code = "import sys; sys.path[:0] = sys.argv[1:]; import ctypes, attest; c = ctypes.CDLL(None); c.printf(b'once\\n'); attest.rank(contexts=[[1, 2], [3, 4]], queries=[[1, 2]], key=[[[1], [2]]], query=[[[1], [2]]], timeout=60); print('end')"
        done = subprocess.run([sys.executable, "-c", code, *sys.path[:1]], capture_output=True, text=True)
        self.assertEqual((done.stdout.count("once"), done.stdout.count("end"), done.stderr), (1, 1, ""))

    def test_without_the_compiled_half_it_says_what_to_do(self):
        """As after a build of the programs alone, or for another Python."""
        copy = self.folder / "attest"
        copy.mkdir()
        for source in (BUILD / "python" / "attest").glob("*.py"):
            (copy / source.name).write_bytes(source.read_bytes())
        done = subprocess.run([sys.executable, "-c", "import attest"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1], "^ImportError: attest: the library .*libattest.so cannot be loaded .*cmake --build build --target attest_python")

    def test_without_numpy(self):
        """Lists, buffers and files do; what needs numpy says so."""
        code = """
import array, sys
sys.modules["numpy"] = None
sys.path[:0] = sys.argv[1:]
import attest
rank = attest.rank(contexts=[[[2**60 + 1, 1.0]], [[2**60, 1.0]]], queries=memoryview(array.array("d", [1, 0, 0, 1])).cast("B").cast("d", (2, 2)), key=[[[1], [0]]], query=[[[1], [1]]], check=True)
assert rank == 2 and "valid" in rank.check()
try:
    attest.rank(contexts=object(), queries=[[1]])
except attest.InputError as error:
    print(error)
"""
        done = subprocess.run([sys.executable, "-c", code, *sys.path[:1]], capture_output=True, text=True)
        self.assertRegex(done.stdout + done.stderr, "^contexts: cannot be read as an array .*, as .*python3.* has no numpy; give nested lists\n$")

    def test_from_other_threads_and_after_forks(self):
        """A child of the host's own can ask too, and a thread that ends does not end the questions of others."""
        pid = os.fork()
        if pid == 0:
            os._exit(0 if attest.rank(**layer()).lower == 18 else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_large_environments(self):
        """Numbers of GMP elsewhere in the process are left alone."""
        gmp = ctypes.CDLL("libgmp.so.10")
        get = getattr(gmp, "__gmp_get_memory_functions")
        before, after = ([ctypes.c_void_p() for _ in range(3)] for _ in range(2))
        get(*map(ctypes.byref, before))
        attest.rank(**layer())
        get(*map(ctypes.byref, after))
        self.assertEqual([p.value for p in before], [p.value for p in after])


if __name__ == "__main__":
    ended()
