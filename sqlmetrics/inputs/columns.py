"""Columns: finds our columns in an input, by our names or those of other tools."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain
from typing import TypeAlias

from ..catalogue import find_file
from ..catalogue.literals import read_number
from ..errors import InputError, is_typed, refuse, require_dict
from .data import Cell, Cells, Key, name_columns, name_some, read_as, read_rows, split_key

# A column by our name: its name, its number, or the names of several that are a key together.
Columns: TypeAlias = Mapping[str, "str | int | Sequence[str]"]


# What other tools and warehouses call our columns, in groups of which the first win.
NAMES = {
    column: tuple(tuple(names.split()) for names in re.sub("[',]", "", listed).split("|"))
    for column, listed in re.findall(r"'(\w+)', \[([^]]*)", find_file("names_elsewhere").text)
}
# What columns are called whose smallest value is the best.
REVERSED = {
    "distance": "dist(ances?)?$",
    "rank": f"^({'|'.join(chain(*NAMES['rank']))}|.*(rank(ing)?|position))$",
}


@dataclass(frozen=True)
class Kind:
    """A kind of input: its name, its columns, and the form of its TREC lines.

    Macros take it by its ``parameters``, and ``prefix`` is what names it before a column of it
    alone, ``qrels`` in ``qrels.doc_id``. ``lists`` are words in names of lists of documents, in a
    row per query; one that ends with _ needs another. ``use`` is what takes it, for those who pass
    it in place of another kind, and ``advice`` what to pass in place of a run that should be
    judgments, or the other way round. A table ``is_read_whole`` if its other columns are kept, and
    ``are_numbers`` if none can be text. A column called one of ``others`` is never its value.
    """

    name: str
    likeness: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    prefix: str = ""
    trec_line: str = ""
    use: str = ""
    advice: str = ""
    is_read_whole: bool = False
    are_numbers: bool = False
    others: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        return self.columns[-1] if self.columns else ""

    @property
    def value_is_number(self) -> bool:
        """Whether each row has a number, rather than data about queries or documents."""
        return self.is_of_neighbours or (
            self.value in ("relevance", "score") and bool(self.trec_line)
        )

    @property
    def describes_documents(self) -> bool:
        return self.columns[:1] == ("doc_id",)

    @property
    def is_log(self) -> bool:
        return self.prefix == "log"

    @property
    def parameter(self) -> str:
        """The parameter of checks that takes it."""
        return "neighbours" if self.is_of_neighbours else self.prefix or "run"

    @property
    def is_of_neighbours(self) -> bool:
        return self.value == "distance"

    @property
    def is_judged(self) -> bool:
        """Whether these are judgments, by subtopic or not."""
        return self.columns == QRELS.columns

    @property
    def other(self) -> Kind:
        return RUN if self.is_judged else QRELS


_KINDS = {row["kind"]: read_as(Kind, row) for row in read_rows("kinds.csv")}
# What the tables are that macros take, by the names of their parameters. Others are as they are.
KINDS = {parameter: kind for kind in _KINDS.values() for parameter in kind.parameters}
QRELS, RUN, LOG, USERS = (KINDS[each] for each in ("qrels", "run", "log", "users"))
HISTORY, ITEMS, DOCUMENTS = (KINDS[each] for each in ("history", "items", "documents"))
EXCLUDED, NEIGHBOURS, STRATA = (KINDS[each] for each in ("exclude", "found", "sample"))
SCORES, RANGED_SCORES = KINDS["scores"], KINDS["automatic"]  # with the range of each metric
EXACT, SCORED = _KINDS["exact"], _KINDS["scored"]
SUBTOPIC_QRELS = replace(
    QRELS, optional=("subtopic",), trec_line="query_id subtopic doc_id relevance"
)
OPTIONAL_QRELS = replace(QRELS, advice="pass judgments in its place")  # after runs
# What names of lists of documents are made of: words of the kind, or for either, and others.
_LISTS = {
    prefixes: "|".join(kind.lists).replace("_", "(?!s?$)")
    for prefixes, kind in ((("qrels",), QRELS), (("run",), RUN), (("qrels", "run"), DOCUMENTS))
}
_WORDS = "|".join([*_LISTS.values(), *chain(*NAMES["doc_id"]), "id|context|source|node"])
# The inputs whose columns may be named apart.
PREFIXES = [*dict.fromkeys(kind.prefix for kind in _KINDS.values() if kind.prefix)]
# What an input that lacks columns may be; those with more columns come first.
_KNOWN = (LOG, USERS, EXACT, QRELS, RUN, SCORES)


class Named(dict[str, "str | int | Sequence[str]"]):
    """The columns that the user names, for several inputs: one of them must have each id's.

    ``seen`` are our names of ids that an input has, the input, and its columns.
    """

    def __init__(self, given: Columns) -> None:
        super().__init__(given)
        self.seen: list[tuple[str, str, Sequence[str]]] = []

    def refuse_unknown(self) -> None:
        """Raise `InputError` for the name of an id that no input has."""
        for ours in _IDS:
            seen = [(name, have) for column, name, have in self.seen if column == ours]
            have = list(dict.fromkeys(column for _, columns in seen for column in columns))
            named = self.get(ours)
            if seen and named and not isinstance(named, int) and not _take(named, have):
                raise _lacks(dict.fromkeys(name for name, _ in seen), named, ours, have)


def choose_columns(given: Columns | None, kind: Kind) -> Columns:
    """The columns that the user names for an input of a kind, by our names alone."""
    every, before = given or {}, f"{kind.prefix}."
    common = {ours: named for ours, named in every.items() if "." not in ours}
    own = {key[len(before) :]: named for key, named in every.items() if key.startswith(before)}
    return common | own


@contextmanager
def naming(columns: Columns | None) -> Iterator[Columns | None]:
    """The columns that the user names for all inputs that are read meanwhile."""
    if not isinstance(columns, Mapping) or isinstance(columns, Named):
        yield columns
        return
    named = Named(columns)
    yield named
    named.refuse_unknown()


def note_columns(given: Columns | None, ours: str, name: str, have: Sequence[str]) -> None:
    """Remember the columns of an input that has one of our ids."""
    if isinstance(given, Named) and ours in _IDS:
        given.seen.append((ours, name, have))


_IDS = ("query_id", "doc_id")
# Ids that several inputs have, and all ids.
KEYS = (*_IDS, "passage_id")
IDS = (*KEYS, "run_id", "subtopic", "judge", "stratum", "user_id", "variant", "page_id", "team")


def name_items(columns: Sequence[str]) -> Kind:
    """A catalogue of items with these columns."""
    return replace(ITEMS, columns=(*ITEMS.columns, *columns), optional=())


def name_log(segments: Sequence[str], *, has_users: bool = False) -> Kind:
    """A click log with the columns of segments, and that of users, if there is one."""
    others = [column for column in segments if column not in LOG.columns]
    known = (*LOG.optional, *(["user_id"] if has_users else []))
    optional = tuple(column for column in known if column not in others)
    return replace(LOG, columns=(*LOG.columns, *others), optional=optional, is_read_whole=False)


def match_columns(
    name: str,
    kind: Kind,
    have: Sequence[str],
    given: Columns | None = None,
    lists: Container[str] = (),
) -> dict[str, str]:
    """Map our names to the columns ``have`` of the input ``name``.

    ``given`` sets some of them. A run may have a rank instead of a score; ``lists`` of documents
    need neither, and no relevance. Raises `InputError` if a column is missing, ambiguous or
    repeated.
    """
    _check_given(given)
    if not kind.columns:  # any table
        return {}
    for column in kind.columns:
        note_columns(given, column, name, have)
    chosen = choose_columns(given, kind)
    if not counts_columns(kind, given):
        chosen = {ours: named for ours, named in chosen.items() if not isinstance(named, int)}
    search = _Search(name, have, chosen, kind, lists, is_one=not isinstance(given, Named))
    found = search.find_all()
    search.require(found)
    return found


def find_column(
    name: str, column: str, have: Sequence[str], given: Columns | None = None
) -> str | None:
    """The column of an input that is one of ours: the user's choice, or else a known name."""
    named = (given or {}).get(column)
    note_columns(given, column, name, have)
    chosen = {} if named is None or isinstance(named, int) else {column: named}
    return _Search(name, have, chosen).find(column)


