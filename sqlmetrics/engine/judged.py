"""DuckDB: the session that scores on a connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import duckdb
import polars as pl

from ..catalogue import is_own
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..errors import InputError, MetricError
from ..inputs.columns import Kind
from ..inputs.frames import ScoreDict
from ..inputs.grades import read_grades
from ..inputs.source import Input, reading
from ..inputs.streams import Stream
from ..inputs.tables import Excluded, read_excluded
from ..macros.create import unite_queries, write_without
from ..macros.install import call_installed
from ..macros.statements import Segments, build, keep_relevant, list_ties
from ..progress import begin
from ..ranking import (
    NumberedJudgments,
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
    require_ranks,
    require_rows,
)
from .connections import DuckDB, open_reader
from .coverage import (
    check_coverage,
    choose_cutoff,
    find_unmatched,
    measure_judged,
    note_grades,
)
from .first_rows import FIRST, count_sampled, note_first
from .formulas import write_formula
from .judgments import Judgments, Qrels, number_usable
from .session import Request, Session, write_means


class JudgedRuns(Session):
    """Scores computed by DuckDB; see `Session` for the steps.

    Documents are ranked first, for all metrics. What the SQL of the metrics reads is then the rows
    of ``ranked`` with numbers as ids, which are in the order of the ids.
    """

    judgments: Input
    excluded: Excluded | None = None

    def __init__(self, reader: DuckDB, request: Request) -> None:
        super().__init__(reader, request)
        self.reader = reader
        self.con = reader.con
        if request.conventions.grades:
            reader.grades = read_grades(request.conventions.grades)
        reader.repeated = request.conventions.repeated
        asks_rank = "rank" in list_ties(request.metrics, request.conventions)
        reader.with_ranks |= asks_rank or self.are_neighbours
        self._first_rows: dict[str, pl.DataFrame] = {}

    def read_judgments(self, qrels: Qrels, kind: Kind) -> None:
        """Read judgments, which may have been read and numbered before."""
        if isinstance(qrels, Judgments) and kind.is_judged:
            self.judgments, self._judged = qrels.take(self.reader, kind)
        else:
            super().read_judgments(qrels, kind)

    def exclude(self, exclude: Any) -> None:  # noqa: ANN401
        """Leave documents out of the runs while these are ranked."""
        self.excluded = read_excluded(self.reader, exclude)

    @cached_property
    def run(self) -> str:
        """The name of a view of all runs, or of a table without what is excluded."""
        runs = self.reader.unite(self.runs.values())
        if self.excluded is None:
            return runs
        frame = self.excluded.frame
        exclude = None if frame is None else self.reader.register(frame)
        return self.reader.create(write_without(runs, exclude))

    @cached_property
    def _judged(self) -> NumberedJudgments:
        return number_usable(self.reader, self.judgments)

    @cached_property
    def _ranks(self) -> Ranks:
        most = count_sampled(len(self.runs))

        def read(*, is_sorted: bool) -> Iterator[tuple[str | None, pl.DataFrame | ScoreDict]]:
            self._left_out = 0
            for run in self.runs.values():
                if is_sorted and not self.excluded and (given := take_dict(run)) and given.height:
                    self._first_rows[run.name] = given.head(most)
                    yield run.run_id, given
                    continue
                for part in read_lists(self.con, run, is_sorted=is_sorted):
                    rows = self.excluded.leave_out(part) if self.excluded else part
                    self._left_out += part.height - rows.height
                    if rows.height:
                        self._first_rows.setdefault(run.name, rows.head(FIRST))
                        yield run.run_id, rows
                if run.name not in self._first_rows:
                    require_rows(self.reader, run)

        ranks = rank(read(is_sorted=True), self._judged, self._orders)
        if ranks.is_whole:
            return ranks
        begin("bringing the documents of each list together")
        return rank(read(is_sorted=False), self._judged, self._orders, is_sorted=False)

    @cached_property
    def run_ids(self) -> Iterable[str]:
        """The names of the runs, in the order in which they come."""
        lists = self._ranks.lists  # without columns, where nothing is ranked
        return lists["run_id"].unique(maintain_order=True) if lists.height else []

    @property
    def _orders(self) -> set[str]:
        """The orders of tied documents that are asked for."""
        conventions = self.request.conventions
        own = [measure.arguments for measure in self.request.metrics] or [()]
        return {str(conventions.give(each).get("ties", Conventions.ties)) for each in own}

    def check(self) -> None:
        """Raise `InputError` at the first thing that would give a wrong number; note the rest."""
        wanted, conventions = self.request.metrics, self.request.conventions
        if "rank" in self._orders:
            require_ranks(self.con, self.runs.values())
        if "input" in self._orders:
            _require_order(self.con)
        runs = self.runs.values()
        if len(runs) > 1 or self.excluded:
            listed = ((run.name, list_run_ids(self.reader, run)) for run in runs)
            check_run_ids(listed, {*self.run_ids} if self.excluded else None)
        judgments = self._judged.documents
        begin("ranking documents")
        if not self._ranks.is_clean:
            begin("looking for repeated documents")
            refuse(self.reader, runs)
        self.notes += note_first(self.reader, runs, judgments, self._first_rows)
        if self._left_out:
            self.notes.append(f"exclude= leaves out {self._left_out} retrieved documents")
        elif self.excluded and self.excluded.query:
            self.notes.append("exclude= leaves out nothing: none of its documents was retrieved")
        once = [measure.name for measure in wanted if measure.metric.needs_one_judgment]
        require_judged_once(self.reader, self.judgments, once)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += check_coverage(
            judgments, self.judgments.name, self._ranks.lists, names, conventions
        )
        grades = judgments["relevance"]
        self.notes += note_grades(self.reader, self.judgments, grades, wanted, conventions)
        if cutoff := choose_cutoff(wanted, conventions):
            self.judged = measure_judged(self._ranks, self._judged, cutoff)

    @cached_property
    def _keeps_ids(self) -> bool:
        """Whether ids are read, as by curves and perhaps by metrics of the user."""
        files = [measure.metric.file for measure in self.request.metrics]
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
        conventions = self.request.conventions
        if "relevant" in conventions.queries:
            counted = keep_relevant(qrels, conventions.relevant_from)
            qrels = self.reader.keep(counted, as_table=True)
            judged = f"SELECT query_id FROM {qrels}"
            run = self.reader.keep(f"FROM {run} WHERE query_id IN ({judged})")
        return qrels, run

    def score(self) -> pl.DataFrame:
        """The scores of each query, from a statement that has the means, too."""
        begin("scoring", self._judged.documents.height * len(self._ranks.runs))
        wanted, keys = self.request.metrics, ["run_id", "query_id"]
        others = tuple(measure for measure in wanted if measure.metric.needs_all_judgments)
        own = tuple(measure for measure in wanted if measure not in others)
        parts = [self._write(own)] if own else []
        if others:
            parts.append(self._annotate()._write(others))
        first, *more = (f"(\n{part}\n)" for part in parts)
        scores = first + "".join(f" JOIN {part} USING (run_id, query_id)" for part in more)
        schema: dict[str, object] = {"run_id": pl.String if self._keeps_ids else pl.Int64}
        if self.topics:
            scores += f" LEFT JOIN {self.divide().table} USING (query_id)"
            schema |= self.topics.frame.schema
        query = f"WITH _scores AS MATERIALIZED (FROM {scores})\nFROM _scores\nUNION ALL BY NAME\n"
        found = self.run_sql(query + write_means(self.request, "_scores", schema), wanted)
        is_mean = found["query_id"].is_null()
        self.means = found.filter(is_mean).drop(m.name for m in self.request.pooled)
        per_query = found.filter(~is_mean).select(*keys, *(m.name for m in wanted)).sort(keys)
        require_finite(per_query, wanted, "query_id", self.judgments.name)
        self.notes += self._find_unmatched(per_query)
        return self.join_topics(per_query)

    def _annotate(self) -> JudgedRuns:
        """The same session with judgments of documents that are judged for other queries, too."""
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
        session = JudgedRuns(self.reader, self.request)
        session.judgments = replace(self.judgments, frame=frame)
        session.runs, session.excluded = self.runs, self.excluded
        session._judged = number_judgments(frame)
        return session

    def _find_unmatched(self, per_query: pl.DataFrame) -> list[str]:
        """Notes on runs with scores of 0, or none, since they retrieved no judged document."""
        ranks = self._ranks
        found = {run for rows in ranks.found.values() for run in rows["run"].unique()}
        unmatched = [name for run, name in enumerate(ranks.runs) if run not in found]
        if not unmatched or pl.Float64 not in per_query.schema.values():
            return []
        return find_unmatched(self.reader, self.judgments, self.run, unmatched)

    def compute(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        """The scores of segments, sorted."""
        segments = segments or Segments()
        keys = ["run_id", *segments.columns]
        found = self.run_sql(self._write(wanted, segments), wanted).sort(keys)
        require_finite(found, wanted, keys[-1], self.judgments.name)
        return found

    def _write(self, wanted: Sequence[Measure], segments: Segments | None = None) -> str:
        """The SELECT of the scores, of each query or of segments."""
        conventions = self.request.conventions
        tables = dict(zip(("qrels", "run"), self.tables, strict=True))
        known = {m: write_formula(m, "expected_" * conventions.expects) for m in wanted}
        formulas = {m: text for m, text in known.items() if text and segments is None}
        return build(wanted, tables, conventions, segments=segments, formulas=formulas)

    def run_sql(self, query: str, wanted: Iterable[Measure] = ()) -> pl.DataFrame:
        """The rows of a query over ``tables`` that calls our macros, with the ids."""
        of_user = any(measure.metric.file.folder == "connection" for measure in wanted)
        try:
            return self._name(self.reader.run(query, "numbered", is_marked=of_user))
        except duckdb.InvalidInputException as error:  # from error() in a macro
            said = describe_refusal(self.con, self.judgments, str(error))
            raise InputError(said) from None
        except duckdb.BinderException as error:  # in a macro of the user's
            raise MetricError(str(error).partition("\n")[0]) from None

    def _name(self, found: pl.DataFrame) -> pl.DataFrame:
        """The rows with ids."""
        return found if self._keeps_ids else self._name_numbers(found)

    def _name_numbers(self, found: pl.DataFrame) -> pl.DataFrame:
        """The rows with ids in place of numbers."""
        ids = {"run_id": self._ranks.runs, "query_id": self._judged.queries["query_id"]}
        taken = ids.keys() & {*found.columns}
        return found.with_columns(**{key: ids[key].gather(found[key]) for key in taken})

    def divide(self) -> Segments:
        """The segments of queries that are pooled, whose ids may be numbers."""
        if not self.topics:
            return Segments()
        rows = self.topics.frame
        rows = rows if self._keeps_ids else number_queries(rows, self._judged)
        return Segments(self.reader.register(rows), self.topics.segments)

    @property
    def statement(self) -> str:  # type: ignore[override]
        """The SELECT over the inputs as they are, for the macros of `install`."""
        judged, found = ("exact", "found") if self.are_neighbours else ("qrels", "run")
        tables = {judged: f"_{judged}", found: f"_{found}"}
        inputs = {f"_{judged}": self.judgments.query}
        rows = unite_queries(self.runs.values())
        if self.excluded is not None:
            inputs["_found"], exclude = rows, None
            if self.excluded.query:
                inputs["_excluded"], exclude = self.excluded.query, "_excluded"
            rows = write_without("_found", exclude)
        inputs[f"_{found}"] = rows
        wanted, conventions = self.request.metrics, self.request.conventions
        return call_installed(build(wanted, tables, conventions, inputs, shares_ranks=False))


def _require_order(con: duckdb.DuckDBPyConnection) -> None:
    """Raise `InputError` if DuckDB may read rows in a different order than the file has."""
    ((is_kept,),) = con.execute("SELECT current_setting('preserve_insertion_order')").fetchall()
    if not is_kept:
        raise InputError("ties='input' needs SET preserve_insertion_order = true on the connection")


@contextmanager
def open_duckdb(request: Request, **where: Any) -> Iterator[JudgedRuns]:  # noqa: ANN401
    """A session on DuckDB; the options are those of `open_reader`."""
    with open_reader(**where) as reader:
        session = JudgedRuns(reader, request)
        with reading(session):
            yield session
