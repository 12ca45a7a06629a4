"""Values as text: arguments as users write them, and SQL literals."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable
from functools import lru_cache

from ..errors import InputError, is_number
from .rules import Value

Arguments = dict[str, Value]


def read_arguments(text: str) -> Arguments:
    """``rel=2, gain='exponential', gains={1: 10}`` as a dict; words need no quotes.

    Raises ValueError for text of any other form.
    """
    return dict(_parse(text))


@lru_cache(1 << 10)
def _parse(text: str) -> Arguments:
    arguments: Arguments = {}
    try:
        call = ast.parse(f"f({text})", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"write '{text}' as name=value") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError(f"write '{text}' as name=value")
    for bare in call.args:
        raise ValueError(f"write '{ast.unparse(bare)}' as name=value")
    for keyword in call.keywords:
        if keyword.arg is None:
            raise ValueError(f"write '{ast.unparse(keyword)}' as name=value")
        if keyword.arg in arguments:
            raise ValueError(f"{keyword.arg} is given twice")
        arguments[keyword.arg] = _read_value(keyword.value)
    return arguments


def _read_value(node: ast.expr) -> Value:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):  # a word, or a value without a hash
        word = ast.unparse(node)
        return {"TRUE": True, "FALSE": False, "NULL": None}.get(word, word)
    if isinstance(value, dict) and isinstance(node, ast.Dict):
        numbers = [n for pair in value.items() for n in pair]
        if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
            raise ValueError(f"write gains as {{relevance: gain}}, not {ast.unparse(node)}")
        if len(value) < len(node.keys):
            raise ValueError(f"{ast.unparse(node)} repeats a relevance")
        return tuple(sorted(value.items()))
    return value if isinstance(value, int | float | str | None) else ast.unparse(node)


def read_number(value: object) -> tuple[float, bool] | None:
    """A number, or text such as 0.02, 1e-2 or 2%, and whether it is in per cent.

    None for anything else.
    """
    if isinstance(value, str):
        text = value.strip()
        bare = text.removesuffix("%").rstrip()
        if not _NUMBER.fullmatch(bare):
            return None
        return (float(bare) / 100, True) if text != bare else (float(bare), False)
    return (float(value), False) if is_number(value) and abs(value) < math.inf else None


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?", re.IGNORECASE)


def write_arguments(arguments: Iterable[tuple[str, Value]]) -> str:
    """``rel=2, gain='exponential', gains={1: 10}``; `read_arguments` reads it back."""
    return ", ".join(f"{key}={_write_value(value)}" for key, value in arguments)


def _write_value(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{level}: {gain}" for level, gain in value) + "}"
    return repr(value)


def quote(value: Value) -> str:
    """A value as a SQL literal, with fractions in a form that no engine reads as a decimal."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        text = repr(float(value))  # not of NumPy, which writes its name
        return text if "e" in text else f"{text.removesuffix('.0')}e0"
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(f"{value!r} is not text in UTF-8") from None
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, tuple):
        pairs = (
            [each if isinstance(each, str) else float(each) for each in pair] for pair in value
        )
        return f"MAP {{{', '.join(f'{quote(a)}: {quote(b)}' for a, b in pairs)}}}"
    return str(value).upper()  # TRUE


def read_literal(text: str) -> Value:
    """A value as SQL or users write it; a word needs no quotes."""
    return _read_value(ast.parse(text, mode="eval").body)
