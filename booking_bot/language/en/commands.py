"""English words that say what is wanted: book, cancel, list, move, extend, weather."""

from __future__ import annotations

from typing import Final

from booking_bot.language.rule import spread
from booking_bot.language.signals import Signal, signal

_OWN: Final = r"(?:bookings?|reservations?|meetings?(?! rooms?)|appointments?|schedule|calendar|agenda)"
_BOOKING: Final = r"(?:bookings?|reservations?|meetings?|appointments?|slots?|events?|rooms?|schedule|calendar|agenda)"
_NOT_THAT_WAY: Final = (
    r"(?<![a-z])(?:not|don'?t|do not|no|never|didn'?t|instead of|rather than)"
    r"(?: (?:to|want|mean|meant|say|said|you|it|that|please|any|half|an?|be))* ?$"
)
"""Takes back the direction of a shift: "don't push it back, bring it forward"."""

SIGNALS: Final[tuple[Signal, ...]] = (
    signal(
        "keep",
        r"(?<![a-z])(?:don'?t|do not|not|never|no need to|didn'?t|did not|won'?t|wouldn'?t|not going)"
        r"(?: want| wish| need| ask| like| plan| mean)?(?: you)?(?: to)? (?:cancel|delete|drop|remove)"
        r"|keep (?:it|the booking|my booking)",
        spread("cancel delete drop remove keep"),
    ),
    signal(
        "cancel",
        r"(?<![a-z])(?:cancel(?:ing|ling|led)?|cancle|canel|never ?mind|nvm|forget (?:it|about it|that"
        r"|the (?:room|booking|meeting))|(?:call|called) (?:it |the meeting |my meeting )?off|scrap (?:it"
        rf"|that|the)|drop (?:it|the|my) ?(?:{_BOOKING})?|abort|(?:delete|remove|release|give up|free up) "
        rf"(?:it|that|this|the|my)(?: \w+)? ?{_BOOKING}?|no longer need|don'?t need (?:it|the room|a room"
        r"|the booking) any ?more)(?![a-z])",
        spread(
            "cancel canceling cancelling cancelled canceled cancle canel never nevermind nvm forget call "
            "called scrap drop abort delete remove release give free longer need"
        ),
    ),
    signal(
        "list",
        r"(?<![a-z])(?:what|which)(?:'s| is| are| do| did| have)? ?(?:on )?(?:my |i |the |we |upcoming "
        rf"|next )*{_OWN}(?: have| do i have| booked| have i (?:got|booked)| scheduled| got| made"
        r"| coming up| upcoming)*|(?:what|which|anything)(?: rooms?| slots?)? (?:have|did|do) (?:i|we) "
        r"(?:have )?(?:book(?:ed)?|reserved?|got)|(?:show|list|see|view|check|display|find|get)(?: me)?"
        r"(?: all)?(?: of)? (?:my|our|the)(?: \w+)? ?(?:bookings|reservations|meetings|booking|reservation"
        r"|appointments|schedule|calendar|agenda)|(?:do|have) (?:i|we) (?:have|got|booked)(?: got)? (?:any"
        rf"|a|some) ?(?:upcoming )?{_OWN}(?! (?:room|free|available))|(?:my|list|all|upcoming|existing) "
        r"(?:upcoming |existing |current )?(?:bookings|reservations|appointments)|how many (?:bookings"
        r"|reservations|meetings)|^my meetings\W*$"
        r"|when(?:'s| is| are) my (?:next )?(?:meeting|booking|reservation)s?(?![a-z])",
        spread(
            "what which when anything show list see view check display find get do have my all upcoming existing many s"
        ),
    ),
    signal(
        "list",
        r"(?<![a-z])(?:(?:what|which|when|where)(?: (?:rooms?|times?|days?|ones?))? (?:did|have) (?:i|we) "
        r"(?:just |already |actually )?(?:book(?:ed)?|reserved?|get|got)"
        r"|(?:what|which)(?: room| one)? (?:is|was) (?:mine|ours)"
        r"|(?:what|which) room (?:do i have|am i in|are we in|was it)"
        r"|what(?:'s| is| was) (?:my|our) (?:room|booking|reservation|meeting)"
        r"|(?:what time|when|where|which room|what room|what day)(?:'s| is| was) (?:my|our) "
        r"(?:next )?(?:meeting|booking|reservation|room)"
        r"|(?:what time|when|where|what day) was (?:it|that|the (?:meeting|booking|reservation)) again"
        r"|remind me (?:what|which|when|where|of my)"
        r"|(?:did|have) (?:i|we) (?:just |already )?(?:book(?:ed)?|reserved?) (?:it|anything|something|a room)"
        r"|(?:did|has) (?:it|that|my booking|the booking) (?:go|gone|went) through)(?![a-z])(?! to )",
        spread("what which when where remind did have has"),
    ),
    signal(
        "weather",
        r"(?<![a-z])(?:weather|wether|forecast|rain(?:ing|y|s)?|snow(?:ing|y|s)?|sunny|temperature"
        r"|umbrella|how (?:hot|cold|warm)|is it (?:hot|cold|warm|windy)|windy|humid|degrees outside|storm"
        r"(?:y)?|thunderstorm|be (?:hot|cold|warm|windy))(?![a-z])",
        spread(
            "weather wether forecast rain raining rainy rains snow snowing snowy snows sunny temperature "
            "umbrella hot cold warm windy humid degrees storm stormy thunderstorm"
        ),
    ),
    signal(
        "move words",
        r"(?<![a-z])(?:(?:move|moved|push|pushed|shift|shifted|reschedule|rescheduled|postpone|postponed"
        r"|delay|delayed|bring|change|changed|switch|switched|bump|set|update)(?: it| that| this| the| my"
        r"| our| \w+| \x02++(?:'s)?| forward| back| up| out){0,9} (?:to|till|until|for)(?![a-z])|make (?:it|that"
        r"|this))",
        spread(
            "move moved push pushed shift shifted reschedule rescheduled postpone postponed delay delayed "
            "bring change changed switch switched bump set update make"
        ),
    ),
    signal(
        "change",
        r"(?<![a-z])(?:change|changed|make (?:it|that|this)|instead|actually|switch|rather|move|push|shift"
        r"|reschedule|postpone|delay|update|modify|adjust|i mean|i meant|no wait|wait no|wait,|sorry,"
        r"|scratch that|correction|not (?:\S+ ){1,3}but|but|however|oops|on second thou?ght|bump|edit)"
        r"(?![a-z])",
        spread(
            "change changed make instead actually switch rather move push shift reschedule postpone delay "
            "update modify adjust mean meant wait sorry scratch correction but however oops second bump edit"
        ),
    ),
    signal(
        "later",
        r"(?<![a-z])(?:(?:push|move|shift|postpone|delay|bump)(?: it| that| the meeting| my meeting"
        r"| my booking| the booking)?(?: back| out)? by|(?:push|move|shift|put|set) "
        r"(?:it |that |this |the \w+ |my \w+ )?back|postpone"
        r"(?! to| until| till)|delay(?! to| until| till)|(?<!\x02)\x02++ later)(?![a-z])",
        spread("push move shift put set postpone delay bump later"),
        _NOT_THAT_WAY,
    ),
    signal(
        "earlier",
        r"(?<![a-z])(?:(?:bring|pull) (?:it |that |this |the \w+ |my \w+ )?(?:forward|ahead)"
        r"|(?:move|shift)(?: it| that| this| the \w+| my \w+)? (?:up|forward|ahead)|(?<!\x02)\x02++ sooner"
        r"|(?<!no )(?<!not )earlier)(?![a-z])",
        spread("bring pull move shift earlier sooner"),
        _NOT_THAT_WAY,
    ),
    signal(
        "extend",
        r"(?<![a-z])(?:extend|prolong|lengthen|extra \x02|(?<!\x02)\x02++ (?:more|longer)|another \x02|add \x02"
        r"|add another|(?:need|want|stay|have|use)(?: it| the room)?(?: for)? (?:\x02+ )?(?:longer"
        r"|more time)|half an hour more)(?![a-z])",
        spread("extend prolong lengthen extra more longer another add"),
    ),
    signal(
        "shorten",
        r"(?<![a-z])(?:shorten|cut|trim|(?<!\x02)\x02++ (?:shorter|less)|finish \x02+ (?:early|earlier))(?![a-z])",
        spread("shorten cut trim shorter less finish"),
    ),
    signal(
        "existing",
        r"(?<![a-z])(?:my|the|our|that|this|existing|today's|(?<!\x02)\x02++)(?: \x02++)?(?:'s)?(?: \w+)? ?(?:booking"
        r"|reservation|meeting(?! room)|appointment|standup|stand-up|sync|1:1|slot|call)s?(?![a-z])|"
        r"(?:move|reschedule|push|shift|postpone|change|extend|cancel) (?:my|the|our) \x02"
        r"|(?:move|reschedule|push|shift|postpone|bring) \x02{3,60} \x02{1,40} (?:to|back|by|forward)(?![a-z])",
        spread("my the our that this existing s booking reservation meeting move reschedule push shift postpone bring"),
    ),
    signal(
        "mine",
        r"(?<![a-z])(?:my|the) (?:last |latest )?(?:booking|reservation|meeting(?! rooms?)|appointment|slot"
        r"|call)(?![a-z])",
        spread("booking reservation meeting appointment slot call"),
    ),
    signal(
        "this",
        r"(?<![a-z])(?:it|that|this|my (?:last |latest )?(?:booking|reservation)|the (?:booking"
        r"|reservation|last one|one i (?:just )?(?:made|booked))|just booked|just made)(?![a-z])",
        spread("it that this booking reservation one just"),
    ),
    signal(
        "book",
        r"(?<![a-z])(?:book(?!ings?)|reserve|reserving|booking a|rooms?|schedule|set up|meeting room"
        r"|conference room|(?<!n't )(?<!not )need (?:a|some)(?: place| space)?|looking for|available"
        r"|availability|free|find "
        r"(?:me )?a|get (?:me )?a|arrange|somewhere|space|huddle)(?![a-z])",
        spread(
            "book reserve reserving booking room rooms schedule set need looking available availability free "
            "find get arrange somewhere space huddle"
        ),
    ),
    signal(
        "retry",
        r"(?<![a-z])(?:try (?:it |that )?again|retry|once more|one more time)(?![a-z])",
        ("try", "retry", "once", "one"),
    ),
    signal(
        "reject rooms",
        r"(?<![a-z])(?:none of (?:them|these|those|the)|neither(?! (?:(?:the )?(?:meeting )?room )?[a-z](?![a-z]))"
        r"|(?:show|give|see|have|any)(?: me)?(?: some| any)? ?(?:others|other (?:rooms?|options?|ones?)|more rooms"
        r"|more options|different (?:rooms?|ones?|options?)|something else)|other (?:rooms|options)"
        r"|(?:a )?different (?:room|one)|another (?:room|one)|something else|don'?t (?:like|want) any|anything else)"
        r"(?![a-z])",
        spread("none neither other others more different another something any anything"),
    ),
    signal(
        "any building",
        r"(?<![a-z])(?:any|whichever|either|whatever|no matter which|doesn'?t matter which) (?:building"
        r"|block|tower)|building (?:doesn'?t matter|does not matter|is not important|isn'?t important)|"
        r"(?:don'?t|do not) care (?:about )?(?:which|what|the) building",
        ("building", "block", "tower"),
    ),
    signal(
        "any floor",
        r"(?<![a-z])(?:any|whichever|either|whatever|no matter which|doesn'?t matter which) (?:floor|level)|floor "
        r"(?:doesn'?t matter|does not matter|is not important|isn'?t important)|(?:don'?t|do not) care (?:about )?"
        r"(?:which|what|the) floor",
        ("floor", "level"),
    ),
    signal(
        "any room",
        r"(?<![a-z])(?:any|whichever|every|each) (?:room|one|of them)(?: is| would be| will be)?"
        r"(?: (?:fine|ok|okay|good|possible|all right|works|will do))|(?<![a-z])(?:any|whichever) room$"
        r"|all (?:the )?rooms are (?:fine|ok|okay|good|possible)"
        r"|(?:don'?t|do not) care (?:about )?(?:which|what|the) room",
        spread("room rooms one them"),
    ),
    signal(
        "any equipment",
        r"(?<![a-z])no (?:special )?equipment|(?:don'?t|do not) need any equipment|without (?:any )?equipment",
        ("equipment",),
    ),
    signal(
        "help",
        r"^(?:(?:hi|hello|hey|please|so|ok|um)[, ]+)?(?:how (?:do|can|could|should) (?:i|we) (?:book"
        r"|reserve|cancel|use|change|make|get|move)(?: a| the| my| this| it)?(?: meeting)?(?: room"
        r"| booking| reservation| bot)?|what can you (?:do|help)(?: me| with| for)*(?: \w+)?|what (?:do"
        r"|are) you (?:do|for))\W*$",
        ("how", "what"),
    ),
    signal(
        "recurring",
        r"(?<![a-z])(?:every (?:day|week|month|mon|tue|wed|thu|fri)|weekly|daily|monthly|recurring)",
        spread("every weekly daily monthly recurring"),
    ),
)

