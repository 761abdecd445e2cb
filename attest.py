"""`import attest` in this folder: the module that is installed, or that scripts/verify has built."""
import importlib.machinery
import importlib.util
import pathlib
import sys

_here = pathlib.Path(__file__).resolve().parent
_elsewhere = [path for path in sys.path if pathlib.Path(path or ".").resolve() != _here]
_found = importlib.machinery.PathFinder.find_spec("attest", [*_elsewhere, str(_here / "build/python")])
if _found is None or _found.loader is None:
    raise ImportError("attest: the module is not built; scripts/verify builds it in build/python, where it is found from this folder, or from others with "
                      f"PYTHONPATH={_here}/build/python; `pip install .` builds and installs it")
sys.modules["attest"] = importlib.util.module_from_spec(_found)
_found.loader.exec_module(sys.modules["attest"])
