"""English words for the size of a room: something bigger, too small, the biggest one."""

from __future__ import annotations

from typing import Final

from booking_bot.language.rule import spread

CUES: Final = spread(
    "big bigger biggest large larger largest small smaller smallest tiny huge spacious roomier cramped tight seats "
    "space"
)

_IT: Final = (
    r"(?:(?:that|this|it|these|those|they|all of them|(?:the|this|that) (?:room|one)|room [a-z])"
    r"(?:'s|'re| is| are| looks?| seems?|) (?:all )?)?"
)
_MUCH: Final = r"(?:(?:a (?:bit|little)|slightly|much|way|even|somewhat|rather|just|far|any|something|anything) ){0,3}"
_A_BIT: Final = r"(?:too|a bit|a little|bit|kind of|kinda|rather|quite|pretty)"
_ROOM: Final = (
    r"(?: (?:meeting )?(?:rooms?|ones?|options?|space|place))?(?: than (?:that|this|it|these|those|this one))?"
)

LARGER: Final = (
    rf"(?<![a-z])(?<!no )(?<!not ){_MUCH}(?:bigger|larger|roomier|more spacious){_ROOM}(?![a-z])"
    rf"|(?<![a-z]){_IT}(?:(?:way|much|far|all) )?{_A_BIT} (?:small|tiny|cramped|tight)(?![a-z])"
    rf"|(?<![a-z]){_IT}not (?:big|large|spacious) enough(?![a-z])|(?<![a-z])more (?:seats|space)(?![a-z])"
)
SMALLER: Final = (
    rf"(?<![a-z])(?<!no )(?<!not ){_MUCH}smaller{_ROOM}(?![a-z])"
    rf"|(?<![a-z]){_IT}(?:(?:way|much|far|all) )?{_A_BIT} (?:big|large|huge|spacious)(?![a-z])"
    r"|(?<![a-z])(?:not|don'?t need(?: one| it)?) (?:that|so|this) (?:big|large)(?![a-z])"
    r"|(?<![a-z])(?:fewer seats|less space|not so much space)(?![a-z])"
)
_ONE: Final = r" (?:one|room|option|of (?:them|these|those))"
EXTREME: Final = (
    rf"(?<![a-z])(?:(?P<largest_en>(?:the )?(?:very )?(?:biggest|largest)(?:{_ONE})?"
    rf"|the (?:big|bigger|large|larger){_ONE})"
    rf"|(?P<smallest_en>(?:the )?(?:very )?smallest(?:{_ONE})?|the (?:small|smaller){_ONE}))(?![a-z])"
)
