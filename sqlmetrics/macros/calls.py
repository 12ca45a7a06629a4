"""Calls of macros in a query, and which tables they are passed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..catalogue import SqlFile, find_file, list_relations, macros, remember
from ..catalogue.headers import split_arguments, split_tokens
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
        given = split_arguments(words[place + 2 :])
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
    return [word[0] for word in map(_WORD.match, split_tokens(query)) if word]


_WORD = re.compile(
    r"""(?!--|/\*)(?:
        \"(?:[^\"]|\"\")*\" | '(?:[^']|'')*'
        | \.?\d(?:[eE][+-]\d|[\w.])*  # a number
        | [\w$]+ | [:=<>!|]+ | \S
    )""",
    re.VERBOSE,
)


def _read_name(word: str) -> str:
    """A name without its quotes."""
    quote = word[0] if word[0] in "\"'" else ""
    return word[1:-1].replace(quote * 2, quote) if quote else word
