"""`pip install .` without a network, and `import attest` in the folder of the sources after scripts/verify.

    wheel_test.py BUILD_FOLDER
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
RANK = """
import attest
result = attest.rank(contexts=[[1, 0], [0, 1]], queries=[[1, 2], [-1, -2], [3, -1], [-3, 1]],
                     key=[[[1], [0]], [[1], [-1]], [[2], [1]]], query=[[[1], [1]], [[0], [1]], [[1], [0]]], check=True)
assert result.lower == result.upper == 3
print(attest.__file__, attest.__version__)
"""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"}


def run(*command, cwd="/", check=True):
    return subprocess.run([str(part) for part in command], check=check, capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT)


class Wheel(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-wheel-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def test_pip_install(self):
        venv = self.folder / "venv"
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", venv)
        run(venv / "bin/pip", "install", "--config-settings", f"build={BUILD}", SOURCE)
        file, version = run(venv / "bin/python", "-c", RANK).stdout.split()
        self.assertTrue(file.startswith(str(venv)), file)
        for program in ("attest", "attest-check"):
            self.assertIn(version, run(venv / "bin" / program, "--version").stdout)
        listed = run(venv / "bin/pip", "show", "--files", "attest").stdout
        self.assertIn(f"Version: {version}", listed)
        self.assertIn("Requires: numpy", listed)
        for file in (SOURCE / "src/python/attest").glob("*.py"):
            self.assertIn(f"attest/{file.name}", listed)
        run(venv / "bin/pip", "uninstall", "--yes", "attest")
        self.assertEqual(list(venv.glob("lib/python3*/site-packages/attest*")) + list(venv.glob("bin/attest*")), [])

    def test_without_numpy_nothing_is_built(self):
        run("/usr/bin/python3", "-m", "venv", self.folder / "venv")
        ended = run(self.folder / "venv/bin/pip", "install", "--config-settings", f"build={self.folder}", SOURCE, check=False)
        self.assertIn("No matching distribution found for numpy", ended.stderr)
        self.assertNotIn("CMake", ended.stdout + ended.stderr)  # which would say that there is no build in the folder

    def test_the_same_wheel_again(self):
        program = "import sys; sys.path.insert(0, sys.argv[1]); import wheel_backend; print(wheel_backend.build_wheel(sys.argv[2], {'build': sys.argv[3]}))"
        made = []
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            wheel = run("/usr/bin/python3", "-c", program, SOURCE / "packaging", self.folder / name, BUILD).stdout.split()[-1]
            made.append((self.folder / name / wheel).read_bytes())
        self.assertEqual(made[0], made[1])

    def test_in_the_folder_of_the_sources(self):
        if BUILD == SOURCE / "build":
            self.assertIn(str(BUILD / "python"), run("/usr/bin/python3", "-c", RANK, cwd=SOURCE).stdout)
        # Where nothing is built, it says what to do.
        shutil.copy(SOURCE / "attest.py", self.folder)
        ended = run("/usr/bin/python3", "-c", "import attest", cwd=self.folder, check=False)
        self.assertRegex(ended.stderr, "ImportError: attest: the module is not built; scripts/verify")
        # What is installed goes before what was built.
        (self.folder / "elsewhere/attest").mkdir(parents=True)
        (self.folder / "elsewhere/attest/__init__.py").write_text("here = 1")
        program = "import sys; sys.path.append('elsewhere'); import attest; print(attest.here)"
        self.assertEqual(run("/usr/bin/python3", "-c", program, cwd=self.folder).stdout, "1\n")
        # Without numpy: it says whose.
        shutil.copytree(BUILD / "python/attest", self.folder / "bare/attest")
        ended = run("/usr/bin/python3", "-S", "-c", "import sys; sys.path.insert(0, 'bare'); import attest", cwd=self.folder, check=False)
        self.assertIn("attest needs numpy, which /usr/bin/python3 does not have", ended.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
