"""Theorems with their proofs as a document of LaTeX, from certificates that the checker accepts. `attest explain CERT --latex` runs it."""

import json
import re
import unicodedata

from . import InputError, __version__
from . import pages, report

SIGNS = {"≥": r"\ge", "≤": r"\le", "→": r"\to", "−": "-", "⋅": r"\cdot", "·": r"\cdot", "∑": r"\sum", "×": r"\times", "∈": r"\in", "′": "'", "<": "<", ">": ">", "|": "|",
         "λ": r"\lambda", "ε": r"\varepsilon", "γ": r"\gamma", "α": r"\alpha", "σ": r"\sigma", "φ": r"\varphi", "ρ": r"\rho", "\u2061": ""}
LETTERS = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"{\ttfamily\char36}", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}",
           "~": r"\textasciitilde{}", '"': r"{\ttfamily\char34}", "`": r"{\ttfamily\char96}",
           "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "–": "--{}", "—": "---{}", "…": r"\ldots{}",
           "\N{NO-BREAK SPACE}": "~", "‘": "`{}", "’": "'{}", "“": "``{}", "”": "''{}"}
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v",
           "\u0323": "d", "\u0327": "c", "\u0331": "b"}
LONGEST = 20  # characters of a word that cannot be broken


def sums(terms):
    """The form of sums and differences of products of such terms."""
    return rf"{terms}(?:(?: [-+] | ?){terms})*"


# Comparisons in a sentence whose two sides are made of the sizes of a layer: T > m (d + 1), rank(Z) >= min(T, H (r - 1) + 1).
ATOM = r"(?:(?:[A-Zmnrxy]|d(?:_(?:h|v|out))?)(?![\w'(])|a(?= [-+])|\d+(?!\w|[./]\d))"
TERM = rf"(?:{ATOM}|\({sums(ATOM)}\))"
TERM = rf"(?:rank\(Z\)|min\({sums(TERM)}(?:, {sums(TERM)})+\)|{TERM})"
COMPARISON = re.compile(rf"(?<![\w'\[^]){sums(TERM)}(?: (?:[<>]=?|[=≤≥]) {sums(TERM)})+")


def character(c):
    """A character of a text in letters of ASCII, whatever engine and fonts read them: what has no letters is called by its number."""
    if c in LETTERS:
        return LETTERS[c]
    if c in SIGNS:
        return rf"\ensuremath{{{SIGNS[c]}}}"
    if c.isascii():
        return c if c.isprintable() else " "
    base, *marks = unicodedata.normalize("NFD", c)
    if base.isascii() and base.isalpha() and marks and all(mark in ACCENTS for mark in marks):
        for mark in marks:
            base = rf"\{ACCENTS[mark]}{{{base}}}"
        return base
    return rf"\texttt{{U+{ord(c):04X}}}"


def text(words):
    """A text of which nothing is a command, and in which no word is too long for a line."""
    out, run, before = [], 0, ""
    for c in unicodedata.normalize("NFC", pages.clean(words)):
        if c == before and c in "-'":
            out.append("{}")  # two of them are no other sign
        out.append(character(c))
        run, before = 0 if c.isspace() else run + 1, c
        if run >= LONGEST or run > LONGEST // 2 and c in "/_.,-":
            out.append(r"\allowbreak{}")
            run = 0
    return "".join(out)


def name(word):
    """A name or number in a formula."""
    if word.lstrip("-").isdigit() and word.isascii():
        return word
    if word.isascii() and all(c.isalnum() or c in "-_." for c in word):
        return word if len(word) == 1 else r"\min" if word == "min" else rf"\operatorname{{{text(word)}}}"
    return math(character(word)) if len(word) == 1 else rf"\text{{{text(word)}}}"


def math(written):
    """What `character` wrote, inside a formula."""
    return written[len(r"\ensuremath{"):-1] if written.startswith(r"\ensuremath{") else rf"\text{{{written}}}"


def formula(comparison):
    """A comparison such as `rank(Z) >= 3`."""
    out = []
    for kind, token in report.mathml(comparison):
        if kind == "msub":
            out.append(rf"{name(token[0])}_{{{name(token[1])}}}")
        elif kind == "parenthesis":
            out.append(token)
        elif kind == "mo" and token.isascii():
            out.append(token if token in "=+,:;<>/|" else rf"\text{{{text(token)}}}")
        elif kind == "mo":
            out.append(math(character(token)))
        else:
            out.append(name(token))
    return f"${' '.join(part for part in out if part)}$"


def sentence(words):
    """A text whose comparisons are formulas."""
    out, end = [], 0
    for match in COMPARISON.finditer(words):
        out += text(words[end:match.start()]), formula(match[0])
        end = match.end()
    return "".join([*out, text(words[end:])])


def line(parts):
    return "".join(sentence(part) if isinstance(part, str) else formula(part["formula"]) for part in parts)


def rows(array):
    """The entries of an array, a text for each of its rows, in brackets as its shape says."""
    def nested(shape, entries):
        if len(shape) == 1:
            return "(" + ", ".join(entries) + ")"
        size = len(entries) // shape[0]
        return "[" + ", ".join(nested(shape[1:], entries[k * size:(k + 1) * size]) for k in range(shape[0])) + "]"
    shape = array["shape"]
    if len(shape) <= 1:
        return [nested(shape, array["entries"])]
    size = len(array["entries"]) // shape[0]
    return [nested(shape[1:], array["entries"][k * size:(k + 1) * size]) for k in range(shape[0])]


def read(file):
    form = "what attest explain --latex hands over"
    try:
        proofs = json.loads(pages.read(file, 1 << 34, form))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: is no JSON ({type(error).__name__}); {form}") from None
    return proofs


def document(proofs):
    """The document, piece by piece; the same proofs give the same bytes."""
    environment = pages.environment()
    # What is printed is a text: nothing of it is a command. Formulas and lines are typeset by what they are made of.
    from markupsafe import Markup
    environment = environment.overlay(block_start_string="<%", block_end_string="%>", variable_start_string="<<", variable_end_string=">>", comment_start_string="<#",
                                      comment_end_string="#>", autoescape=False, finalize=lambda value: value if isinstance(value, Markup) else text(str(value)))
    environment.filters.update(line=lambda parts: Markup(line(parts)), rows=rows)
    for proof in proofs:
        seen = []
        for claim in proof["claims"]:
            claim["same"] = next((other["index"] for other in seen if other["steps"] == claim["steps"]), None) if claim["steps"] else None
            seen.append(claim)
        proof["principles"] = {step["source"]: step["principle"] for claim in proof["claims"] for step in claim["steps"] if step["source"]}
    return environment.get_template("theorems.tex").stream(proofs=proofs, version=__version__)


def main():
    return pages.program("latex", __doc__, "proofs", "the file that attest explain --latex hands over", lambda file: document(read(file)), "ascii")


if __name__ == "__main__":
    pages.ended(main)
