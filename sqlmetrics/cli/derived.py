"""Derived options and arguments: a command's, from the functions behind it.

Names, types, choices and defaults are those of a signature, and help is what the docstring says of
a parameter in the first sentence. What a value may be is for the function to say.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import click
import cloup

from ..errors import refuse
from ..inputs.columns import KINDS
from .inputs import INPUT, OPTIONAL, RUN, read_columns, read_pairs
from .types import METRIC, NUMBER, PRESET, TABLE, Words

Source: TypeAlias = Callable[..., Any]


def describe_pairs(form: str, example: str = "") -> dict[str, Any]:
    """What an option of names and values is, each pair of this form."""

    def read(_context: click.Context, option: click.Parameter, given: Sequence[str]) -> object:
        of_metrics = form.startswith("METRIC")
        return read_pairs(given, option.opts[0], example or form, of_metrics=of_metrics) or None

    return {"type": str, "multiple": True, "metavar": form, "callback": read}


def _read_grades(given: Sequence[str]) -> object:
    pairs = [pair for each in given for pair in each.split(",")]
    return (pairs[0] if pairs == ["esci"] else read_pairs(pairs, "--grades", "E=3,S=2")) or None


# What an option is in all commands, besides what functions say of it.
_KNOWN: Mapping[str, Mapping[str, Any]] = {
    "columns": {
        "flags": "--columns -c --run-from",
        "help": "Which column is which, where their names do not say so: query_id=q,doc_id=sku; by "
        "number without a header: query_id=1,doc_id=2,score=3; --run-from date is run_id=date.",
        "type": str,
        "multiple": True,
        "callback": lambda _context, _option, given: read_columns(given),
    },
    "database": {"is_eager": True},
    "engine": {
        "type": str,
        "is_eager": True,
        "help": "Compute on Spark: its master or Connect server, such as spark://host:7077, "
        "sc://host or local[*]. The inputs are tables there, or Parquet files that it can read.",
    },
    "exclude": {
        "metavar": "TABLE|self",
        "type": str,
        "help": "Leave these documents out of runs before they are ranked: a file or table with "
        "query_id and doc_id; or self, so that no query finds itself.",
    },
    "fail_under": describe_pairs("METRIC=SCORE", "nDCG@10=0.45"),
    "grades": {
        **describe_pairs("WORD=GRADE"),
        "callback": lambda _context, _option, given: _read_grades(given),
    },
    "groups": {"flags": "--group", **describe_pairs("RUN=GROUP")},
    "max_loss": describe_pairs("METRIC=LOSS", "nDCG@10=2%"),
    "max_query_loss": describe_pairs("METRIC=LOSS", "nDCG@10=2%"),
    "metrics": {"type": METRIC, "multiple": True},
    "preset": {
        "type": PRESET,
        "help": "Conventions of a tool, such as trec_eval-9; 'sqlmetrics presets' lists all.",
    },
    "weights": {"flags": "--weight", **describe_pairs("RUN=WEIGHT")},
}
_SHORT = {
    **{name: f"-{name[0]}" for name in ("columns", "database", "format", "k", "metric", "output")},
    "metrics": "-m",
    "per_query": "-q",
}


@cache
def read_signature(source: Source) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name."""
    return inspect.signature(source).parameters


def derive_argument(source: Source, name: str, **changes: Any) -> click.Argument:  # noqa: ANN401
    """The argument for a parameter of a function; a list is several of them."""
    parameter = read_signature(source)[name]
    given = {**_read_type(source.__module__, parameter.annotation)}
    is_list, is_optional = given.pop("multiple", False), parameter.default is not parameter.empty
    given |= {"nargs": -1 if is_list else 1, "required": not is_optional, "metavar": None}
    if is_list:
        given["metavar"] = f"{name.upper()}...{']' * is_optional}"
    elif is_optional:
        given |= {"metavar": f"[{name.upper()}", "type": OPTIONAL}
    return cloup.Argument([name], **given | changes)


def derive_option(sources: Iterable[Source], name: str, **changes: Any) -> cloup.Option:  # noqa: ANN401
    """The option for a parameter, of the first functions that say what it is, and is for.

    What may be several values is an option that may be repeated; what no function says is a table.
    ``changes`` are other attributes; ``flags`` are those of an option that is not named as its
    parameter.
    """
    own = [each for each in sources if not read_help(each).get(name, "").startswith(_ELSEWHERE)]
    known, default, is_required = _KNOWN.get(name, {}), None, False
    if source := next((each for each in own if name in read_signature(each)), None):
        parameter = read_signature(source)[name]
        is_required = parameter.default is parameter.empty
        default = None if is_required else parameter.default
        given = {} if "type" in known else {**_read_type(source.__module__, parameter.annotation)}
        given["help"] = next((read_help(each)[name] for each in own if name in read_help(each)), "")
        given |= known
    else:
        given = {"type": INPUT, "metavar": "FILE", "help": say(KINDS[name].likeness)}
    given = {"required": is_required, "show_default": default not in (None, ()), **given, **changes}
    if isinstance(kind := given.get("type"), Words) and len("|".join(kind.choices)) > 62:
        given |= {"metavar": "NAME", "help": f"{given['help']} One of {', '.join(kind.choices)}."}
    long = f"--{name.replace('_', '-')}"
    if given.get("is_flag") and default is not False:
        long += f"/--no-{long.removeprefix('--')}"
    flags = given.pop("flags", f"{long} {_SHORT.get(name, '')}")
    if not given["required"]:  # else None would be a value
        given.setdefault("default", default)
    if given.get("multiple"):
        given.setdefault("callback", lambda _context, _option, found: found or default)
        given["help"] = f"{given['help'].rstrip('.')}; may be repeated."
    return _Option([name, *flags.split()], **given)


