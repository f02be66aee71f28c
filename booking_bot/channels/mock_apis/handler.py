"""The socket's side of the mock APIs: reads requests, sends answers, and goes wrong where a fault says so.

Runs in one thread a connection (the standard library's server); what a request means is decided elsewhere.
"""

from __future__ import annotations

import ipaddress
import socket
import socketserver
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from booking_bot.channels.mock_apis.exchange import Request, Response, problem
from booking_bot.channels.mock_apis.faults import Fault

IDLE_S: Final = 30
"""A connection on which nothing moves for this long is closed."""
MAX_BODY_BYTES: Final = 65_536
"""The largest legal body has a few kilobytes."""
HUGE_CHUNKS: Final = 1024
"""An endless answer ends after this many chunks of 64 kB at the latest."""

Judge = Callable[[Request, bool], tuple[Callable[[], Response], Fault | None]]
"""Takes a request and whether it comes from this machine; gives what carries it out, and the fault that strikes it."""


class _Dropped(Exception):
    """The connection is to be closed without another word."""


class Server(ThreadingHTTPServer):
    """Listens, with one thread a connection, and can be closed at once."""

    daemon_threads = False  # joined at close, so that none outlives its server
    block_on_close = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, judge: Judge) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.judge = judge
        self.stopping = threading.Event()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__((host, port), Handler)

    def server_bind(self) -> None:
        """Bind without the look-up of the machine's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment] # a str at run time

    def process_request(self, request: Any, client_address: Any) -> None:
        """Note the connection and serve it in a thread."""
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection and close it."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent: a peer that goes away in the middle is what this server is for."""

    def stop(self) -> None:
        """Stop listening, wake every silence, cut every connection and wait for the threads."""
        self.stopping.set()
        self.shutdown()
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the peer was faster
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Serves one connection."""

    protocol_version = "HTTP/1.1"
    server_version = "booking-bot-mock"
    sys_version = ""
    timeout = IDLE_S
    disable_nagle_algorithm = True
    server: Server

    def do_GET(self) -> None:  # the base class calls it so
        """Serve any request."""
        try:
            refusal, body = self._read_body()
            if refusal is not None:
                self.close_connection = True
                self._send(refusal)
                return
            path, _, query = self.path.partition("?")
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, path, query, headers, body)
            carry_out, fault = self.server.judge(request, self._is_local())
            if fault is None:
                self._send(carry_out())
            else:
                self._go_wrong(fault, carry_out() if fault.has_effect else None)
        except (_Dropped, OSError):
            self.close_connection = True

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815 # the base class calls them so

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 # the base class calls it so
        """Log nothing: the terminal belongs to the person at it."""

    def _is_local(self) -> bool:
        address = ipaddress.ip_address(self.client_address[0].partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None)
        return (mapped or address).is_loopback

    def _read_body(self) -> tuple[Response | None, bytes]:
        """Give the body, or the answer that refuses it unread."""
        if self.headers.get("Transfer-Encoding"):
            return problem(411, "bad_request", "chunked bodies are not read"), b""
        value = self.headers.get("Content-Length", "0")
        if not (value.isascii() and value.isdigit()):
            return problem(400, "bad_request", "Content-Length is not a number"), b""
        if len(value) > 9 or int(value) > MAX_BODY_BYTES:
            return problem(413, "bad_request", f"more than {MAX_BODY_BYTES} bytes"), b""
        length = int(value)
        if length and self.headers.get_content_type() != "application/json":
            return problem(415, "bad_request", "Content-Type must be application/json"), b""
        body = self.rfile.read(length)
        if len(body) < length:
            raise _Dropped
        return None, body

    def _send(self, response: Response) -> None:
        self._head(response, len(response.body))
        self.wfile.write(response.body)

    def _head(self, response: Response, length: int | None) -> None:
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if length is None or self.close_connection:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()

    def _go_wrong(self, fault: Fault, done: Response | None) -> None:
        """Answer as the fault says; `done` is the proper answer when the request was carried out."""
        good = done or problem(503, "unavailable", "not carried out")
        seconds = fault.seconds
        match fault.kind:
            case "latency":
                self.server.stopping.wait(seconds)
                self._send(good)
            case "status":
                self._send(problem(fault.status, "unavailable", "a fault was asked for"))
            case "rate_limit":
                headers = {"Retry-After": f"{seconds:.0f}"}
                self._send(problem(429, "unavailable", "a fault was asked for", **headers))
            case "conflict":
                self._send(problem(409, "taken", "a fault was asked for"))
            case "redirect":
                self._send(Response(307, b"", headers={"Location": "/elsewhere"}))
            case "drop":
                raise _Dropped
            case "timeout" | "timeout_after_commit":
                self.server.stopping.wait(seconds)
                raise _Dropped
            case "malformed":
                self._send(Response(good.status, good.body[: len(good.body) // 2], good.content_type))
            case "html":
                self._send(Response(200, b"<!doctype html><title>Sign in</title>", "text/html; charset=utf-8"))
            case "wrong_shape":
                self._send(Response(200, b'{"surprise": [1, null, "x"]}'))
            case "huge":
                self._endless(good)
            case "drip":
                self._drip(good, seconds)
            case "cut":
                self._head(good, len(good.body))
                self.wfile.write(good.body[: len(good.body) // 2])
                raise _Dropped

    def _endless(self, response: Response) -> None:
        self._head(response, None)
        for _ in range(HUGE_CHUNKS):
            self.wfile.write(b" " * 65_536)

    def _drip(self, response: Response, seconds: float) -> None:
        self._head(response, len(response.body))
        for byte in response.body:
            if self.server.stopping.wait(seconds):
                raise _Dropped
            self.wfile.write(bytes((byte,)))
