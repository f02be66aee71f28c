"""A file that is no transcript is refused in one line that names the file, the key and what is legal."""

from __future__ import annotations

from pathlib import Path

import pytest

from booking_bot.channels.cli.main import main
from booking_bot.transcripts.model import Transcript, UserStep, WaitStep
from booking_bot.transcripts.replay import replay_one
from booking_bot.transcripts.source import TranscriptError, find, load, parse
from tests.transcripts.writing import HEAD, file_of, source_of

STEPS = 'steps:\n- user: "你好"\n'
STEP = 'steps:\n- user: "你好"\n  %s\n'
BAD = {
    "an unknown key at the top": (HEAD + STEPS + "colour: blue\n", "'colour'", "planner"),
    "an unknown key of a step": (HEAD + STEP % "wer: bob", "'wer'", "message_id"),
    "an unknown key of expect": (HEAD + STEP % "expect: {fase: BOOKED}", "'fase'", "phase"),
    "an unknown key of reply": (HEAD + STEP % "expect: {reply: {hat: [a]}}", "'hat'", "lacks"),
    "an unknown slot": (HEAD + STEP % "expect: {slots: {colour: blue}}", "'colour'", "capacity"),
    "an unknown absent slot": (HEAD + STEP % "expect: {slots_absent: [colour]}", "slots_absent", "capacity"),
    "an unknown key of end": (HEAD + STEPS + "end: {rooms: []}\n", "'rooms'", "bookings"),
    "an unknown key of a booking": (HEAD + STEPS + "end: {bookings: [{raum: R1001}]}\n", "'raum'", "room"),
    "an unknown key of the world": (HEAD + "world: {rooms: []}\n" + STEPS, "'rooms'", "faults"),
    "an unknown phase": (HEAD + STEP % "expect: {phase: DONE}", "phase", "CONFIRMING"),
    "an unknown pending": (HEAD + STEP % "expect: {pending: maybe}", "pending", "select_room"),
    "an unknown tool": (
        HEAD + "world: {faults: [{tool: fly, call: 1, kind: error}]}\n" + STEPS,
        "tool",
        "book_room",
    ),
    "an unknown fault": (
        HEAD + "world: {faults: [{tool: book_room, call: 1, kind: flood}]}\n" + STEPS,
        "kind",
        "timeout_after_commit",
    ),
    "a call number of zero": (
        HEAD + "world: {faults: [{tool: book_room, call: 0, kind: error}]}\n" + STEPS,
        "call",
        "greater than 0",
    ),
    "an unknown planner": (HEAD + "planner: magic\n" + STEPS, "planner", "rules"),
    "a number that is none": (HEAD + STEP % "expect: {options: three}", "options", "whole number"),
    "a text where a list is wanted": (HEAD + STEP % "expect: {actions: search}", "actions", "list"),
    "a text where a mapping is wanted": (HEAD + STEP % "expect: yes", "expect", "mapping"),
    "a step of no kind": (HEAD + "steps:\n- say: hello\n", "steps.1", "user, wait, restart"),
    "a step that is no mapping": (HEAD + "steps:\n- hello\n", "steps.1", "user, wait, restart"),
    "waits without end": (HEAD + "steps:\n" + "- wait: 9999d\n" * 400, "steps", "the year 8000"),
    "a clock at the end of time": (HEAD.replace("2026-11-30", "9999-12-31") + STEPS, "clock.now", "1970 to 8000"),
    "a booking before all time": (
        HEAD + "world: {bookings: [{room: R1001, date: 0001-01-01, start: '00:00', minutes: 60}]}\n" + STEPS,
        "world.bookings.1.date",
        "1970 to 8000",
    ),
    "a bad wait": (HEAD + "steps:\n- wait: soon\n", "wait", "20m"),
    "a restart that is none": (HEAD + "steps:\n- restart: false\n", "restart", "true"),
    "a bad time": (HEAD + STEP % 'expect: {slots: {start_time: "25:00"}}', "start_time", "09:30"),
    "a bad date": (HEAD + STEPS + "end: {bookings: [{date: tomorrow}]}\n", "date", "date"),
    "a bad model error": (HEAD + STEP % "llm: {error: flood}", "llm", "timeout"),
    "no steps": (HEAD, "steps", "missing"),
    "empty steps": (HEAD + "steps: []\n", "steps", "at least 1"),
    "another version": (HEAD.replace("transcript: 1", "transcript: 2") + STEPS, "transcript", "1"),
    "no clock": (HEAD.replace('clock: {now: "2026-11-30T09:00:00+08:00"}\n', "") + STEPS, "clock", "missing"),
    "a clock without an offset": (HEAD.replace("+08:00", "") + STEPS, "clock.now", "timezone"),
    "a clock that is none": (HEAD.replace("2026-11-30T09:00:00+08:00", "noon") + STEPS, "clock.now", "datetime"),
    "a key twice": (HEAD + STEPS + "user: bob\n", "'user'", "twice"),
    "no YAML": (HEAD + "steps: [\n", "line", "not YAML"),
    "no mapping": ("- just\n- a list\n", "mapping", "transcript"),
    "an empty file": ("", "mapping", "transcript"),
    "nested too deep": ("a: " + "[" * 5000, "small.yaml", ""),
}


