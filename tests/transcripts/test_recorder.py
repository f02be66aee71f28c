"""Recording: a live talk and a stored session become transcripts that pass, without personal details."""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from booking_bot.app import BookingBot
from booking_bot.channels.cli.main import main
from booking_bot.errors import ConfigurationError
from booking_bot.transcripts.cli import record_command
from booking_bot.transcripts.masking import MAIL_MASK, PHONE_MASK, Mask
from booking_bot.transcripts.model import UserStep, WaitStep
from booking_bot.transcripts.recorder import Recorder, record_session
from booking_bot.transcripts.replay import replay_one
from booking_bot.transcripts.source import load, parse
from booking_bot.transcripts.world import bookings_of

NOW = dt.datetime.fromisoformat("2026-11-30T09:00:00+08:00")


class _Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> dt.datetime:
        return self.now


async def test_a_live_talk_becomes_a_transcript_that_passes(tmp_path: Path) -> None:
    path, clock = tmp_path / "my_talk.yaml", _Clock()
    recorder = Recorder(path, site="demo", user="tester", now=NOW, clock=clock)
    async with await BookingBot.open(site="demo", db=f"sqlite:///{tmp_path / 'b.db'}", clock=clock) as bot:
        for text in ('明天下午2点，8人，1小时，主题"周会 😀\x7f"', "选1", "确认", "改到4点", "确认"):
            recorder.said(text, await bot.handle("s", text, user_id="tester"))
            clock.now += dt.timedelta(seconds=50)
    recorder.save()
    source = load(path)
    result = await replay_one(source)
    assert result.differences == ()
    assert source.transcript.name == "my_talk"
    assert [step.wait.total_seconds() for step in source.transcript.steps if isinstance(step, WaitStep)] == [60, 60, 60]
    assert [b.start_time for b in result.bookings] == [dt.time(16, 0)]
    assert len(source.transcript.end.bookings) == 1


async def test_bookings_that_stood_before_are_written_down_under_stand_ins(tmp_path: Path) -> None:
    path, db = tmp_path / "t.yaml", f"sqlite:///{tmp_path / 'b.db'}"
    async with await BookingBot.open(site="demo", db=db, now=NOW.isoformat()) as bot:
        for text in ("tomorrow 2pm, 8 people, 1 hour", "1", "yes"):
            await bot.handle("other", text, user_id="zhang.san")
        standing = await bookings_of(bot.engine.store)
        recorder = Recorder(path, site="demo", user="tester", now=NOW, standing=standing)
        for text in ("tomorrow 2pm, 8 people, 1 hour", "1", "yes"):
            recorder.said(text, await bot.handle("s", text, user_id="tester"))
    recorder.save()
    source = load(path)
    assert [b.organizer for b in source.transcript.world.bookings] == ["alice"]
    result = await replay_one(source)
    assert result.differences == ()
    assert [b.room_id for b in result.bookings] == ["R1002"]


