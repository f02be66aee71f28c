"""Confirmation tokens: proof that a read-back of exactly these arguments was given out to this user, once.

A token does not prove that a person said yes, only that the caller was shown what to ask; so it is short-lived, used
once, and worth nothing for any other arguments or any other user.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
from typing import Final

from booking_bot.ports import Clock
from booking_bot.service.errors import OperationRefused

TTL_S: Final = 600
"""Ten minutes: long enough to ask a person, short enough that the office has not changed much."""
_NONCE_BYTES: Final = 12
_EXPIRY: Final = struct.Struct(">Q")
_MAC_BYTES: Final = 32


class Confirmations:
    """Issues and redeems tokens.

    Args:
        clock: gives the current instant.
        secret: signs tokens in every process that shares it; a random one of this process when None. Used tokens are
            remembered per process: over several of them it is the write's idempotency key that keeps it single.
    """

    def __init__(self, clock: Clock, secret: str | None = None, ttl_s: int = TTL_S) -> None:
        seed = secret.encode() if secret else secrets.token_bytes(32)
        self._key = hmac.digest(seed, b"booking-bot confirmation v1", "sha256")
        self._clock = clock
        self.ttl_s = ttl_s
        self._used: dict[bytes, int] = {}

    def issue(self, user_id: str, write: str) -> str:
        """Make a token.

        Args:
            write: the exact write, serialised.
        """
        head = secrets.token_bytes(_NONCE_BYTES) + _EXPIRY.pack(self._now_s() + self.ttl_s)
        return base64.urlsafe_b64encode(head + self._mac(head, user_id, write)).decode().rstrip("=")

    def redeem(self, token: str, user_id: str, write: str) -> None:
        """Use a token up.

        Raises:
            OperationRefused: ``confirmation_invalid``.
        """
        head = self._checked(token, user_id, write)
        now_s = self._now_s()
        self._used = {nonce: until for nonce, until in self._used.items() if until > now_s}
        nonce, (expires_s,) = head[:_NONCE_BYTES], _EXPIRY.unpack(head[_NONCE_BYTES:])
        if expires_s <= now_s:
            raise _invalid("it has run out")
        if nonce in self._used:
            raise _invalid("it was used before")
        self._used[nonce] = expires_s

    def give_back(self, token: str) -> None:
        """Let a token be used again because the write it was for did not take place."""
        self._used.pop(_decoded(token)[:_NONCE_BYTES], None)

    def _checked(self, token: str, user_id: str, write: str) -> bytes:
        raw = _decoded(token)
        size = _NONCE_BYTES + _EXPIRY.size
        head, mac = raw[:size], raw[size:]
        if len(mac) != _MAC_BYTES or not hmac.compare_digest(mac, self._mac(head, user_id, write)):
            raise _invalid("it is not for these arguments")
        return head

    def _mac(self, head: bytes, user_id: str, write: str) -> bytes:
        digests = hashlib.sha256(user_id.encode()).digest() + hashlib.sha256(write.encode()).digest()
        return hmac.digest(self._key, head + digests, "sha256")

    def _now_s(self) -> int:
        return int(self._clock().timestamp())


def _decoded(token: str) -> bytes:
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""


def _invalid(why: str) -> OperationRefused:
    return OperationRefused(
        "confirmation_invalid",
        f"The confirm_token does not hold: {why}. Nothing was written. Call again without it for a fresh read-back.",
    )
