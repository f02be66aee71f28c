"""The command line as a user meets it: processes of their own, their output and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from booking_bot.adapters.site_folder import data_folder
from booking_bot.channels.cli.arguments import MAX_ID_CHARS, parser
from booking_bot.turns import values

NOW = ["--now", "2026-11-30T09:00:00+08:00"]
CHINESE = "明天下午2点8人会议室\n1小时\n选1\n确认\n"
ENGLISH = "I need a room for 8 tomorrow at 2 pm\none hour\nnumber 1\nyes please\n"


def run(
    folder: Path, *arguments: str | bytes, typed: str | bytes = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    given = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [sys.executable, "-m", "booking_bot", *arguments],
        input=given,
        capture_output=True,
        cwd=folder,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize(("typed", "told"), [(CHINESE, "预定成功"), (ENGLISH, "Booked:")], ids=["zh", "en"])
def test_a_piped_talk_books_and_says_so(tmp_path: Path, typed: str, told: str) -> None:
    done = run(tmp_path, "chat", *NOW, typed=typed)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout.splitlines()[-1]
    listed = json.loads(run(tmp_path, "bookings", "--json", *NOW).stdout)
    assert [(b["room"], b["date"], b["start"], b["minutes"], b["status"]) for b in listed] == [
        ("R1001", "2026-12-01", "14:00", 60, "booked")
    ]


def test_a_session_goes_on_in_the_next_process(tmp_path: Path) -> None:
    for line in CHINESE.splitlines():
        done = run(tmp_path, "chat", *NOW, "--session", "mine", typed=line + "\n")
    assert "预定成功" in done.stdout
    assert "请确认预定" in done.stdout  # the pending prompt is shown first


def test_the_language_of_the_answers_can_be_set(tmp_path: Path) -> None:
    done = run(tmp_path, "chat", *NOW, "--lang", "en", typed="明天下午2点8人会议室\n")
    assert "How long" in done.stdout


def test_bytes_that_are_no_text_do_not_stop_the_talk(tmp_path: Path) -> None:
    done = run(tmp_path, "chat", *NOW, typed=b"\xff\xfe\x00\n" + "你好\n".encode())
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "您好" in done.stdout


def test_a_talk_is_recorded_as_a_transcript_that_passes(tmp_path: Path) -> None:
    run(tmp_path, "chat", *NOW, "--record", "talk.yaml", typed=CHINESE)
    done = run(tmp_path, "replay", "talk.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_parse_reads_a_line_and_writes_an_object(tmp_path: Path) -> None:
    done = run(tmp_path, "parse", *NOW, typed="明天下午2点到3点半，8个人，要投影\n\n2pm tomorrow\n")
    first, empty, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["slots"] == {
        "date": "2026-12-01",
        "start_time": "14:00",
        "duration_minutes": 90,
        "capacity": 8,
        "equipment": ["projector"],
    }
    assert {"text", "slots", "intent", "choice", "confirm", "spans", "unread", "ambiguous"} == set(first)
    assert empty["slots"] == {}
    assert second["slots"]["start_time"] == "14:00"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["chat", "--colour", "red"], "--colour"),
        (["chat", "--now", "yesterday"], "--now"),
        (["chat", "--now", "2026-11-30T09:00:00"], "--now"),
        (["chat", "--lang", "fr"], "zh"),
        (["chat", "--site", "nowhere"], "nowhere"),
        (["chat", "--db", "oracle://x"], "oracle"),
        (["serve", "--port", "99999"], "--port"),
        (["bookings", "--date", "soon"], "--date"),
        (["replay", "missing.yaml"], "missing.yaml"),
        (["replay"], "PATH"),
        (["fly"], "fly"),
        (["chat", "--user", ""], "--user: use 1 to 128"),
        (["chat", "--user", "x" * 300], "--user: use 1 to 128"),
        (["chat", "--user", b"\xff"], "--user: use 1 to 128"),
        (["chat", "--session", ""], "--session: use 1 to 128"),
        (["chat", "--session", "x" * 300], "--session: use 1 to 128"),
        (["chat", "--now", "9999-12-31T23:59:59+08:00"], "1970 to 8000"),
        (["mcp", "--user", ""], "--user: use 1 to 128"),
        (["bookings", "--user", b"\xff"], "--user: use 1 to 128"),
        (["bookings", "--date", "9999-12-31"], "1970 to 8000"),
        (["memory", "--user", b"\xff"], "--user: use 1 to 128"),
        (["trace", "--session", b"\xff"], "--session"),
        (["serve", "--host", ""], "--host"),
        (["rooms", "two\nlines"], "two lines"),
    ],
    ids=lambda value: " ".join(map(ascii, value))[:40] if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_that_names_it(tmp_path: Path, arguments: list[str | bytes], named: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert named in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["parse", "chat --db sqlite://", "rooms"])
def test_a_closed_stream_is_empty_or_written_to_in_vain(tmp_path: Path, command: str, closed: str) -> None:
    line = f"{sys.executable} -m booking_bot {command} {closed}"
    done = subprocess.run(["sh", "-c", line], input=b"hello\n", capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    line = f"{sys.executable} -m booking_bot rooms > /dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr.decode()


def test_a_reader_that_leaves_early_is_no_mistake(tmp_path: Path) -> None:
    line = f"{sys.executable} -m booking_bot rooms | true"
    done = subprocess.run(["sh", "-c", line], capture_output=True, cwd=tmp_path, check=False)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("name", "value"), [("BOOKING_BOT_USER", ""), ("BOOKING_BOT_USER", "x" * 129), ("BOOKING_BOT_LOG_LEVEL", "loud")]
)
def test_a_bad_setting_is_one_line_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    done = run(tmp_path, "chat", **{name: value})
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert name in done.stderr


def test_ids_are_as_long_as_the_engine_takes_them() -> None:
    assert MAX_ID_CHARS == values.MAX_ID_CHARS


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("policy.toml", "opens = ", "policy.toml"),
        ("policy.toml", "colour = 1\n", "colour"),
        ("rooms.toml", "[[room]]\nid = 'X'\n", "rooms.toml"),
    ],
)
def test_a_broken_site_names_file_and_key(tmp_path: Path, file: str, text: str, named: str) -> None:
    site = own_site(tmp_path)
    (site / file).write_text((text if file == "rooms.toml" else "") + (site / file).read_text("utf-8") + text, "utf-8")
    done = run(tmp_path, "chat", "--site", str(site))
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def own_site(folder: Path) -> Path:
    """Write an office of two rooms with rules unlike the demo's."""
    site = folder / "studio"
    site.mkdir()
    (site / "rooms.toml").write_text(
        """
[[building]]
code = "N"
name = { zh = "北楼", en = "North House" }
[[room]]
id = "N1"
name = { zh = "竹", en = "Bamboo" }
building = "N"
floor = 1
seats = 4
equipment = ["screen"]
[[room]]
id = "N2"
name = { zh = "松", en = "Pine" }
building = "N"
floor = 2
seats = 20
equipment = []
""",
        "utf-8",
    )
    (site / "policy.toml").write_text(
        """
timezone = "Europe/Berlin"
opens = "06:00"
closes = "12:00"
usual_hours_from = "06:00"
start_grid_minutes = 20
offers = 1
window = { from_days = 0, to_days = 10 }
durations_minutes = [20, 40]
""",
        "utf-8",
    )
    return site


