"""`cmake --install` puts the Python module where Debian's Python looks below the prefix, and it works there.

    installed_test.py BUILD_FOLDER
"""

import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
folder = re.search(r"^ATTEST_PYTHON_FOLDER:STRING=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
assert any(f"{prefix}/{folder}" in sys.path for prefix in ("/usr", "/usr/local")), (folder, sys.path)

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

with tempfile.TemporaryDirectory() as prefix:
    subprocess.run(["cmake", "--install", str(build), "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, "-c", program, prefix], check=True, cwd="/", env={"PYTHONPATH": f"{prefix}/{folder}", "PATH": "/usr/bin:/bin"})
