"""English questions about the site: what rooms do you have, does Room A have a projector, when do you close."""

from __future__ import annotations

from typing import Final

from booking_bot.language.en.numerals import ORDINALS, WORD
from booking_bot.language.frames import BUILDING, FLOOR, ITEMS, ROOM, Frame, framing
from booking_bot.language.rule import spread

CUES: Final = spread(
    "what which how when where whats whens wheres does list show tell describe capacity hours name names big has "
    "limit max maximum longest"
)
"""Without one of these words, or a word of `FITS` beside one of `ASKS`, nothing is asked of the site in English."""
ASKS: Final = spread("is are can do will would could there")
FITS: Final = spread("fit fits hold seat seats take enough have with in any open")

_LEAD: Final = (
    r"(?:(?:(?:hi|hello|hey)(?: there)?|so|and|also|ok|okay|by the way"
    r"|btw|please|just|um|well|first|quick question|one question|but"
    r"|(?:can|could) you (?:please )?(?:tell|show|give) me|tell me|i(?:'d like| want|'d love) to know|do you know"
    r"|i(?: was|'m| am) wondering|may i ask|remind me)[:,]? ){0,4}"
)
_TAIL: Final = (
    r"(?: (?:please|pls|thanks|thank you|here|again|exactly|there|at all|then|too|by the way)){0,2} ?[.!?]{0,3}"
)
_frame: Final = framing(_LEAD, _TAIL)

_A: Final = r"(?:an? |the |any |some )?"
_ROOMS: Final = r"(?:meeting |conference )?rooms?"
_NTH: Final = "|".join(w for w in ORDINALS if " " not in w)
_ONE: Final = (
    rf"(?:(?:the |meeting )?{ROOM}+|(?:meeting |conference )?(?:room |number |option )?(?<![a-z\d])[a-z](?![a-z\d])"
    r"|(?:(?:room|number|option) )?\d{3,4}(?![a-z\d])|(?:room|number|option) \d{1,2}(?![a-z\d])"
    rf"|it|th(?:is|at|e) (?:one|room)|the (?:{_NTH}|last) (?:one|room))"
)
_ROOM: Final = rf"(?P<room>{_ONE}(?: ?(?:and|or|,|&) ?{_ONE}){{0,4}})"
_PEOPLE: Final = rf"(?P<n>\d{{1,4}}|{WORD})(?: people| persons?| ppl| of us| seats)?"
_HEADS: Final = r"(?:people|persons|ppl|seats|chairs|guests|attendees|heads)"
_HOLD: Final = r"(?:fit|hold|seat|take|accommodate|host|sit|have)s?"
_PLACE: Final = rf"(?:(?:in|on|at) )?(?:the )?(?:{BUILDING}+|{FLOOR}+)(?:,? ?(?:of |in |on )?(?:{BUILDING}+|{FLOOR}+))?"
_IS: Final = r"(?:'s| is|s)"
_WHO: Final = r"(?:i|we|you|one|somebody|people|a (?:booking|meeting|reservation))"
_HOUSE: Final = rf"(?:you|it|(?:the |your )?(?:office|offices|building|place|{_ROOMS})|bookings?)"
_BOOK: Final = r"(?:book|reserve|have|use|keep|get|hold|make)"