@pytest.mark.parametrize(("text", "place", "legal"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str, legal: str
) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(text, "utf-8")
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert str(path) in err
    assert place in err
    assert legal in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("world", "legal"),
    [
        ('{bookings: [{room: R9, date: 2026-12-01, start: "10:00", minutes: 60}]}', "R1001"),
        ('{bookings: [{room: R1001, date: 2026-12-01, start: "10:02", minutes: 60}]}', "5 minutes"),
        (
            '{bookings: [{room: R1001, date: 2026-12-01, start: "10:00", minutes: 60},'
            ' {room: R1001, date: 2026-12-01, start: "10:30", minutes: 60}]}',
            "overlap",
        ),
    ],
    ids=["an unknown room", "off the buckets", "overlapping"],
)
def test_a_world_that_cannot_be_is_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], world: str, legal: str
) -> None:
    path = file_of(tmp_path, f"world: {world}\n{STEPS}")
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(path) in err
    assert legal in err


def test_an_unknown_site_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(HEAD.replace("site: demo", "site: nowhere") + STEPS, "utf-8")
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "nowhere" in err
    assert "demo" in err


def test_a_missing_path_an_empty_folder_and_bytes_that_are_no_text_are_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (tmp_path / "missing.yaml", empty, binary):
        assert main(["replay", str(path)]) == 2
        err = capsys.readouterr().err
        assert len(err.splitlines()) == 1
        assert str(path) in err


def test_one_bad_file_stops_all_before_any_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file_of(tmp_path, STEPS, "a.yaml")
    file_of(tmp_path, "steps: []\n", "b.yaml")
    assert main(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().out == ""


def test_folders_are_searched_at_any_depth_in_order(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    paths = [tmp_path / "a.yaml", tmp_path / "x" / "b.yaml", tmp_path / "x" / "y" / "c.yaml"]
    for path in paths:
        path.write_text("", "utf-8")
    (tmp_path / "x" / "notes.txt").write_text("", "utf-8")
    assert find([tmp_path, paths[0]]) == tuple(paths)


def test_times_stay_times_and_null_is_nothing() -> None:
    source = source_of(
        'steps:\n- user: yes\n  as: bob\n  expect: {slots: {start_time: "14:30"}, pending: null, asks: ~, room: null}\n'
        "- wait: 1d15h30m\n- restart: true\n"
    )
    first, second, _ = source.transcript.steps
    assert isinstance(first, UserStep)
    assert (first.user, first.speaker) == ("yes", "bob")
    assert first.expect.slots.plain() == {"start_time": "14:30"}
    assert first.expect.pending is first.expect.asks is first.expect.room is None
    assert first.expect.model_fields_set == {"slots", "pending", "asks", "room"}
    assert isinstance(second, WaitStep)
    assert second.wait.total_seconds() == (24 + 15) * 3600 + 1800


@pytest.mark.parametrize("nothing", ["null", "~", ""])
def test_a_key_without_a_value_means_its_default(nothing: str) -> None:
    head = HEAD.replace("user: tester", f"user: {nothing}").replace("site: demo", f"site: {nothing}")
    step = f"steps:\n- user: null\n  as: {nothing}\n  session: {nothing}\n  message_id: {nothing}\n  llm: [null]\n"
    transcript = source_of(step + f"end: {nothing}\n", head).transcript
    assert (transcript.user, transcript.site) == ("guest", "demo")
    said = transcript.steps[0]
    assert isinstance(said, UserStep)
    assert (said.user, said.llm) == ("null", ("null",))
    assert (said.speaker, said.session, said.message_id) == (None, "main", None)


def test_a_site_may_lie_beside_the_file(tmp_path: Path) -> None:
    from booking_bot.adapters.site_folder import site_folder

    own = tmp_path / "annex"
    own.mkdir()
    for name in ("rooms.toml", "policy.toml"):
        (own / name).write_text((site_folder("demo") / name).read_text("utf-8"), "utf-8")
    path = tmp_path / "small.yaml"
    path.write_text(HEAD.replace("site: demo", "site: annex") + STEPS, "utf-8")
    assert load(path).transcript.site == "annex"
    assert main(["replay", str(path)]) == 0


async def test_the_file_is_named_where_its_world_will_not_do() -> None:
    source = parse(HEAD.replace("site: demo", "site: nowhere") + STEPS, Path("somewhere/x.yaml"))
    with pytest.raises(TranscriptError, match=r"somewhere/x\.yaml"):
        await replay_one(source)


def test_the_format_is_a_frozen_value() -> None:
    transcript = source_of(STEPS).transcript
    assert Transcript.model_validate(transcript.model_dump(by_alias=True)) == transcript


def test_aliases_are_refused_before_they_unfold() -> None:
    rows = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    with pytest.raises(TranscriptError, match=r"bomb.yaml: line 2: .*aliases"):
        parse("\n".join(rows), Path("bomb.yaml"))


def test_nothing_is_run_when_a_later_file_will_not_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = file_of(tmp_path, STEPS, "a.yaml")
    second = file_of(tmp_path, STEPS, "b.yaml")
    second.write_text(second.read_text("utf-8").replace("site: demo", "site: nowhere"), "utf-8")
    assert main(["replay", str(first), str(second)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "b.yaml" in told.err and "nowhere" in told.err
