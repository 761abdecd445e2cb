"""Wheels: `pip install .` without a network, the wheel of scripts/wheel in other Pythons and without numpy, and `import attest` in the folder
of the sources after scripts/verify.

    wheel_test.py BUILD_FOLDER
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from ended import ended

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "packaging"))
import wheel_backend

RANK = """
import sys
import attest
result = attest.rank(contexts=[[1, 0], [0, 1]], queries=[[1, 2], [-1, -2], [3, -1], [-3, 1]],
                     key=[[[1], [0]], [[1], [-1]], [[2], [1]]], query=[[[1], [1]], [[0], [1]], [[1], [0]]], check=True)
assert result == 3 and "valid" in result.check()
print(attest.__file__, attest.__version__, "numpy" in sys.modules)
"""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1", "HOME": "/nonexistent"}


def run(*command, cwd="/", check=True, **more):
    return subprocess.run([str(part) for part in command], check=check, capture_output=True, text=True, cwd=cwd, env={**ENVIRONMENT, **more})


def other_pythons():
    """The oldest Python from 3.9 on that is not Debian's and has pip, and the newest."""
    found = {}
    for program in [*pathlib.Path.home().glob(".pyenv/versions/*/bin/python3"), *pathlib.Path("/usr/local/bin").glob("python3.*[0-9]"), *pathlib.Path("/opt").glob("*/bin/python3")]:
        said = run(program, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])", check=False).stdout.split()
        if said and (3, 9) <= (int(said[0]), int(said[1])):
            found.setdefault((int(said[0]), int(said[1])), program)
    return [found[version] for version in sorted({min(found), max(found)})] if found else []


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-wheel-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def installed(self, python, wheel, name):
        venv = self.folder / name
        run(python, "-m", "venv", venv)
        run(venv / "bin/pip", "install", wheel)
        return venv

    def uses(self, venv):
        """What a user does with it."""
        file, version, numpy = run(venv / "bin/python", "-c", RANK).stdout.split()
        self.assertTrue(file.startswith(str(venv)), file)
        for program in ("attest", "attest-check"):
            self.assertIn(version, run(venv / "bin" / program, "--version").stdout)
        usr = pathlib.Path(file).parent / "usr"
        run(venv / "bin/attest", "verify", usr / "share/attest/cases/lemma-1", "--out", self.folder / "certificates")
        run(venv / "bin/attest-check", *sorted((self.folder / "certificates").rglob("*.json")))
        self.assertIn("$schema", (usr / "share/attest/schema/certificate.schema.json").read_text())
        self.assertTrue((usr / "lib/attest/normalize_case.py").exists())
        refused = run(venv / "bin/python", "-c", "import attest; attest.rank(contexts=[[1, 2], [3]], queries=[[1]])", check=False).stderr
        self.assertIn("InputError: contexts: index [1]: is a row of 1, and [0] is a row of 2", refused)
        return numpy == "True"


