"""Builds wheels with CMake, of one library for every Python: a backend of PEP 517, for pip install . --config-settings build=FOLDER takes a
folder that CMake has configured already. Such a wheel uses the libraries of the machine; `bundle` puts them into one that runs elsewhere
(scripts/wheel)."""
import base64
import csv
import ctypes
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"^project\(attest VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
NAME = f"attest-{VERSION}"
METADATA = f"""Metadata-Version: 2.1
Name: attest
Version: {VERSION}
Summary: Exact proofs about the memorization capacity of multi-head attention
License: Apache-2.0
Requires-Python: >=3.9
"""
ENTRY_POINTS = "[console_scripts]\nattest = attest_programs:attest\nattest-check = attest_programs:attest_check\n"
# What a Linux with this glibc has (PEP 600). A second libstdc++ in a process would not get on with that of torch.
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so\.\d+$")

OPENED = "libopenblas.so.0"  # by search/arithmetic/openblas.cpp, under this name, when it is first needed


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def _built(folder):
    """The folder of a build."""
    what = ("attest is compiled here, from its sources; this needs a C++20 compiler, cmake, ninja, and FLINT, GMP, MPFR, BLIS, OpenBLAS, fflas-ffpack, Givaro, toml++, nlohmann-json, CLI11, "
            "OpenSSL and zlib with their headers. On Debian scripts/install installs them, as root. Without root: install a wheel that scripts/wheel has made elsewhere, which needs none of them")
    missing = [f"no {name}" for name, programs in (("cmake", ["cmake"]), ("ninja", ["ninja"]), ("C++ compiler", ["c++", "g++", "clang++"])) if not any(map(shutil.which, programs))]
    if missing:
        raise SystemExit(f"there is {' and '.join(missing)}. {what}")
    try:
        if folder is None:
            folder = ROOT / "build" / "wheel"
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DATTEST_TESTS=OFF"], check=True)
        folder = pathlib.Path(folder)
        subprocess.run(["cmake", "--build", folder, "--target", "attest", "attest-check", "attest_python"], check=True)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error}. {what}") from None
    return folder


def installed(build, folder):
    """What the wheel holds, below `folder`: attest/, the module, and attest/usr, the programs with all that they look for."""
    run("cmake", "--install", build, "--strip", "--component", "attest", "--prefix", folder / "all")
    usr = folder / "attest/usr"
    for part in ("bin", "lib", "share/attest"):
        shutil.copytree(folder / "all" / part, usr / part)
    shutil.rmtree(folder / "all")
    for program in usr.glob("lib/attest/attest-check-proved"):
        run("strip", program)
    for file in (build / "python/attest").iterdir():
        if file.suffix in (".py", ".pyi", ".typed") or file.name == "libattest.so":
            shutil.copy(file, folder / "attest")
    shutil.copytree(build / "python/attest/templates", folder / "attest/templates")
    run("strip", "--strip-unneeded", folder / "attest/libattest.so")
    shutil.copy(ROOT / "packaging/attest_programs.py", folder)


def objects(folder):
    """The programs and libraries below a folder that use shared libraries."""
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.is_symlink() and file.read_bytes()[:4] == b"\x7fELF"
            and "(NEEDED)" in run("readelf", "-d", file)]


def opened():
    """The file of the library that programs open."""
    ctypes.CDLL(OPENED)
    return next(pathlib.Path(line.split()[-1]) for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "openblas" in line)


