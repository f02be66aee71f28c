"""The frames a client may send, and what is made of them. Junk of any kind ends in `MessageError`, nothing worse."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from booking_bot.dialogue.model import Language
from booking_bot.errors import MessageError
from booking_bot.reply import Interrupt

MAX_FRAME_BYTES: Final = 16 * 1024
"""Longest frame that is taken, in bytes of UTF-8: about five thousand Chinese characters."""

_YES: Final[dict[Language, str]] = {"zh": "确认", "en": "yes"}
_NO: Final[dict[Language, str]] = {"zh": "不要", "en": "no"}
_DROP: Final[dict[Language, str]] = {"zh": "算了", "en": "never mind"}


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Hello(_Frame):
    """The first frame of every connection.

    Attributes:
        session_id: the session to take up again; null for a new one.
        last_seq: number of the last event seen, null or 0 for none; those after it are sent again.
        token: a signed token, where the server asks for one.
        language: the language to answer in; ``auto`` goes by what the user writes.
    """

    type: Literal["hello"]
    session_id: str | None = Field(default=None, max_length=64)
    last_seq: int | None = Field(default=None, ge=0, le=2**53)
    token: str | None = Field(default=None, max_length=4096)
    language: Literal["auto", "zh", "en"] = "auto"


class Message(_Frame):
    """Something the user says. The same id again has no further effect and gets the same answer."""

    type: Literal["message"]
    id: str | None = Field(default=None, min_length=1, max_length=128)
    text: str = Field(min_length=1)


class Resume(_Frame):
    """The answer to the question with this id; an answer to an older one only gets the current question.

    Attributes:
        payload: what the question's `responseSchema` describes; not read when `status` is ``cancelled``.
    """

    type: Literal["resume"]
    id: str | None = Field(default=None, min_length=1, max_length=128)
    interrupt_id: str = Field(min_length=1, max_length=64)
    status: Literal["resolved", "cancelled"]
    payload: dict[str, Any] | None = None


class Speak(_Frame):
    """Chooses the language of the following answers, over the one chosen in the hello; ``auto`` goes by the user's."""

    type: Literal["language"]
    language: Literal["auto", "zh", "en"]


class Ping(_Frame):
    """Asks for a sign of life; answered with CUSTOM ``pong``."""

    type: Literal["ping"]


Frame = Hello | Message | Resume | Speak | Ping
_ADAPTER: Final[TypeAdapter[Frame]] = TypeAdapter(Annotated[Frame, Field(discriminator="type")])


def parse_frame(data: str | bytes) -> Frame:
    """Read a frame.

    Raises:
        MessageError: ``too_large``, ``bad_json``, ``unknown_type`` or ``bad_frame`` (the peer's fault).
    """
    if isinstance(data, bytes):
        raise MessageError("bad_frame", "send text frames, not binary ones")
    if len(data) > MAX_FRAME_BYTES or len(data.encode(errors="surrogatepass")) > MAX_FRAME_BYTES:
        raise MessageError("too_large", f"a frame may have {MAX_FRAME_BYTES} bytes of UTF-8")
    try:
        return _ADAPTER.validate_json(data)
    except ValidationError as error:
        raise _refusal(error) from None


_ID: Final = re.compile(r'"id"\s{0,8}:\s{0,8}"([^"\\\x00-\x1f]{1,128})"')
"""An id as it stands in a frame; within a text its quotes would be escaped."""


def id_in(data: str | bytes) -> str | None:
    """Give the id that stands in a frame that could not be read, so that its refusal can name it."""
    found = _ID.search(data) if isinstance(data, str) else None
    return None if found is None else found[1].encode("utf-8", "replace").decode()


def _refusal(error: ValidationError) -> MessageError:
    first = error.errors(include_url=False, include_input=False)[0]
    match first["type"]:
        case "json_invalid":
            return MessageError("bad_json", "the frame is not JSON")
        case "union_tag_invalid" | "union_tag_not_found":
            return MessageError("unknown_type", 'the type must be "hello", "message", "resume", "language" or "ping"')
        case "model_attributes_type" | "model_type" | "dict_type":
            return MessageError("bad_frame", "the frame must be a JSON object")
        case _:
            where = ".".join(str(part) for part in first["loc"][1:]) or "frame"
            return MessageError("bad_frame", f"{where}: {first['msg']}")


_MAX_CHOICES: Final = 50
"""More options than any question has."""


def text_of_resume(frame: Resume, interrupt: Interrupt | None, language: Language) -> str:
    """Say in words what a button said, so that the one reader of messages reads it.

    Args:
        interrupt: the pending question as far as it is known here.
        language: the language the session speaks.

    Raises:
        MessageError: the payload is not what the question asks for.
    """
    kind = interrupt.kind if interrupt is not None and interrupt.id == frame.interrupt_id else None
    if frame.status == "cancelled":
        return _NO[language] if kind == "ask_confirm" else _DROP[language]
    match frame.payload or {}:
        case {"confirmed": bool(confirmed), **rest} if not rest and kind in (None, "ask_confirm"):
            return (_YES if confirmed else _NO)[language]
        case {"choice": int(choice), **rest} if not rest and not isinstance(choice, bool) and kind != "ask_confirm":
            only_one = kind is not None and interrupt is not None and len(interrupt.labels) == 1
            return _YES[language] if only_one and choice == 1 else str(choice)
        case {"room_id": str(room_id), **rest} if not rest and 0 < len(room_id) <= 32 and kind != "ask_confirm":
            return room_id
        case {"choices": list(choices), **rest} if not rest and kind in (None, "ask_multi_choice") and _whole(choices):
            return ", ".join(str(choice) for choice in choices)
        case {"text": str(text), **rest} if not rest and text.strip():
            return text
        case _:
            raise MessageError("bad_payload", "the payload must be what the question's responseSchema describes")


def _whole(choices: list[Any]) -> bool:
    """Tell whether these are some numbers of options, none of them huge."""
    return 0 < len(choices) <= _MAX_CHOICES and all(
        isinstance(choice, int) and not isinstance(choice, bool) and 0 < choice <= _MAX_CHOICES for choice in choices
    )