class FromSources(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.venv = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "venv"
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", cls.venv)

    def test_pip_install(self):
        venv = self.venv
        run(venv / "bin/pip", "install", "--config-settings", f"build={BUILD}", SOURCE)
        self.uses(venv)
        listed = run(venv / "bin/pip", "show", "--files", "attest").stdout
        self.assertIn(f"Version: {wheel_backend.VERSION}", listed)
        for file in (SOURCE / "src/python/attest").iterdir():
            if file.name != "__pycache__":
                self.assertIn(f"attest/{file.name}", listed)
        self.assertIn("attest/__init__.pyi", listed)
        run(venv / "bin/pip", "uninstall", "--yes", "attest")
        self.assertEqual(list(venv.glob("lib/python3*/site-packages/attest*")) + list(venv.glob("bin/attest*")), [])

    def test_what_is_missing_is_said(self):
        (self.folder / "bin").mkdir()
        ended = run(self.venv / "bin/pip", "install", SOURCE, check=False, PATH=str(self.folder / "bin"))
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("there is no cmake and no ninja and no C++ compiler. attest is compiled here, from its sources", " ".join((ended.stdout + ended.stderr).split()))
        ended = run(self.venv / "bin/pip", "install", "--config-settings", f"build={self.folder}", SOURCE, check=False)  # no build
        self.assertIn("scripts/install installs them, as root. Without root: install a wheel that scripts/wheel has made", " ".join((ended.stdout + ended.stderr).split()))

    def test_the_same_wheel_again(self):
        made = []
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            made.append((self.folder / name / wheel_backend.build_wheel(self.folder / name, {"build": BUILD})).read_bytes())
        self.assertEqual(made[0], made[1])

    def test_in_the_folder_of_the_sources(self):
        # -S: without what is installed on this machine, which goes before what was built.
        if BUILD == SOURCE / "build":
            self.assertIn(str(BUILD / "python"), run("/usr/bin/python3", "-S", "-c", RANK, cwd=SOURCE).stdout)
        # Where nothing is built, it says what to do.
        shutil.copy(SOURCE / "attest.py", self.folder)
        ended = run("/usr/bin/python3", "-S", "-c", "import attest", cwd=self.folder, check=False)
        self.assertRegex(ended.stderr, "ImportError: attest: the module is not built; scripts/verify")
        # What is installed goes before what was built.
        (self.folder / "elsewhere/attest").mkdir(parents=True)
        (self.folder / "elsewhere/attest/__init__.py").write_text("here = 1")
        program = "import sys; sys.path.append('elsewhere'); import attest; print(attest.here)"
        self.assertEqual(run("/usr/bin/python3", "-S", "-c", program, cwd=self.folder).stdout, "1\n")


class Portable(InFolder):
    def stands_alone(self, venv, glibc):
        """All that its programs and libraries load is in it or of every system, and no symbol is newer than its name says."""
        objects = wheel_backend.objects(next(venv.glob("lib/python3*/site-packages/attest")))
        self.assertGreater(len(objects), 8)
        self.assertLessEqual(wheel_backend.oldest(objects, "GLIBC"), glibc)
        for file in objects:
            loads = {name: path for name, path in re.findall(r"^\t(\S+)(?: => (.*))? \(0x", run("ldd", file).stdout, re.M)}
            self.assertGreater(len(loads), 1, file)
            for name, path in loads.items():
                name = pathlib.Path(name).name
                self.assertTrue(path.startswith(str(venv)) if re.search("-[0-9a-f]{8}", name) else name.startswith("linux-vdso") or name == wheel_backend.OPENED or wheel_backend.OF_THE_SYSTEM.match(name), f"{file}: {name}: {path}")
            self.assertNotIn(str(BUILD).encode(), file.read_bytes(), file)
        usr = next(venv.glob("lib/python3*/site-packages/attest/usr"))
        said = subprocess.run([usr / "bin/attest", "verify", usr / "share/attest/cases/rank/opposite-queries.toml", "--out", self.folder / "opened"],
                              env={"LD_DEBUG": "files"}, capture_output=True, text=True, check=True).stderr
        opened = re.findall(rf"calling init: (\S+/{wheel_backend.OPENED})$", said, re.M)
        self.assertEqual([pathlib.Path(file).resolve() for file in opened], [(usr / "lib" / wheel_backend.OPENED).resolve()])

    def test_the_wheel_of_scripts_wheel(self):
        wheel, said = wheel_backend.build_portable_wheel(self.folder / "dist", BUILD)
        self.assertLess(wheel.stat().st_size, 41e6)
        tag = re.fullmatch(r"attest-[\d.]+-py3-none-manylinux_(\d+)_(\d+)_\w+\.whl", wheel.name)
        for k, python in enumerate(["/usr/bin/python3", *other_pythons()]):
            venv = self.installed(python, wheel, f"venv{k}")
            if k == 0:
                self.stands_alone(venv, (int(tag[1]), int(tag[2])))
            self.assertFalse(self.uses(venv), "numpy is not needed")
            without = "import array, attest; print(attest.sampled_ranks([array.array('d', [1, 2]), [2, '4']], size=2, count=1).dependent)"
            self.assertEqual(run(venv / "bin/python", "-c", without).stdout, "1\n")
            shutil.rmtree(venv)


if __name__ == "__main__":
    ended()
