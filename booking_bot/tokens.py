"""Signed user tokens (JWT, HS256): who speaks, and until when. The secret comes from the environment only."""

from __future__ import annotations

import re
import time
import warnings
from dataclasses import dataclass
from typing import Final

import jwt
from jwt.warnings import InsecureKeyLengthWarning

from booking_bot.errors import ConfigurationError, MessageError

DEFAULT_TTL_S: Final = 86_400
"""A day: as long as one keeps a page open."""
LONGEST_TTL_S: Final = 366 * 86_400
_USER: Final = re.compile(r"[^\s/\x00-\x1f\x7f]{1,64}")
"""A slash would blur where the user's name ends in a stored session id."""
_ALGORITHM: Final = "HS256"
_AUDIENCE: Final = "booking-bot"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a valid token speaks for; `expires_s` is in epoch seconds, None for never."""

    user_id: str
    expires_s: float | None = None


def make_token(user_id: str, secret: str, ttl_s: int = DEFAULT_TTL_S) -> str:
    """Make a token for a user.

    Args:
        ttl_s: how long it holds, in seconds.

    Raises:
        ConfigurationError: the secret is empty, or the user or the time is not legal.
    """
    if not secret:
        raise ConfigurationError("BOOKING_BOT_TOKEN_SECRET is not set: there is nothing to sign a token with")
    if not _USER.fullmatch(user_id):
        raise ConfigurationError(f"--user {user_id!r}: use 1 to 64 characters without spaces or slashes")
    if not 0 < ttl_s <= LONGEST_TTL_S:
        raise ConfigurationError(f"--ttl {ttl_s}: use 1 to {LONGEST_TTL_S} seconds")
    now = int(time.time())
    claims = {"sub": user_id, "aud": _AUDIENCE, "iat": now, "exp": now + ttl_s}
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", InsecureKeyLengthWarning
        )  # the length is the operator's choice, told by `doctor`
        return jwt.encode(claims, secret, _ALGORITHM)


def read_token(token: str, secret: str) -> Identity:
    """Check a token and tell whom it speaks for.

    Raises:
        MessageError: ``unauthorized``: it is not a valid token of ours, or it has run out.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InsecureKeyLengthWarning)
            claims = jwt.decode(
                token,
                secret,
                algorithms=[_ALGORITHM],
                audience=_AUDIENCE,
                options={"require": ["sub", "exp", "aud"]},
            )
    except jwt.ExpiredSignatureError:
        raise MessageError("unauthorized", "the token has run out") from None
    except (jwt.InvalidTokenError, ValueError):
        raise MessageError("unauthorized", "a valid token is needed") from None
    user = claims["sub"]
    if not isinstance(user, str) or not _USER.fullmatch(user):
        raise MessageError("unauthorized", "the token names no user")
    return Identity(user, float(claims["exp"]))