class _Option(cloup.Option):
    """An option that refuses a second value, where it takes one."""

    def add_to_parser(self, *given: Any) -> None:  # noqa: ANN401
        many, self.multiple = self.multiple, self.multiple or not self.is_flag
        super().add_to_parser(*given)
        self.multiple = many

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:  # noqa: ANN401
        found = opts.get(str(self.name))
        if isinstance(found, list) and not self.multiple:
            said = f"{self.opts[0]} takes one value, not {' and '.join(found)}; keep one of them"
            refuse({said: len({*found}) > 1})
            opts = {**opts, str(self.name): found[-1]}
        return super().consume_value(ctx, opts)


def say(text: str) -> str:
    """The text as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


@cache
def _read_type(module: str, annotation: str) -> Mapping[str, Any]:
    """What the annotation of a parameter, in this module, says of an option."""
    words = {*annotation.split(" | ")}
    if words & {"Data", "File", "Files", "Qrels", "Runs", "object"}:
        is_list = bool(words & {"Files", "Runs"})
        return {"type": RUN if is_list else INPUT, "metavar": "FILE", "multiple": is_list}
    if "PathLike[str]" in words:
        return {"type": TABLE, "metavar": "TABLE"}
    names = {"Literal": Literal} | vars(sys.modules[module])
    kind = eval(annotation, names)  # noqa: S307 - ours
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    kinds = tuple(each for each in kinds if each is not NoneType)
    if bool in kinds:
        return {"is_flag": True}
    many = [each for each in kinds if get_origin(each) in (Iterable, Mapping, Sequence, list)]
    kinds = get_args(many[0])[:1] if many else kinds
    return {"type": _find_type(*kinds), "multiple": bool(many)}


def _find_type(kind: object, *others: object) -> Any:  # noqa: ANN401
    """What click takes for values of these kinds: text, if there are several."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[1]
    if get_origin(kind) is Literal and not others:
        return Words(get_args(kind))
    return NUMBER if kind is float else kind if kind in (int, str) else str


def read_text(function: Source) -> str:
    """What a function does: what its docstring says before its parameters."""
    text = re.split("^- ``|^>>>", inspect.getdoc(function) or "", flags=re.MULTILINE)[0]
    text = _MARKUP.sub(_write_plainly, text).strip()
    said = read_help(function)
    same = [name for name in ("qrels", "run") if said.get(name, "").startswith(_ELSEWHERE)]
    if not same:
        return text
    names, are = " and ".join(map(str.upper, same)), "is" if len(same) == 1 else "are"
    return f"{text}\n\n{names} {are} a{said[same[-1]][1:]}"


@cache
def read_help(function: Source) -> dict[str, str]:
    """What the docstring of a function says of each parameter, in its first sentence."""
    found: dict[str, str] = {}
    for names, text in _ITEM.findall(inspect.getdoc(function) or ""):
        said = _SENTENCE.split(" ".join(text.split()).rstrip("."))[0]
        said = _PAIR.sub(_write_pair, say(said))
        said = _MARKUP.sub(_write_plainly, said).replace(", or None;", ";")
        said = said.replace(", or None for ", "; by default ")
        for name in re.findall(r"\w+", names):
            found.setdefault(name, said)
    return found


def _write_pair(pair: re.Match[str]) -> str:
    """``{"nDCG@10": "3%"}`` as on the command line."""
    text = f"{pair[1]}={pair[2]}"
    return f"'{text}'" if " " in text else text


def _write_plainly(mark: re.Match[str]) -> str:
    """Text without its marks; words that a shell would divide have quotes."""
    quoted, code, name = mark.groups()
    return code or name or (f"'{quoted}'" if " " in quoted else quoted)


# What a docstring says of parameters: - ``name``, ``other``: …
_ITEM = re.compile(r"^- (``\w+``(?:, ``\w+``)*): (.*?)(?=^- ``|^\S|\Z)", re.MULTILINE | re.DOTALL)
_ELSEWHERE = "As for evaluate"
_SENTENCE = re.compile(r"\.\s+(?=[A-Z`])")
_PAIR = re.compile(r'\{?"([^"{}]+)": "?([^"{},]+)"?\}?')
_MARKUP = re.compile(r'``"([^`"]*)"``|``([^`]*)``|`(\w+)`')
