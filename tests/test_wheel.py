"""The wheel contains every SQL file, and nothing that does not belong in it."""

from __future__ import annotations

import subprocess
import sys
import zipfile

from conftest import ROOT


def test_the_wheel_holds_the_package_and_its_sql(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sql = {f"sqlmetrics/{path.relative_to(ROOT)}" for path in ROOT.glob("sql/**/*.sql")}
    package = (
        path
        for kind in ("py", "pyi", "csv", "html", "css", "js")
        for path in ROOT.glob(f"sqlmetrics/**/*.{kind}")
    )
    sql.add("sqlmetrics/sql/formulas.json")
    assert names == sql | {str(p.relative_to(ROOT)) for p in package} | {"sqlmetrics/py.typed"}