def find_order(found: Container[str], kind: Kind) -> str | None:
    """What orders a run that has no scores, lowest first: its ranks, or else its distances."""
    if kind is not RUN or "score" in found:
        return None
    return next((column for column in ("rank", "distance") if column in found), None)


def is_batch(have: Iterable[str], kind: Kind) -> bool:
    """Whether these are the columns of documents to judge, some of which may not be judged yet."""
    names = {*map(_simplify, have)}  # of to_judge, or of what Quepid exports
    is_ours = names >= {"queryid", "docid", "relevance", "runs", "bestrank"}
    return kind.is_judged and (is_ours or names >= {"querytext", "docid", "docposition", "rating"})


def find_reversed(column: str) -> str | None:
    """Which of our columns this may be whose smallest value is the best, by its name."""
    return next((ours for ours in REVERSED if re.search(REVERSED[ours], _simplify(column))), None)


def counts_columns(kind: Kind, given: Columns | None) -> bool:
    """Whether the user gives column numbers for this kind, as for a file without a header."""
    named = choose_columns(given, kind)
    return any(isinstance(named.get(place), int) for place in (kind.value, *kind.optional))


def is_header(have: Sequence[str], given: Columns | None, kind: Kind) -> bool:
    """Whether these words are column names: the user's, or a known one and no numbers.

    A table that is read whole may have any names.
    """
    has_numbers = any(map(read_number, have))
    if kind.is_read_whole and not (kind.columns and has_numbers):
        return True
    names = [name for name in (given or {}).values() if not isinstance(name, int)]
    if any(_take(name, have) for name in names):
        return True
    known = {each for own in (SUBTOPIC_QRELS, RUN, kind) for each in (*own.columns, *own.optional)}
    return is_known(have, known) and (kind.is_read_whole or not has_numbers)


