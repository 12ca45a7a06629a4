"""DuckDB: the session that scores on a connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

import duckdb
import polars as pl

from ..catalogue import is_own
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..errors import InputError, MetricError
from ..inputs.columns import QRELS, SUBTOPIC_QRELS, Columns, Kind, quote_name
from ..inputs.data import Data, RunNames, Runs
from ..inputs.excluded import Excluded, read_excluded, write_without
from ..inputs.frames import ScoreDict, can_be_read_once
from ..inputs.reader import Input, Reader, unite_queries
from ..inputs.source import reading
from ..inputs.streams import Stream
from ..inputs.topics import Topics, read_topics
from ..macros.create import (
    TooLarge,
    prepare,
    take_any_gain,
)
from ..macros.install import call_installed
from ..macros.statements import Segments, build, keep_relevant, list_ties
from ..progress import begin
from ..ranking import (
    Judged,
    Ranks,
    name_ids,
    number_judgments,
    number_queries,
    rank,
    read_lists,
    tabulate,
    take_dict,
)
from .checks import (
    check_run_ids,
    describe_refusal,
    list_run_ids,
    refuse,
    require_finite,
    require_judged_once,
    require_order,
    require_ranks,
    require_rows,
)
from .connections import open_reader
from .coverage import (
    NOT_KNOWN,
    check_coverage,
    choose_cutoff,
    find_unmatched,
    measure_judged,
    note_grades,
)
from .first_rows import FIRST, count_sampled, note_first
from .formulas import write_formula
from .judgments import Judgments, Qrels, number_usable
from .relations import keep
from .session import Question

# The variants of macros over tables with numbers as ids.
_NUMBERED = "numbered"


class DuckDB:
    """Scores computed by DuckDB; see `Session` for the steps.

    Documents are ranked first, for all metrics. What the SQL of the metrics reads is then the rows
    of ``ranked`` with numbers as ids, which are in the order of the ids.
    """

    judgments: Input
    runs: dict[str, Input]
    excluded: Excluded | None = None
    topics: Topics | None = None

    def __init__(self, reader: Reader, question: Question) -> None:
        self.reader = reader
        self.con = reader.con
        self.question = question
        self.notes = reader.notes
        self.judged = NOT_KNOWN
        self._first_rows: dict[str, pl.DataFrame] = {}

    def __str__(self) -> str:
        """The names of the inputs, of which an error of DuckDB may be."""
        return " or ".join(each.name for each in self.inputs)

    @property
    def inputs(self) -> list[Input]:
        found = [getattr(self, "judgments", None), *getattr(self, "runs", {}).values()]
        return [each for each in found if each]

    def read(
        self, qrels: Qrels, run: Runs, topics: Data | None = None, kind: Kind | None = None
    ) -> None:
        """Read the columns that the question needs; ``kind`` is that of other judgments."""
        wanted, conventions = self.question.metrics, self.question.conventions
        data = qrels.data if isinstance(qrels, Judgments) else qrels
        if topics is None and self.question.topic_columns and can_be_read_once(data):
            raise InputError(
                "these judgments can be read only once; give by and weight their topics"
            )
        kind = kind or (SUBTOPIC_QRELS if take_subtopics(wanted) else QRELS)
        if isinstance(qrels, Judgments):
            self.judgments, self._judged = qrels.take(self.reader, kind)
        else:
            self.judgments = self.reader.read(data, kind)
        self.runs = self.reader.read_runs(run, conventions.score_type)
        self.excluded = read_excluded(self.reader, conventions.exclude)
        self._read_topics(data if topics is None else topics)
        is_by_subtopic = any(measure.metric.is_by_subtopic for measure in wanted)
        if is_by_subtopic and "subtopic" not in self.judgments.columns:
            self.notes.append(f"{self.judgments.name} has no subtopics; each query counts as one")

    def _read_topics(self, data: Data) -> None:
        if self.question.topic_columns:
            about = self.question.segments, self.question.weight
            self.topics = read_topics(self.reader, data, *about)

    @cached_property
    def run(self) -> str:
        """The name of a view of all runs, or of a table without what is excluded."""
        runs = self.reader.unite(self.runs.values())
        if self.excluded is None:
            return runs
        frame = self.excluded.frame
        exclude = None if frame is None else self.reader.register(frame)
        return keep(self.reader, write_without(runs, exclude))

    @cached_property
    def _judged(self) -> Judged:
        return number_usable(self.con, self.judgments)

    @cached_property
    def _ranks(self) -> Ranks:
        most = count_sampled(len(self.runs))

        def read(*, is_sorted: bool) -> Iterator[tuple[str | None, pl.DataFrame | ScoreDict]]:
            self._left_out = 0
            for run in self.runs.values():
                is_empty = True
                if is_sorted and not self.excluded and (given := take_dict(run)) and given.height:
                    self._first_rows[run.name] = given.head(most)
                    yield run.run_id, given
                    continue
                for part in read_lists(self.con, run, is_sorted=is_sorted):
                    rows = self.excluded.leave_out(part) if self.excluded else part
                    self._left_out += part.height - rows.height
                    if rows.height:
                        if is_sorted and is_empty:
                            self._first_rows[run.name] = rows.head(FIRST)
                        is_empty = False
                        yield run.run_id, rows
                if is_empty:
                    require_rows(self.con, run)
                    raise InputError(f"{run.name}: exclude= leaves out all of its documents")

        ranks = rank(read(is_sorted=True), self._judged, self._orders)
        if ranks.is_whole:
            return ranks
        begin("bringing the documents of each list together")
        return rank(read(is_sorted=False), self._judged, self._orders, is_sorted=False)

    @property
    def run_ids(self) -> Iterable[str]:
        """The names of the runs, in the order in which they come."""
        return self._ranks.lists["run_id"].unique(maintain_order=True)

    @property
    def _orders(self) -> set[str]:
        """The orders of tied documents that are asked for."""
        conventions = self.question.conventions
        own = [measure.arguments for measure in self.question.metrics] or [()]
        return {str(conventions.give(each).get("ties", Conventions.ties)) for each in own}

    def check(self) -> None:
        """Raise `InputError` at the first thing that would give a wrong number; note the rest."""
        wanted, conventions = self.question.metrics, self.question.conventions
        if "rank" in self._orders:
            require_ranks(self.con, self.runs.values())
        if "input" in self._orders:
            require_order(self.con)
        runs = self.runs.values()
        if len(runs) > 1:
            check_run_ids((run.name, list_run_ids(self.con, run)) for run in runs)
        judgments = self._judged.documents
        begin("ranking documents")
        if not self._ranks.is_clean:
            begin("looking for repeated documents")
            refuse(self.con, runs)
        self.notes += note_first(self.reader, runs, judgments, self._first_rows)
        if self._left_out:
            self.notes.append(f"exclude= leaves out {self._left_out} retrieved documents")
        elif self.excluded and self.excluded.query:
            self.notes.append("exclude= leaves out nothing: none of its documents was retrieved")
        once = [measure.name for measure in wanted if measure.metric.needs_one_judgment]
        require_judged_once(self.con, self.judgments, once)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += check_coverage(
            judgments, self.judgments.name, self._ranks.lists, names, conventions
        )
        self.notes += note_grades(
            self.con, self.judgments, judgments["relevance"], wanted, conventions
        )
        if cutoff := choose_cutoff(wanted, conventions):
            self.judged = measure_judged(self._ranks, self._judged, cutoff)

    @cached_property
    def _keeps_ids(self) -> bool:
        """Whether ids are read, as by curves and perhaps by metrics of the user."""
        files = [measure.metric.file for measure in self.question.metrics]
        return not files or any(file.folder == "connection" or is_own(file) for file in files)

    @cached_property
    def tables(self) -> tuple[str, str]:
        """The names of the judgments that count, and of the rows of ``ranked``."""
        qrels, run = tabulate(self.reader, self.judgments.frame, self._judged, self._ranks)
        if self._keeps_ids:
            qrels = self.reader.keep(name_ids(self.reader, qrels, self._judged), as_table=True)
            run = self.reader.keep(
                name_ids(self.reader, run, self._judged, self._ranks), as_table=True
            )
        conventions = self.question.conventions
        if "relevant" in conventions.queries:
            counted = keep_relevant(qrels, conventions.relevant_from)
            qrels = self.reader.keep(counted, as_table=True)
            judged = f"SELECT query_id FROM {qrels}"
            run = self.reader.keep(f"FROM {run} WHERE query_id IN ({judged})")
        return qrels, run

    def score(self) -> pl.DataFrame:
        wanted = self.question.metrics
        others = tuple(measure for measure in wanted if measure.metric.needs_all_judgments)
        own = tuple(measure for measure in wanted if measure not in others)
        parts = [self._score(own)] if own else []
        if others:
            parts.append(self._annotate(others)._score(others))
        per_query = parts[0]
        for part in parts[1:]:
            per_query = per_query.join(part, on=["run_id", "query_id"], maintain_order="left")
        names = (measure.name for measure in wanted)
        per_query = per_query.select("run_id", "query_id", *names)
        self.notes += self._find_unmatched(per_query)
        return self._join_topics(per_query)

    def _join_topics(self, per_query: pl.DataFrame) -> pl.DataFrame:
        if self.topics:
            per_query = self.topics.join(per_query)
            self.notes += self.topics.describe_missing(per_query)
        return per_query

    def _annotate(self, metrics: tuple[Measure, ...]) -> DuckDB:
        """A session with judgments of documents that are judged for other queries, too."""
        judgments = self.judgments.table
        query = f"""
            SELECT DISTINCT _r.query_id, _r.doc_id, -1e0 AS relevance
            FROM {self.run} AS _r
            WHERE
                _r.query_id IN (SELECT query_id FROM {judgments})
                AND _r.doc_id IN (SELECT doc_id FROM {judgments})
                AND (_r.query_id, _r.doc_id) NOT IN (SELECT (query_id, doc_id) FROM {judgments})"""
        others = pl.DataFrame(Stream(self.con.sql(query)))
        frame = pl.concat([self.judgments.frame.select(others.columns), others])
        session = DuckDB(self.reader, replace(self.question, metrics=metrics))
        session.judgments = replace(self.judgments, frame=frame)
        session.runs = self.runs
        session._judged = number_judgments(frame)
        return session

    def _score(self, wanted: tuple[Measure, ...]) -> pl.DataFrame:
        begin("scoring", self._judged.documents.height * len(self._ranks.runs))
        prefix = "expected_" * self.question.conventions.expects
        formulas = {each: write_formula(each, prefix) for each in wanted}
        known = {each: formula for each, formula in formulas.items() if formula}
        return self._ask(wanted, formulas=known)

    def _find_unmatched(self, per_query: pl.DataFrame) -> list[str]:
        """Notes on runs with scores of 0, or none, since they retrieved no judged document."""
        ranks = self._ranks
        found = {run for rows in ranks.found.values() for run in rows["run"].unique()}
        unmatched = [name for run, name in enumerate(ranks.runs) if run not in found]
        have_scores = pl.Float64 in per_query.schema.values()
        if not (unmatched and have_scores):
            return []
        return find_unmatched(self.con, self.judgments, self.run, unmatched)

    def _ask(
        self,
        wanted: Sequence[Measure],
        segments: Segments | None = None,
        formulas: Mapping[Measure, str] | None = None,
    ) -> pl.DataFrame:
        """The scores, of each query or of segments, sorted."""
        statement = build(
            wanted,
            dict(zip(("qrels", "run"), self.tables, strict=True)),
            self.question.conventions,
            segments=segments,
            formulas=formulas,
        )
        of_user = any(measure.metric.file.folder == "connection" for measure in wanted)
        try:
            query = prepare(self.con, statement, _NUMBERED, is_marked=of_user)
            found = self._name(select_exactly(self.reader, query))
        except duckdb.InvalidInputException as error:  # from error() in a macro
            said = describe_refusal(self.con, self.judgments, str(error))
            raise InputError(said) from None
        except duckdb.BinderException as error:  # in a macro of the user's
            raise MetricError(str(error).partition("\n")[0]) from None
        keys = ["run_id", *(segments.columns if segments else ["query_id"])]
        found = found.sort(keys)
        require_finite(found, wanted, keys[-1], self.judgments.name)
        return found

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of a query over ``tables`` that calls our macros, with the ids."""
        ready = prepare(self.con, query, _NUMBERED)
        return self._name(self.reader.ask(ready))

    def _name(self, found: pl.DataFrame) -> pl.DataFrame:
        """The rows with ids."""
        return found if self._keeps_ids else self._name_numbers(found)

    def _name_numbers(self, found: pl.DataFrame) -> pl.DataFrame:
        """The rows with ids in place of numbers."""
        ids = {"run_id": self._ranks.runs, "query_id": self._judged.queries["query_id"]}
        taken = ids.keys() & {*found.columns}
        return found.with_columns(**{key: ids[key].gather(found[key]) for key in taken})

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        pooled = None
        if self.question.pooled:
            segments = Segments()
            if known := self.topics:
                rows = known.frame if self._keeps_ids else number_queries(known.frame, self._judged)
                table = self.reader.register(rows)
                segments = Segments(table, known.segments)
            pooled = self._ask(self.question.pooled, segments)
        return summarize(self.reader, per_query, self.question, pooled)

    @property
    def statement(self) -> str:
        """The SELECT over the inputs as they are, for the macros of `install`."""
        found = unite_queries(self.runs.values())
        inputs = {"_qrels": self.judgments.query}
        if self.excluded is None:
            inputs["_run"] = found
        else:
            inputs["_found"], exclude = found, None
            if self.excluded.query:
                inputs["_excluded"], exclude = self.excluded.query, "_excluded"
            inputs["_run"] = write_without("_found", exclude)
        wanted, conventions = self.question.metrics, self.question.conventions
        tables = {"qrels": "_qrels", "run": "_run"}
        return call_installed(build(wanted, tables, conventions, inputs, shares_ranks=False))


def select_exactly(reader: Reader, query: str) -> pl.DataFrame:
    """What a query returns whose sums may be too large for the quick way."""
    try:
        return reader.ask(query)
    except TooLarge:
        take_any_gain(reader.con)
        return reader.ask(query)


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
    scores = reader.register(per_query)
    query = f"SELECT {', '.join([*keys, *summaries])} FROM {scores} GROUP BY ALL"
    mean = select_exactly(reader, prepare(reader.con, query))
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
    with_ranks: bool = False,
    kind: type[DuckDB] = DuckDB,
) -> Iterator[DuckDB]:
    """A session on the user's connection or one of its own; ``with_ranks`` reads those of runs."""
    with_ranks |= "rank" in list_ties(question.metrics, question.conventions)
    with open_reader(con, columns, run_names, with_ranks=with_ranks) as reader:
        session = kind(reader, question)
        with reading(session):
            yield session
