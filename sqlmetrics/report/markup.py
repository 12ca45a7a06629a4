"""Markup: elements of HTML and SVG, in which all text is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

_BARE = re.compile(r"[\w.:;#%-]+")
_ALONE = {"meta", "input", "wbr"}  # of HTML
_SHAPES = {"line", "circle", "rect", "path", "polyline"}


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element; its children are markup, text or None, its attributes text or numbers.

    Attributes end with ``_`` where Python has a word like them; None and False leave them out.

    >>> element("td", "<b>", class_="number", data_v="0.5")
    '<td class=number data-v=0.5>&lt;b&gt;</td>'
    """
    start = name + "".join(
        _write_attribute(key.rstrip("_").replace("_", "-"), value)
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _ALONE:
        return Markup(f"<{start}>")
    if name in _SHAPES and not children:
        return Markup(f"<{start} />")
    return Markup(f"<{start}>{join(*children)}</{name}>")


def join(*children: object) -> Markup:
    """Markup as it is, text escaped, nothing for None."""
    return Markup("".join(_write_child(each) for each in children if each is not None))


def _write_child(child: object) -> str:
    return child if isinstance(child, Markup) else escape(str(child), quote=False)


def _write_attribute(name: str, value: object) -> str:
    if value is True:
        return f" {name}"
    text = trim(value) if isinstance(value, float) else str(value)
    return f" {name}={text}" if _BARE.fullmatch(text) else f' {name}="{escape(text)}"'


def trim(number: float) -> str:
    """A coordinate to one decimal, as short as it can be written.

    >>> trim(3.04), trim(-0.01), trim(12.25)
    ('3', '0', '12.2')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def shorten(text: str, width: int) -> str:
    """The text in this many columns, its middle left out where it is longer.

    >>> shorten("bm25-all-titles-v2", 12)
    'bm25-a…es-v2'
    """
    if measure(text) <= width:
        return text
    start, end = text[: width // 2], text[-((width - 1) // 2) :]
    while measure(start) > width // 2:
        start = start[:-1]
    while measure(end) > (width - 1) // 2:
        end = end[1:]
    return f"{start}…{end}"


def shorten_each(texts: Sequence[str], width: int) -> dict[str, str]:
    """Texts in this many columns; those that would look the same lose most of what all share.

    >>> shorten_each(["bm25-k1-0.9-b-0.4-rm3", "bm25-k1-1.2-b-0.4-rm3"], 12)
    {'bm25-k1-0.9-b-0.4-rm3': '…-k1-0.9-b…', 'bm25-k1-1.2-b-0.4-rm3': '…-k1-1.2-b…'}
    """
    short = {text: shorten(text, width) for text in texts}
    if len({*short.values()}) == len({*texts}):
        return short
    first, last = _count_shared(texts), _count_shared([text[::-1] for text in texts])
    room = max(width - max(len(text) - first - last for text in texts) - 2, 4)
    start, end = max(first - room * 2 // 3, 0), max(last - room // 3, 0)
    ends = ("…" if start else "", "…" if end else "")
    return {
        text: shorten(text[start : len(text) - end].join(ends), width)
        if short[text] != text
        else text
        for text in texts
    }


def _count_shared(texts: Sequence[str]) -> int:
    """How many characters all texts begin with."""
    letters = enumerate(zip(*texts, strict=False))
    return next((n for n, each in letters if len({*each}) > 1), min(map(len, texts)))


def measure(text: str) -> int:
    """How many columns a text takes; those of Chinese, Japanese and Korean take two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)