def is_known(have: Iterable[object], columns: Collection[str] = _IDS, most: int = 9) -> bool:
    """Whether one of these names is known for ids or other columns, by ``most`` of their groups."""
    known = {name for each in columns for names in NAMES.get(each, ())[:most] for name in names}
    return any(name in columns or _is_called(str(name), known) for name in have)


def seems_other(name: str, kind: Kind, what: str, other: Kind | None = None) -> InputError:
    """The error for an input that is of another kind, with what to pass or what takes it."""
    other = other or kind.other
    remedy = kind.advice if kind.advice and other.advice else other.use
    return InputError(
        f"{name} has {what}, so it looks like {other.likeness}, not {kind.likeness}; {remedy}"
    )


def fits(name: str, kind: Kind, have: Sequence[str], given: Columns | None = None) -> bool:
    """Whether an input with these columns has those of a kind, some of which the user names."""
    chosen = choose_columns(given, kind)
    with suppress(InputError):
        found = [*map(_Search(name, have, chosen, kind).find, kind.columns)]
        return None not in found and len({*found}) == len(found)
    return False


def has_documents(name: str, have: Sequence[str], given: Columns | None = None) -> bool:
    """Whether an input with these columns has documents, one in a row or in lists."""
    return fits(name, replace(RUN, columns=DOCUMENTS.columns), have, given)


def _recognise(name: str, kind: Kind, have: Sequence[str]) -> Kind | None:
    """The kind that an input is of instead of this one, by its columns."""
    for other in _KNOWN if kind.use else ():
        is_whole = fits(name, other, have)
        if other is SCORES:  # where others have documents
            is_whole &= "run_id" in have and not has_documents(name, have)
        if is_whole:
            is_similarity = kind.is_of_neighbours and other is RUN
            return None if other.use == kind.use or is_similarity else other
    return None


def _check_given(given: Columns | None) -> None:
    """Raise `InputError` unless columns= maps our names to columns."""
    known = {*NAMES, *(f"{prefix}.{ours}" for prefix in PREFIXES for ours in NAMES)}
    for key, named in require_dict("columns=", given, "{'doc_id': 'sku'}").items():
        _, _, ours = str(key).rpartition(".")
        names = [named] if isinstance(named, str | int) else named
        are_names = isinstance(names, Sequence) and not any(
            isinstance(each, bool) or not isinstance(each, str | int) for each in names
        )
        is_key = ours in _IDS and are_names and all(isinstance(each, str) for each in names)
        is_wrong_key = are_names and len(names) > 1 and not is_key
        refuse(
            {
                f"has unknown key {key!r}; known: {', '.join(NAMES)}, also with the input, one "
                f"of {', '.join(PREFIXES)}, as in qrels.doc_id": key not in known,
                f"must give a name or a number for {key}, not {named!r}": not (are_names and names),
                f"gives several names for {key}; only {' and '.join(_IDS)} may be several columns "
                "together. For inputs with different columns, say which is whose: "
                f"{{'qrels.{key}': '…', 'run.{key}': '…'}}": is_wrong_key,
            },
            "columns= (--columns) ",
        )


