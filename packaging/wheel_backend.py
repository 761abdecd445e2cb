"""Builds a wheel with CMake for the Python that runs this: a backend of PEP 517. --config-settings build=FOLDER takes a folder that
CMake has configured for this Python already."""
import base64
import csv
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"^project\(attest VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
NAME = f"attest-{VERSION}"
PYTHON = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TAG = f"{PYTHON}-{PYTHON}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
METADATA = f"""Metadata-Version: 2.1
Name: attest
Version: {VERSION}
Summary: Exact proofs about the memorization capacity of multi-head attention
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
"""


def _built(folder):
    """The folder of a build for this Python."""
    if folder is None:
        folder = ROOT / "build" / f"wheel-{TAG}"
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DATTEST_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    folder = pathlib.Path(folder)
    subprocess.run(["cmake", "--build", folder, "--target", "attest", "attest-check", "attest_python"], check=True)
    return folder


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip builds the wheel, in minutes, before it says that numpy is not to be had."""
    folder = pathlib.Path(metadata_directory) / f"{NAME}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA)
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = _built((config_settings or {}).get("build"))
    module = build / "python" / "attest" / f"_attest{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists():
        raise SystemExit(f"there is no {module}: it needs pybind11-dev and the headers of this Python (python3-dev)")
    files = {f"attest/{file.name}": file for file in [*sorted(module.parent.glob("*.py")), module]}
    files |= {f"{NAME}.data/scripts/{name}": build / name for name in ("attest", "attest-check")}
    contents = {name: (file.read_bytes(), file.stat().st_mode & 0o777) for name, file in files.items()}
    texts = {"METADATA": METADATA, "WHEEL": f"Wheel-Version: 1.0\nGenerator: attest\nRoot-Is-Purelib: false\nTag: {TAG}\n", "LICENSE": (ROOT / "LICENSE").read_text()}
    contents |= {f"{NAME}.dist-info/{name}": (text.encode(), 0o644) for name, text in texts.items()}
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    for name, (data, _) in contents.items():
        lines.writerow([name, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data)])
    lines.writerow([f"{NAME}.dist-info/RECORD", "", ""])
    contents[f"{NAME}.dist-info/RECORD"] = (record.getvalue().encode(), 0o644)
    wheel = f"{NAME}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, (data, mode) in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            out.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """What git has."""
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{NAME}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as out:
        for file in filter(None, files):
            out.add(ROOT / file, f"{NAME}/{file}", recursive=False)
        entry = tarfile.TarInfo(f"{NAME}/PKG-INFO")
        entry.size = len(METADATA)
        out.addfile(entry, io.BytesIO(METADATA.encode()))
    return f"{NAME}.tar.gz"
