"""English words for how many, where and with what: 8 people, team of 8, building 3, projector."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en.numerals import COUNT, ORDINALS, WORD, number
from booking_bot.language.rule import NUMBER, RUN_OF_3, Rule, always, rule, spread
from booking_bot.language.values import Count, Days, Floor, RoomNamed, Value

_PEOPLE: Final = (
    r"(?:people|peoples|peple|poeple|ppl|persons?|pax|pers|guys|folks|attendees?|participants?|guests?"
    r"|colleagues|coworkers|students|employees|members|teammates|visitors|clients|candidates"
    r"|interviewees|seats?(?! ?\d)|seater|adults|of us|humans|heads|chairs|engineers|managers|developers|devs)"
    r"(?![a-z])"
)
_PEOPLE_TOKENS: Final = frozenset(
    [
        "people",
        "peoples",
        "peple",
        "poeple",
        "ppl",
        "person",
        "persons",
        "pax",
        "pers",
        "guys",
        "folks",
        "attendee",
        "attendees",
        "participant",
        "participants",
        "guest",
        "guests",
        "colleagues",
        "coworkers",
        "students",
        "employees",
        "members",
        "teammates",
        "visitors",
        "clients",
        "candidates",
        "interviewees",
        "seat",
        "seats",
        "seater",
        "adults",
        "us",
        "humans",
        "heads",
        "chairs",
        "engineers",
        "managers",
        "developers",
        "devs",
    ]
)
_ADJECTIVE: Final = r"(?:(?:other|new|senior|external|remote|total) )?"
_EQUIPMENT: Final = {
    "projector": "projector",
    "projectors": "projector",
    "projecter": "projector",
    "projection": "projector",
    "beamer": "projector",
    "whiteboard": "whiteboard",
    "whiteboards": "whiteboard",
    "white board": "whiteboard",
    "white-board": "whiteboard",
    "wb": "whiteboard",
    "witeboard": "whiteboard",
    "whitebord": "whiteboard",
    "whiteborad": "whiteboard",
    "porjector": "projector",
    "projetor": "projector",
    "video conferencing system": "video",
    "video conferencing": "video",
    "video-conferencing": "video",
    "videoconferencing": "video",
    "video conference": "video",
    "videoconference": "video",
    "video equipment": "video",
    "video call": "video",
    "video calls": "video",
    "video calling": "video",
    "video system": "video",
    "video": "video",
    "vc": "video",
    "webcam": "video",
    "camera": "video",
    "conference phone": "phone",
    "speakerphone": "phone",
    "speaker phone": "phone",
    "conference call": "phone",
    "conference calling": "phone",
    "telephone": "phone",
    "desk phone": "phone",
    "polycom": "phone",
    "phone": "phone",
    "landline": "phone",
    "tv screen": "screen",
    "tv": "screen",
    "tvs": "screen",
    "television": "screen",
    "screen": "screen",
    "big screen": "screen",
    "monitor": "screen",
    "display": "screen",
    "large display": "screen",
}
_EQUIPMENT_TOKENS: Final = frozenset(t for w in _EQUIPMENT for t in w.replace("-", " ").split())


def _people(match: re.Match[str]) -> Value:
    people = number(match["n"])
    return Count(people) if people is not None else None


_NUMBERED: Final = re.compile(rf"(?:\d|(?<![a-z]){WORD}) $")


def _people_set(match: re.Match[str]) -> Value:
    """Leave "change 8 people to 10" to the rules for corrections."""
    before = match.string[max(0, match.start() - 12) : match.start()]
    return None if _NUMBERED.search(before) else _people(match)


def _people_range(match: re.Match[str]) -> Value:
    low, high = number(match["low"]), number(match["n"])
    if low is None or high is None or low > high:
        return None
    return Count(high, approximate=True)


def _more(match: re.Match[str]) -> Value:
    people = number(match["n"])
    return Count(people if match["sign"] != "fewer" else -people, more=True) if people is not None else None


def _code(match: re.Match[str]) -> Value:
    code = match["code"]
    if code.isdigit() or len(code) == 1:
        return code.upper().lstrip("0") or "0"
    value = number(code)
    return str(value) if value is not None else None


def _equipment(match: re.Match[str]) -> Value:
    return (_EQUIPMENT[match[0]],)


def _days(match: re.Match[str]) -> Value:
    count = 1 if match["n"] == "a" else number(match["n"])
    return Days(count * (1 if match["unit"].startswith("day") else 7)) if count and count <= 366 else None


def _floor(match: re.Match[str]) -> Value:
    said = match["nth"] or match["n"] or match["before_f"] or match["spelled"]
    if match["word"]:
        return Floor(ORDINALS[match["word"]])
    return Floor(number(said) if said else None)


_SHIFTS: Final = r"(?:push|move|shift|postpone|delay|bring|bump|put|reschedule)(?:ed)?"
CLAIMS: Final[tuple[Rule, ...]] = (
    rule(
        "days to move by",
        "shift",
        rf"(?<![a-z]){_SHIFTS}(?: (?:it|that|this|(?:the|my) [a-z]{{1,20}}|back|forward|out|off|up|by)){{1,4}} "
        rf"(?P<body>(?P<n>{COUNT}|a) (?P<unit>day|days|week|weeks))(?![a-z])",
        _days,
        spread("day days week weeks"),
    ),
    rule(
        "some days later",
        "shift",
        rf"(?<![a-z])(?P<body>(?P<n>{COUNT}|a) (?P<unit>day|days|week|weeks))"
        r"(?= (?:later|earlier|sooner|back|forward)(?![a-z]))",
        _days,
        spread("day days week weeks"),
    ),
    rule(
        "several rooms",
        "claim",
        rf"(?<![a-z\d])(?P<body>(?P<n>\d{{1,2}}|{WORD}|a couple of|several))"
        r" (?:meeting |conference |more |other |different )?rooms(?![a-z])",
        lambda m: m[0] if (number(m["n"]) or 2) > 1 else None,
        ("rooms",),
    ),
    rule(
        "several rooms",
        "claim",
        r"(?<![a-z])(?:(?:one|a) (?:room )?each|(?:one|a) room (?:for each(?: of us)?|apiece)|both rooms)(?![a-z])",
        lambda m: m[0],
        spread("each apiece both"),
    ),
    rule(
        "number of something else",
        "claim",
        r"(?<![a-z])(?:(?:phone|mobile|cell|telephone|tel|contact|fax)(?: ?(?:number|no\.?))?(?: is|:)? ?[:#]? ?\+?"
        r"(?!20\d\d-)(?:\d{4,21}|\d{1,4}(?:[ -]\d{3,8}){1,4})"
        r"|(?:(?:staff|employee|badge|order|booking|reference|ref|ticket|pin|id|account)(?: ?(?:number|no\.?|id|code))?"
        r"|extension|ext\.?|my number|number is|passcode|password|zip)(?: is|:)? ?[:#]? ?\+?(?:\d[\d -]{1,20}\d"
        r"|\d{2,}))"
        r"(?!\d)(?! ?(?:people|ppl|persons?|pax|seats|hours?|min))",
        always(""),
        spread(
            "phone mobile cell telephone tel contact staff employee badge order booking reference ref ticket "
            "pin id account fax extension ext number passcode password zip"
        ),
    ),
    rule(
        "money and amounts",
        "claim",
        r"(?:(?:budget|cost|price|fee)s?(?: is| of|:)? ?)?(?:[$€£¥] ?\d[\d,]{0,12}(?:\.\d{1,2})?"
        r"(?: ?[km])?(?![a-z\d])|(?<![\d.])\d[\d,.]{0,12} ?(?:k|usd|rmb|cny|yuan|dollars?|euros?|percent|%"
        r"|km|kg|sqm|pages?|slides?|years?|times|items|topics|copies|tables|cups|bottles|coffees"
        r"|laptops)(?![a-z]))|(?:budget|cost|price)s?(?: is| of|:)? ?\d[\d,.]{0,12}(?:k|m)?(?![a-z\d])",
        always(""),
        spread(
            "$ € £ ¥ k usd rmb cny yuan dollar dollars euro euros percent % km kg sqm page pages slide "
            "slides years year times items topics copies tables cups bottles coffees laptops budget "
            "cost costs price prices"
        ),
    ),
    rule(
        "floor",
        "floor",
        r"(?<![a-z\d])(?:(?:on )?(?:the )?(?:(?P<nth>\d{1,2})(?:st|nd|rd|th)|(?P<word>first|second|third|fourth|fifth"
        r"|sixth|seventh|eighth|ninth|tenth)|ground|top|upper|lower) floor|(?:floor|level|fl\.?) ?(?:(?P<n>\d{1,2})"
        rf"|(?P<spelled>{WORD})|[a-z](?![a-z]))|(?P<before_f>\d{{1,2}})/f)(?![a-z\d])",
        _floor,
        spread("floor level fl f"),
    ),
    rule(
        "number of a part",
        "claim",
        r"(?<![a-z\d])(?:version|chapter|phase|part|sprint|release|step|week|round|issue|page|line) \d{1,4}(?![a-z\d])",
        always(""),
        spread("version chapter phase part sprint release step week round issue page line"),
    ),
    rule(
        "building",
        "building",
        r"(?<![a-z])(?:building|buliding|bldg\.?|block|tower|wing)(?!s(?![a-z])) ?#?(?P<code>[a-z](?![a-z'])|\d{1,2}"
        rf"(?![\d:]| ?(?:pm|am|people|ppl))|{WORD})",
        _code,
        spread("building buliding bldg block tower wing"),
    ),
    rule(
        "one building or another",
        "building",
        r"(?<![a-z])(?:building|bldg\.?|block|tower) (?:[a-z]|\d{1,2})(?: ?(?:or|/|and) ?"
        r"|,? (?:i meant?|no wait|no|sorry|actually|rather|make (?:it"
        r"|that)),? )(?P<body>(?P<code>[a-z](?![a-z'])|\d{1,2}(?= ?(?:$|[,.!?]))))",
        _code,
        spread("building bldg block tower"),
    ),
    rule(
        "building before its word",
        "building",
        r"(?<![a-z\d])(?P<code>(?!a )[a-z]|\d{1,2}|[a-z]) (?:building|bldg|block|tower)(?![a-z]| ?(?:#?\d"
        r"|[a-z](?![a-z])))",
        lambda m: None if m["code"] == "a" else _code(m),
        ("building", "bldg", "block", "tower"),
    ),
    rule(
        "numbered room",
        "room",
        r"(?<![a-z])(?:meeting )?room ?(?:no\.? ?|number ?|#)?(?P<n>\d{3,4})(?![\d:])",
        lambda m: RoomNamed(m["n"]),
        (RUN_OF_3,),
    ),
)

PEOPLE: Final[tuple[Rule, ...]] = (
    rule(
        "people from to",
        "count",
        rf"(?P<low>{COUNT}) ?(?:-|~|to|or|until)(?: maybe)? ?(?P<n>(?:\d{{1,6}}|{WORD}))[ -]?"
        rf"(?:of )?{_ADJECTIVE}{_PEOPLE}",
        _people_range,
        _PEOPLE_TOKENS,
        starts=(NUMBER, "a"),
    ),
    rule(
        "people",
        "count",
        rf"(?<!past )(?P<n>{COUNT})(?: or so|-ish|\+)?[ -]?(?:of )?{_ADJECTIVE}{_PEOPLE}(?! (?:number|no))",
        _people,
        _PEOPLE_TOKENS,
        starts=(NUMBER, "a"),
    ),
    rule(
        "group of",
        "count",
        r"(?<![a-z])(?:team|group|party|crew|squad|class|headcount|capacity|attendance|(?:people|attendees"
        r"|participants|guests|persons|pax|seats|visitors)(?= ?:)|number of people"
        r"|people count|room size|size)(?: is| of|:| for| to)*(?: about| around| at least| up to)? ?"
        rf"(?P<n>{COUNT})(?![:\d]|\.\d| ?(?:hours?|hrs?|min|pm|am|o'?clock)(?![a-z]))",
        _people,
        spread(
            "attendees participants guests persons pax seats visitors team group party crew squad class "
            "headcount capacity attendance people count size"
        ),
    ),
    rule(
        "people set to",
        "count",
        r"(?<![a-z])(?:people|persons|head ?count|attendees|participants|guests|(?:group|team|party) size|seats"
        rf"|capacity) (?:to|should be|will be|is now|are now|becomes?) (?P<body>(?P<n>{COUNT}))"
        r"(?![:\d]|\.\d| ?(?:hours?|hrs?|min|pm|am)(?![a-z]))",
        _people_set,
        spread("people persons headcount count attendees participants guests size seats capacity"),
    ),
    rule(
        "people few or many",
        "count",
        r"(?<![a-z])not (?:too |so |very )?many(?: of us| people)?,? (?:just |only |about |maybe )?"
        rf"(?P<body>(?P<n>{COUNT}))(?![:\d]|\.\d| ?(?:people|ppl|of us|hours?|hrs?|min|pm|am)(?![a-z]))",
        _people,
        ("many",),
    ),
    rule(
        "seats",
        "count",
        r"(?<![a-z])(?:seats?|seating(?: for)?|sits?|fits?|hold(?:s|ing)?|accommodates?|there(?:'ll"
        r"| will)? be|there are|we are|we're|we'll be|we will be)(?: about| around| at least| up to"
        rf"| for)? ?(?P<n>{COUNT})(?![:\d]|\.\d| ?(?:hours?|hrs?|min|minutes?|pm|am|o'?clock)(?![a-z]))",
        _people,
        spread("seat seats seating sit sits fit fits hold holds holding accommodate accommodates be are re"),
    ),
    rule(
        "for so many",
        "count",
        rf"(?<![a-z])for (?P<low>about |around |at least |up to |roughly |maybe |all |the )?(?P<n>{COUNT})"
        rf"(?: of)?(?![a-z\d:/%]|\.\d|,\d{{3}}(?!\d)| ?(?:-|~|(?:to|till|until)(?![a-z])) ?(?:\d|{WORD})"
        rf"| ?{WORD}|[ -]?(?:(?:full|half|and|more|other) )?(?:hours?|hrs?|h|mins?|minutes?|m|pm|am|p\.?m"
        r"|a\.?m|a|p|o'?clock|days?|weeks?|months?|st|nd|rd|th)(?![a-z])| (?:jan|feb|mar|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec)[a-z]{0,6}(?![a-z]| \d))",
        _people,
        ("for",),
        starts=("for",),
    ),
    rule(
        "just me",
        "count",
        r"(?<![a-z])(?:just|only) (?:for )?(?:me|myself)(?! and)(?![a-z])|(?<![a-z])(?:for (?:me|myself) "
        r"(?:only|alone)|by myself|myself only|solo|on my own)(?![a-z])",
        always(Count(1)),
        ("me", "myself", "solo", "own"),
        starts=spread("just only for by myself solo on"),
    ),
    rule(
        "me and some",
        "count",
        rf"(?<![a-z])(?:me|myself) (?:plus|and|\+) (?P<n>{COUNT})(?: others?| more)?(?: {_PEOPLE})?",
        lambda m: Count((number(m["n"]) or 0) + 1),
        ("me", "myself"),
    ),
    rule(
        "the two of us",
        "count",
        r"(?<![a-z])(?:the )?(?:(?P<both>both|a couple) of us|me and (?:a|one) (?:colleague|coworker"
        r"|friend|client|guest)|me and my (?:boss|manager|colleague))(?![a-z])",
        always(Count(2)),
        ("us", "me"),
        starts=("the", "both", "a", "me"),
    ),
    rule(
        "more people",
        "count",
        rf"(?P<n>{COUNT}) (?P<sign>more|fewer)(?: {_PEOPLE}| joining| coming)|(?<![a-z])add (?P<m>{COUNT})"
        rf"(?: more)? {_PEOPLE}",
        lambda m: _more(m) if m["sign"] else Count(number(m["m"]) or 0, more=True),
        ("more", "fewer", "add"),
    ),
)

EQUIPMENT: Final[tuple[Rule, ...]] = (
    rule(
        "equipment",
        "equipment",
        rf"(?<![a-z])(?:{'|'.join(sorted(_EQUIPMENT, key=len, reverse=True))})(?![a-z])(?! (?:number|no\."
        r"|is \d|review|team(?! of)|project|department|time|call with))",
        lambda m: (
            None
            if m[0] == "phone"
            and m.string[max(0, m.start() - 4) : m.start()].endswith(("my ", "our ", "by ", "the ", "is "))
            else _equipment(m)
        ),
        _EQUIPMENT_TOKENS,
    ),
)