@dataclass(frozen=True)
class _Search:
    """The search for our columns among those that an input has; the user names those ``given``.

    An input that ``is_one`` alone must have them; others may not have the ids of another input.
    """

    name: str
    have: Sequence[str]
    given: Columns = field(default_factory=dict)
    kind: Kind = DOCUMENTS
    lists: Container[str] = ()
    is_one: bool = False

    def find(self, column: str) -> str | None:
        return self.find_given(column) or self.find_known(column, self.have)

    def find_all(self) -> dict[str, str]:
        """The columns that are there, by our names."""
        kind, have = self.kind, self.have
        wanted = (*kind.columns, *kind.optional)
        chosen = {column: self.find_given(column) for column in wanted}
        others = [column for column in have if column not in chosen.values()]
        known = dict[str, str | None]()
        # in a log a user is no query; with a rank, only a clear name is taken as the score
        for ours in sorted(wanted, key="score".__eq__):
            is_else = kind.is_log if ours == "query_id" else ours == "score" and known.get("rank")
            known[ours] = chosen[ours] or self.find_known(ours, others, is_clear=bool(is_else))
        found = {ours: column for ours in wanted if (column := known[ours])}
        documents = found.get("doc_id", "")
        is_either = (kind.is_judged or kind is RUN) and documents not in self.lists
        lists = [c for c in have if tell_lists(c) or _simplify(c) in NAMES["doc_id"][-1]]
        if documents == found.get(kind.value) and kind.columns[-1:] != ("doc_id",):
            is_list = len(have) == 2 or len(lists) > 1  # which a table of both has
            if documents in self.lists or (is_either and is_list and not chosen[kind.value]):
                del found[kind.value]
            elif not (chosen["doc_id"] or have.count("doc_id")):
                del found["doc_id"]
        has_value = kind.value in found or find_order(found, kind)
        if is_either and not has_value and documents in lists:
            others = [each for each in have if tell_lists(each) and each not in self.lists]
            found["doc_id"] = Cell(dict.fromkeys([documents, *others]))
        if "user_id" in kind.optional and found.get("user_id") == found.get("query_id"):
            found.pop("user_id", None)  # recommendations are for a user, who is the query
        missing = [ours for ours in _IDS if ours in kind.columns and ours not in found]
        rest = [c for c in have if c not in found.values() and c not in ("", "Unnamed: 0", "index")]
        listed = [each for each in rest if each in self.lists]
        are_pairs = listed or (kind.is_judged and len(have) == 2)  # all relevant
        rest = listed if missing == ["doc_id"] and listed else rest
        is_left = is_either and (has_value or are_pairs) and len(missing) == len(rest) == 1
        if is_left and not (is_known(rest, NAMES) or tell_lists(rest[0])):
            found[missing[0]] = rest[0]  # what else could it be
        is_beir = {*map(_simplify, have)} == {"queryid", "corpusid", "score"}  # or MTEB
        if kind.is_judged and "relevance" not in found and is_beir:
            found["relevance"] = next(each for each in have if _simplify(each) == "score")
        return found

    def find_given(self, column: str) -> str | None:
        """The column that the user gave; skips a name that only another input has."""
        name, have = self.name, self.have
        named = self.given.get(column)
        if named in (None, ""):
            return None
        if isinstance(named, int):
            if not 1 <= named <= len(have):
                raise InputError(
                    f"{name} has no column {named} for {column}; it has {len(have)} columns"
                )
            return have[named - 1]
        if taken := _take(named, have):
            return taken
        if column in _IDS and not self.is_one and self.find_known(column, have):
            return None
        raise _lacks([name], named, column, have)

    def find_known(self, column: str, have: Sequence[str], *, is_clear: bool = False) -> str | None:
        """The column of a known name, which ``is_clear`` unless it is of the last ones."""
        have = [] if self.given.get(column) == "" else have  # the user leaves it out
        if column in have:
            return column
        groups = [
            [each for each in have if _is_called(each, names)]
            for names in ((column.lower(),), *NAMES.get(column, ())[: -1 if is_clear else None])
        ]
        fit = [of for of in _LISTS if column == "doc_id" and self.kind.prefix in of]
        if fit:  # its own lists, before those of any kind and those that may be values
            own, either = ([each for each in have if tell_lists(each) == of] for of in fit)
            sure = [each for each in own if not is_known([each], {self.kind.value})]
            groups[-1:] = [sure, groups[-1], own, either, _find_places(have, self.kind)]
        for same in groups:
            if len(same) == 1 or (same and same is groups[0]):
                return same[0]
            if same:
                could = f"{self.name}: {column} could be {' or '.join(same)}"
                raise InputError(f"{could}; choose one: {name_columns({column: same[0]})}")
        return None

    def require(self, found: Mapping[str, str]) -> None:
        """Raise `InputError` for columns that cannot be these, and for those that are missing."""
        name, kind, lists = self.name, self.kind, self.lists
        documents, have = found.get("doc_id", ""), [each.lower() for each in self.have]
        parts = split_key(documents)
        for ours, column in found.items():
            same = [each for each in found if found[each] == column and each in NAMES]
            twice = [part for part in split_key(column) if have.count(part.lower()) > 1]
            is_value = ours in ("score", "relevance") and ours in self.given
            own = find_reversed(column) if is_value else None
            first = "the largest distance" if own == "distance" else "the last place"
            named = f"give it as {own}: columns={{'{own}': '{column}'}} or --columns {own}={column}"
            is_order = kind is RUN and ours in ("score", "rank", "distance")
            refuse(
                {
                    f"{name} has column {''.join(twice[:1])} twice": twice,
                    f"{name}: {column} cannot be both {' and '.join(same)}": len(same) > 1,
                    f"{name}: {column} as {ours} would put {first} first; "
                    f"{named if ours == 'score' else 'make a column of grades'}. "
                    "If the largest is the best, rename the column": own,
                    f"{name}: {documents} is a list, but {column} is one value per row; make "
                    f"{column} a list too, or leave it out: the first document is the best": (
                        is_order and documents in lists and column not in lists
                    ),
                }
            )
        if len(parts) > 1 and any(part in lists for part in parts):
            raise InputError(
                f"{name}: {documents} cannot be one key, since it holds lists; for one table with "
                f"the lists of both, {name_columns({'qrels.doc_id': '…', 'run.doc_id': '…'})}"
            )
        missing = [column for column in kind.columns if column not in found]
        rest = [each for each in self.have if each not in found.values()]
        is_pairs = {*found} == {*_IDS} and all(_is_called(each, kind.others) for each in rest)
        are_lists = documents in lists or isinstance(documents, Cells)
        if kind.value in missing and (are_lists or (kind.is_judged and is_pairs)):  # all relevant
            missing.remove(kind.value)
        order = "relevance" if kind.is_judged else find_order(found, kind)
        if missing in ([], ["score"]) and order:
            if found.get(order, order).lower() != order and fits(name, LOG, self.have):
                raise seems_other(name, kind, f"columns {', '.join(self.have)}", LOG)
        elif missing:
            raise self.explain([c for c in missing if c != "score" or not order], found.values())

    def explain(self, missing: Sequence[str], taken: Iterable[str]) -> InputError:
        """The error about missing columns: what the input may be instead, or how to name them."""
        name, have, kind = self.name, self.have, self.kind
        if is_either := kind.is_judged or kind is RUN:
            lists = [each for each in have if kind.other.prefix in tell_lists(each)]
            if "doc_id" in missing and lists:
                return seems_other(name, kind, f"column {lists[0]}")
            own = missing == [kind.value] and self.find_known(kind.other.value, have, is_clear=True)
            if own:
                error = seems_other(name, kind, f"column {own} but no column {kind.value}")
                way = name_columns({f"{kind.prefix}.{kind.value}": own})
                return InputError(f"{error}. If {own} is the {kind.value}: {way}")
        if (kind.value_is_number or len(missing) > 1) and (other := _recognise(name, kind, have)):
            return seems_other(name, kind, f"columns {', '.join(have)}", other)
        first, named = missing[0], dict[str, str]()
        for ours in (each for each in missing if each in NAMES):
            known = [ours, *chain(*NAMES[ours])]
            left = [each for each in have if each not in (*taken, *named.values())]
            likely = (each for each in left if get_close_matches(_simplify(each), known, 1, 0.7))
            named[ours] = next(likely, left[0] if len(left) == 1 else "…")
        judges = [c for c in have if re.match("|".join(chain(*NAMES["judge"])), _simplify(c))]
        if is_either and missing == ["relevance"] and len(judges) > 1:
            ids = ", ".join(f"{quote_name(self.find(each) or '')} AS {each}" for each in _IDS)
            of = f"t UNPIVOT (relevance FOR judge IN ({', '.join(map(quote_name, judges))}))"
            sql = f"'WITH r AS (SELECT {ids}, judge, relevance FROM {of}) FROM merged_ratings(r)'"
            typed = f"sqlmetrics query -t t={name} {sql} -o qrels.csv"
            return InputError(
                f"{name}: {', '.join(judges)} are of several judges; make one judgment of them "
                f"first: {typed if is_typed.get() else f'sqlmetrics.query({sql}, t=…)'}"
            )
        hints = {
            f". Name {'it' if len(named) == 1 else 'them'}: {name_columns(named)}": first in NAMES,
            "; if the smallest is the best, name it rank or distance instead": first == "score",
            "; if the largest is the best, write -1 times it as a distance": first == "distance",
            ". Give a table that has it with topics= or --topics": (
                first not in NAMES and kind.columns[:1] == ("query_id",)
            ),
            ". If each row is a relevant document, keep the ids alone": first == "relevance",
            ". If these are means, give the scores of queries": kind.prefix == "scores",
            ". If columns are documents, unpivot them": len(named) > 1
            and named.get("doc_id") == "…",
        }
        out = ", which you leave out" * (self.given.get(first) == "")
        said = f"{name} has no column {' and no column '.join(missing)}{out}; it has "
        said += ", ".join(have) or "none"
        return InputError("".join([said, *(text for text, fits in hints.items() if fits)]))


