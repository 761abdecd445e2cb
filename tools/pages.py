"""What the programs of this package that write pages share: templates, files, and how they end."""

import argparse
import contextlib
import os
import pathlib
import re
import stat
import sys

from . import InputError, LimitError, __version__

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"


def clean(text):
    """Text without what no page may hold: control characters are blanks, what is no character is U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if c < " " and c not in "\n\t" or c == "\x7f" else "\ufffd" if "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" else c for c in text)


def environment():
    """Jinja2's, in which everything that is printed is escaped. Raises ImportError without it."""
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError as error:
        raise ImportError(f"pages are written with Jinja2, which {sys.executable} does not have ({error}); install Debian's python3-jinja2 for /usr/bin/python3, "
                          "or `pip install jinja2`") from error
    return jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                              finalize=lambda value: clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value)


def in_script(json_text):
    """JSON as the content of a script element, which no text in it can end."""
    from markupsafe import Markup
    return Markup(clean(json_text).replace("<", "\\u003c"))


def require_place(path):
    """Raises InputError unless a result can be written there: a regular file, or none, in a folder that is made when it is missing."""
    path = pathlib.Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            raise InputError(f"{path}: is no regular file, so nothing is written there; another name")
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); a folder that is writable and has room") from None


def program(name, description, what, about, made, encoding, errors="strict"):
    """A command that makes a text of a file, `made(file)` in pieces, and writes it to --out, or to standard output in this encoding."""
    parser = argparse.ArgumentParser(prog=f"python3 -m attest.{name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(what, help=about)
    parser.add_argument("--out", "-o", default="-", help="where to write it (default: standard output)")
    parser.add_argument("--version", action="version", version=f"attest {__version__}")
    environment()
    options = parser.parse_args()
    pieces = made(getattr(options, what))
    if options.out == "-":
        sys.stdout.reconfigure(encoding=encoding, errors=errors, newline="")
        sys.stdout.writelines(pieces)
    else:
        write(options.out, pieces)
    return 0


def write(path, chunks, lasting=True):
    """Writes a text, or its parts one after the other, under a temporary name, which becomes `path` when all is there. `lasting`: also on the disk."""
    require_place(path)
    path = pathlib.Path(path)
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        with contextlib.suppress(FileNotFoundError):
            half.unlink()
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666), "w", encoding="utf-8", errors="replace", newline="") as out:
            out.writelines([chunks] if isinstance(chunks, str) else chunks)
            out.flush()
            if lasting:
                os.fsync(out.fileno())
        os.replace(half, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); a folder that is writable and has room") from None
    finally:
        with contextlib.suppress(OSError):
            half.unlink()


def read(path, most, says):
    """The bytes of a regular file. Raises InputError for what is none, or larger than `most`."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError(f"{path}: is no regular file; {says}")
            if status.st_size > most:
                raise InputError(f"{path}: has {status.st_size} bytes; {says} of at most {most}")
            return file.read(most + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); {says}") from None


def line(text):
    """Text on one line of a terminal, whatever it quotes; nothing in it is a command to a service of continuous integration."""
    text = re.sub(r"(?<!\S):(?=:)", r"\\u003a", re.sub(r"#(?=#[\[a-z])", r"\\u0023", text))
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def ended(main):
    """Runs a program; what is wrong with its input is one line on standard error. Exits with its status."""
    try:
        status = main()
    except (InputError, ImportError) as error:
        print(line(str(error)), file=sys.stderr)
        status = 2
    except (LimitError, MemoryError) as error:
        print(line(str(error) or "out of memory"), file=sys.stderr)
        status = 3
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = _lost()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        status = _lost()
    sys.exit(status)


def _lost():
    """Nobody reads standard output any more, as behind `| head`: nothing is said about it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at the end
    return 2