def bundle(usr, objects):
    """Copies the libraries that `objects` load into usr/lib, under names that no other program's library has but for that which is
    opened by its name, and makes all of them look there."""
    origin = {OPENED: opened()}
    for file in [*objects, origin[OPENED]]:
        for line in run("ldd", file).splitlines():
            name, _, path = line.partition(" => ")
            path = path.split(" (")[0].strip()
            if path == "not found":
                raise SystemExit(f"{file} needs {name.strip()}, which is not installed")
            if path and not OF_THE_SYSTEM.match(name.strip()):
                origin[name.strip()] = pathlib.Path(path).resolve()
    names = {}
    for name, path in origin.items():
        content = path.read_bytes()
        stem, dot, rest = name.partition(".so")
        names[name] = name if name == OPENED else f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}{dot}{rest}"
        (usr / "lib" / names[name]).write_bytes(content)
    libraries = [usr / "lib" / name for name in names.values()]
    for library, name in zip(libraries, names.values()):
        library.chmod(0o755)
        run("patchelf", "--set-soname", name, library)
    for file in [*objects, *libraries]:
        needed = run("patchelf", "--print-needed", file).split()
        renamed = [part for name in needed if name in names for part in ("--replace-needed", name, names[name])]
        way = os.path.relpath(usr / "lib", file.parent)  # within usr, which the tarball has under another name
        # One thing at a time: patchelf 0.14 mixes them up.
        if renamed:
            run("patchelf", *renamed, file)
        run("patchelf", "--set-rpath", f"$ORIGIN/{way}".rstrip("/."), file)
    return libraries


def oldest(objects, library):
    """The oldest "GLIBC" or "GLIBCXX" that has all symbols that these take from it: (2, 34) when none is newer."""
    return max(tuple(map(int, version.split("."))) for file in objects for version in re.findall(rf"\b{library}_([\d.]+)", run("readelf", "--version-info", "--wide", file)))


def pack(folder, tag, out):
    """The wheel of what lies below a folder; the same bytes of the same files."""
    contents = {str(file.relative_to(folder)): (file.read_bytes(), 0o755 if file.stat().st_mode & 0o100 else 0o644) for file in sorted(folder.rglob("*")) if file.is_file()}
    texts = {"METADATA": METADATA, "WHEEL": f"Wheel-Version: 1.0\nGenerator: attest\nRoot-Is-Purelib: false\nTag: {tag}\n", "entry_points.txt": ENTRY_POINTS, "LICENSE": (ROOT / "LICENSE").read_text(),
             "copyright": (ROOT / "packaging/copyright").read_text()}
    contents |= {f"{NAME}.dist-info/{name}": (text.encode(), 0o644) for name, text in texts.items()}
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    for name, (data, _) in contents.items():
        lines.writerow([name, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data)])
    lines.writerow([f"{NAME}.dist-info/RECORD", "", ""])
    contents[f"{NAME}.dist-info/RECORD"] = (record.getvalue().encode(), 0o644)
    wheel = f"{NAME}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(out) / wheel, "w") as archive:
        for name, (data, mode) in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / f"{NAME}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA)
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = _built((config_settings or {}).get("build"))
    with tempfile.TemporaryDirectory() as folder:
        installed(build, pathlib.Path(folder))
        return pack(pathlib.Path(folder), f"py3-none-linux_{platform.machine()}", wheel_directory)


def build_portable_wheel(out, build=None):
    """What scripts/wheel makes: the wheel, and the lines that say what it needs."""
    if not shutil.which("patchelf"):
        raise SystemExit("there is no patchelf, which makes programs look for their libraries beside them: apt-get install patchelf")
    build = _built(build)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        installed(build, folder)
        own = objects(folder)
        libraries = bundle(folder / "attest/usr", own)
        needs = " and ".join(f"{name}_{'.'.join(map(str, oldest([*own, *libraries], name)))}" for name in ("GLIBC", "GLIBCXX"))
        glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[1]  # of this machine, where it is tested
        wheel = out / pack(folder, f"py3-none-manylinux_{glibc.replace('.', '_')}_{platform.machine()}", out)
    return wheel, [f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB, for Python 3.9 and newer on Linux ({platform.machine()}) with glibc {glibc} or newer; the newest symbols that it needs are of {needs}",
                   f"{len(libraries)} libraries inside: {', '.join(sorted(re.sub('-[0-9a-f]{8}.so', '.so', library.name) for library in libraries))}"]


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