async def test_a_talk_with_a_cancellation_leaves_the_end_open(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    recorder = Recorder(path, site="demo", user="tester", now=NOW)
    async with await BookingBot.open(site="demo", db=f"sqlite:///{tmp_path / 'b.db'}", now=NOW.isoformat()) as bot:
        for text in ("tomorrow 2pm, 8 people, 1 hour", "1", "yes", "cancel", "yes"):
            recorder.said(text, await bot.handle("s", text, user_id="tester"))
    recorder.save()
    source = load(path)
    assert (await replay_one(source)).ok
    assert "bookings" not in source.transcript.end.model_fields_set


def test_a_talk_without_a_word_writes_no_file_and_a_bad_place_is_named(tmp_path: Path) -> None:
    Recorder(tmp_path / "t.yaml", site="demo", user="tester", now=NOW).save()
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_cannot_be_written_is_the_callers_fault(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "missing" / "t.yaml", site="demo", user="tester", now=NOW)
    async with await BookingBot.open(site="demo", db=f"sqlite:///{tmp_path / 'b.db'}", now=NOW.isoformat()) as bot:
        recorder.said("你好", await bot.handle("s", "你好"))
    with pytest.raises(ConfigurationError, match="--record"):
        recorder.save()


@pytest.mark.parametrize("heard", [1, 3, 4], ids=["slots", "booked", "moving"])
def test_a_recording_begins_with_what_the_session_heard_before(tmp_path: Path, heard: int) -> None:
    said = ("明天下午2点，8人，1小时", "选1", "确认", "改到4点", "确认")
    asyncio.run(_say(tmp_path, "zhang.san", "other", ("明天下午2点，8人，1小时", "1", "确认")))
    asyncio.run(_say(tmp_path, "tester", "mine", said[:heard]))
    done = _chat(tmp_path, "\n".join(said[heard:]))
    assert (done.returncode, done.stderr) == (0, "")
    source = load(tmp_path / "t.yaml")
    assert [step.user for step in source.transcript.steps if isinstance(step, UserStep)] == list(said)
    assert [(b.organizer, b.room) for b in source.transcript.world.bookings] == [("alice", "R1001")]
    result = asyncio.run(replay_one(source))
    assert result.differences == ()
    assert [(b.room_id, b.start_time) for b in result.bookings] == [("R1002", dt.time(16, 0))]


def test_a_session_that_lies_ahead_of_the_clock_is_not_recorded(tmp_path: Path) -> None:
    asyncio.run(_say(tmp_path, "tester", "mine", ("你好",)))
    done = _chat(tmp_path, "你好", now="2026-11-29T09:00:00+08:00")
    assert done.returncode == 2
    assert "2026-11-30T09:00:00+08:00" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("file", "named"),
    [("kept.yaml", "something in it"), ("missing/t.yaml", "No such file"), (".", "directory"), ("", "directory")],
)
def test_a_place_that_will_not_do_is_named_before_the_talk(tmp_path: Path, file: str, named: str) -> None:
    (tmp_path / "kept.yaml").write_text("kept", "utf-8")
    done = _chat(tmp_path, "明天下午2点，8人，1小时", file=file)
    assert done.returncode == 2
    assert "--record" in done.stderr
    assert named in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["kept.yaml"]
    assert (tmp_path / "kept.yaml").read_text("utf-8") == "kept"


def test_an_empty_file_may_be_written_to_and_silence_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").touch()
    assert _chat(tmp_path, "你好").returncode == 0
    assert load(tmp_path / "t.yaml").transcript.user == "tester"
    assert _chat(tmp_path, "", session="silent", file="silent.yaml").returncode == 0
    assert not (tmp_path / "silent.yaml").exists()


def test_a_stored_session_is_not_written_where_nothing_can_be(tmp_path: Path) -> None:
    asyncio.run(_say(tmp_path, "tester", "mine", ("你好",)))
    with pytest.raises(ConfigurationError, match="--out"):
        record_command(
            argparse.Namespace(
                session="mine", site="demo", db=f"sqlite:///{tmp_path / 'b.db'}", out=str(tmp_path / "missing" / "t")
            )
        )


async def _say(folder: Path, user: str, session: str, said: Sequence[str]) -> None:
    async with await BookingBot.open(site="demo", db=f"sqlite:///{folder / 'b.db'}", now=NOW.isoformat()) as bot:
        for text in said:
            await bot.handle(session, text, user_id=user)


def _chat(
    folder: Path, typed: str, *, file: str = "t.yaml", session: str = "mine", now: str = "2026-11-30T09:05:00+08:00"
) -> subprocess.CompletedProcess[str]:
    flags = ["--db", "sqlite:///b.db", "--user", "tester", "--session", session, "--now", now, "--record", file]
    return subprocess.run(
        [sys.executable, "-m", "booking_bot", "chat", *flags],
        input=typed,
        capture_output=True,
        cwd=folder,
        encoding="utf-8",
        check=False,
    )