WEATHER_PLACE: Final = (
    r"(?<![a-z])(?:in|at|for|of|over|around|near) (?P<place>(?!the |a |my |me |it |there|case |general"
    r"|this |that |which |what |will )[a-z][a-z.'-]{1,24}(?: (?!tomorrow|today|tonight|on |this |next "
    r"|at |right|now|please|in |for |like|be |later)[a-z][a-z.'-]{1,24}){0,2})"
    r"|(?:^|[,.?!\x02] ?|(?<![a-z])(?:is|will|does|the|about|s) )(?P<before>[a-z][a-z.'-]{2,24})"
    r"(?:'s)? (?:weather|forecast|rain)(?![a-z])"
)
NO_PLACE: Final = spread(
    "a about afternoon and any booking case check current does evening for general get give here how is it "
    "like me meeting morning my office or please rain raining room show tell the there today tomorrow tonight "
    "weather what will "
)
"""What stands before a weather word and is no place."""

SEVERAL_OFFERED: Final = (
    r"both(?: of (?:them|these|those)| rooms)?|all (?:of (?:them|these|those)|two|three|four|the rooms)"
    r"|one (?:room )?each|(?:and )?(?:another|one more|a second)(?: room| one)? (?:as well|too|besides)"
    r"|two of (?:them|these|those)"
)
"""A whole message that asks for more than one of the rooms offered."""
SAME_AGAIN: Final = (
    r"(?<![a-z])(?:(?:another|one more|a second)(?: one| room)?,? (?:just |exactly )?"
    r"(?:like (?:it|that|this)(?: one)?|the same)"
    r"|(?:one more of the |another of the )same|(?:the )?same(?: booking| thing| one)? again)(?![a-z])"
)
BEFORE_A_PICK: Final = (
    r"ok(?:ay)?|alright|all right|yes|yeah|yep|sure|well|so|then|no|oh|hm+|fine|actually|on second thought"
    r"|never ?mind|forget it|let'?s|let us|i'?d|i'?ll|we'?ll|i|we|think|guess|maybe|will|would|can|could|rather"
    r"|prefer|like|want|have|get|give|me|take|pick|choose|select|go|going|with|for|use|book|switch|change|it|to"
    r"|make it|just|the|room|option|please"
)
"""Words that may stand before a room in a message that does nothing but choose it."""
AFTER_A_PICK: Final = (
    r"please|pls|one|then|instead|it is|is|would|be|will|do|fine|good|great|ok(?:ay)?|works?|for me|for us"
    r"|after all|again|thanks|thank you|seems|sounds"
)