def _take(named: str | Sequence[str], have: Sequence[str]) -> str | None:
    """The column of this name, or the key of several, if they are there; None if they are not."""
    if isinstance(named, str) and (
        alike := [each for each in have if each.lower() == named.lower()]
    ):
        return named if named in alike else alike[0]
    parts = named.split("+") if isinstance(named, str) else named
    if (joined := "+".join(parts)) in have:
        return joined
    if len(parts) == 1:
        return None if isinstance(named, str) else _take(parts[0], have)
    taken = [_take(part.strip(), have) for part in parts if part.strip()]
    return Key(filter(None, taken)) if len(taken) == len(parts) and all(taken) else None


def _lacks(
    inputs: Iterable[str], named: str | Sequence[str], column: str, have: Sequence[str]
) -> InputError:
    parts = [named] if isinstance(named, str) else [*named]
    near = [each for name in parts for each in get_close_matches(name, have, 1)]
    hint = f"; did you mean {near[0]}?" if near else ""
    names, lacks = [*inputs], f"no column {'+'.join(parts)} for {column}"
    several = f"{lacks} in {name_some(names)}; they have"
    said = several if len(names) > 1 else f"{names[0]} has {lacks}; it has"
    return InputError(f"{said} {', '.join(have)}{hint}")


def tell_lists(column: str) -> tuple[str, ...]:
    """Whether a name is that of lists, and of judgments, a run, or either.

    ``gold_ids`` are judgments, as are ``relevant_results``; ``retrieved`` is a run.
    """
    name = _simplify(column)
    is_made = re.fullmatch(rf"(?:(?:{_WORDS})s?)+", name) is not None
    return next((of for of, words in _LISTS.items() if is_made and re.search(words, name)), ())


def _find_places(have: Sequence[str], kind: Kind) -> list[str]:
    """Columns with numbers that are a list of documents together, if there are three or more."""
    found: dict[str, list[str]] = {}
    for column in have:
        stem = re.sub(r"[-_ ]?\d+$", "", column)
        if _simplify(stem) in chain(*NAMES["doc_id"]) or kind.prefix in tell_lists(stem):
            found.setdefault(stem, []).append(column)
    return [Cells(columns) for columns in found.values() if len(columns) > 2]


def _simplify(column: str) -> str:
    return re.sub(r"(\(.*\)|:token|:float)$|[-_.\s?]", "", column.strip().lower())  # no unit


def _is_called(column: str, names: Collection[str]) -> bool:
    """Whether a column has one of these names, or its last part of one with dots.

    A name with * is of any that are like it, except those of lists.
    """
    spelled = {column.lower(), _simplify(column), _simplify(column.rpartition(".")[2])}
    likely = [name for name in names if "*" in name and not tell_lists(column)]
    return not spelled.isdisjoint(names) or any(fnmatch.filter(spelled, each) for each in likely)


def quote_name(column: str) -> str:
    """The name of a column in SQL."""
    if column in NAMES:
        return column
    return '"' + column.replace('"', '""') + '"'