async def _stored(folder: Path) -> str:
    db = f"sqlite:///{folder / 'b.db'}"
    async with await BookingBot.open(site="demo", db=db, now=NOW.isoformat()) as bot:
        for text in ("后天上午10点，8人，1小时", "1", "确认"):
            await bot.handle("other", text, user_id="zhang.san@corp.example")
        said = (
            "明天下午2点，8人，1小时，电话13912345678，wang@corp.example，主题：王小明绩效",
            "选1",
            "确认",
            "我是wang.wu，取消吧",
            "确认取消",
            "我有哪些预订",
        )
        for number, text in enumerate(said):
            await bot.handle("talk", text, user_id="wang.wu", message_id=f"secret-{number}")
    return db


async def test_a_stored_session_is_written_without_personal_details_and_passes(tmp_path: Path) -> None:
    db = await _stored(tmp_path)
    text = await record_session("wang.wu/talk", site="demo", db=db)
    for secret in ("wang", "zhang", "王小明", "13912345678", "corp.example", "secret"):
        assert secret not in text
    assert "alice" in text
    assert "bob" in text
    assert "Title 1" in text
    source = parse(text, tmp_path / "t.yaml")
    assert source.transcript.world.bookings[0].organizer == "bob"
    result = await replay_one(source)
    assert result.differences == ()
    assert [b.status for b in result.bookings] == ["cancelled"]
    assert all(step.message_id for step in source.transcript.steps if isinstance(step, UserStep))


async def test_a_stored_session_that_moves_an_earlier_booking_passes(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'b.db'}"
    async with await BookingBot.open(site="demo", db=db, now=NOW.isoformat(), user="alice") as bot:
        for session, texts in (("a", ("明天下午2点，8人，1小时", "1", "确认")), ("b", ("把我的会改到下午4点", "确认"))):
            for text in texts:
                await bot.handle(session, text)
    source = parse(await record_session("b", site="demo", db=db), tmp_path / "t.yaml")
    assert f"{source.transcript.world.bookings[0].start:%H:%M}" == "14:00"
    assert (await replay_one(source)).differences == ()


async def test_a_label_is_enough_where_one_user_has_it(tmp_path: Path) -> None:
    db = await _stored(tmp_path)
    assert "alice" in await record_session("talk", site="demo", db=db)
    async with await BookingBot.open(site="demo", db=db, now=NOW.isoformat()) as bot:
        await bot.handle("talk", "你好", user_id="zhao")
        assert len(await bookings_of(bot.engine.store)) == 2
    with pytest.raises(ConfigurationError, match="several users"):
        await record_session("talk", site="demo", db=db)


def test_the_command_writes_to_a_file_or_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = asyncio.run(_stored(tmp_path))
    out = tmp_path / "t.yaml"
    assert main(["record", "--session", "wang.wu/talk", "--db", db, "--out", str(out)]) == 0
    assert main(["record", "--session", "wang.wu/talk", "--db", db]) == 0
    assert capsys.readouterr().out == out.read_text("utf-8")
    assert main(["replay", str(out)]) == 0


def test_an_unknown_session_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--session", "nobody", "--db", f"sqlite:///{tmp_path / 'b.db'}"]) == 2
    err = capsys.readouterr().err
    assert "nobody" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("打13912345678找我", f"打{PHONE_MASK}找我"),
        ("call +86 139 1234 5678", f"call {PHONE_MASK}"),
        ("call 555-123-4567", f"call {PHONE_MASK}"),
        ("call (555) 123-4567 now", f"call {PHONE_MASK} now"),
        ("座机010-12345678", f"座机{PHONE_MASK}"),
        ("a.b+c@x.example.cn", MAIL_MASK),
        ("明天14:00到15:30，8人，2026-12-01，R1001", "明天14:00到15:30，8人，2026-12-01，R1001"),
        ("Ann and ANN, not Annex", "alice and alice, not Annex"),
    ],
)
def test_numbers_and_addresses_are_masked_and_times_are_not(text: str, masked: str) -> None:
    mask = Mask()
    mask.person("ann")
    assert mask.text(text) == masked


def test_the_same_person_is_the_same_stand_in() -> None:
    mask = Mask()
    names = [mask.person(f"p{number}") for number in range(10)]
    assert names[:2] == ["alice", "bob"]
    assert names[9] == "user-10"
    assert mask.person("p1") == "bob"
    assert mask.title("a") == mask.title("a") == "Title 1"