FILLERS: Final = spread(
    "gap nothing neither nor except excluding exclude besides apart avoid level "
    "others special matter matters care early onwards onward onward anymore anyway total both everything "
    "a an the i i'd i'll i'm im id ill we we'd we'll we're us me my our you your it it's its this that these "
    "those there there's they he she him her them is are am was were be been being will would can could may "
    "might shall should do does did have has had having need needs needed want wants wanted like liked wanna "
    "gonna get got give make made take find look looking search check see show tell let lets let's know help "
    "book booking bookings booked reserve reserving reserved reservation schedule scheduled set setup up hold "
    "put arrange organise organize plan room rooms meeting meetings conference boardroom space place office "
    "slot slots session sessions appointment event sync standup stand-up call catch catchup catch-up review "
    "interview training workshop discussion discuss chat talk talks planning kickoff kick-off retro "
    "retrospective demo brainstorm brainstorming weekly for to of on in at by with without within from until "
    "till til through into onto about around approx approximately roughly between and or but so as if then "
    "than also plus too very just only even still already please pls plz kindly thanks thank thx hi hello hey "
    "dear ok okay yes yeah yep sure sorry actually instead rather maybe perhaps possibly probably preferably "
    "ideally start starts starting begin begins beginning end ends ending finish finishes finishing run runs "
    "last lasts lasting long length duration time times date day days hour hours minute minutes min mins hr "
    "hrs people person persons ppl pax team teams group groups party colleague colleagues coworkers staff "
    "guests participants attendees ours seat seats seating sit sits fit fits size sized capacity big small "
    "large medium larger bigger smaller quiet nice good great available availability free open empty spare "
    "vacant any some one ones other another same all both each every more less least most max maximum minimum "
    "down over under not no don't dont doesn't doesnt didn't isn't won't can't cannot never none change "
    "changed changing move moved moving switch push pushed shift reschedule rescheduled postpone delay update "
    "cancel cancelled cancelling delete remove drop mind nevermind forget extend shorten longer shorter extra "
    "add pick choose choice option select go going come coming bring work works working fine prefer equipped "
    "equipment include includes including building floor near nearby close next number no. mean meant wait oh "
    "um uh hmm well right now today's tomorrow's what what's which when where who whom how why because since "
    "while during after before later earlier is's question possible quick short brief conf mtg mtgs ish sharp "
    "exactly half quarter full whole again back out off forward here via using use used asap able ready "
    "wondering hoping hope hoped would'd much many lot bit little kind sort thing things something anything "
    "someone everyone somebody anybody new old first second third own o'clock oclock clock pm list lists "
    "reservations appointments existing current upcoming client clients customer customers project boss "
    "manager sales marketing engineering product design dev team's "
)
"""Words of ordinary requests that say nothing a slot could hold."""
