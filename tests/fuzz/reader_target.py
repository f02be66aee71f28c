"""Coverage-guided fuzzing of the reader: `pip install atheris`, then `python -m tests.fuzz.reader_target [-runs=N]`.

Not collected by pytest; the Hypothesis tests beside the reader check the same things on every run.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["booking_bot.language"]):
    from booking_bot.language.reader import read

from tests.language.office import context
from tests.language.test_reader_fuzz import SITUATIONS, check

CONTEXTS = [context(while_=situation) for situation in SITUATIONS]


def one_input(data: bytes) -> None:
    """Read what the bytes spell, in one of the situations."""
    provider = atheris.FuzzedDataProvider(data)
    situation = CONTEXTS[provider.ConsumeIntInRange(0, len(CONTEXTS) - 1)]
    text = provider.ConsumeUnicode(provider.remaining_bytes())
    check(read(text, situation), text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
