#!/usr/bin/env python3
"""Writes manual pages and completion for bash, zsh and fish from what the programs say to --help: manual.py ATTEST ATTEST_CHECK OUT [--changelog CHANGELOG.md --version V].

OUT gets man1/*.1.gz and, in share, the completions; with --changelog also changelog.gz, in Debian's format. The same input gives the same bytes."""
import argparse
import email.utils
import gzip
import os
import pathlib
import re
import subprocess
import textwrap

COLUMN = " " * 30  # where descriptions begin
HEADINGS = {"Positionals:": "ARGUMENTS", "Options:": "OPTIONS", "Subcommands:": "COMMANDS"}


class Help:
    """What a program says to --help: description, usage, footer, and per heading (left column, description)."""

    def __init__(self, *command):
        text = subprocess.run([*command, "--help"], check=True, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8"}).stdout
        self.says, self.usage, self.footer, self.parts = "", "", "", {}
        heading, lines = None, text.splitlines()
        for line, after in zip(lines, lines[1:] + [""]):
            if line.startswith("Usage: "):
                self.usage = line.removeprefix("Usage: ")
            elif re.fullmatch(r"[A-Z][A-Za-z ,-]*:", line):
                heading = line
                self.parts[heading] = []
            elif heading and line.startswith(COLUMN):
                says = self.parts[heading][-1]
                says[1] += (" " if says[1] else "") + line.strip()
            elif heading and line.startswith("  "):
                # A left column that is too long has its description on the next line.
                long = after.startswith(COLUMN) and line[len(COLUMN) - 1:len(COLUMN)] != " "
                left, right = (line, "") if long else (line[:len(COLUMN)], line[len(COLUMN):])
                self.parts[heading].append([left.strip(), right.strip()])
            elif line and not self.usage:
                self.says += (" " if self.says else "") + line
            elif line:
                self.footer += (" " if self.footer else "") + line
        assert self.usage and "Options:" in self.parts, text

    def options(self):
        """Of each option: its names, the words that it takes (None: no value; []: any), and what it is for."""
        found = []
        for heading, entries in self.parts.items():
            for left, says in entries if heading not in ("Positionals:", "Subcommands:") else ():
                names, _, rest = left.partition(" ")
                words = re.search(r"\{([^}]*)\}", rest)
                takes = None if not rest or re.match(r"(Needs|Excludes):", rest) else words.group(1).split(",") if words else []
                found.append((names.split(","), takes, says))
        return found

    def names(self):
        """All names of options, for a shell."""
        return " ".join(name for names, _, _ in self.options() for name in names)

    def first_words(self):
        """The words among which the first argument is, when there are such."""
        for left, _ in self.parts.get("Positionals:", []):
            words = re.search(r"\{([^}]*)\}", left)
            if words:
                return words.group(1).split(",")
        return []


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def page(name, short, about, version, more=()):
    out = [f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "" "attest {version}" "User Commands"', ".SH NAME", roff(f"{name} ") + "\\- " + roff(short.rstrip(".")),
           ".SH SYNOPSIS", ".B " + roff(about.usage)]
    out += [".SH DESCRIPTION", roff(about.says[:1].upper() + about.says[1:].rstrip(".") + ".")]
    for heading, entries in about.parts.items():
        out.append(".SH " + HEADINGS.get(heading, heading[:-1].upper()))
        for left, right in entries:
            bold, _, rest = left.partition(" ")
            out += [".TP", ("\\fB" + roff(bold) + "\\fR " + roff(rest)).strip(), roff(right) or "\\&"]
    out += [".SH EXIT STATUS", roff(about.footer.removeprefix("Exit status: "))] if about.footer.startswith("Exit status: ") else []
    for heading, text in more:
        out += [".SH " + heading, roff(text)]
    return "\n".join(out) + "\n"


def write(file, text, compress=False):
    file.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    file.write_bytes(gzip.compress(data, 9, mtime=0) if compress else data)


def bash(attest, commands, check):
    """Commands first, then the options of the command, the words that an option or argument takes, or files."""
    lines = ["# bash completion for attest and attest-check", "_attest_reply() {",
             '  # $1: options, $2: words of the first argument',
             '  case "$cur" in -*) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur") ;;',
             '    *) [ -z "$2" ] || mapfile -t COMPREPLY < <(compgen -W "$2" -- "$cur") ;;', "  esac", "}",
             "_attest() {", '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=""', "  COMPREPLY=()",
             '  if [ "${COMP_WORDS[0]##*/}" = attest-check ]; then command=attest-check; elif [ "$COMP_CWORD" -gt 1 ]; then command=${COMP_WORDS[1]}; fi',
             '  case "$command $prev" in']
    for name, about in [*commands.items(), ("attest-check", check)]:
        free = []
        for option, words in ((option, takes) for names, takes, _ in about.options() for option in names):
            if words:
                lines.append(f'    "{name} {option}") mapfile -t COMPREPLY < <(compgen -W "{" ".join(words)}" -- "$cur"); return ;;')
            elif words == []:
                free.append(f'"{name} {option}"')
        if free:
            lines.append("    " + "|".join(free) + ") return ;;")
    lines += ["  esac", '  case "$command" in', f'    "") _attest_reply "{attest.names()}" "{" ".join(commands)}" ;;']
    for name, about in [*commands.items(), ("attest-check", check)]:
        lines.append(f'    {name}) _attest_reply "{about.names()}" "{" ".join(about.first_words())}" ;;')
    lines += ["  esac", "}", "complete -o default -F _attest attest attest-check", ""]
    return "\n".join(lines)


def zsh(says, attest, commands, check):
    """The same, with what each is for."""
    def quoted(text):
        return "'" + text.replace("'", "'\\''") + "'"

    def words_of(about):
        specifications = []
        for names, takes, for_what in about.options():
            for_what = re.sub(r"([\\:\[\]])", r"\\\1", for_what)
            value = "" if takes is None else f":value:({' '.join(takes)})" if takes else ":value:_files"
            specifications += [quoted(f"{name}[{for_what}]{value}") for name in names]
        first = about.first_words()
        return " ".join(["_arguments", *specifications, *([f"'1:word:({' '.join(first)})'"] if first else []), "'*:file:_files'"])

    lines = ["#compdef attest attest-check", "_attest() {", "  local command=$words[2]", "  if [[ $service == attest-check ]]; then", "    command=attest-check",
             "  elif (( CURRENT == 2 )); then", "    local -a commands=(" + " ".join(quoted(f"{name}:{says[name]}") for name in commands) + ")",
             "    _describe command commands", "    " + words_of(attest), "    return", "  else", "    shift words", "    (( CURRENT-- ))", "  fi", "  case $command in"]
    lines += [f"    {name}) {words_of(about)} ;;" for name, about in [*commands.items(), ("attest-check", check)]]
    return "\n".join(lines + ["  esac", "}", '_attest "$@"', ""])


def fish(says, attest, commands, check):
    """(for attest, for attest-check)"""
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def lines(program, about, when):
        for names, takes, for_what in about.options():
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in names)
            value = "" if takes is None else f" -x -a {quoted(' '.join(takes))}" if takes else " -r"
            yield f"complete -c {program}{when} {flags}{value} -d {quoted(for_what)}"
        if about.first_words():
            yield f"complete -c {program}{when} -a {quoted(' '.join(about.first_words()))}"

    of_attest = [f"complete -c attest -n __fish_use_subcommand -f -a {name} -d {quoted(says[name])}" for name in commands]
    of_attest += lines("attest", attest, " -n __fish_use_subcommand")
    for name, about in commands.items():
        of_attest += lines("attest", about, f" -n '__fish_seen_subcommand_from {name}'")
    return "\n".join([*of_attest, ""]), "\n".join([*lines("attest-check", check, ""), ""])


