# `just` lists what there is to run, each a call of a public tool; `pip install -e ".[dev]"` brings them.

_list:
    @just --list --unsorted

# the tests of the README, in two minutes on two cores
test *arguments:
    python -m pytest {{ arguments }}

# all seeds and cases of what the tests take a few of, and other tools
thorough *arguments:
    python -m pytest -m thorough {{ arguments }}

# tests on other engines, which need ".[dev,engines]", PostgreSQL's programs and Java
engines *arguments:
    python -m pytest -m engines {{ arguments }}

# linters and the type checker
lint:
    ruff format --check .
    ruff check .
    mypy
    sqlfluff lint sql

# write all that is generated: the pages of docs/, the tables of the README, the dbt package
docs: dbt
    python docs/build.py

# write the macros of the dbt package
dbt:
    python dbt/write_package.py

# all that must hold before anything lands
all:
    .ci/run
