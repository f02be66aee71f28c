"""What `docs/protocol.md` says is so: its client runs, its schema is current and fits what is really sent."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import jsonschema
import pytest

from booking_bot.wire.schema import protocol_schema, rendered
from tests.channels.websocket.talking import House

DOCS = Path(__file__).parents[3] / "docs"


def test_the_schema_file_is_current() -> None:
    """Make it anew with `python -m booking_bot.wire.schema > docs/protocol.schema.json`."""
    assert (DOCS / "protocol.schema.json").read_text("utf-8") == rendered()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(protocol_schema())


async def test_everything_that_is_sent_fits_the_schema(house: House) -> None:
    validator = jsonschema.Draft202012Validator(_part("ServerEvent"))
    async with house.connected() as talk:
        events = await talk.hello()
        for text in ("明天下午2点8人会议室", "1小时", "选1", "确认", "我有哪些预订", "明天下午3点，8人，45分钟"):
            events += await talk.say(text)
        await talk.ws.send("junk")
        await talk.send(type="ping")
        events += [await talk.event(), await talk.event()]
    async with house.connected() as again:
        events += await again.hello(talk.session_id, 3)
    for event in events:
        validator.validate(event)
    kinds = {event["type"] for event in events}
    assert kinds == {_const(name) for name in _names("ServerEvent")}


@pytest.mark.parametrize(
    ("frame", "fits"),
    [
        ({"type": "hello", "session_id": None, "last_seq": 0, "token": None, "language": "auto"}, True),
        ({"type": "message", "id": "m1", "text": "hi"}, True),
        ({"type": "resume", "id": "m2", "interrupt_id": "1", "status": "resolved", "payload": {"choice": 1}}, True),
        ({"type": "language", "language": "zh"}, True),
        ({"type": "language", "language": "fr"}, False),
        ({"type": "ping"}, True),
        ({"type": "message", "id": "m1"}, False),
        ({"type": "dance"}, False),
    ],
)
def test_what_may_be_sent_fits_the_schema(frame: dict[str, object], fits: bool) -> None:
    assert jsonschema.Draft202012Validator(_part("ClientFrame")).is_valid(frame) is fits


async def test_the_client_of_the_documentation_runs(house: House, tmp_path: Path) -> None:
    text = (DOCS / "protocol.md").read_text("utf-8")
    block = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert block is not None
    assert len(block[1].splitlines()) <= 30
    client = tmp_path / "client.py"
    client.write_text(block[1], "utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(client), f"ws://{house.address}/ws", stdout=asyncio.subprocess.PIPE
    )
    shown, _ = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 0
    assert "'room': 'R1001'" in shown.decode()


def test_every_code_that_is_sent_is_documented() -> None:
    text = (DOCS / "protocol.md").read_text("utf-8")
    package = Path(__file__).parents[3] / "booking_bot"
    sources = [*(package / "wire").glob("*.py"), *(package / "channels" / "websocket").glob("*.py")]
    codes = {code for file in sources for code in re.findall(r'MessageError\("(\w+)"', file.read_text("utf-8"))}
    not_on_the_socket = {"unavailable", "bad_date", "not_found"}
    assert {code for code in codes - not_on_the_socket if f"`{code}`" not in text} == set()


def _part(name: str) -> dict[str, object]:
    schema = protocol_schema()
    return {"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"}


def _names(union: str) -> list[str]:
    return [item["$ref"].rsplit("/", 1)[1] for item in protocol_schema()["$defs"][union]["oneOf"]]


def _const(name: str) -> str:
    kind: str = json.loads(json.dumps(protocol_schema()))["$defs"][name]["properties"]["type"]["const"]
    return kind