FRAMES: Final[tuple[Frame, ...]] = (
    # which rooms there are, and which are like that
    _frame(
        "rooms",
        rf"(?:what|which|how many|what kind of|what sort of) {_ROOMS} (?:do you (?:have|offer)|have you got"
        rf"|are there(?: (?:to book|in total|{_PLACE}))?|exist|can {_WHO} (?:book|choose from|use)"
        rf"|do you have {_PLACE})",
    ),
    _frame(
        "rooms",
        r"(?:list|show|give|name|show me|list me|give me)(?: me)?(?: all)?(?: of)?(?: the| your"
        rf"| a list of)?(?: all)?(?: the)? {_ROOMS}"
        r"(?: list| you have| there are)?(?<!room)",
    ),
    _frame(
        "rooms",
        rf"(?:what|which) (?:are )?(?:the|your)(?: available)? {_ROOMS}(?<!room)|(?:a )?list of (?:all |the "
        rf"|your )*{_ROOMS}",
    ),
    _frame(
        "rooms",
        rf"(?:what|which)(?: of the)? (?:{_ROOMS}|ones?)(?: here)? (?:have|has|come with|comes with|got|with"
        r"|include|includes|offer|are equipped with"
        rf"|is equipped with) {_A}{ITEMS}(?: do you have| are there)?",
    ),
    _frame(
        "rooms",
        rf"(?:do|does) any(?: of the| of your)? {_ROOMS} have {_A}{ITEMS}|(?:what"
        rf"|which) {_ROOMS} (?:do you have|are there) with {_A}{ITEMS}"
        rf"|how many {_ROOMS} have {_A}{ITEMS}",
    ),
    _frame(
        "rooms",
        rf"(?:what|which)(?: of the)? (?:{_ROOMS}|ones?) (?:can |could |will )?(?:fit|hold|seat|take"
        rf"|accommodate|host|sit)s? {_PEOPLE}"
        rf"|(?:what|which) (?:{_ROOMS}|ones?) (?:is|are) (?:big|large) enough for {_PEOPLE}",
    ),
    _frame(
        "rooms",
        rf"(?:what|which) {_ROOMS} (?:is|are)(?: there)? {_PLACE}|what(?:{_IS}| rooms are) {_PLACE}",
    ),
    _frame(
        "rooms",
        rf"(?:what|which)(?:{_IS}| one is)? (?:the|your) (?:(?P<largest>biggest|largest)"
        rf"|(?P<smallest>smallest)) (?:{_ROOMS}|one)(?: you have)?",
    ),
    _frame(
        "rooms",
        rf"which (?:{_ROOMS}|one) is (?:the )?(?:(?P<largest>biggest|largest)|(?P<smallest>smallest))",
    ),
    _frame(
        "rooms",
        rf"how (?:big|large|many {_HEADS}) (?:is|does|can|fit in|fit into|fit)(?: in)? (?:the"
        r"|your) (?:(?P<largest>biggest|largest)"
        rf"|(?P<smallest>smallest)) (?:{_ROOMS}|one)(?: (?:fit|hold|seat|take)s?)?",
    ),
    # one room
    _frame(
        "room",
        rf"(?:does|do|has|is|are|can) {_ROOM} (?:have|come with|got|equipped with|include|offer|with"
        rf"|support) {_A}{ITEMS}(?: in it)?",
        "equipment",
    ),
    _frame(
        "room",
        rf"(?:is|are) there {_A}{ITEMS} in {_ROOM}|{_ROOM} (?:has|have|comes with) {_A}{ITEMS} ?\?",
        "equipment",
    ),
    _frame(
        "room",
        rf"how many {_HEADS}? ?(?:can |will |could |would |do |does )?(?:fit|sit|go|fits|work|are(?: there)?"
        rf"|be)(?: in| into| inside| inside of)? {_ROOM}",
        "seats",
    ),
    _frame(
        "room",
        rf"how many {_HEADS}? ?(?:can|does|will|do|could|would|is|has) {_ROOM} {_HOLD}"
        rf"|how many {_HEADS}? ?is {_ROOM} for",
        "seats",
    ),
    _frame(
        "room",
        rf"how (?:big|large|small) is {_ROOM}|(?:what(?:{_IS}) )?(?:the )?(?:capacity|size) (?:of|for) {_ROOM}"
        rf"|{_ROOM}(?:'s)? (?:capacity|size)"
        rf"|what(?:{_IS}) {_ROOM}(?:'s)? (?:capacity|size)",
        "seats",
    ),
    _frame(
        "room",
        rf"(?:can|does|will|would|could|do) {_ROOM} (?:fit|hold|seat|take|accommodate|host) {_PEOPLE}"
        rf"|(?:is|are) {_ROOM} (?:big|large) enough for {_PEOPLE}|(?:can|will|would|do"
        rf"|could) {_PEOPLE} fit (?:in|into) {_ROOM}",
        "seats",
    ),
    _frame(
        "room",
        rf"where(?:{_IS}| are| do i find| can i find)? {_ROOM}|(?:on |in )?(?:what|which) (?:floor|building"
        rf"|level) (?:is|are) {_ROOM}(?: on| in)?",
        "place",
    ),
    _frame(
        "room",
        rf"what(?: equipment| kit| gear| facilities)? (?:does|do) {_ROOM} (?:have|come with|offer)|what(?:{_IS}"
        rf"| equipment is| is there) in {_ROOM}"
        rf"|what equipment (?:is|does) {_ROOM} (?:have|equipped with)",
        "equipment",
    ),
    _frame(
        "room",
        rf"tell me (?:more )?about {_ROOM}|describe {_ROOM}|what(?:{_IS}) {_ROOM} like",
    ),
    # the house rules
    _frame(
        "hours",
        r"(?:at |until |till |from )?(?:when|what time|what hour)(?: do| does| is| are"
        rf"| will)? {_HOUSE} (?:open|opens|close|closes|closed|shut|shuts|start|end|be open)"
        r"(?: and (?:open|close|closes|shut))?(?: until| till| from| up)?",
    ),
    _frame(
        "hours",
        rf"(?:when|what time)(?:{_IS})? (?:opening|closing)(?: time| hour)?|(?:what|when)(?:'re| are"
        rf"|{_IS})? ?(?:the|your)? ?(?:opening|closing|business|office|working"
        r"|opening and closing)(?: hours?| times?)|(?:what|when) are (?:your|the) hours"
        r"|what hours are you open|(?:opening|closing|office|business) (?:hours|times?)",
    ),
    _frame(
        "hours",
        rf"how (?:late|early|long) (?:is|are|do|does) {_HOUSE} (?:open|stay open|close)(?: until| till| for)?"
        rf"|how (?:late|early) can {_WHO} (?:book|start|stay|meet)(?: a room| it)?",
    ),
    _frame(
        "lengths",
        rf"(?:for )?how long (?:can|may|could|do) {_WHO} (?:(?:{_BOOK}|be|last|take|run|stay)(?: (?:an?|the|it"
        rf"|one|this))?(?: {_ROOMS}| meeting| booking| slot)?)(?: for| at most| at a time| max)*",
    ),
    _frame(
        "lengths",
        rf"(?:what(?:{_IS}) )?(?:the |your )?(?:max|maximum|longest|shortest|minimum|min) (?:booking|meeting"
        r"|duration|length|time|slot|reservation)(?: length| duration| time| slot)?"
        rf"(?: (?:allowed|possible|{_WHO} can book))?",
    ),
    _frame(
        "lengths",
        rf"how many (?:hours|minutes) can {_WHO} book(?: it| a room)?(?: for)?(?: at most)?|is there a (?:time "
        r"|length )?limit(?: on bookings?| to a booking)?"
        rf"|(?:what|which) (?:lengths|durations|booking lengths) (?:can {_WHO} book|do you (?:offer|have)"
        r"|are (?:there|possible|allowed))",
    ),
    _frame(
        "lengths",
        rf"what(?:{_IS}) the (?:longest|shortest|most|least|maximum) (?:time )?{_WHO} can {_BOOK}(?: a room)?(?: for)?",
    ),
    _frame(
        "window",
        r"how (?:far|long|early|many days|much time|soon)(?: in advance| ahead"
        rf"| out)?(?: of time)? can {_WHO} (?:book|reserve)(?: an?| the)?(?: {_ROOMS})?(?: ahead| in advance"
        r"| out)?(?: of time)?"
        r"(?<!how long can i book)(?<!how long can we book)(?<!how long can you book)",
    ),
    _frame(
        "window",
        rf"(?:for )?(?:what|which) (?:days|dates) can {_WHO} (?:book|reserve)(?: an?"
        rf"| the)?(?: {_ROOMS})?(?: for| on)?|what(?:{_IS}) the booking window",
    ),
    _frame(
        "buildings",
        r"(?:what|which|how many) buildings (?:do you have|are there|have you got|exist)",
    ),
)
