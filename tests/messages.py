"""Files of what is typed and the messages, and messages compared with them."""

from __future__ import annotations

import re
from pathlib import Path


def assert_message(expected: str, message: str) -> None:
    """An … of a file stands for any text: a library's own words, which change with its version."""
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    assert re.fullmatch(pattern, message, re.DOTALL), f"said {message!r}, not {expected!r}"


def read_typed(path: Path) -> tuple[str, dict[str, str]]:
    """What is typed first, without a message; and by what else is typed, the message below it."""
    text = path.read_text(encoding="utf-8")
    typed = r"^>>> (.+(?:\n\.\.\. .+)*)\n((?:(?!>>> ).+\n?)*)"
    found = [
        (code.replace("\n... ", "\n"), said.rstrip("\n"))
        for code, said in re.findall(typed, text, re.MULTILINE)
    ]
    first = "\n".join(code for code, said in found if not said)
    return first, {code: said for code, said in found if said}


def read_statements(path: Path) -> list[tuple[str, str]]:
    """Statements of a file of sqllogictest, each with the error that it must raise, or nothing."""
    text = path.read_text(encoding="utf-8")
    record = r"^statement (?:ok|error)\n((?:(?!----).+\n)+)(?:----\n((?:.+\n?)+))?"
    found = re.findall(record, text, re.MULTILINE)
    return [(statement.rstrip("\n"), said.rstrip("\n")) for statement, said in found]
