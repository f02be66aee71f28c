"""The wheel carries its data and runs from anywhere; what is not in the base install is named."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_carries_sites_prompts_transcripts_page_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for wanted in (
        "booking_bot/data/sites/demo/rooms.toml",
        "booking_bot/data/sites/office/policy.toml",
        "booking_bot/data/prompts/role.md",
        "booking_bot/data/transcripts/zh/canonical_zh.yaml",
        "booking_bot/channels/page/index.html",
        "booking_bot/py.typed",
    ):
        assert wanted in names
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel alone; what it depends on comes from this environment."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run(installed: Path, folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "booking_bot", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"},
        timeout=60,
    )


def test_the_installed_command_books_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    where = [sys.executable, "-c", "import booking_bot; print(booking_bot.__file__)"]
    found = subprocess.run(
        where, cwd=tmp_path, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(installed)}
    )
    assert str(installed) in found.stdout
    typed = "明天下午2点8人会议室\n1小时\n选1\n确认\n"
    done = run(installed, tmp_path, "chat", "--now", "2026-11-30T09:00:00+08:00", typed=typed)
    assert "预定成功" in done.stdout, done.stderr
    assert run(installed, tmp_path, "rooms", "--site", "office").returncode == 0


@pytest.mark.parametrize("command", [["mcp"], ["api", "--port", "0"]])
def test_a_command_without_its_extra_names_it(installed: Path, tmp_path: Path, command: list[str]) -> None:
    blocker = tmp_path / "without"
    for module in ("mcp", "starlette"):
        (blocker / module).mkdir(parents=True)
        (blocker / module / "__init__.py").write_text(f"raise ModuleNotFoundError(name={module!r})", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "booking_bot", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{blocker}{os.pathsep}{installed}", "PYTHONSAFEPATH": "1"},
        timeout=60,
    )
    assert done.returncode == 2
    assert "the extra 'plugin'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
