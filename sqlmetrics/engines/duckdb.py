"""DuckDB: the session that scores on a connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property

import duckdb
import polars as pl

from ..catalogue import SqlFile, find, quote
from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..errors import InputError, MetricError
from ..inputs.columns import QRELS, SUBTOPIC_QRELS, Columns, Kind, quote_name
from ..inputs.data import Data, RunNames, Runs
from ..inputs.frames import can_be_read_once
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..inputs.streams import Stream
from ..inputs.topics import Topics, read_topics
from ..inputs.workspace import open_workspace
from ..progress import begin
from .checks import (
    check_run_ids,
    describe_refusal,
    refuse,
    require_finite,
    require_judged_once,
    require_order,
    require_ranks,
)
from .coverage import check_coverage, find_unmatched
from .installation import call_installed
from .macros import bare, create_bare_macros, dropping_bare_macros, needed_files, take_any_gain
from .session import Question
from .statements import Segments, build, keep_relevant, list_ties
from .strategies import Sizes, count_lists, find_sizes, narrow, require_strategy, take_strategy


class DuckDB:
    """Scores computed by DuckDB; see `Session` for the steps.

    ``run`` is the name of a view of all runs, ``lists`` that of a table with a row for each of
    their rankings.
    """

    judgments: Input
    runs: dict[str, Input]
    topics: Topics | None = None

    def __init__(self, reader: Reader, question: Question, strategy: str | None) -> None:
        self.reader = reader
        self.con = reader.con
        self.question = question
        self.notes = reader.notes
        self._strategy = strategy

    def __str__(self) -> str:
        """The names of the inputs, of which an error of DuckDB may be."""
        return " or ".join(each.name for each in self.inputs)

    @property
    def inputs(self) -> list[Input]:
        found = [getattr(self, "judgments", None), *getattr(self, "runs", {}).values()]
        return [each for each in found if each]

    def read(
        self, qrels: Data, run: Runs, topics: Data | None = None, kind: Kind | None = None
    ) -> None:
        """Read the columns that the question needs; ``kind`` is that of other judgments."""
        wanted, conventions = self.question.metrics, self.question.conventions
        if topics is None and self.question.topic_columns and can_be_read_once(qrels):
            raise InputError(
                "these judgments can be read only once; give by and weight their topics"
            )
        kind = kind or (SUBTOPIC_QRELS if take_subtopics(wanted) else QRELS)
        self.judgments = self.reader.read(qrels, kind)
        self.runs = self.reader.read_runs(run, conventions.score_type)
        if self.question.topic_columns:
            given = qrels if topics is None else topics
            self.topics = read_topics(
                self.reader, given, self.question.segments, self.question.weight
            )
        is_by_subtopic = any(measure.metric.is_by_subtopic for measure in wanted)
        if is_by_subtopic and "subtopic" not in self.judgments.columns:
            self.notes.append(f"{self.judgments.name} has no subtopics; each query counts as one")

    @cached_property
    def run(self) -> str:
        check_run_ids(self.con, self.runs.values())
        return self.reader.unite(self.runs.values())

    @cached_property
    def lists(self) -> str:
        return count_lists(self.reader, self.run)

    @cached_property
    def sizes(self) -> Sizes:
        question = self.question
        depths = [question.conventions.give(m.arguments).get("depth") for m in question.metrics]
        numbers = [depth for depth in depths if isinstance(depth, int)]
        # where lists are cut, if all metrics have a depth
        depth = max(numbers) if numbers and len(numbers) == len(depths) else None
        if not depths:
            depth = question.conventions.depth
        sizes = find_sizes(self.con, self.judgments, self.lists, depth)
        if "input" in self._ties:  # which needs every row where it stands
            sizes = replace(sizes, matched=sizes.retrieved, depth=None)
        return sizes

    @cached_property
    def strategy(self) -> str:
        """The way of ranking: the one asked for, else the fastest that fits."""
        return take_strategy(self.con, self.sizes, self._strategy)

    @property
    def _ties(self) -> set[object]:
        return {*list_ties(self.question.metrics, self.question.conventions)}

    def create_macros(self, files: Iterable[SqlFile] | None = None) -> None:
        """Create the macros of the question, or those of ``files`` and all that they need."""
        if files is None:
            files = needed_files(
                (measure.metric for measure in self.question.metrics),
                strategy=self.strategy,
                expected=self.question.conventions.expects,
            )
        create_bare_macros(self.con, files)

    def check(self) -> None:
        """Raise `InputError` at the first thing that would give a wrong number; note the rest."""
        wanted, conventions = self.question.metrics, self.question.conventions
        if "rank" in self._ties:
            require_ranks(self.con, self.runs.values())
        if "input" in self._ties:
            require_order(self.con)
        self.create_macros()
        begin("looking for repeated documents", self.sizes.retrieved)
        refuse(self.con, self.inputs)
        once = [measure.name for measure in wanted if measure.metric.needs_one_judgment]
        require_judged_once(self.con, self.judgments, once)
        begin("comparing queries", self.sizes.retrieved)
        self.notes += check_coverage(self.con, self.judgments, self.runs, self.lists, conventions)

    @cached_property
    def _tables(self) -> tuple[str, str]:
        """Judgments and retrieved documents that count."""
        qrels = self.judgments.table
        run = narrow(self.reader, qrels, self.run, self.sizes)
        conventions = self.question.conventions
        if "relevant" in conventions.queries:
            qrels = self.reader.keep(keep_relevant(qrels, conventions.relevant_from))
        return qrels, run

    def score(self) -> pl.DataFrame:
        conventions = self.question.conventions
        begin("scoring", self.sizes.ranked)
        per_query = self._ask(self.question.metrics)
        self.notes += find_unmatched(self.con, self.judgments, self.run, per_query, conventions)
        if self.topics:
            per_query = self.topics.join(per_query)
            self.notes += self.topics.describe_missing(per_query)
        return per_query

    def _ask(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        """The scores, of each query or of segments, sorted."""
        statement = build(wanted, self.question.conventions, tables=self._tables, segments=segments)
        try:
            scores = keep_exactly(self.reader, bare(statement))
        except duckdb.InvalidInputException as error:  # from error() in a macro
            said = describe_refusal(self.con, self.judgments, str(error))
            raise InputError(said) from None
        except duckdb.BinderException as error:  # in a macro of the user's
            raise MetricError(str(error).partition("\n")[0]) from None
        keys = ["run_id", *(segments.columns if segments else ["query_id"])]
        found = pl.DataFrame(Stream(self.con.sql(f"FROM {scores}"))).sort(keys)
        require_finite(found, wanted, keys[-1], self.judgments.name)
        return found

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        pooled = None
        if self.question.pooled:
            known = self.topics
            segments = Segments(known.table, known.segments) if known else Segments()
            pooled = self._ask(self.question.pooled, segments)
        return summarize(self.reader, per_query, self.question, pooled)

    @property
    def statement(self) -> str:
        """The SELECT over the inputs as they are, for the macros of `install`."""
        union = "\nUNION ALL BY NAME\n".join(each.query for each in self.runs.values())
        inputs = {"_qrels": self.judgments.query, "_run": union}
        wanted, conventions = self.question.metrics, self.question.conventions
        return call_installed(build(wanted, conventions, inputs, shares_ranks=False))


def keep_exactly(reader: Reader, query: str) -> str:
    """The name of a table of a query whose sums may be too large for the quick way."""
    try:
        return reader.keep(query, as_table=True)
    except (duckdb.ConversionException, duckdb.OutOfRangeException):
        take_any_gain(reader.con)
        return reader.keep(query, as_table=True)


def summarize(
    reader: Reader, per_query: pl.DataFrame, question: Question, pooled: pl.DataFrame | None = None
) -> pl.DataFrame:
    """A row per run, or per run and segment, of the scores of its queries; sorted.

    ``pooled`` has those of metrics over all queries taken together.
    """
    texts = [key for key in question.keys if per_query.schema[key] == pl.String]
    keys = [
        f"{quote_name(key)}{' COLLATE C' * (key in texts)} AS {quote_name(key)}"
        for key in question.keys
    ]
    weight = None if question.weight is None else quote_name(question.weight)
    wanted = [(quote_name(m.name), m.summary) for m in question.metrics if m.summary != "pooled"]
    summaries = [f"{write_summary(x, how, weight, exact=True)} AS {x}" for x, how in wanted]
    create_bare_macros(reader.con, [find("functions", "total")])
    scores = reader.register(Stream(per_query))
    query = f"SELECT {', '.join([*keys, *summaries])} FROM {scores} GROUP BY ALL"
    table = keep_exactly(reader, bare(query))
    mean = pl.DataFrame(Stream(reader.con.sql(f"FROM {table}")))
    if pooled is not None:
        mean = mean.join(pooled, on=question.keys, how="left", nulls_equal=True)
    names = (measure.name for measure in question.metrics)
    return mean.sort(question.keys).select(*question.keys, *names)


@contextmanager
def open_duckdb(
    question: Question,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    strategy: str | None = None,
    with_ranks: bool = False,
) -> Iterator[DuckDB]:
    """A session on the user's connection or one of its own; ``with_ranks`` reads those of runs."""
    require_strategy(strategy)
    with_ranks |= "rank" in list_ties(question.metrics, question.conventions)
    with open_reader(con, columns, run_names, with_ranks=with_ranks) as reader:
        session = DuckDB(reader, question, strategy)
        with reading(session):
            yield session


