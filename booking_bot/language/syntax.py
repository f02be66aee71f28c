"""Small words around values, in both languages at once: what takes a value back, what joins two times, what corrects.

Messages mix the languages, so these patterns know both.
"""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.rule import spread

LOOK_BACK: Final = 24
"""How many characters before a value are looked at."""

_NOT_ZH: Final = (
    r"(?<![要有])(?<!(?<![还但可就只])是)(?:不要|不是|(?<![特区分])别|不用|不需要|不必要?|不想要?|不在|不去"
    r"|不带|没有|而不是"
    r"|不约|不订|不选|无需|除了|不用有|甭)"
    r"(?:再)?(?:订|约|在|选|用|有|是|带|要|定|那个|这个|什么|去|安排|准备|配|加|开|放)?"
)
_NOT_EN: Final = (
    r"(?<![a-z])(?:not|no|don'?t (?:need|want|use)|do not (?:need|want)|doesn'?t need|without"
    r"|instead of|rather than|except|no need for|no longer need|skip|never ?mind|forget(?: about)?)"
    r"(?: (?:for|on|at|in|the|an?|any|it|to|be|from|need|want))*"
)
NEGATIONS: Final = (
    frozenset("不别没无除甭有太")
    | spread(
        "not no don dont do doesn doesnt without instead rather except skip remove drop won wont will does is isn isnt "
        "never nevermind forget ditch scrap lose cancel delete leave take get bother"
    )
    | frozenset("取去撤拿删可")
)
"""Without one of these characters or words nothing is taken back."""
NEGATED_BEFORE: Final = re.compile(rf"(?:{_NOT_ZH}|{_NOT_EN})\s?$")
DROPPED_BEFORE: Final = re.compile(
    r"(?:取消|去掉|去除|撤掉|拿掉|删掉|删除|减掉|免了)(?:那个|这个|对|了)?\s?$"
    r"|(?<![a-z])(?:cancel|remove|drop|delete|scrap|ditch|lose|leave out|take out|do without|get rid of|bother with)"
    r"(?: (?:the|an?|any|that|my|our))?\s?$"
)
"""Before a piece of equipment these take it back; before a day or an hour they name a booking."""
DROPPED_AFTER: Final = re.compile(
    r"\s?(?:也|就|都|可以|先)?(?:去掉|取消|拿掉|撤掉|删掉|免了|算了|没必要|可有可无|无所谓|有没有都"
    r"|不是必[须需]|不重要|不必)"
    r"|,? (?:is|are)(?:n'?t| not) (?:required|important)|,? (?:is |are )?optional|,? doesn'?t matter"
)
NEGATED_AFTER: Final = re.compile(
    r"\s?(?:的话|的会议室|的房间|那天|的)?(?:就|我|都|也|全){0,2}(?:不行|不可以|不方便|没空|有事|不合适"
    r"|不(?:要|用|需要)(?:了|(?=$|[\s,。.;!?的吧啦]))|去不了|来不了|没时间|不太行|不太方便"
    r"|太早|太晚|太短|太长|不够|不好)(?![的,]?还行)(?!了?吗)"
    r"|,? (?:doesn'?t work|does not work|won'?t work|will not work|is (?:not|no) (?:good|possible|ok"
    r"|okay|needed|necessary|available)|isn'?t (?:good|possible|needed|necessary|working)|not needed"
    r"|is too (?:early|late|short|long|small))"
)
JOINED_BEFORE_DROPPED: Final = re.compile(r"\s?(?:和|与|跟|及|以及|、|and|&|\+|/)\s?(?:the )?")
JOINED_EQUIPMENT: Final = re.compile(r"\s?(?:和|与|跟|及|以及|、|,|或者?|or|and|&|\+|/)?\s?(?:an?|the|any)?\s?")

CORRECTION: Final = re.compile(
    r"啊不|哦不|噢不|呃不|喔不|不对|不是|错了|说错|搞错|改成|改为|改到|改|换成|换到|挪到"
    r"|调到|调整|还是|应该是|更正|算了|哦,?不|不不|[,.。 ]不[,. ]"
    r"|(?<![a-z])(?:sorry|wait|i mean|i meant|rather|scratch that|correction|make (?:it|that)|instead"
    r"|actually|oops|no,|no -|nope|change|changed|not|err?)(?![a-z])|, no (?!t)"
)

_NUMBER: Final = (
    r"(?:(?<![\d./])(?<!\d:)\d{1,4}(?![\d:/%]|\.\d)|(?<![零一二三四五六七八九十百])[一二两三四五六七八九十]{1,3}"
    r"|(?<![a-z])(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![a-z]))"
)
_DOTTED: Final = r"(?<![\d./])(?<!\d:)\d{1,2}\.[0-5][05](?![\d.])"
TIME_START, TIME_REST = "\x03", "\x04"
"""Stand for the first and the other characters of a time while ranges are looked for."""
_TIME: Final = rf"{TIME_START}{TIME_REST}*+"
RANGE: Final = re.compile(
    rf"(?P<between>(?<![a-z])(?:between|betwe?e?n|btwn?|b/w) )?(?P<a>{_TIME}|{_NUMBER}|{_DOTTED})(?: ?(?:开始"
    rf"|起|start(?:ing)?))? ?,? ?"
    r"(?P<join>(?:一直|直|再|然后)?(?:开|持续|用|会议|会议?开|订|用)?(?:到|至)|-{1,2}|~|–|[-=]?>|[→⇒➡]"
    r"|(?<![a-z])(?:and|to|till"
    r"|until|til|through|thru|up to)(?![a-z]))"
    rf" ?(?:大概|大约|约|about |around )?(?P<b>{_TIME}|{_NUMBER}|{_DOTTED})"
)
MAY_JOIN: Final = re.compile(r"[到至~–>→⇒➡-]|(?<![a-z])(?:and|to|till?|until|through|thru|up)(?![a-z])")
"""Without one of these nothing is a range."""
DAYS_JOINED: Final = re.compile(
    r"(?: ?(?:一直|直)?(?:到|至|-{1,2}|~|–)| (?:to|till|until|through|thru)(?![a-z])) ?(?:the )?"
)
"""Between two days this makes them one stretch over both."""
MOVES_FROM: Final = re.compile(
    r"(?<![a-z])(?:move|change|reschedule|shift|push|switch|bring|postpone)(?:(?! to )[^,。.]){0,80}$"
)

