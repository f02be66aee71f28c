"""The pytest plugin, run in projects of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.transcripts.writing import file_of

GOOD = 'steps:\n- user: "你好"\n  expect: {phase: COLLECTING_SLOTS}\n'
BAD = 'steps:\n- user: "你好"\n  expect: {phase: BOOKED}\n'


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", "-W", "error", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_files_named_transcript_are_collected_anywhere_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    file_of(tmp_path / "deep", GOOD, "one.transcript.yaml")
    file_of(tmp_path, BAD, "values.yaml")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    done = _pytest(tmp_path, "-v")
    assert done.returncode == 0, done.stdout
    assert "one.transcript.yaml::one PASSED" in done.stdout
    assert "values" not in done.stdout


def test_folders_and_globs_of_the_ini_option_are_collected(tmp_path: Path) -> None:
    for name in ("a", "b/c", "d"):
        (tmp_path / name).mkdir(parents=True)
    file_of(tmp_path / "a", GOOD, "in_a_folder.yaml")
    file_of(tmp_path / "b" / "c", GOOD, "by_a_glob.yaml")
    file_of(tmp_path / "d", BAD, "not_asked_for.yaml")
    (tmp_path / "pytest.ini").write_text("[pytest]\nbooking_bot_transcripts =\n    a\n    b/**/*.yaml\n", "utf-8")
    done = _pytest(tmp_path, "-v")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_a_difference_is_the_failure_and_no_traceback(tmp_path: Path) -> None:
    file_of(tmp_path, BAD, "bad.transcript.yaml")
    file_of(tmp_path, "steps: []\n", "broken.transcript.yaml")
    done = _pytest(tmp_path)
    assert done.returncode == 1
    assert "PHASE    phase: expected BOOKED, got COLLECTING_SLOTS" in done.stdout
    assert "broken.transcript.yaml: steps:" in done.stdout
    assert "2 failed" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_run_without_transcripts_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_light.py").write_text(
        "import sys\n\ndef test_light():\n"
        "    heavy = {'pydantic', 'sqlalchemy', 'yaml', 'booking_bot.app', 'booking_bot.dialogue'}\n"
        "    assert not heavy & set(sys.modules)\n",
        "utf-8",
    )
    done = _pytest(tmp_path, "-p", "no:hypothesispytest", "-p", "no:schemathesis")
    assert "booking_bot" not in done.stderr
    assert done.returncode == 0, done.stdout
