"""Reads requests: bounded bodies and queries into their models, the headers of a write."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Final, TypeVar, get_origin

from pydantic import BaseModel, StringConstraints, TypeAdapter, ValidationError
from starlette.requests import Request

from booking_bot.channels.http_api.problems import ProblemRaised, from_validation
from booking_bot.service.values import MAX_KEY_CHARS, MAX_TOKEN_CHARS

MAX_BODY_BYTES: Final = 64 * 1024
"""A message of the greatest length in UTF-8, twice over."""
BODY_S: Final = 10.0
"""Seconds a body may take to arrive."""
KEY_HEADER: Final = "Idempotency-Key"
TOKEN_HEADER: Final = "Confirm-Token"  # noqa: S105  # a header's name

HEADER_TEXT: Final = "^[!-~]+$"
"""Visible ASCII: all that every client and proxy passes on as it is."""

_KEY: Final[TypeAdapter[str]] = TypeAdapter(
    Annotated[str, StringConstraints(pattern=HEADER_TEXT, max_length=MAX_KEY_CHARS)]
)
_TOKEN: Final[TypeAdapter[str]] = TypeAdapter(
    Annotated[str, StringConstraints(pattern=HEADER_TEXT, max_length=MAX_TOKEN_CHARS)]
)
T = TypeVar("T", bound=BaseModel)


async def body_of(request: Request, model: type[T], limit: int = MAX_BODY_BYTES, *, strict: bool = True) -> T:
    """Read the JSON body.

    Raises:
        ProblemRaised: 400, 408, 413, 415 or 422.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ProblemRaised(415, "unsupported_media_type", "send application/json")
    try:
        return model.model_validate_json(await _bounded(request, limit), strict=strict)
    except ValidationError as error:
        raise from_validation(error) from None


def query_of(request: Request, model: type[T]) -> T:
    """Read the query; a list is given by naming its parameter several times.

    Raises:
        ProblemRaised: 422.
    """
    lists = {name for name, field in model.model_fields.items() if get_origin(field.annotation) is tuple}
    values: dict[str, object] = {}
    for name in request.query_params:
        given = request.query_params.getlist(name)
        if name in lists:
            values[name] = tuple(given)
        elif len(given) > 1:
            raise ProblemRaised(422, "invalid", f"{name}: given more than once")
        else:
            values[name] = given[0]
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise from_validation(error) from None


def required_key(request: Request) -> str:
    """Give the idempotency key.

    Raises:
        ProblemRaised: 400 when there is none, 422 when it is none.
    """
    key = optional_key(request)
    if key is None:
        raise ProblemRaised(400, "idempotency_key_missing", f"send an {KEY_HEADER} header, one for each wish")
    return key


def optional_key(request: Request) -> str | None:
    """Give the idempotency key if there is one.

    Raises:
        ProblemRaised: 422.
    """
    return _header(request.headers, KEY_HEADER, _KEY)


def token_of(request: Request, in_body: str | None = None) -> str | None:
    """Give the confirmation token, from the body or the header.

    Raises:
        ProblemRaised: 422.
    """
    return in_body if in_body is not None else _header(request.headers, TOKEN_HEADER, _TOKEN)


def _header(headers: Mapping[str, str], name: str, adapter: TypeAdapter[str]) -> str | None:
    value = headers.get(name)
    if value is None:
        return None
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise ProblemRaised(422, "invalid", f"{name}: {error.errors()[0]['msg']}") from None


async def _bounded(request: Request, limit: int) -> bytes:
    too_large = ProblemRaised(413, "too_large", f"a body may have {limit} bytes")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise too_large
    except TimeoutError:
        raise ProblemRaised(408, "too_slow", "the body did not arrive in time") from None
    return bytes(body)