def changelog(file, version):
    """Debian's format, of the first section, without its headings."""
    date = email.utils.formatdate(int(os.environ.get("SOURCE_DATE_EPOCH", file.stat().st_mtime)))
    section = re.sub(r"^### .*\n", "", re.split(r"^## .*\n", file.read_text(), flags=re.M)[1], flags=re.M).strip()
    items = [" ".join(item.split()) for item in re.split(r"^(?=\* )", section, flags=re.M) if item.strip()]
    lines = [textwrap.fill(item, 78, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) for item in items]
    return f"attest ({version}) unstable; urgency=medium\n\n" + "\n".join(lines) + f"\n\n -- attest developers <attest@localhost.localdomain>  {date}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attest")
    parser.add_argument("check")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--changelog", type=pathlib.Path)
    parser.add_argument("--version", default="")
    options = parser.parse_args()
    attest, check = Help(options.attest), Help(options.check)
    # Programs of the Python package say to --help what Python's argparse says, and need the package.
    commands = {name: Help(options.attest, name) for name, says in attest.parts["Subcommands:"] if "python3 -m" not in says}
    says = dict(attest.parts["Subcommands:"])
    man = options.out / "man1"
    see = ", ".join(["attest(1)", "attest-check(1)"])
    write(man / "attest.1.gz", page("attest", "exact proofs about the memorization capacity of attention layers", attest, options.version,
          [("SEE ALSO", ", ".join(["attest-check(1)", *(f"attest-{name}(1)" for name in commands if name != "check")]) + "; /usr/share/doc/attest")]), True)
    own = {name for names, _, _ in check.options() for name in names}
    more = " ".join(f"{names[-1]}: {what}." for names, _, what in commands["check"].options() if not own.intersection(names))
    write(man / "attest-check.1.gz", page("attest-check", says["check"], check, options.version,
          [("ATTEST CHECK", f"The command attest check takes folders of certificates, too, and more options. {more}"), ("SEE ALSO", "attest(1)")]), True)
    for name, about in commands.items():
        if name == "check":  # the page above
            continue
        write(man / f"attest-{name}.1.gz", page(f"attest-{name}", says[name], about, options.version, [("SEE ALSO", see)]), True)
    # Each shell looks for a file of the command's name, zsh alone for one that names both.
    share, of_fish = options.out / "share", fish(says, attest, commands, check)
    for name, text in zip(("attest", "attest-check"), of_fish):
        write(share / "bash-completion/completions" / name, bash(attest, commands, check))
        write(share / "fish/vendor_completions.d" / f"{name}.fish", text)
    write(share / "zsh/vendor-completions/_attest", zsh(says, attest, commands, check))
    if options.changelog:
        write(options.out / "changelog.gz", changelog(options.changelog, options.version), True)


if __name__ == "__main__":
    main()
