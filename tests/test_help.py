"""Help: commands in sections, options in the same order everywhere, and what shells complete."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import doors
import pytest
from commands import run
from conftest import ROOT

from sqlmetrics.catalogue import list_analyses
from sqlmetrics.cli.from_headers import app


def test_without_a_command_help_is_shown():
    assert run() == run("--help")


def test_help_lists_every_command_in_a_section_and_in_one_line():
    text = run("--help").partition("--help")[2]
    assert "Other commands:" not in text, "name a section: @app.command(section=…)"
    listed = re.findall(r"^  ([a-z-]+)(?: {2,}|\n {4,})(.*)$", text, re.MULTILINE)
    assert {name for name, _ in listed} == {*app.commands}
    assert [(name, said) for name, said in listed if not said.endswith(".")] == []
    assert [(name, said) for name, said in listed if said.endswith("...")] == []


# Groups of options in this order, after the tables of an analysis.
GROUPS = (
    "Metrics",
    "Options",
    "Output",
    "Input",
    "Other tables",
    "Means and segments",
    "Details",
    "Conventions",
    "Where it runs",
    "Limits",
)


def list_options(command):
    """The options of a command, each with the place of its group."""
    for group in app.make(command).option_groups:
        place = GROUPS.index(group.title) + 1 if group.title in GROUPS else 0
        for option in group.options:
            yield place, option.opts[0]


@pytest.mark.parametrize("command", app.commands)
def test_groups_of_options_have_the_same_order_in_all_commands(command):
    places = [place for place, _ in list_options(command)]
    assert places == sorted(places)


def test_options_have_the_same_order_in_all_commands():
    first = {}
    made = {"check", *(name.replace("_", "-") for name in list_analyses())}  # from other names
    for command in app.commands.keys() - made:
        for before, after in itertools.combinations(list_options(command), 2):
            first.setdefault((before, after), command)
    twice = {pair: command for pair, command in first.items() if pair[::-1] in first}
    assert twice == {}


def complete(monkeypatch, *words):
    """What a shell offers for the last word."""
    monkeypatch.setenv("_SQLMETRICS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", shlex.join(["sqlmetrics", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    return run().splitlines()


@pytest.mark.parametrize("name", list_analyses())
def test_what_may_be_true_in_an_analysis_by_default_may_be_said_not_to_be(name):
    command = app.make(name.replace("_", "-"))
    options = {option.name: option for option in command.params}
    for each in list_analyses()[name].options.values():
        if each.rule.type == "BOOLEAN":
            word, is_off = each.name.replace("_", "-"), each.default is False
            assert options[each.name].opts[0] == f"--{word}"
            assert options[each.name].secondary_opts == ([] if is_off else [f"--no-{word}"])


def test_shells_complete_commands_options_names_and_files(monkeypatch):
    assert complete(monkeypatch, "ev") == ["plain,evaluate"]
    assert complete(monkeypatch, "evaluate", "--per") == ["plain,--per-query"]
    assert complete(monkeypatch, "gate", "--format", "j") == ["plain,json"]
    assert complete(monkeypatch, "evaluate", "--preset", "trec_eval-9") == ["plain,trec_eval-9"]
    assert "plain,AP nDCG@k" in complete(monkeypatch, "compare", "-m", "AP nd")
    assert "plain,RBP" in complete(monkeypatch, "metrics", "RB")


@pytest.mark.parametrize("command", app.commands)
def test_shells_complete_the_files_that_a_command_takes(monkeypatch, command):
    taken = [each for each in app.make(command).params if isinstance(each, click.Argument)]
    for given, argument in enumerate(taken):
        if re.search("METRIC|PRESET", argument.metavar or ""):
            continue
        words = [command, *["x"] * given, "qr"]
        assert complete(monkeypatch, *words) == ["file,qr"], argument.name


def test_bash_completes_with_the_line_of_the_documentation():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^eval .*$", page, re.MULTILINE)
    typed = "COMP_WORDS=(sqlmetrics evaluate --digits 3 --per); COMP_CWORD=4"
    script = f'{line}\n{typed}\n_sqlmetrics_completion sqlmetrics\necho "${{COMPREPLY[@]}}"'
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": here, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["--per-query"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_of_completion_for_each_shell(monkeypatch, shell):
    monkeypatch.setenv("_SQLMETRICS_COMPLETE", f"{shell}_source")
    assert f"_SQLMETRICS_COMPLETE={shell}_complete" in run()


EXAMPLES = (ROOT / "sqlmetrics" / "cli" / "examples.txt").read_text(encoding="utf-8").splitlines()
EXAMPLES += [
    f"sqlmetrics {name.replace('_', '-')} {file.header['example']}"
    for name, file in list_analyses().items()
]


def test_each_command_has_an_example_or_two():
    number = {name: sum(line.split()[1] == name for line in EXAMPLES) for name in app.commands}
    assert {name: found for name, found in number.items() if found not in (1, 2)} == {}
    assert all(line in run(line.split()[1], "--help") for line in EXAMPLES)


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_of_help_runs(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    _, command, *words = shlex.split(line)
    for name in ("qrels", "bm25", "neural"):
        shutil.copy(ROOT / "examples" / f"{name}.csv", tmp_path)
    (tmp_path / "runs").mkdir()
    shutil.copy(ROOT / "examples" / "bm25.csv", tmp_path / "runs")
    doors.LOG.write_csv("log.csv")
    taken = [each for each in app.make(command).params if each.name in list_inputs(command)]
    taken = [each for each in taken if each.opts[0] not in words]  # these are by name
    given = [*itertools.takewhile(lambda word: not word.startswith("-"), words)]
    own = doors.FILES | doors.FILES_FOR.get(command, {})
    for place, word in enumerate(given if taken else ()):
        parameter = taken[min(place, len(taken) - 1)]
        number = max(place - len(taken) + 1, 0)
        if command not in ("to-judge", "roc-curve") and not command.startswith("precision"):
            own[parameter.name][number].write_csv(word)
    if "--examination" in words:
        own["examination"][0].write_csv("examination.csv")
    run(command, *itertools.chain.from_iterable(map(expand, words)))


def list_inputs(command):
    analysis = list_analyses().get(command.replace("-", "_"))
    return analysis.inputs if analysis else []


def expand(word):
    """The files of a pattern, as a shell does it."""
    return sorted(map(str, Path().glob(word))) if "*" in word and " " not in word else [word]
