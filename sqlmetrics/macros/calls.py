"""Calls of macros in a query, and which tables they are passed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..catalogue import SqlFile, find_file, list_relations, macros, remember
from .create import find_relation, is_public
from .statements import write_own_table


@dataclass(frozen=True)
class Call:
    """A call of a table macro: the names that it passes as tables, and its other arguments."""

    macro: SqlFile
    tables: Mapping[str, str]
    options: Mapping[str, str]

    @property
    def relations(self) -> list[SqlFile]:
        """The relations that read the tables: the macro, or those that a metric is over."""
        if self.macro.statement.is_table:
            return [self.macro]
        relation = find_relation(self.macro)
        if self.macro.folder == "metrics":
            return [*map(find_file, list_relations(relation))]
        return [find_file(relation)] if relation else []


def find_calls(query: str) -> Iterator[Call]:
    """The calls of our table macros in a query."""
    words = _split_words(query)
    for place, word in enumerate(words[:-1]):
        file = macros().get(word.lower()) if words[place + 1] == "(" else None
        if file is None or not is_public(file.name) or words[place - 1 : place] == ["."]:
            continue
        given = _split_arguments(words[place + 2 :])
        tables = zip(_list_tables(file), given, strict=False)
        yield Call(
            file,
            {
                name: _read_name(words[0]) if len(words) == 1 else "".join(words)
                for name, words in tables
                if {*words[1::2]} <= {"."} and len(words) % 2  # a name, or one in a schema
            },
            {
                _read_name(words[0]).lower(): " ".join(words[2:])
                for words in given
                if words[1:2] in ([":="], ["=>"])
            },
        )


def list_called(query: str) -> tuple[SqlFile, ...]:
    """The files of our macros that a query calls."""
    words = _split_words(query)
    names = dict.fromkeys(a.lower() for a, b in pairwise(words) if b == "(")
    return tuple(file for file in map(macros().get, names) if file)


@remember
def _list_tables(file: SqlFile) -> tuple[str, ...]:
    """The tables that the table macro of a file takes, by their parameters."""
    parameters, _ = write_own_table(file) or (file.parameters, "")
    return tuple(name for name, default in parameters.items() if default is None)


def _split_words(query: str) -> list[str]:
    """The words and signs of a query, without blanks and comments."""
    return list(filter(None, _WORD.findall(query)))


_WORD = re.compile(
    r"""
    --[^\n]* | /\*.*?\*/ | (
        \"(?:[^\"]|\"\")*\" | '(?:[^']|'')*'
        | \.?\d(?:[eE][+-]\d|[\w.])*  # a number
        | [\w$]+ | [:=<>!|]+ | \S
    )""",
    re.VERBOSE | re.DOTALL,
)


def _split_arguments(words: Sequence[str]) -> list[list[str]]:
    """The arguments of a call whose bracket is open, each as its words."""
    listed: list[list[str]] = [[]]
    depth = 1
    for word in words:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(word, 0)
        if not depth:
            break
        if word == "," and depth == 1:
            listed.append([])
        else:
            listed[-1].append(word)
    return listed


def _read_name(word: str) -> str:
    """A name without its quotes."""
    quote = word[0] if word[0] in "\"'" else ""
    return word[1:-1].replace(quote * 2, quote) if quote else word
