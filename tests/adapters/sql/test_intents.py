"""Calls that leave the house: noted before they are made, on each of the databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from booking_bot.adapters.sql import SqlStore
from booking_bot.adapters.sql.intents import Intent
from booking_bot.adapters.sql.message_ids import client_id, stored_id
from tests.adapters.sql.conftest import save, turn

CALL = Intent(
    session_id="alice/s",
    turn_id=4,
    user_id="alice",
    channel="python",
    at_s=1,
    tool="desk.order",
    key="key-of-the-read-back",
    before="{}",
)


async def test_of_many_at_once_one_may_make_a_call(store: SqlStore) -> None:
    first = await asyncio.gather(*(store.note_call(CALL) for _ in range(5)))
    assert sorted(first) == [False, False, False, False, True]
    assert await store.note_call(replace(CALL, key="another-read-back"))
    assert await store.note_call(replace(CALL, user_id="bob"))


async def test_two_processes_do_not_both_make_a_call(store: SqlStore) -> None:
    url = store.engine.url.render_as_string(hide_password=False)
    other = await SqlStore.open(url, store.ledger._site, store.ledger._clock) if "memory" not in url else store
    first = await asyncio.gather(store.note_call(CALL), other.note_call(CALL))
    assert sorted(first) == [False, True]
    if other is not store:
        await other.close()


async def test_a_write_is_open_until_a_turn_settles_it(store: SqlStore) -> None:
    await store.note_write(CALL)
    await store.note_write(CALL)  # the same yes again
    assert await store.is_write_open("alice", CALL.key)
    assert not await store.is_write_open("bob", CALL.key)
    record = replace(turn("alice/s", 1), settled=(CALL.key,))
    await save(store, record)
    assert not await store.is_write_open("alice", CALL.key)


def test_a_client_gets_its_own_ids_back_and_none_where_it_gave_none() -> None:
    for given in ("m1", "~", "~m", "~~", None):
        assert client_id(stored_id(given, "0af1")) == given
    assert stored_id(None, "") is None
    assert len({stored_id(given, "0af1") for given in ("0af1", "~0af1", "~~0af1", None)}) == 4
