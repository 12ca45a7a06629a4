"""The text of the project avoids the words in a short list and uses the plain ones instead."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from functools import cache

import pytest
from conftest import ROOT

pytestmark = pytest.mark.xdist_group("english")  # one worker reads the files

# A pattern to avoid, what to write instead, and an example of the pattern.
WORDS = (
    (
        r"(?<=\w )figures?\b(?!/|\.\w)|\bfigures? (?=\w)",
        "score or value",
        "the figures of evaluate",
    ),
    (r"\bstands? (twice|beside|behind|before)\b", "appears, is next to", "it stands twice"),
    (
        r"\b(is|are) no (number|metric|file|table|word|name|rate|gain)s?\b",
        "is not a",
        "is no number",
    ),
    (r"\bwhat (is|are) no\b", "what is not", "what is no number"),
    (
        r"\bthere is no (metric|preset|file|relation|table|such)\b",
        "no … named",
        "there is no metric 'x'",
    ),
    (r"\bthat there (is|are) not\b", "unknown", "a name that there is not"),
    (r"\bneither a file nor\b", "No file or table named", "x is neither a file nor a table"),
    (r"\bbut for\b", "except", "all but for one"),
    (r"\bgo(es)? by\b", "is named, is ordered by", "it goes by many names"),
    (r"\b(is|are) to (hold|say|give)\b", "must", "the line is to say what is measured"),
    (r"\bso (many|few) (?!that\b)", "this many", "so many documents"),
    (r"\bunasked\b", "by default", "not downloaded unasked"),
    (r"(?<!\.)\b(told|tells?)\b", "reported, shown, given", "as DuckDB tells it"),
    (r"\btold apart\b", "distinguished", "runs are told apart"),
    (r"\b(takes?|took|taken) away\b", "removes", "takes away what it left"),
    (r"\bin the place of\b", "instead of", "in the place of another"),
    (r"\bof (one|a user)'s own\b", "the user's", "metrics of one's own"),
    (r"\bpass(es|ed)? over\b", "skips", "passes over unjudged documents"),
    (r"\b(what|that) is said\b", "the message", "what is said of it"),
    (r"\bwhat to say\b", "the note, the message", "what to say of it"),
    (r"\bfor want of\b", "without", "for want of scores"),
)


@cache
def list_text(name: str) -> list[tuple[int, str]]:
    """The lines of prose in a file with their numbers: of Python, only comments and strings."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = text.partition("\n## Words\n")[0]  # of CONTRIBUTING.md: what it lists is avoided there
    if not name.endswith(".py"):
        return list(enumerate(text.splitlines(), start=1))
    kinds = {"COMMENT", "STRING", "FSTRING_MIDDLE"}
    return [
        (token.start[0] + place, re.sub(r"\{[^{}]*\}", "", line))  # values in f-strings are code
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if tokenize.tok_name[token.type] in kinds
        for place, line in enumerate(token.string.splitlines())
    ]


@cache
def read_text(name: str) -> str:
    """The same lines as one text, which is searched faster."""
    return "\n".join(line for _, line in list_text(name))


@cache
def list_files() -> list[str]:
    """The files of the project that hold prose, except this one."""
    listed = subprocess.run(
        ["git", "ls-files", "*.sql", "*.py", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout.split()  # fmt: skip
    return [name for name in listed if name != "tests/test_english.py"]


@pytest.mark.few(2)
@pytest.mark.parametrize("pattern", [word[0] for word in WORDS])
def test_words_to_avoid_are_not_used(pattern):
    files = list_files()
    if not files:
        pytest.skip("not a git checkout")
    instead = next(word[1] for word in WORDS if word[0] == pattern)
    found = [
        f"{name}:{number}: {line.strip()!r}; use: {instead}"
        for name in files
        if re.search(pattern, read_text(name), re.IGNORECASE)
        for number, line in list_text(name)
        if re.search(pattern, line, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("pattern", "instead", "example"), WORDS)
def test_each_pattern_matches_its_example(pattern, instead, example):
    assert re.search(pattern, example, re.IGNORECASE)
    assert not re.search(pattern, instead, re.IGNORECASE)
