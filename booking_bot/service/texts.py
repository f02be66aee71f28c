"""What operations say that the conversation does not: refusals and counts, in both languages."""

from __future__ import annotations

from typing import Final

from booking_bot.dialogue.model import Language

_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "free": ("有{count}间会议室空闲。", "{count} free."),
    "not_found": ("没有找到您的这个预订。", "There is no such booking of yours, or it is over."),
    "nothing_to_change": (
        "预订已经在那里了，请说明要改到哪里。",
        "The booking is there already; say where it shall move to.",
    ),
    "key_reused": (
        "这个幂等键已经用于另一次操作，没有写入任何内容。",
        "This idempotency key stands for another write; nothing was written. Use a new key for a new wish.",
    ),
    "refused": ("会议室服务拒绝了：{reason}", "The rooms service refused: {reason}"),
    "unavailable": (
        "服务暂时没有响应，没有写入任何内容，请稍后再试。",
        "The service does not answer right now; nothing was written. Try again later.",
    ),
    "not_certain": (
        "暂时无法确定是否已经写入；用同样的参数和同一个幂等键再调用一次即可查明，不会重复预订。",
        "It is not certain whether this was written. The same call with the same idempotency key will tell and never "
        "writes twice.",
    ),
    "not_confirmed": ("用户没有确认，没有写入任何内容。", "The user did not confirm; nothing was written."),
    "not_free": ("{room}在那个时间不空闲，没有写入任何内容。", "{room} is not free then; nothing was written."),
    "place_unknown": ("没有查到“{place}”的天气。", "No weather is known for “{place}” on that day."),
    "does_not_fit": (
        "这间会议室不符合：要求{field}为{said}，会议室是{has}。",
        "The room does not fit: {field} {said} is wanted, the room has {has}.",
    ),
}


def text(name: str, language: Language, **values: object) -> str:
    """Give a text in a language."""
    chinese, english = _TEXTS[name]
    return (chinese if language == "zh" else english).format_map(values)
