"""Tells an observer what goes on in a turn, whatever the observer does."""

from __future__ import annotations

import logging

from booking_bot.ports import Observer, Progress

log = logging.getLogger(__name__)


def quiet(observer: Observer | None) -> Observer:
    """Give an observer that never raises; one that did is told nothing more."""
    told = observer

    def tell(progress: Progress) -> None:
        nonlocal told
        if told is None:
            return
        try:
            told(progress)
        except Exception:
            log.exception("an observer failed")
            told = None

    return tell
