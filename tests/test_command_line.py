"""The command line prints results to stdout, messages to stderr, and writes whole files or none."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import duckdb
import polars as pl
import pytest
import record_scores
from commands import BM25, NEURAL, QRELS, run
from conftest import ROOT
from doors import list_words
from markdown_it import MarkdownIt

import sqlmetrics
from sqlmetrics.catalogue import list_analyses
from sqlmetrics.cli.bar import show_progress

COMMAND = [sys.executable, "-m", "sqlmetrics"]


def test_csv_and_json_have_every_digit():
    mean = sqlmetrics.evaluate(QRELS, [BM25, NEURAL], "nDCG@10 AP").mean
    evaluate = ["evaluate", QRELS, BM25, NEURAL, "-m", "nDCG@10", "-m", "AP", "--format"]
    assert run(*evaluate, "csv") == mean.write_csv()
    assert json.loads(run(*evaluate, "json")) == mean.to_dicts()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("scores", "table"),
        ("scores.txt", "table"),
        ("scores.csv", "csv"),
        ("scores.CSV", "csv"),
        ("scores.json", "json"),
        ("scores.jsonl", "jsonl"),
        ("scores.ndjson", "jsonl"),
        ("scores.md", "markdown"),
        ("scores.tex", "latex"),
    ],
)
def test_the_name_of_the_output_file_decides_its_format(tmp_path, name, format):
    evaluate = ["evaluate", QRELS, BM25, "-m", "AP", "-q"]
    file = tmp_path / name
    assert run(*evaluate, "-o", file) == ""
    assert file.read_bytes().decode() == run(*evaluate, "-f", format)
    assert list(tmp_path.iterdir()) == [file]


def test_a_parquet_file_has_every_digit(tmp_path):
    file = tmp_path / "scores.parquet"
    assert run("evaluate", QRELS, BM25, "-m", "AP", "-q", "-o", file) == ""
    assert pl.read_parquet(file).equals(sqlmetrics.evaluate(QRELS, BM25, "AP").per_query)
    assert list(tmp_path.iterdir()) == [file]


def test_an_output_file_is_not_touched_when_the_input_is_wrong(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("before")
    run("evaluate", QRELS, tmp_path / "none.csv", "-m", "AP", "-o", file, status=2)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_output_folder_is_reported():
    message = run("evaluate", QRELS, BM25, "-m", "AP", "-o", "/nowhere/scores.csv", status=2)
    assert "/nowhere" in message
    assert "Traceback" not in message


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_reported_in_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "metrics"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to standard output: No space left on device\n"


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_output_is_reported_in_one_line(tmp_path):
    def close(number, *arguments):
        command = ["sh", "-c", f'exec "$@" {number}>&-', "sh", *COMMAND, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    evaluate = ["evaluate", QRELS, NEURAL, "-m", "AP"]
    done = close(1, *evaluate)
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to standard output: it is closed\n"
    assert close(1, *evaluate, "-o", tmp_path / "scores.csv").returncode == 0
    assert (tmp_path / "scores.csv").read_text().startswith("run_id,AP")
    done = close(2, "evaluate", QRELS, BM25, "-m", "AP", "-f", "csv")
    assert done.stdout.splitlines()[0] == "run_id,AP"  # and not a note


@pytest.mark.skipif(sys.platform == "win32", reason="has no signal for a closed pipe")
def test_a_closed_pipe_has_the_status_of_its_signal():
    with subprocess.Popen(
        [*COMMAND, "gate", QRELS, BM25, "--fail-under", "AP=0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        said = process.stderr.read().decode().splitlines()
    assert process.returncode == 128 + signal.SIGPIPE
    assert not [line for line in said if not line.startswith("note: ")]


def print_trec_eval(qrels, ranked, nickname, level):
    """What ``trec_eval -q -l level -m nickname`` prints of judgments and a run."""
    names = record_scores.list_nicknames()[nickname]
    apart = {"runid", "num_q", "relstring"}  # what its code prints without a value
    judgments = "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in qrels)
    run = "".join(f"{query} Q0 {doc} 0 {score!r} tag\n" for query, doc, score in ranked)
    asked = [name for name in names if name not in apart]
    rows = record_scores.ask_trec_eval(judgments, run, "qrels", asked, level)
    queries = sorted({query for query, _, _ in rows} - {"all"})
    grades = {(query, doc): grade for query, doc, grade in qrels}
    lines = []
    for each in [*queries, "all"]:
        values = [(name, value) for query, name, value in rows if query == each]
        if each == "all":
            lines.append(("runid", each, "tag"))
            values.insert(0, ("num_q", len(queries)))
        elif "relstring" in names:
            docs = sorted(((s, d) for q, d, s in ranked if q == each), reverse=True)[:10]
            signs = "".join(str(grades.get((each, doc), "-")) for _, doc in docs)
            place = [name for name, _ in values].index("P_1000") + 1
            values.insert(place, ("relstring", f"'{signs}'"))
        for name, value in values:
            if each == "all" or not name.startswith("gm_"):
                is_text = isinstance(value, str) or name.startswith("num_")
                text = str(value).removesuffix(".0") if is_text else f"{value:6.4f}"
                lines.append((name, each, text))
    return "".join(f"{name:<22}\t{query}\t{text}\n" for name, query, text in lines)


@pytest.mark.few(1)
@pytest.mark.parametrize("nickname", ["all_trec", "official", "set"])
@pytest.mark.parametrize("level", [1, 2])
def test_trec_format_is_what_trec_eval_prints(tmp_path, nickname, level):
    # trec_eval's code remembers queries by their ids
    qrels, ranked = (
        [(f"{nickname}{level}-{query}", *rest) for query, *rest in pl.read_csv(file).iter_rows()]
        for file in (QRELS, NEURAL)
    )
    judged, found = tmp_path / "qrels.csv", tmp_path / "tag.csv"
    for file, rows, value in ((judged, qrels, "relevance"), (found, ranked, "score")):
        pl.DataFrame(rows, ["query_id", "doc_id", value], orient="row").write_csv(file)
    options = ["--preset", "trec_eval-9", "--rel", str(level), "-f", "trec"]
    printed = run("evaluate", judged, found, "-m", nickname, "-q", *options)
    assert printed == print_trec_eval(qrels, ranked, nickname, level)


def test_a_score_between_two_decimals_is_printed_as_trec_eval_does(tmp_path):
    qrels = "".join(f"1 0 d{number} 1\n" for number in range(32))
    ranked = "".join(f"1 Q0 d{number} 0 {-number} tag\n" for number in range(25, 50))
    judged, found = tmp_path / "qrels.txt", tmp_path / "run.txt"
    judged.write_text(qrels)
    found.write_text(ranked)
    printed = run("evaluate", judged, found, "-m", "set_map", "-f", "trec")
    assert printed == "set_map               \tall\t0.0612\n"  # of trec_eval 10.0; it is 49 / 800


def test_trec_format_is_in_the_order_of_trec_eval_and_has_other_measures_last():
    printed = run("evaluate", QRELS, NEURAL, "-m", "nDCG@3 P@10,5 ERR AP num_q", "-f", "trec")
    assert [line.split()[0] for line in printed.splitlines()] == [
        "num_q", "map", "P_5", "P_10", "ndcg_cut_3", "ERR",
    ]  # fmt: skip


def test_trec_format_has_a_line_for_each_name_of_a_measure():
    names = "Rprec_mult.1 Rprec set_F.0.50 11pt_avg_0,.5,1 iP11(lowest=0.5)"
    printed = run("evaluate", QRELS, NEURAL, "-m", names, "-f", "trec").splitlines()
    rows = dict(line.split("\tall\t") for line in printed)
    assert [name.strip() for name in rows] == [
        "Rprec", "Rprec_mult_1.00", "11pt_avg_0,.5,1", "set_F_0.50", "iP11(lowest=0.5)",
    ]  # fmt: skip
    assert len({score for name, score in rows.items() if name.startswith("Rprec")}) == 1


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--preset", "trec_eval-10"], ["map", "iprec_at_recall_0.10", "11pt_avg", "rbp"]),
        (["--rel", "2"], ["map", "iprec_at_recall_0.10", "11pt_avg", "RBP"]),
        (
            ["--preset", "trec_eval-10", "--rel", "2"],
            ["map", "iprec_at_recall_0.10", "11pt_avg", "rbp"],
        ),
        ([], ["map", "iprec_at_recall_0.10", "11pt_avg", "RBP"]),
    ],
    ids=str,
)
def test_trec_format_names_do_not_repeat_options(options, names):
    asked = "IPrec@0.1 iP11 rbp AP"
    printed = run("evaluate", QRELS, NEURAL, "-m", asked, "-f", "trec", *options).splitlines()
    assert [line.split()[0].partition("(")[0] for line in printed] == names


def test_trec_format_names_a_single_run_where_trec_eval_does():
    for names, is_named in [("runid map", True), ("official", True), ("map", False)]:
        printed = run("evaluate", QRELS, NEURAL, "-m", names, "-f", "trec")
        assert printed.startswith("runid                 \tall\tneural\n") == is_named


def test_trec_format_says_which_preset_has_the_scores_of_trec_eval():
    command = [*patch(PATIENT), "evaluate", QRELS, NEURAL, "-m", "map", "-f", "trec"]
    for preset, is_said in [((), True), (("--preset", "trec_eval-9"), False)]:
        done = subprocess.run([*command, *preset], capture_output=True, check=True)
        assert (b"--preset trec_eval-9" in done.stderr) == is_said


def test_trec_format_names_a_single_file_after_its_tag_as_trec_eval_does(tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n", encoding="utf-8")
    found = tmp_path / "run.txt"
    words = ("evaluate", tmp_path / "qrels.txt", found, "-m", "runid map", "-f", "trec")
    named = "runid                 \tall\t{}\nmap                   \tall\t0.5000\n".format
    found.write_text("q Q0 b 1 2 bm25\nq Q0 a 2 1 bm25\n", encoding="utf-8")
    assert run(*words) == named("bm25")
    assert run(*words, "--run-names", "file") == named("run")
    assert run(*words[:2], f"mine={found}", *words[3:]) == named("mine")
    found.write_text("q Q0 b 1 2 bm25\nq Q0 a 2 1 neural\n", encoding="utf-8")  # one run of two
    assert run(*words) == named("run")


def test_trec_format_names_each_of_several_runs():
    printed = run("evaluate", QRELS, BM25, NEURAL, "-m", "map", "-f", "trec").splitlines()
    assert [line.split() for line in printed][::2] == [
        ["runid", "all", "bm25"],
        ["runid", "all", "neural"],
    ]


def read_terminal(
    *arguments,
    columns=80,
    command=None,
    stdout=None,
    interrupt_at=None,
    by=signal.SIGINT,
    status=0,
):
    """The output on a terminal of this many columns; Ctrl-C is pressed once it shows some text.

    A bar is shown by those commands only that do not wait for it.
    """
    command = command or patch(PATIENT)
    outer, inner = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen(
        [*command, *arguments], stdout=stdout or inner, stderr=inner, env=environment
    )
    os.close(inner)
    stuck = Timer(120, process.kill)
    stuck.start()
    shown = b""
    while True:
        try:
            shown += (part := os.read(outer, 4096))
        except OSError:
            break
        if not part:
            break
        if interrupt_at and interrupt_at in shown:
            process.send_signal(by)
            interrupt_at = None
    assert process.wait() == status
    stuck.cancel()
    os.close(outer)
    return re.sub(r"\x1b\[[\d;]*m", "", shown.decode())


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_too_narrow_for_a_table_gets_the_measures_one_below_the_other():
    names = "nDCG@5 nDCG@10 nDCG@100 AP RR P@5 P@10 R@100"
    wide = read_terminal("evaluate", QRELS, NEURAL, "-m", names, columns=160)
    narrow = read_terminal("evaluate", QRELS, NEURAL, "-m", names, columns=40)
    assert len([line for line in wide.splitlines() if ".0000" in line]) == 1
    assert all(
        any(name in line and re.search(r"\d\.\d{4}", line) for line in narrow.splitlines())
        for name in names.split()
    )
    assert max(len(line) for line in narrow.splitlines()) <= 40


def test_metrics_lists_every_metric():
    printed = run("metrics")
    assert all(name in printed for name in sqlmetrics.metrics()["name"])
    assert pl.read_csv(run("metrics", "-f", "csv").encode()).height == sqlmetrics.metrics().height


@pytest.mark.few(2)
@pytest.mark.parametrize("name", list_analyses())
def test_the_command_of_an_analysis_prints_what_its_function_returns(tmp_path, name):
    command, *words = list_words(name.replace("_", "-"), tmp_path)
    given = {}
    for option, word in zip(words[::2], words[1::2], strict=True):
        parameter = option.removeprefix("--").replace("-", "_")
        is_float = re.fullmatch(r"\d+\.\d+", word)
        value = float(word) if is_float else int(word) if word.isdigit() else word
        given.setdefault(parameter, []).append(value)
    given = {key: values if len(values) > 1 else values[0] for key, values in given.items()}
    given |= {"qrels": None} if name == "to_judge" and "qrels" not in given else {}
    assert run(command, *words, "-f", "csv") == getattr(sqlmetrics, name)(**given).write_csv()


def test_sql_prints_what_python_gives():
    assert run("sql") == sqlmetrics.sql()
    assert run("sql", "nDCG@10", "AP") == sqlmetrics.sql("nDCG@10 AP")


def test_help_and_version_are_there():
    assert "evaluate" in run("--help")
    assert sqlmetrics.__version__ in run("--version")


def test_ids_are_printed_as_they_are(tmp_path):
    odd = "[bold]:smile:[/x]"
    for name, value in (("qrels", "relevance"), ("run", "score")):
        (tmp_path / f"{name}.csv").write_text(f"query_id,doc_id,{value}\n{odd},d,1\n")
    evaluate = ["evaluate", tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", "RR", "-q"]
    assert run(*evaluate).split() == [
        "run_id",
        "query_id",
        "RR",
        *("run", odd, "1.0000"),
        *("run", "all", "1.0000"),
    ]


def test_an_output_link_keeps_pointing_to_its_file(tmp_path):
    file, link = tmp_path / "scores.csv", tmp_path / "latest.csv"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    run("evaluate", QRELS, BM25, "-m", "AP", "-o", link)
    assert link.is_symlink()
    assert file.read_text().startswith("run_id,AP")
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe with a name")
def test_an_output_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    command = [*COMMAND, "evaluate", QRELS, BM25, "-m", "AP", "-o", str(pipe)]
    with subprocess.Popen(command) as process:
        assert pipe.read_text().startswith("run_id,AP")
    assert process.returncode == 0
    assert not pipe.is_file()


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("Query interrupted"),
        duckdb.InterruptException(),
        duckdb.InvalidInputException("reading a frame failed: KeyboardInterrupt: "),
    ],
)
def test_ctrl_c_ends_an_evaluation_as_it_ends_any_python_program(monkeypatch, error):
    def interrupt(*arguments):
        raise error  # what versions of DuckDB make of the signal

    monkeypatch.setattr("sqlmetrics.engine.judged.tabulate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sqlmetrics.evaluate(QRELS, BM25, "AP")


ODD_IDS = [
    "007",
    "1e5",
    "-0",
    "a,b",
    'say "x"',
    "a|b\\|c\\",
    "*x* _y_z 50% `q`",
    "#1 & {z} ~^$<b>[l](u)",
    "&amp;",
    "a--b---c",
    "[bold]:smile:[/x]",
    "ünï 日本語",
    "two\nlines",
]


@pytest.fixture
def odd_evaluation(tmp_path):
    """Arguments that score one document for each odd id, in a run of an odd name."""
    ids = pl.DataFrame({"query_id": ODD_IDS, "doc_id": "d"})
    ids.with_columns(relevance=1).write_csv(tmp_path / "qrels.csv")
    ids.with_columns(score=1.0, run_id=pl.lit("[*]")).write_csv(tmp_path / "run.csv")
    measures = "RR nDCG(gain='exponential')@10"
    return ["evaluate", tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", measures, "-q"]


def test_a_table_of_queries_ends_with_the_mean_of_each_run():
    rows = [
        line.split() for line in run("evaluate", QRELS, BM25, NEURAL, "-m", "AP", "-q").splitlines()
    ]
    assert [row[:2] for row in rows if row[1] == "all"] == [["bm25", "all"], ["neural", "all"]]
    assert [rows[5], rows[-1]] == [["bm25", "all", "0.4097"], ["neural", "all", "0.8542"]]
    assert "all" not in run("evaluate", QRELS, BM25, "-m", "AP", "-q", "-f", "csv")


def test_scores_are_sorted_by_a_metric_under_any_of_its_names():
    rows = run("evaluate", QRELS, BM25, NEURAL, "-m", "AP RR", "--sort", "MAP").splitlines()
    assert [row.split()[0] for row in rows] == ["run_id", "neural", "bm25"]
    rows = run("evaluate", QRELS, BM25, "-m", "AP", "-q", "--sort", "AP", "-f", "csv").splitlines()
    assert [row.split(",")[1] for row in rows[1:]] == ["noodles", "curry", "bread", "pickles"]
    chosen = ("-m", "AP RR AS quality", "--sort", "quality")
    rows = run("evaluate", QRELS, BM25, NEURAL, *chosen).splitlines()
    assert [row.split()[0] for row in rows] == ["run_id", "neural", "bm25"]
    said = run("evaluate", QRELS, BM25, "-m", "AP", "--sort", "RR", status=2)
    assert "RR is not among the metrics: AP" in said


def test_without_metrics_some_are_scored_and_named():
    done = subprocess.run(
        [sys.executable, "-m", "sqlmetrics", "evaluate", QRELS, NEURAL],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout == run("evaluate", QRELS, NEURAL, "-m", "nDCG@10 AP RR P@10 R@100")
    assert "no metrics given; these are nDCG@10 AP RR P@10 R@100" in done.stderr
    official = run("evaluate", QRELS, NEURAL, "-f", "trec")
    assert official == run("evaluate", QRELS, NEURAL, "-m", "official", "-f", "trec")


def test_the_page_of_a_metric_is_wrapped_except_for_its_sql():
    page = run("metrics", "AP", "-f", "markdown", width=80)
    shown = run("metrics", "AP", width=80)
    assert page.startswith("# AP, AP@k\n")
    assert shown.split() == page.split()
    text, *code = shown.split("```")
    assert max(map(len, text.splitlines())) <= 80 < max(map(len, page.splitlines()))
    assert code[::2] == page.split("```")[1::2]


def test_odd_ids_come_back_from_data_formats(odd_evaluation):
    header = ["run_id", "query_id", "RR", "nDCG(gain='exponential')@10"]
    rows = [dict(zip(header, ["[*]", each, 1.0, 1.0], strict=True)) for each in sorted(ODD_IDS)]
    assert json.loads(run(*odd_evaluation, "-f", "json")) == rows
    lines = run(*odd_evaluation, "-f", "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == rows
    csv = run(*odd_evaluation, "-f", "csv").encode()
    assert pl.read_csv(csv, schema_overrides={"query_id": pl.String}).to_dicts() == rows


def show(ids):
    return [each.replace("\n", "\\n") for each in sorted(ids)]


def test_odd_ids_are_unchanged_in_a_table(odd_evaluation):
    header, *lines = run(*odd_evaluation, "--digits", "2").splitlines()
    assert header.split() == ["run_id", "query_id", "RR", "nDCG(gain='exponential')@10"]
    rows = [re.fullmatch(r"\[\*\] {5}(.*?) +1\.00 +1\.00", line) for line in lines]
    assert [row[1] for row in rows] == [*show(ODD_IDS), "all"]


def test_trec_format_has_a_line_for_each_odd_id(odd_evaluation):
    lines = run(*odd_evaluation, "-f", "trec").splitlines()
    assert [line.split("\t")[1] for line in lines][::2] == [*show(ODD_IDS), "all"]


def test_odd_ids_come_back_from_markdown(odd_evaluation):
    text = run(*odd_evaluation, "-f", "markdown", "--digits", "1")
    tokens = MarkdownIt().enable("table").parse(text)
    cells = [token for token in tokens if token.type == "inline"]
    kinds = {part.type for cell in cells for part in cell.children}
    assert kinds <= {"text", "text_special"}
    shown = ["".join(part.content for part in cell.children) for cell in cells]
    assert shown[:4] == ["run_id", "query_id", "RR", "nDCG(gain='exponential')@10"]
    assert shown[4:] == [
        cell for each in [*show(ODD_IDS), "all"] for cell in ("[*]", each.strip(), "1.0", "1.0")
    ]


def test_odd_ids_are_escaped_in_latex(odd_evaluation):
    lines = run(*odd_evaluation, "-f", "latex").splitlines()
    assert lines[:2] == [r"\begin{tabular}{llrr}", r"\toprule"]
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    rows = [re.split(r" +& +", line.removesuffix(r" \\").strip()) for line in lines[4:-2]]
    assert all(row[0] == "{[}*]" and row[2:] == ["1.0000", "1.0000"] for row in rows)
    bar, backslash = r"\textbar{}", r"\textbackslash{}"
    escaped = {
        "a|b\\|c\\": f"a{bar}b{backslash}{bar}c{backslash}",
        "*x* _y_z 50% `q`": r"*x* \_y\_z 50\% `q`",
        "#1 & {z} ~^$<b>[l](u)": r"\#1 \& \{z\} \textasciitilde{}\^{}\$"
        r"\ensuremath{<}b\ensuremath{>}[l](u)",
        "&amp;": r"\&amp;",
        "a--b---c": "a-{}-b-{}-{}-c",
        "two\nlines": rf"two{backslash}nlines",
    }
    assert [row[1] for row in rows] == [
        escaped.get(each, each) for each in [*sorted(ODD_IDS), "all"]
    ]


def test_a_pipe_and_standard_input_are_read(tmp_path):
    expected = run(*EVALUATE)
    pipe = tmp_path / "neural"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", NEURAL, pipe]):
        assert run("evaluate", QRELS, pipe, "-m", "AP") == expected
    command = [*COMMAND, "evaluate", QRELS, "neural=-", "-m", "AP"]
    done = subprocess.run(command, input=Path(NEURAL).read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode() == expected
    assert "only once" in run("evaluate", "-", "-", "-m", "AP", status=2)


def test_a_file_may_be_called_as_a_table_of_duckdb_is(tmp_path):
    file = tmp_path / "run.columns"
    file.write_bytes(Path(BM25).read_bytes())
    assert "0.4097" in run("evaluate", QRELS, file, "-m", "AP")


def test_the_page_of_a_metric_is_about_the_cut_off_that_is_asked_for():
    assert "precision_at(j, k := 5)" in run("metrics", "P@5")
    assert "hits@5 is NumRelRet, not the share of queries with a hit" in run("metrics", "hits@5")


def test_presets_are_listed_or_one_is():
    assert run("presets", "Trec-eval-9", "-f", "csv").splitlines()[1].startswith("trec_eval-9,")
    assert len(run("presets", "sklearn", "-f", "jsonl").splitlines()) == 1


def test_a_table_given_by_name_takes_no_place_of_another(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("page_id,query_id,doc_id,position,clicked\n1,q,a,1,1\n1,q,b,2,0\n")
    Path("seen.csv").write_text("position,examination\n1,1\n2,0.5\n")
    for name, first, last in (("old", 2, 1), ("new", 1, 2)):
        Path(f"{name}.csv").write_text(f"query_id,doc_id,score\nq,a,{first}\nq,b,{last}\n")
    words = ["replay", "log.csv", "old.csv", "new.csv", "--examination", "seen.csv", "-f", "csv"]
    assert [line.partition(",")[0] for line in run(*words).splitlines()] == ["run_id", "old", "new"]


def test_metrics_are_listed_as_json_lines_and_markdown():
    assert pl.read_ndjson(run("metrics", "-f", "jsonl").encode()).equals(sqlmetrics.metrics())
    header, _, *rows = run("metrics", "-f", "markdown").splitlines()
    assert header.split() == ["|", "family", "|", "name", "|", "formula", "|"]
    assert len(rows) == sqlmetrics.metrics().height
    run("metrics", "-f", "latex", status=2)


def test_a_metric_is_described_under_any_of_its_names():
    page = run("metrics", "map_cut_5", "MAP@10", "gm_map")
    assert page == run("metrics", "AP")
    assert "R relevant documents" in page
    assert "map_cut_k" in page
    assert "nDCG" in run("metrics", "nDGC", status=2)


def patch(statements):
    """The command line, after some statements."""
    return [sys.executable, "-c", f"{statements}\nfrom sqlmetrics.cli import main\nmain()"]


HASTY = "import sqlmetrics.engine.judged as duckdb; from sqlmetrics.cli import bar; bar._DELAY, bar._INTERVAL = 0, 0.01"
PATIENT = "from sqlmetrics.cli import bar; bar._DELAY = 1e6"
# in place of the scores of the queries
ENDLESS = (
    "duckdb.build = lambda *_, **__: 'SELECT 1 AS run_id, 1 AS query_id, "
    "max(hash(a, b))::DOUBLE AS AP FROM range(1::BIGINT << 40) _(a), range(9) _(b)'"
)
EVALUATE = ["evaluate", QRELS, NEURAL, "-m", "AP"]


def test_a_bar_on_the_terminal_shows_progress_and_vanishes(tmp_path):
    file = tmp_path / "printed"
    with file.open("w") as stdout:
        shown = read_terminal(*EVALUATE, command=patch(HASTY), stdout=stdout)
    assert "scoring ━━━" in shown
    assert shown.endswith("\x1b[2K")  # erases the line
    assert file.read_text() == run(*EVALUATE)


@pytest.mark.thorough
def test_short_work_shows_no_bar():
    """Work is short that is done before the delay, here of days."""
    assert "scoring" not in read_terminal(*EVALUATE)


def test_no_bar_is_shown_where_messages_do_not_go_to_a_terminal():
    done = subprocess.run([*patch(HASTY), *EVALUATE], capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.decode() == run(*EVALUATE)


def test_the_bar_of_duckdb_does_not_get_into_the_output(capfd):
    with duckdb.connect() as con:
        con.execute("SET enable_progress_bar = true")
        with show_progress(con):
            con.execute("SET progress_bar_time = 1")  # ms, which a SET may take, too
            con.execute("SELECT sum(sin(i)) FROM range(50_000_000) AS r (i)").fetchall()
    assert capfd.readouterr().out == ""


@pytest.fixture
def lasting(tmp_path):
    """Files for commands that take long: judgments of two judges, runs, and a folder for work."""
    (tmp_path / "work").mkdir()
    ids = [(f"q{q}", f"d{d}") for q in range(30) for d in range(8)]
    for name, start in (("first", 0), ("second", 1)):
        rows = [(*each, (start + n * n) % 3) for n, each in enumerate(ids)]
        frame = pl.DataFrame(rows, ["query_id", "doc_id", "relevance"], orient="row")
        frame.write_csv(tmp_path / f"{name}.csv")
    for name, step in (("old", 7), ("new", 11), ("other", 13)):
        rows = [(*each, n * step % 17) for n, each in enumerate(ids)]
        frame = pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row")
        frame.write_csv(tmp_path / f"{name}.csv")
    return tmp_path


DRAWING = ["compare", "first", "old", "new", "other", "-m", "AP", "--permutations", "1000000000"]
# one statement that looks for interrupts in vain, since it computes one row
STUCK = (
    "duckdb.build = lambda *_, **__: "
    "'SELECT 1 AS run_id, 1 AS query_id, "
    "list_sum(list_transform(range(1 << 26), lambda x: sin(hash(md5(x::VARCHAR))))) AS AP'"
)
LASTING = {
    "tukey": ([*DRAWING, "--test", "tukey"], HASTY),
    "randomization": ([*DRAWING, "--test", "randomization"], HASTY),
    "agree": (
        ["agreement", "--first", "first", "--second", "second", "--samples", "5000000"],
        HASTY,
    ),
    "statement": (["evaluate", "first", "old", "-m", "AP"], f"{HASTY}\n{ENDLESS}"),
    "stuck": (["evaluate", "first", "old", "-m", "AP"], f"{HASTY}\n{STUCK}"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("name", LASTING)
def test_a_signal_ends_long_work_which_leaves_nothing(lasting, monkeypatch, name, by):
    monkeypatch.setenv("TMPDIR", str(lasting / "work"))
    arguments, before = LASTING[name]
    files = {path.stem: str(path) for path in lasting.glob("*.csv")}
    arguments = [files.get(each, each) for each in arguments]
    shown = read_terminal(
        *arguments,
        *("-o", str(lasting / "output.csv")),
        command=patch(before),
        interrupt_at=b"0:00:01",
        by=by,
        status=128 + by,
    )
    assert "Traceback" not in shown
    assert "ignored" not in shown
    assert shown.count("\x1b[?25h") >= shown.count("\x1b[?25l")  # the cursor is there
    assert "\x1b[2K" in shown[shown.rindex("━") :]  # and the bar is not
    assert list((lasting / "work").iterdir()) == []
    assert {path.stem for path in lasting.glob("*.csv")} == files.keys()
    assert not [path for path in lasting.iterdir() if path.name.startswith(".")]


def test_a_signal_while_duckdb_asks_for_rows_has_the_status_of_a_signal(lasting):
    asked = (
        "import os, signal; from sqlmetrics.inputs.streams import Stream\n"
        "def end(*_): os.kill(os.getpid(), signal.SIGTERM); return range(1 << 30).index(-1)\n"
        "Stream.__arrow_c_stream__ = end"
    )
    arguments = ["evaluate", "first.csv", "old.csv", "-m", "AP"]
    done = subprocess.run([*patch(asked), *arguments], cwd=lasting, capture_output=True)
    assert done.returncode == 128 + signal.SIGTERM
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.thorough
@pytest.mark.parametrize("test", ["tukey", "randomization"])
def test_ctrl_c_ends_a_function_of_python_too(lasting, test):
    program = f"""if True:
        import sqlmetrics
        from sqlmetrics.engine import draws
        scores = sqlmetrics.evaluate("first.csv", ["old.csv", "new.csv", "other.csv"], "AP")
        begin = draws.begin
        draws.begin = lambda *step: (begin(*step), print(*step, flush=True))
        try:
            scores.compare("old", test={test!r}, permutations=10**9)
        except KeyboardInterrupt:
            print("ended")
            # connections of before work, and those of afterwards
            assert len(scores.compare("old").tests) == 2
    """
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=lasting, text=True
    ) as process:
        stuck = Timer(120, process.kill)
        stuck.start()
        assert process.stdout.readline().startswith("drawing permutations")
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith("ended\n")
    assert process.returncode == 0
    stuck.cancel()


INTERRUPTED = """if True:
    import os, random, signal, threading
    from sqlmetrics.engine.connections import open_reader
    from sqlmetrics.inputs import connection

    for _ in range(100):
        delay = random.uniform(0.01, 0.03)
        try:
            threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()
            with open_reader() as reader:
                while True:
                    reader.con.execute("SELECT sum(range) FROM range(3_000_000)").fetchall()
        except KeyboardInterrupt:  # while its traceback is kept, so are the frames it came from
            assert not connection._working
            assert connection._stop is None
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


