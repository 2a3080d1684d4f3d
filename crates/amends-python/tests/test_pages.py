"""What the documents show runs as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [
    *(ROOT / name for name in ("README.md", "crates/amends-python/README.md", "docs/python.md", "docs/spark.md")),
    *sorted((ROOT / "docs" / "models").glob("*.md")),
]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    if page.name == "catboost.md":
        pytest.importorskip("catboost")
    if page.name == "spark.md":
        request.getfixturevalue("spark")
    names = {"__name__": "page"}
    for number, block in enumerate(blocks(page), start=1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


def test_every_page_of_a_family_has_an_example():
    without = [page for page in PAGES if not blocks(page)]
    assert sorted(str(page.relative_to(ROOT)) for page in without) == ["docs/models/README.md", "docs/models/files.md"]


@pytest.mark.parametrize("script", sorted((ROOT / "docs" / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_example_runs(script, tmp_path, request):
    if script.stem.startswith("spark"):
        request.getfixturevalue("spark")
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "optimal" in done.stdout


def test_both_project_files_describe_the_same_package():
    tomllib = pytest.importorskip("tomllib")
    tables = [tomllib.loads((ROOT / place / "pyproject.toml").read_text()) for place in (".", "crates/amends-python")]
    first, second = ({key: value for key, value in table["project"].items() if key != "readme"} for table in tables)
    assert first == second
    assert tables[0]["build-system"] == tables[1]["build-system"]
