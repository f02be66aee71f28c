"""Chinese words for how many, where and with what: 8个人, 我们俩, 3号楼, 要投影, and numbers that mean nothing here."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.rule import FROM_NUMBER, RUN_OF_3, Rule, always, rule
from booking_bot.language.values import Count, Days, Floor, Pick, RoomNamed, Value
from booking_bot.language.zh.numerals import COUNT, DIGIT, SIGNS, number

_PERSON: Final = (
    r"(?:人(?!数|民|工|次|均|份|民币|事|力|气|生)|同事|同学|同仁|客人|客户|员工|来宾|嘉宾|候选人|面试者"
    r"|参会者|与会者|学生|老师|领导)"
)
_MEASURE: Final = r"(?:个|位|名|口)"
_PEOPLE: Final = rf"(?: ?{_MEASURE}? ?{_PERSON}|位(?!置|于|数)|名(?!字|称|单|额)(?![:是叫为]))"
_ALONE: Final = {"俩": 2, "两": 2, "仨": 3, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "一": 1}
_CODE: Final = r"(?P<code>(?<![a-z])[a-z]|(?<!\d)\d{1,2}|[一二三四五六七八九十]{1,3})"
_EQUIPMENT: Final = {
    "投影仪": "projector",
    "投影机": "projector",
    "投影设备": "projector",
    "投影义": "projector",
    "投影议": "projector",
    "投影": "projector",
    "电子白板": "whiteboard",
    "白板": "whiteboard",
    "白版": "whiteboard",
    "写字板": "whiteboard",
    "视频会议系统": "video",
    "视频会议设备": "video",
    "视频会议": "video",
    "视频设备": "video",
    "视频系统": "video",
    "视频终端": "video",
    "视频": "video",
    "摄像头": "video",
    "远程会议设备": "video",
    "视讯": "video",
    "视会": "video",
    "电话会议": "phone",
    "会议电话": "phone",
    "电话机": "phone",
    "免提电话": "phone",
    "八爪鱼": "phone",
    "座机电话": "phone",
    "电视机": "screen",
    "电视屏": "screen",
    "电视": "screen",
    "显示屏": "screen",
    "显示器": "screen",
    "大屏幕": "screen",
    "大屏": "screen",
    "屏幕": "screen",
    "液晶屏": "screen",
    "荧幕": "screen",
    "触摸屏": "screen",
    "幕布": "screen",
}


def _people(match: re.Match[str]) -> Value:
    people = number(match["n"])
    if people is None:
        return _several(match["n"])
    about = match["about"]
    if about in ("几", "多") and people % 10 == 0 and people:
        return Count(people + 1, approximate=True, or_else=people + 9)
    return Count(people, approximate=bool(about))


def _several(digits: str) -> Value:
    """Read two numerals side by side as their upper bound (三五个人, 七八个人, 十七八个人)."""
    tens = 0
    if len(digits) == 3 and digits[0] == "十":
        tens, digits = 10, digits[1:]
    elif len(digits) == 4 and digits[1] == "十":
        tens, digits = DIGIT[digits[0]] * 10, digits[2:]
    if len(digits) != 2:
        return None
    first, second = DIGIT.get(digits[0]), 10 if digits[1] == "十" else DIGIT.get(digits[1])
    if first is None or second is None or not 0 < second - first <= 2:
        return None
    return Count(tens + second, approximate=True)


def _people_range(match: re.Match[str]) -> Value:
    low, high = number(match["low"]), number(match["n"])
    if low is None or high is None or low > high:
        return None
    return Count(high, approximate=True)


def _just_people(match: re.Match[str]) -> Value:
    return Count(_ALONE[match["n"]])


def _labelled(match: re.Match[str]) -> Value:
    people = number(match["n"])
    return Count(people) if people is not None else None


def _more(match: re.Match[str]) -> Value:
    people = number(match["n"])
    if people is None:
        return None
    return Count(people if match["sign"] != "少" else -people, more=True)


def _code(match: re.Match[str]) -> Value:
    code = match["code"]
    if code.isascii():
        return code.upper().lstrip("0") or "0"
    value = number(code)
    return str(value) if value is not None else None


def _equipment(match: re.Match[str]) -> Value:
    return (_EQUIPMENT[match[0]],)


def _days(match: re.Match[str]) -> Value:
    count = number(match["n"])
    return Days(count * (1 if match["unit"] in "天日" else 7)) if count and count <= 366 else None


def _floor(match: re.Match[str]) -> Value:
    said, under = match["n"] or match["f"] or match["before_f"], match["under"] or match["basement"]
    if under:
        below = number(under)
        return Floor(None if below is None else -below)
    return Floor(number(said) if said else None)


CLAIMS: Final[tuple[Rule, ...]] = (
    rule(
        "days to move by",
        "shift",
        rf"(?:推迟|延后|推后|[往向]后[推挪延移]?|顺延|延迟|后[延移]|[晚迟]|提前|提早|[往向]前[推挪提移]?|早)(?:了|个|上)?"
        rf"(?P<body>(?P<n>{COUNT})(?P<unit>天|日|周|个?星期|个?礼拜))(?![后内前订预])",
        _days,
        "天日周星礼",
    ),
    rule(
        "several rooms",
        "claim",
        r"(?<![第选挑])(?P<body>(?P<n>\d{1,2}|[两二三四五六七八九十俩])(?:间(?![会人](?!议室))|个(?=[小大]?(?:会议室|房间)))"
        r"|(?<=[要订定])[两俩]个?(?=[吧。,!. ]{0,2}$))",
        lambda m: m[0] if m["n"] is None or (number(m["n"]) or 0) > 1 else None,
        "间个两俩",
    ),
    rule(
        "several rooms",
        "claim",
        r"(?:一|每)个?(?:人|组)(?:各?[订要来])?一间|各自?[订来要约定]?一间",
        lambda m: m[0],
        "间",
    ),
    rule(
        "number of something else",
        "claim",
        r"(?:(?:电话|手机号?|分机号?|座机|传真|号码)(?:码)?(?:是|为|:)?\s{0,2}(?!20\d\d-)[a-z]{0,3}-?\d[\d -]{1,20}\d"
        r"|(?:工号|员工号|编号|订单号|预订号|单号|会议号|密码|验证码|学号|邮编|账号)(?:是|为|:)?\s{0,2}[a-z]{0,3}-?"
        r"(?:\d[\d -]{1,20}\d|\d))",
        always(""),
        "电手分工员座传号编订预单会密验学邮账",
    ),
    rule(
        "money and amounts",
        "claim",
        r"(?:预算|费用|成本|经费|价格|报价|总价|单价|花费|花)(?:大概|大约|约|是|为|在|[:：])?\s?[¥$￥]?"
        r"(?:\d[\d,.]{0,12}"
        rf"|[{SIGNS}点]{{1,9}})\s?(?:个?[万亿千百]|元|块|k)*"
        rf"|[¥$￥]\s?\d[\d,.]{{0,12}}(?:[万亿千]|元|块|k)?"
        rf"|(?:(?<![\d.])\d{{1,9}}(?:\.\d{{1,4}})?|(?<![{SIGNS}])[{SIGNS}]{{1,5}}(?:点[{SIGNS}]{{1,3}})?)"
        r"(?:个?[万亿]|元|块钱?|%|％|岁|页|公里|米|斤|公斤|次|遍|份|倍|折|期|集|季度|条|张|把椅子|台|杯|瓶"
        r"|项|轮|场|届|年级|级|路|号线|度)(?!钟)",
        always(""),
        "预费成经价报总单花¥$￥万亿元块%岁页里米斤次遍份倍折期集季条张把台杯瓶项轮场届级路线度",
    ),
    rule(
        "floor",
        "floor",
        rf"(?:第?(?P<n>(?<!\d)\d{{1,2}}|[{SIGNS}]{{1,3}})(?:楼|层)(?!座)|[负地]下?(?P<under>[一二三\d])(?:楼|层)(?!座)"
        r"|(?:低|高)楼层|(?:b(?P<basement>\d{1,2})|f(?P<f>\d{1,2})|(?<![a-z\d])(?P<before_f>\d{1,2})f)(?![a-z\d]))",
        _floor,
        "楼层bf",
    ),
    rule(
        "building",
        "building",
        rf"{_CODE} ?(?:座|栋楼?|幢楼?|号楼|号栋|#楼|塔楼|号院)(?!位|机|谈)|(?<![a-z])(?P<letter>[a-z]) ?"
        r"(?:楼|区)(?!\d)",
        lambda m: m["letter"].upper() if m["letter"] else _code(m),
        "座栋幢楼区院",
    ),
    rule(
        "building after its word",
        "building",
        rf"(?<!办公)(?:大楼|楼栋|楼宇) ?(?:是|为|:)? ?{_CODE}(?!\d|点|个|人|楼|层)",
        _code,
        "楼",
    ),
    rule(
        "room by its number",
        "pick",
        r"(?P<n>(?<!\d)\d{1,2}|[一二三四五六七八九十]{1,2})号(?:会议室|房间?)",
        lambda m: Pick(n) if (n := number(m["n"])) is not None else None,
        "号",
    ),
    rule(
        "room id of digits",
        "room",
        r"(?:(?<=[订定要选换到去用在楼座栋])|(?<=会议室)) ?(?P<body>\d{3})(?![\d点:.%人个位名分元块万年月日号天小次])",
        lambda m: RoomNamed(m["body"]),
        (RUN_OF_3,),
    ),
    rule(
        "numbered room",
        "room",
        r"(?<!\d)(?P<n>\d{3,4})(?: ?号?(?:会议室|房间?|室|厅)|(?=那[间个]|号?这间))",
        lambda m: RoomNamed(m["n"]),
        (RUN_OF_3,),
    ),
)

PEOPLE: Final[tuple[Rule, ...]] = (
    rule(
        "people from to",
        "count",
        rf"(?P<low>{COUNT}) ?(?:{_MEASURE}?人?(?:到|至|[-~]|或者?|还是)|、)(?P<n>(?:\d{{1,6}}|[{SIGNS}]{{1,6}}))"
        rf"(?:个|位|名)?(?:左右的?)?{_PEOPLE}",
        _people_range,
        "人位名同客员来嘉候面参与学老领",
        starts=FROM_NUMBER,
    ),
    rule(
        "people",
        "count",
        rf"(?<!第)(?P<n>{COUNT})(?P<about>[来多几])?(?:左右的?)?{_PEOPLE}(?:左右|上下|以内|以上|以下)?",
        _people,
        "人位名同客员来嘉候面参与学老领",
        starts=FROM_NUMBER,
    ),
    rule(
        "people corrected",
        "count",
        rf"不是{COUNT}个,?(?:而)?是(?P<n>{COUNT})个(?![小半钟月星礼])",
        _labelled,
        "是",
    ),
    rule(
        "just us",
        "count",
        r"(?:我们|咱们|咱|俺们|就|我)(?P<n>[俩仨])个?|(?:我们|咱们|咱)(?:就|只有|总共|一共)?"
        r"(?P<m>[两三四五六七八])个(?![小点半月星钟会时])",
        lambda m: Count(_ALONE[m["n"] or m["m"]]),
        "我咱俺就",
    ),
    rule(
        "just me",
        "count",
        r"(?:就|只有|只)我(?:自己|一个人?)?(?![们想要订预约和跟与俩仨两三])|我(?:自己)?一个人"
        r"|(?<!第)(?<!另)一个人(?![来数])",
        always(Count(1)),
        "我一",
    ),
    rule(
        "people labelled",
        "count",
        r"(?:人数|参会人数|与会人数|规模|容量|容纳|能坐|可坐|坐得下|坐下|坐)(?:大概|大约|约|共|一共|总共"
        r"|是|为|改成?|改为|改到|换成|变成|增加到|减少到|加到|减到"
        rf"|调整?[为到成]|应该是|(?:不是|别)\d{{1,4}}个?人?,?(?:而是|是|要)|有|得有|至少|最少|最多|不超过"
        rf"|[: ]){{0,3}}(?P<n>{COUNT})(?:个|位|名)?(?:人"
        r"|左右)?(?!点|分|小时|[.:/]\d)",
        _labelled,
        "数规容坐",
    ),
    rule(
        "people few or many",
        "count",
        rf"(?:人数?(?:挺|比较|还|也|有点|很|不太|不算|不是很|不)?(?:多|少)|没(?:几|多少)个?人)的?[,。]?"
        r"(?:就|只有|大概|大约|也就|一共|总共|有|差不多|是|来| ){0,3}"
        rf"(?P<body>(?P<n>{COUNT})(?:个|位|名)?)(?!人|点|分|小时|[.:/\d]|楼|层|号)",
        _labelled,
        "多少没",
    ),
    rule(
        "seats",
        "count",
        rf"(?P<n>{COUNT})(?:个)?(?:座位|座儿|座(?![谈机])|位子|位置|席|张椅子)(?!号)",
        _labelled,
        "座位席椅",
    ),
    rule(
        "more people",
        "count",
        rf"(?:再|又|还)?(?<![至最不许差点])(?P<sign>[加多少]|(?<=[再又多])来)(?:了|上)?(?P<n>{COUNT})(?:个"
        r"|位|名)?(?:人|同事|客人)",
        _more,
        "加多来少",
    ),
)

EQUIPMENT: Final[tuple[Rule, ...]] = (
    rule(
        "equipment",
        "equipment",
        "|".join(sorted(_EQUIPMENT, key=len, reverse=True)),
        _equipment,
        "投白写视摄远电会免八座显大屏液荧触幕",
    ),
    rule(
        "telephone",
        "equipment",
        r"(?<=[要有带配和需及加])(?:个|部|台)?电话(?!号|会| ?:| ?\d{3})|电话(?=的(?:会议室|房间|那间)"
        r"|(?:也|就|都)?(?:不要|不用|不需要|去掉|取消|可有可无|无所谓))",
        always(("phone",)),
        "电",
    ),
)
