"""How a program of tests ends."""

import sys
import unittest


def ended():
    """Runs the tests of the program, and ends it; its last line counts them."""
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