@pytest.mark.thorough
def test_after_ctrl_c_at_any_time_nothing_interrupts_the_next_call():
    subprocess.run([sys.executable, "-c", INTERRUPTED], check=True, timeout=300)


MEASURED = """if True:
    import re, sys
    from pathlib import Path
    from sqlmetrics.cli import main
    try:
        main()
    finally:
        status = Path("/proc/self/status").read_text()
        print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1], file=sys.stderr)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc")
@pytest.mark.parametrize("work", ["tukey", "randomization", "bca", "agree", "scattered"])
def test_a_command_keeps_the_memory_limit(lasting, work):
    """Beyond the limit are 0.7 GB at most, as docs/large-runs.md says."""
    files = {path.stem: str(path) for path in lasting.glob("*.csv")}
    runs = [files["first"], files["old"], files["new"], files["other"], "-m", "AP"]
    arguments = {
        "tukey": ["compare", *runs, "--test", "tukey", "--permutations", "100000"],
        "randomization": ["compare", *runs, "--test", "randomization", "--permutations", "3999999"],
        "bca": ["compare", *runs, "--interval", "bca"],
        "agree": [
            *("agreement", "--first", files["first"], "--second", files["second"]),
            *("--samples", "100000"),
        ],
        "scattered": ["evaluate", files["first"], str(lasting / "scattered.csv"), "-m", "AP"],
    }[work]
    if work == "scattered":  # no two rows of a list are next to each other
        rows = pl.int_range(0, 4_000_000, eager=True)
        pl.DataFrame({"query_id": rows % 40_000, "doc_id": rows // 40_000, "score": rows}).select(
            pl.format("q{}", "query_id").alias("query_id"),
            pl.format("d{}", "doc_id").alias("doc_id"),
            "score",
        ).write_csv(lasting / "scattered.csv")
    limits = ["--memory-limit", "200MB", "--temp-folder", str(lasting / "work")]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments, *limits, "-f", "csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stderr.splitlines()[-1]) * 1024 < 200e6 + 700e6
    assert list((lasting / "work").iterdir()) == []


def test_a_command_that_is_ended_leaves_no_file(tmp_path):
    slow = "from pathlib import Path; import time; Path.replace = lambda *_: time.sleep(60)"
    command = [*patch(slow), *EVALUATE, "-o", str(tmp_path / "scores.csv")]
    with subprocess.Popen(command) as process:
        while not (files := list(tmp_path.iterdir())):
            time.sleep(0.01)
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM
    assert all(file.name.startswith(".") for file in files)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def tied_files(tmp_path):
    """Judgments, and a run with ranks, ties, close scores and queries of every kind."""
    qrels = [("q1", "a", 1), ("q1", "b", 2), ("q1", "c", 0), ("q2", "a", 0), ("q3", "a", 2)]
    run = [("q1", "b", 1, 1), ("q1", "x", 1, 2), ("q1", "a", 1, 3), ("q1", "c", 1 + 1e-9, 4)]
    run += [("q2", "a", 1, 1), ("q9", "a", 1, 1)]
    pl.DataFrame(qrels, ["qid", "docno", "rel"], orient="row").write_csv(tmp_path / "qrels.csv")
    pl.DataFrame(run, ["qid", "docno", "sim", "rank"], orient="row", strict=False).write_csv(
        tmp_path / "run.csv"
    )
    return tmp_path / "qrels.csv", tmp_path / "run.csv"


OPTIONS = [
    {"ties": "ascending"}, {"ties": "input"}, {"ties": "rank"}, {"ties": "best"},
    {"ties": "worst"}, {"ties": "expected"}, {"score_type": "float32"}, {"depth": 2},
    {"judged_only": True}, {"rel": 2}, {"queries": "answered"}, {"queries": "answered, relevant"},
    {"preset": "pytrec_eval"}, {"preset": "gdeval", "queries": "judged"}, {"run_names": "tag"},
    {"columns": {"doc_id": "docno", "score": "sim"}},
]  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_an_option_does_what_it_does_in_python(tied_files, options):
    scores = sqlmetrics.evaluate(*tied_files, "nDCG@3 AP RR", **options)
    given = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, dict):
            value = ",".join(f"{ours}={theirs}" for ours, theirs in value.items())
        given += [option] if value is True else [option, value]
    printed = run("evaluate", *tied_files, "-m", "nDCG@3 AP RR", "-q", "-f", "csv", *given)
    assert printed == scores.per_query.write_csv()


def test_how_inputs_are_read_is_reported_on_stderr(tied_files):
    command = [*COMMAND, "evaluate", *map(str, tied_files), "-m", "AP", "--queries", "answered"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    lines = done.stderr.splitlines()
    assert "has rank 3 and score 1.0, but a lower-ranked document has score" in lines.pop(2)
    assert lines == [
        f"note: {tied_files[0]}: read qid as query_id, docno as doc_id, rel as relevance",
        f"note: {tied_files[1]}: read qid as query_id, docno as doc_id, sim as score",
        "note: run: no results for 1 of 3 judged queries (q3); they are left out",
        "note: run: no judgments for 1 of its queries (q9); they are left out",
    ]


def test_tables_of_a_database_file_are_read(tmp_path):
    with duckdb.connect(tmp_path / "lab.duckdb") as con:
        con.execute("CREATE TABLE judged_by_hand AS FROM read_csv(?, all_varchar = true)", [QRELS])
        con.execute("CREATE SCHEMA runs")
        con.execute("CREATE VIEW runs.bm25 AS FROM read_csv('" + BM25 + "', all_varchar = true)")
    before = (tmp_path / "lab.duckdb").read_bytes()
    database = ["--database", tmp_path / "lab.duckdb", "-m", "AP"]
    assert "0.4097" in run("evaluate", "judged_by_hand", "runs.bm25", *database)
    assert "0.4097" in run("evaluate", QRELS, "first=runs.bm25", *database)
    assert "No file or table named 'qrels'; the database has judged_by_hand" in run(
        "evaluate", "qrels", "runs.bm25", *database, status=2
    )
    assert "0 errors" in run("check", "judged_by_hand", "runs.bm25", *database[:2])
    assert (tmp_path / "lab.duckdb").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["lab.duckdb"]


def test_runs_are_named_by_folder_pattern_and_name(tmp_path):
    for name in ("bm25", "neural"):
        (tmp_path / f"{name}.csv").write_bytes((ROOT / "examples" / f"{name}.csv").read_bytes())
    expected = run("evaluate", QRELS, BM25, NEURAL, "-m", "AP")
    assert run("evaluate", QRELS, tmp_path, "-m", "AP") == expected
    assert run("evaluate", QRELS, f"{tmp_path}/*.csv", "-m", "AP") == expected
    named = run("evaluate", QRELS, f"old={BM25}", f"new={NEURAL}", "-m", "AP", "-f", "csv")
    assert [line.partition(",")[0] for line in named.splitlines()] == ["run_id", "old", "new"]


@pytest.mark.thorough
def test_columns_of_files_without_header_can_be_given_by_number(tmp_path):
    for name, path in (("qrels", QRELS), ("neural", NEURAL)):
        rows = Path(path).read_text().splitlines()[1:]
        (tmp_path / f"{name}.csv").write_text("\n".join(rows))
    numbers = ["--columns", "query_id=1,doc_id=2,relevance=3,score=3"]
    files = [tmp_path / "qrels.csv", tmp_path / "neural.csv"]
    assert run("evaluate", *files, "-m", "AP", *numbers) == run(*EVALUATE)
    assert run("evaluate", QRELS, files[1], "-m", "AP", "-c", "query_id=1,doc_id=2,score=3") == run(
        *EVALUATE
    )


def test_a_collection_is_read_from_any_file(tmp_path):
    for name, text in (
        ("docs.csv", "doc_id,title\nsourdough,a b c d e\n"),
        ("docs.jsonl", '{"docno": "sourdough", "title": "a b c d e"}\n'),
    ):
        (tmp_path / name).write_text(text)
        found = run("check", QRELS, NEURAL, "--documents", tmp_path / name, "-f", "csv")
        assert "dangling_judgments" in found
    (tmp_path / "docs.txt").write_text("sourdough is a bread\n")
    said = run("check", QRELS, NEURAL, "--documents", tmp_path / "docs.txt", status=2)
    assert "docs.txt" in said
    assert "Traceback" not in said


def test_findings_are_written_in_the_format_of_the_file(tmp_path):
    run("check", QRELS, BM25, "-o", tmp_path / "findings.csv")
    assert pl.read_csv(tmp_path / "findings.csv")["check"].to_list() == [
        row["check"] for row in sqlmetrics.check(QRELS, BM25).iter_rows(named=True)
    ]


def test_options_of_summaries_and_segments_are_those_of_evaluate(tmp_path):
    topics = tmp_path / "topics.csv"
    topics.write_text(
        "query_id,Cuisine,traffic\nbread,western,1\ncurry,asian,3\nnoodles,asian,5\npickles,asian,0\n"
    )
    options = {"by": "Cuisine", "weight": "traffic", "aggregate": "geometric", "no_relevant": 1}
    mean = sqlmetrics.evaluate(QRELS, BM25, "AP nDCG@3", topics=topics, **options).mean
    told = [
        text for key, value in options.items() for text in (f"--{key.replace('_', '-')}", value)
    ]
    evaluate = ["evaluate", QRELS, BM25, "-m", "AP nDCG@3", "--topics", topics, *told, "-f", "csv"]
    assert mean["Cuisine"].to_list() == ["asian", "western"]
    assert run(*evaluate) == mean.write_csv()
    message = run(*evaluate, "--by", "town", status=2)
    assert "no column town" in message
    assert "Cuisine" in message


def test_limits_of_memory_and_threads_do_not_change_scores(tmp_path):
    limits = ["--memory-limit", "300MB", "--threads", "1", "--temp-folder", tmp_path]
    evaluate = ["evaluate", QRELS, BM25, NEURAL, "-m", "nDCG AP", "-q", "-f", "csv"]
    assert run(*evaluate, *limits) == run(*evaluate)
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_refused_with_advice():
    said = run("evaluate", QRELS, BM25, "-m", "AP", "--memory-limit", "1KB", status=2)
    assert said.startswith("error: not enough memory; raise --memory-limit")
    assert said.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked by fcntl")
def test_only_leftovers_of_killed_processes_are_removed_at_the_next_start(tmp_path):
    waiting = [*COMMAND, "evaluate", "-", BM25, "-m", "AP", "--temp-folder", str(tmp_path)]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE) as process:
        while not list(tmp_path.glob("*/lock")):
            assert process.poll() is None
            time.sleep(0.02)
        (folder,) = tmp_path.iterdir()
        run("evaluate", QRELS, BM25, "-m", "AP", "--temp-folder", tmp_path)
        assert list(tmp_path.iterdir()) == [folder]
        process.kill()
    assert list(tmp_path.iterdir()) == [folder]
    run("evaluate", QRELS, BM25, "-m", "AP", "--temp-folder", tmp_path)
    assert list(tmp_path.iterdir()) == []