END_BEFORE: Final = re.compile(
    r"(?<![改换挪移调推延后前早更整约期迟])(?:到|至|直到|结束于|结束时间(?:是|为)?|截止(?:到)?)(?:大概|大约)? ?$"
    r"|结束 ?$|^ ?to $|(?<![a-z])(?:until|till|til|through|(?:ends?|finish)(?: at| by| time)?(?: is|:)?|ending(?: at"
    r"| by)?|finish(?:es|ing)?"
    r"(?: at| by)?|done by|over by|out by|by)(?: about| around)? ?$"
)
END_AFTER: Final = re.compile(
    r"\s?(?:之前|以前|前|左右)?(?:就|必须|要|得)?(?:结束(?!(?:时间)?(?:是|为|:)? ?\d{1,2} ?[:点时])"
    r"|完(?![成善整全])|散会|为止|截止|散场|完事|收|开完)"
)
BEFORE_ONLY: Final = re.compile(r"\s?(?:之前|以前|前)(?!后)")
BEFORE_WORD: Final = re.compile(
    r"(?<![a-z])(?:(?<!not )before|no later than|not later than|(?<!no )(?<!not )earlier than) ?$"
)
DAY_BEFORE: Final = re.compile(r"(?:之前|以前|前)(?![往台面后年几天一两三四])")
BY_A_DAY: Final = re.compile(r"(?<![a-z])(?P<body>(?:before|by|no later than)) (?:the )?$")
"""Around a day these make it a deadline."""
AFTER_ONLY: Final = re.compile(r"\s?(?:之后|以后|后)(?!面)")
AFTER_WORD: Final = re.compile(r"(?<![a-z])(?:after|any time after|not? earlier than|not before) ?$")

PART_TO_HOUR: Final = re.compile(r"[\s,的]{0,3}(?:(?:at|from|@|around|about|between|在|从|大概|大约|约|是)\s?)*")
HOUR_TO_PART: Final = re.compile(r" ?(?:o'?clock)? ?(?:tomorrow |today |on \x02+ )?")
CLAUSE_END: Final = re.compile(
    r"[,。.;!?了;改换挪移]|提[前早]|推[迟后]|延后|调[到整]|(?<![a-z])(?:to|move|push|instead|but)(?![a-z])"
)
BARE_NUMBER_CUES: Final = frozenset("不是别错改到或还/啊哦噢呃") | spread(
    "sorry no not wait mean meant make rather oops actually but or to do"
)
"""Without one of these characters or words no bare number corrects or extends what stands before it."""
BARE_AFTER_CORRECTION: Final = re.compile(
    r"(?:啊不|哦不|噢不|呃不|不对|错了|说错了|应该是|不是|是|改成|改为|sorry|no|wait|i mean|i meant"
    r"|make (?:it|that)|rather"
    rf"|oops|actually|but|but rather)[,. ]{{0,2}}(?:是|应该是|to )?(?P<n>{_NUMBER})(?= ?(?:$|[,。.!?吧的了个]))"
)
MOVED_TO: Final = re.compile(
    r"(?:(?<![a-z])(?:move|push|shift|reschedule|postpone|bring|delay|bump|start)(?: it| that| this"
    r"| the \w+| my \w+| forward| back| up| \x02++(?:'s)?| meeting| booking| call){0,4} to |(?:改|挪|推迟|提前"
    r"|推|延|移|调|提早)到|(?<![a-z])"
    r"(?:can we|could we|let'?s|shall we|how about we) do (?=\S+ instead))"
    rf"(?P<n>{_NUMBER})(?= ?(?:$|[,。.!?吧]|please|instead|tomorrow|today|on |\x02))"
)
EITHER_NUMBER: Final = re.compile(rf"(?P<n>{_NUMBER}) ?(?:or|或者?|还是|/) ?$")
OR_NUMBER: Final = re.compile(
    rf" ?,? ?(?:or|或者?|还是) ?(?:at )?(?P<n>{_NUMBER})(?= ?(?:$|[,。.!?吧]|if |works|is |please|pls))"
)
COUNT_TO: Final = re.compile(rf" to (?P<n>{_NUMBER})(?= ?(?:$|[,。.!?]|please|pls))")
CHANGES_FROM: Final = re.compile(
    r"(?<![a-z])(?:change|update|increase|reduce|bump|raise|go|from)(?:(?! to )[^,。.]){0,20}$"
)
A_TOTAL: Final = re.compile(r"(?:(?<![a-z])to |[到至成为] ?)$")
"""Before a length this makes it the whole ("延长到两小时"), not what is added."""
A_WINDOW: Final = re.compile(r"(?<![a-z])between(?![a-z])|[之中]间|期间")
"""Beside two hours this makes them a window in which a shorter meeting is to lie."""
NEGATED_NUMBER: Final = re.compile(rf"(?:(?<![a-z])not |不是|不要|别)(?P<n>{_NUMBER})(?=,| but|[个, ])")
NUMBER: Final = re.compile(_NUMBER)