@contextmanager
def open_reader(
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    *,
    with_ranks: bool = False,
) -> Iterator[Reader]:
    """A reader of inputs, on the user's connection or one of its own, which undoes what it did."""
    if not isinstance(con, duckdb.DuckDBPyConnection | None):
        raise InputError(
            f"con must be a connection from duckdb.connect(), not {type(con).__name__}"
        )
    if run_names not in ("file", "tag"):
        raise InputError(f"run_names must be 'file' or 'tag', not {run_names!r}")
    with _raising_keyboard_interrupt(), ExitStack() as undo:
        if con:
            own = con
            undo.enter_context(dropping_bare_macros(con))
        else:
            folder = undo.enter_context(open_workspace())
            own = undo.enter_context(duckdb.connect())
            own.execute(f"SET temp_directory = {quote(str(folder))}")
            # DuckDB would print a bar to stdout in a notebook, or where it takes us for one
            own.execute("SET enable_progress_bar = false")
        yield Reader(
            own,
            undo,
            has_tables=bool(con),
            columns=columns,
            by_tag=run_names == "tag",
            with_ranks=with_ranks,
        )


@contextmanager
def _raising_keyboard_interrupt() -> Iterator[None]:
    """Turn what DuckDB makes of Ctrl-C back into what Python makes of it."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None
