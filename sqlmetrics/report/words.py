"""Words: names and numbers as a report shows them."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonprefix

from rich.cells import cell_len, set_cell_size

DASH = "\N{EN DASH}"


def shorten(text: str, width: int) -> str:
    """The text in this many columns, its middle left out where it is longer.

    >>> shorten("bm25-all-titles-v2", 12)
    'bm25-a…es-v2'
    """
    if cell_len(text) <= width:
        return text
    start = set_cell_size(text, width // 2).rstrip()  # half of a wide character is a blank
    end = set_cell_size(text[::-1], (width - 1) // 2).rstrip()[::-1]
    return f"{start}…{end}"


def shorten_each(texts: Sequence[str], width: int) -> dict[str, str]:
    """Texts in this many columns; those that would look the same lose most of what all share.

    >>> shorten_each(["bm25-k1-0.9-b-0.4-rm3", "bm25-k1-1.2-b-0.4-rm3"], 12)
    {'bm25-k1-0.9-b-0.4-rm3': '…-k1-0.9-b…', 'bm25-k1-1.2-b-0.4-rm3': '…-k1-1.2-b…'}
    """
    short = {text: shorten(text, width) for text in texts}
    if len({*short.values()}) == len({*texts}):
        return short
    turned = (texts, [text[::-1] for text in texts])
    first, last = (len(commonprefix([*each])) for each in turned)  # noqa: RUF071 - of text
    room = max(width - max(len(text) - first - last for text in texts) - 2, 4)
    start, end = max(first - room * 2 // 3, 0), max(last - room // 3, 0)
    ends = ("…" if start else "", "…" if end else "")
    return {
        text: shorten(text[start : len(text) - end].join(ends), width)
        if short[text] != text
        else text
        for text in texts
    }


def join_names(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def trim(number: float) -> str:
    """A coordinate to one decimal, as short as it can be written.

    >>> trim(3.04), trim(-0.01), trim(12.25)
    ('3', '0', '12.2')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def sign(value: float, digits: int = 4) -> str:
    """A difference with its sign, and a true minus.

    >>> sign(0.25, 2), sign(-0.25, 1) == "\N{MINUS SIGN}0.2", sign(-0.0, 1)
    ('+0.25', True, '0.0')
    """
    text = f"{value:+.{digits}f}"
    return text[1:] if not float(text) else text.replace("-", "\N{MINUS SIGN}")


def sign_tick(tick: float) -> str:
    return f"{tick:+g}".replace("-", "\N{MINUS SIGN}") if tick else "0"
