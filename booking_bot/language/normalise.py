"""One spelling for what people type: width, case, dashes, and the traditional characters that the grammar knows.

Every character of the result knows where it stood, so that spans point into the user's own text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_TRADITIONAL: Final = (
    "兩两後后點点鐘钟鍾钟週周號号樓楼會会議议個个箇个們们預预訂订約约間间時时開开結结從从換换請请幫帮選选棟栋層层"
    "設设備备電电話话視视頻频螢荧機机儀仪嗎吗麼么沒没問问題题確确認认對对謝谢氣气幾几禮礼這这還还過过給给無无論论"
    "隨随萬万內内參参與与員员來来為为進进應应該该長长續续遲迟聖圣誕诞節节國国慶庆勞劳動动陽阳歲岁須须講讲討讨讓让"
    "說说訊讯網网線线遠远處处東东臺台灣湾廣广門门舊旧關关於于裡里裏里邊边樣样囉啰別别當当剛刚許许刪删銷销滿满夠够"
    "總总領领導导項项組组團团隊队曆历兒儿淩凌聽听檢检詢询閱阅覽览單单條条筆笔種种發发變变將将壓压縮缩減减廳厅園园"
    "區区術术專专業业產产環环輪轮課课師师醫医錯错誰谁連连達达運运轉转載载辦办務务級级紅红綠绿藍蓝黃黄熱热濕湿陰阴"
    "雲云風风傘伞溫温華华門门馬马錄录讀读顯显晝昼亞亚龍龙適适獨独絕绝實实現现終终經经訪访計计劃划評评審审標标"
    "稱称廠厂頭头臨临時时貴贵賓宾戶户顧顾勻匀闆板殺杀樂乐藝艺黨党賽赛貨货價价錢钱買买賣卖費费幹干嘗尝試试鬧闹鈴铃"
    "參参雙双隻只叄叁貳贰陸陆甦苏滬沪漢汉濟济寧宁廈厦瀋沈陝陕鄭郑蘭兰貴贵齊齐爾尔濱滨"
)
_TABLE: Final[dict[int, str | None]] = {
    **{ord(_TRADITIONAL[i]): _TRADITIONAL[i + 1] for i in range(0, len(_TRADITIONAL), 2)},
    **{0xFF01 + i: chr(0x21 + i) for i in range(94)},
    **dict.fromkeys(map(ord, "–—―−‐‑‒﹣－─"), "-"),
    **dict.fromkeys(map(ord, "～〜∼˜"), "~"),
    **dict.fromkeys(map(ord, "“”„‟«»「」『』《》〈〉｢｣"), '"'),
    **dict.fromkeys(map(ord, "‘’‛`´"), "'"),
    **dict.fromkeys(map(ord, "\t\r\v\f\u00a0\u3000\u2003\u2002\u2009\u202f"), " "),
    **dict.fromkeys(map(ord, "：﹕∶"), ":"),
    ord("，"): ",",
    ord("﹐"): ",",
    ord("\n"): "。",
    ord("廿"): "廿",
    # Invisible characters carry nothing; what stands on both sides of them belongs together.
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F, 0x20E3, 0x00AD), None),
}


_FRACTIONS: Final = {"½": ".5", "¼": ".25", "¾": ".75"}
"""As decimals: "1½ hours" is 1.5 hours, never 11/2."""
_HALF: Final = re.compile(r"(?<![\d/.])(?<!\d )1/2(?= ?(?:个?小时|个?钟头|an? hour|hours?|hrs?|h)(?![a-z]))")


class Folded:
    """A text in its one spelling.

    Attributes:
        text: the folded text.
        origin: for each folded character its place in the original, one more entry for the end; None when the
            places are the same.
    """

    __slots__ = ("length", "origin", "text")

    def __init__(self, text: str, origin: list[int] | None, length: int) -> None:
        """Hold the folded text, the places, and the length of the original."""
        self.text = text
        self.origin = origin
        self.length = length

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Give the [start, end) in the original of a piece of the folded text."""
        if self.origin is None:
            return start, end
        if end <= start:
            return self.origin[start], self.origin[start]
        return self.origin[start], self.origin[end - 1] + 1


def fold(text: str) -> Folded:
    """Bring a text to its one spelling: NFKC, small letters, one kind of dash and quote, simplified characters."""
    quick = text.translate(_TABLE).lower()
    if len(quick) == len(text) and (quick.isascii() or unicodedata.is_normalized("NFKC", quick)):
        return Folded(_half_as_decimal(quick), None, len(text))
    characters: list[str] = []
    origin: list[int] = []
    for at, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character.translate(_TABLE)).translate(_TABLE).lower()
        if character in _FRACTIONS:
            after_digit = at > 0 and text[at - 1].isdigit()
            plain = _FRACTIONS[character] if after_digit else f"0{_FRACTIONS[character]}"
        characters.append(plain)
        origin.extend([at] * len(plain))
    return Folded(_half_as_decimal("".join(characters)), origin, len(text))


def _half_as_decimal(text: str) -> str:
    """Write "1/2 hour" as "0.5 hour", of the same length; "1 1/2 hours" has a rule of its own."""
    return _HALF.sub("0.5", text) if "1/2" in text else text
