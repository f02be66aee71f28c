"""`doctor` asks the services that the bot would use, as the bot would."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from booking_bot.adapters.http.wire import RoomList
from booking_bot.adapters.site_folder import load_site
from booking_bot.channels.cli import main

TOKEN = "a-token-of-the-rooms"  # noqa: S105  # a test's
SITE = load_site("demo")


class _Services(BaseHTTPRequestHandler):
    """Rooms for who shows the token, and a place with its weather."""

    def do_GET(self) -> None:
        if self.path.startswith("/rooms"):
            allowed = self.headers["Authorization"] == f"Bearer {TOKEN}"
            body = RoomList(buildings=SITE.buildings, rooms=SITE.rooms).model_dump_json() if allowed else "{}"
            self._answer(200 if allowed else 401, body)
        elif self.path.startswith("/v1/search"):
            self._answer(200, json.dumps({"results": [{"name": "上海", "latitude": 31.2, "longitude": 121.5}]}))
        else:
            self._answer(200, json.dumps({"daily": {"time": ["2026-11-30"], "weather_code": [0]}}))

    def _answer(self, status: int, body: str) -> None:
        raw = body.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def services() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Services) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def _lines(capsys: pytest.CaptureFixture[str], db: Path) -> dict[str, str]:
    main(["doctor", "--db", f"sqlite:///{db}"])
    lines = capsys.readouterr().out.splitlines()
    return {line[5:].split(":")[0]: line[:4].strip() + " " + line.split(": ", 1)[1] for line in lines}


def test_the_rooms_api_is_asked_with_its_token(
    services: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOOKING_BOT_ROOMS_API", services)
    assert _lines(capsys, tmp_path / "b.db")["rooms API"].startswith("FAIL")
    monkeypatch.setenv("BOOKING_BOT_ROOMS_API_TOKEN", TOKEN)
    assert _lines(capsys, tmp_path / "b.db")["rooms API"] == f"ok {services} answers"


@pytest.mark.parametrize("name", ["GEOCODING", "FORECAST"])
def test_either_weather_api_alone_is_asked(
    services: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv(f"BOOKING_BOT_WEATHER_{name}_API", services)
    assert _lines(capsys, tmp_path / "b.db")["weather API"] == f"ok {services} answers"
