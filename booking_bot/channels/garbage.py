"""How a server's process looks for garbage: seldom, and never among what was there when it began to serve.

A turn leaves next to no cycles behind, yet makes enough objects for several collections with Python's defaults; the
oldest generation's take tens of milliseconds, in which nobody is answered.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNG: Final = 20_000
"""Objects made and kept before the youngest generation is looked through: some thirty turns."""
MIDDLE: Final = 20
OLD: Final = 50
"""So many collections of one generation before the next older one is looked through as well."""


def collect_seldom() -> None:
    """Leave what is there now out of all collections, and make those of the rest rare. Call it once all is set up."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
