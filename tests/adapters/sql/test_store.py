"""The store: what a turn leaves behind, how a session comes back, and which databases it refuses."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from booking_bot.adapters.sql import AuditRow, DuplicateMessage, OutboxEvent, SqlStore, StoreError
from booking_bot.dialogue.site import Site
from booking_bot.errors import ConfigurationError, StaleSession
from tests.adapters.sql.conftest import HandClock, save, turn


async def test_a_session_comes_back_as_it_was_saved(store: SqlStore) -> None:
    for number in (1, 2):
        await save(store, turn("s", number))
    session = await store.load_session("s")
    assert session is not None
    assert (session.version, session.next_seq, session.phase) == (2, 7, "COLLECTING_SLOTS")
    assert (session.user_id, session.site, session.context) == ("alice", "demo", '{"schema": 1}')
    assert session.recent == {"m2": 2, "m1": 1}


async def test_a_session_that_is_not_stored_is_none(store: SqlStore) -> None:
    assert await store.load_session("nobody") is None


async def test_the_reply_to_a_message_is_found(store: SqlStore) -> None:
    await save(store, turn("s", 1))
    found = await store.find_reply("s", "m1")
    assert found is not None
    assert (found.turn_id, found.reply, found.text) == (1, '{"text": "reply 000001"}', "明天下午2点8人会议室")
    assert await store.find_reply("s", "m2") is None
    assert await store.find_reply("other", "m1") is None


async def test_a_message_that_was_answered_is_refused(store: SqlStore) -> None:
    await save(store, turn("s", 1))
    with pytest.raises(DuplicateMessage, match="'m1' has been answered"):
        await save(store, turn("s", 2, message="m1"))
    assert (await store.load_session("s")).version == 1  # type: ignore[union-attr]


async def test_a_first_message_that_came_twice_is_answered_once(store: SqlStore) -> None:
    answers = await asyncio.gather(*(save(store, turn("s", 1)) for _ in range(3)), return_exceptions=True)
    assert [type(a) for a in answers] == [type(None), DuplicateMessage, DuplicateMessage]


async def test_two_sessions_may_use_one_message_id(store: SqlStore) -> None:
    await asyncio.gather(save(store, turn("s", 1)), save(store, turn("t", 1)))
    assert (await store.find_reply("t", "m1")) is not None


async def test_messages_without_an_id_never_clash(store: SqlStore) -> None:
    for number in (1, 2):
        await save(store, turn("s", number, message=None))
    session = await store.load_session("s")
    assert session is not None
    assert session.recent == {}


async def test_a_session_that_was_moved_on_is_stale(store: SqlStore) -> None:
    await save(store, turn("s", 1))
    await save(store, turn("s", 2))
    with pytest.raises(StaleSession, match="moved on") as caught:
        await save(store, turn("s", 2, message="other"))
    assert not isinstance(caught.value, DuplicateMessage)
    with pytest.raises(StaleSession):
        await save(store, turn("s", 1, message="another"))


async def test_a_refused_turn_leaves_no_row_behind(store: SqlStore) -> None:
    await save(store, turn("s", 1))
    stale = dataclasses.replace(turn("s", 1, message="x"), outbox=(OutboxEvent("e", "{}"),))
    with pytest.raises(StaleSession):
        await save(store, stale)
    assert await store.claim_events(2**40) == ()
    assert len(await store.actions_of("s")) == 1


async def test_turns_come_back_from_an_event_number_on(store: SqlStore) -> None:
    for number in (1, 2, 3):
        await save(store, turn("s", number))  # events 1-3, 4-6, 7-9
    assert [t.turn_id for t in await store.turns_since("s", 7)] == [3]
    assert [t.turn_id for t in await store.turns_since("s", 6)] == [2, 3]
    assert [t.turn_id for t in await store.turns_since("s", 0)] == [1, 2, 3]
    assert await store.turns_since("nobody", 0) == ()


async def test_actions_come_back_in_order(store: SqlStore) -> None:
    first = turn("s", 1).actions[0]
    later = dataclasses.replace(first, seq=1, action="ask_user", parse_level=2, tokens=40)
    await save(store, dataclasses.replace(turn("s", 1), actions=(later, first)))
    await save(store, turn("s", 2))
    assert await store.actions_of("s") == (first, later, *turn("s", 2).actions)


async def test_the_last_turns_come_back_with_their_actions(store: SqlStore) -> None:
    for number in (1, 2, 3):
        await save(store, turn("s", number))
    turns, actions = await store.window("s", 2)
    assert [t.turn_id for t in turns] == [2, 3]
    assert actions == (*turn("s", 2).actions, *turn("s", 3).actions)
    assert await store.window("nobody", 2) == ((), ())


async def test_an_outbox_event_is_held_by_one_worker_until_its_lease_runs_out(store: SqlStore) -> None:
    event = OutboxEvent("booked", '{"id": 1}', due_s=100)
    audit = (AuditRow("intent", "book_room"), AuditRow("outcome", "book_room", after="{}"))
    await save(store, dataclasses.replace(turn("s", 1), outbox=(event,), audit=audit))
    assert await store.claim_events(99) == ()
    (held,) = await store.claim_events(100, lease_s=60)
    assert (held.event, held.payload, held.attempts) == ("booked", '{"id": 1}', 1)
    assert await store.claim_events(159) == ()
    (again,) = await store.claim_events(160)
    assert again.attempts == 2
    await store.complete_events([again.id])
    assert await store.claim_events(2**40) == ()


async def test_text_that_no_database_takes_is_made_fit(store: SqlStore) -> None:
    await save(store, dataclasses.replace(turn("s", 1), text="a\0b\ud800c 🏢"))
    found = await store.find_reply("s", "m1")
    assert found is not None
    assert found.text == "ab?c 🏢"


async def test_all_is_there_after_opening_again(url: str, site: Site, clock: HandClock) -> None:
    for number in (1, 2):
        store = await SqlStore.open(url, site, clock)
        await save(store, turn("s", number))
        await store.close()
    store = await SqlStore.open(url, site, clock)
    assert (await store.load_session("s")).version == 2  # type: ignore[union-attr]
    await store.close()


async def test_many_may_open_a_new_database_at_once(url: str, site: Site, clock: HandClock) -> None:
    stores = await asyncio.gather(*(SqlStore.open(url, site, clock) for _ in range(6)))
    await asyncio.gather(*(save(store, turn(f"s{i}", 1)) for i, store in enumerate(stores)))
    assert await stores[0].load_session("s5") is not None
    for store in stores:
        await store.close()


async def test_a_database_in_memory_lives_as_long_as_the_store(site: Site, clock: HandClock) -> None:
    store = await SqlStore.open("sqlite://", site, clock)
    await save(store, turn("s", 1))
    assert (await store.load_session("s")) is not None
    await store.close()
    other = await SqlStore.open("sqlite:///:memory:", site, clock)
    assert await other.load_session("s") is None
    await other.close()


async def test_another_schema_version_is_refused_by_name(url: str, site: Site, clock: HandClock) -> None:
    store = await SqlStore.open(url, site, clock)
    await store.run(lambda tx: tx.connection.execute(text("UPDATE schema_version SET version = 7")))
    await store.close()
    with pytest.raises(ConfigurationError, match="schema version 7, this program needs version 1"):
        await SqlStore.open(url, site, clock)


async def test_tables_of_something_else_are_refused(tmp_path: Path, site: Site, clock: HandClock) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE booking (id INTEGER)"))
    engine.dispose()
    with pytest.raises(ConfigurationError, match=r"tables of something else \(booking\)"):
        await SqlStore.open(url, site, clock)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        pytest.param("nonsense", "'nonsense': this is not a database URL; legal are sqlite:///FILE", id="no URL"),
        pytest.param("sqlite:///nowhere/at/all/x.db", "cannot be opened .*unable to open", id="no folder"),
        pytest.param("oracle://u:secret@h/d", "'oracle' is not supported; legal are sqlite", id="unknown kind"),
        pytest.param(
            "postgresql://u:secret@127.0.0.1:1/d", r"u:\*\*\*@127.0.0.1:1/d.*cannot be opened", id="no server"
        ),
        pytest.param("mysql://u:secret@127.0.0.1:1/d", r"u:\*\*\*@127.0.0.1:1/d.*cannot be opened", id="no MySQL"),
        pytest.param("u:secret@h", r"this is not a database URL", id="password without a scheme"),
    ],
)
async def test_a_url_that_will_not_do_is_named_without_its_password(
    url: str, says: str, site: Site, clock: HandClock
) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        await SqlStore.open(url, site, clock)
    assert "secret" not in str(caught.value)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path, site: Site, clock: HandClock) -> None:
    path = tmp_path / "text.db"
    path.write_text("this is a letter, not a database " * 40)
    with pytest.raises(ConfigurationError, match="not a database"):
        await SqlStore.open(f"sqlite:///{path}", site, clock)


async def test_a_synchronous_setting_that_is_not_legal_is_refused(site: Site, clock: HandClock) -> None:
    with pytest.raises(ConfigurationError, match="'SOMETIMES': legal are FULL, NORMAL, OFF"):
        await SqlStore.open("sqlite://", site, clock, synchronous="SOMETIMES")  # type: ignore[arg-type]


async def test_a_driver_that_is_not_installed_is_named(
    site: Site, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(ConfigurationError, match=r"not installed; install the extra 'databases'"):
        await SqlStore.open("mariadb://u@h/d", site, clock)


async def test_a_read_that_fails_names_what_the_database_said(store: SqlStore) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        await store.read(lambda r: r.connection.execute(text("SELECT 1 FROM nowhere")))
    with pytest.raises(LookupError):
        await store.read(lambda r: {}["x"])


async def test_reads_cannot_write(file_store: SqlStore) -> None:
    with pytest.raises(StoreError, match="readonly"):
        await file_store.read(lambda r: r.connection.execute(text("DELETE FROM turn")))