def test_a_site_of_ones_own_works_without_touching_code(tmp_path: Path) -> None:
    own_site(tmp_path)
    typed = "today at 7, 3 people, 40 minutes\nyes\nyes\n"
    done = run(tmp_path, "chat", "--site", "studio", "--now", "2026-11-30T05:00:00+01:00", typed=typed)
    assert "Booked:" in done.stdout, done.stdout
    assert "07:00–07:40 Bamboo (N1)" in done.stdout
    refused = run(
        tmp_path,
        "chat",
        "--site",
        "studio",
        "--now",
        "2026-11-30T05:00:00+01:00",
        typed="today 11:40, 3 people, 40 minutes\ntoday 7:10\n30 minutes\n21 people\n",
    ).stdout
    for rule in ("12:00", "20 minutes", "20, 40", "20 seats"):
        assert rule in refused


def test_rooms_are_a_table_and_json(tmp_path: Path) -> None:
    assert "会议室A" in run(tmp_path, "rooms").stdout
    rooms = json.loads(run(tmp_path, "rooms", "--json").stdout)
    assert [room["id"] for room in rooms][:2] == ["R1001", "R1002"]
    assert len(json.loads(run(tmp_path, "rooms", "--site", "office", "--json").stdout)) == 24


def test_bookings_are_filtered(tmp_path: Path) -> None:
    run(tmp_path, "chat", *NOW, "--user", "alice", typed=CHINESE)
    run(tmp_path, "chat", *NOW, "--user", "bob", typed=CHINESE + "取消\n确认取消\n")

    def listed(*flags: str) -> list[str]:
        return [b["organizer"] for b in json.loads(run(tmp_path, "bookings", "--json", *NOW, *flags).stdout)]

    assert listed() == ["alice"]
    assert listed("--all") == ["alice", "bob"]
    assert listed("--all", "--user", "bob") == ["bob"]
    assert listed("--date", "2026-12-02") == []
    assert "R1001" in run(tmp_path, "bookings", *NOW).stdout


