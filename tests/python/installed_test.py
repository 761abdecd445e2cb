"""`cmake --install` puts the Python module where Debian's Python looks below the prefix, and it works there.

    installed_test.py BUILD_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()


def install(prefix, destination=""):
    """The folder of the module, relative to the prefix."""
    subprocess.run(["cmake", "--install", str(build), "--prefix", prefix], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": destination})
    (found,) = pathlib.Path(destination + prefix).glob("lib/python3*/dist-packages/attest/__init__.py")
    return found.parents[1].relative_to(destination + prefix)


program = """
import sys
import attest
assert attest.__file__.startswith(sys.argv[1]), attest.__file__
assert "torch" not in sys.modules
result = attest.rank(contexts=[[1, 0], [0, 1]], queries=[[1, 2], [-1, -2], [3, -1], [-3, 1]],
                     key=[[[1], [0]], [[1], [-1]], [[2], [1]]], query=[[[1], [1]], [[0], [1]], [[1], [0]]])
assert (result.lower, result.upper, result.verdict) == (3, 3, "verified"), result
assert "valid" in result.check()
import attest.torch
"""

with tempfile.TemporaryDirectory() as folder:
    for prefix in ("/usr", "/usr/local"):
        assert f"{prefix}/{install(prefix, folder + prefix)}" in sys.path, (prefix, sys.path)
    prefix = folder + "/own"
    where = f"{prefix}/{install(prefix)}"
    subprocess.run([sys.executable, "-c", program, prefix], check=True, cwd="/", env={"PYTHONPATH": where, "PATH": "/usr/bin:/bin"})
