"""Signed tokens: who they speak for, and which are refused."""

from __future__ import annotations

import jwt
import pytest

from booking_bot.errors import ConfigurationError, MessageError
from booking_bot.tokens import make_token, read_token

SECRET = "a secret of at least thirty-two bytes"  # noqa: S105  # a test's


@pytest.mark.parametrize("user", ["alice", "王小明", "alice@example.org", "x" * 64])
def test_a_token_names_its_user(user: str) -> None:
    assert read_token(make_token(user, SECRET), SECRET).user_id == user


def test_a_token_holds_as_long_as_asked() -> None:
    short, long = (read_token(make_token("alice", SECRET, ttl), SECRET).expires_s for ttl in (60, 3600))
    assert short is not None
    assert long is not None
    assert 3530 < long - short < 3550


@pytest.mark.parametrize("user", ["", "a b", "a/b", "a\nb", "x" * 65])
def test_names_that_would_blur_are_refused(user: str) -> None:
    with pytest.raises(ConfigurationError, match="--user"):
        make_token(user, SECRET)


@pytest.mark.parametrize("ttl", [0, -1, 10**9])
def test_times_that_make_no_sense_are_refused(ttl: int) -> None:
    with pytest.raises(ConfigurationError, match="--ttl"):
        make_token("alice", SECRET, ttl)


def test_nothing_is_signed_with_nothing() -> None:
    with pytest.raises(ConfigurationError, match="BOOKING_BOT_TOKEN_SECRET"):
        make_token("alice", "")


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "alice", "aud": "booking-bot"},
        {"aud": "booking-bot", "exp": 9e9},
        {"sub": "alice", "exp": 9e9},
        {"sub": "alice", "aud": "another", "exp": 9e9},
        {"sub": "alice", "aud": "booking-bot", "exp": 1},
        {"sub": "a/b", "aud": "booking-bot", "exp": 9e9},
        {"sub": "", "aud": "booking-bot", "exp": 9e9},
    ],
    ids=["never ends", "nobody", "no audience", "other audience", "run out", "slash", "empty"],
)
def test_other_tokens_are_refused_though_signed(claims: dict[str, object]) -> None:
    with pytest.raises(MessageError) as refused:
        read_token(jwt.encode(claims, SECRET, "HS256"), SECRET)
    assert refused.value.code == "unauthorized"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "\x00", "ü" * 50])
def test_junk_is_no_token(token: str) -> None:
    with pytest.raises(MessageError):
        read_token(token, SECRET)


def test_a_changed_token_is_refused() -> None:
    head, _, signature = make_token("alice", SECRET).split(".")
    body = make_token("root", SECRET + "!").split(".")[1]
    with pytest.raises(MessageError):
        read_token(f"{head}.{body}.{signature}", SECRET)