def test_doctor_says_what_works_and_what_does_not(tmp_path: Path) -> None:
    assert run(tmp_path, "doctor").returncode == 0
    sick = run(tmp_path, "doctor", BOOKING_BOT_ROOMS_API="http://127.0.0.1:9")
    assert sick.returncode == 1
    assert any(line.startswith("FAIL rooms API") for line in sick.stdout.splitlines())
    short, good = (run(tmp_path, "doctor", BOOKING_BOT_TOKEN_SECRET="x" * n).stdout.splitlines()[0] for n in (31, 32))
    assert short.endswith("short: use 32 characters or more")
    assert good.endswith("token secret set")


def test_a_replay_says_when_there_is_no_model_to_plan(tmp_path: Path) -> None:
    transcript = data_folder() / "transcripts" / "zh" / "afternoon_without_a_day_zh.yaml"
    done = run(tmp_path, "replay", "--planner", "llm", str(transcript), OPENAI_BASE_URL="", OPENAI_API_KEY="")
    assert "no model is configured" in done.stderr


def test_the_diagram_is_mermaid(tmp_path: Path) -> None:
    assert run(tmp_path, "diagram").stdout.startswith("stateDiagram-v2")


def test_trace_shows_a_stored_session(tmp_path: Path) -> None:
    run(tmp_path, "chat", *NOW, "--session", "mine", "--user", "alice", typed=CHINESE)
    done = run(tmp_path, "trace", "--session", "alice/mine")
    assert "search_rooms" in done.stdout
    assert "book_room" in done.stdout
    assert len(json.loads(run(tmp_path, "trace", "--session", "alice/mine", "--json").stdout)) == 4
    assert run(tmp_path, "trace", "--session", "mine").stdout == done.stdout
    unknown = run(tmp_path, "trace", "--session", "nobody/none")
    assert unknown.returncode == 2
    assert "alice/mine" in unknown.stderr


def test_every_command_has_help() -> None:
    for action in parser()._subparsers._group_actions:
        for command in action.choices.values():
            assert command.description


def test_a_token_needs_a_secret_and_speaks_for_its_user(tmp_path: Path) -> None:
    assert run(tmp_path, "token", "--user", "alice").returncode == 2
    made = run(tmp_path, "token", "--user", "alice", BOOKING_BOT_TOKEN_SECRET="x" * 40)
    assert made.returncode == 0
    assert made.stdout.count(".") == 2


def test_tools_are_printed_as_strict_function_schemas(tmp_path: Path) -> None:
    tools = json.loads(run(tmp_path, "tools", "--format", "openai").stdout)
    assert all(tool["function"]["strict"] for tool in tools)
    assert "book_room" in {tool["function"]["name"] for tool in tools}


@pytest.mark.parametrize("command", ["serve", "api", "mock-apis"])
def test_a_server_says_where_it_is_and_stops_when_told(tmp_path: Path, command: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "booking_bot", command, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        assert address.startswith("http://127.0.0.1:"), server.stderr.read() if server.stderr else ""
    finally:
        server.terminate()
        _, complaints = server.communicate(timeout=20)
    assert server.returncode == 0
    assert "Traceback" not in complaints


def test_a_server_on_another_host_refuses_to_start_without_a_secret(tmp_path: Path) -> None:
    for command in ("serve", "api"):
        done = run(tmp_path, command, "--host", "0.0.0.0", "--port", "0")
        assert done.returncode == 2
        assert "BOOKING_BOT_TOKEN_SECRET" in done.stderr
