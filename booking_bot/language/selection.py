"""Which rules a text can trigger: one lookup a token instead of one test a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Generic, Protocol, TypeVar


class Triggered(Protocol):
    """Something that can only fit a text which holds one of its triggers."""

    @property
    def triggers(self) -> frozenset[str]:
        """Characters or whole Latin words."""
        ...


T = TypeVar("T", bound=Triggered)


class Selection(Generic[T]):
    """Groups of rules or signals, selected by the tokens of a text; each item is one bit."""

    __slots__ = ("_bits", "_groups", "_items")

    def __init__(self, *groups: tuple[T, ...]) -> None:
        """Write down which items each token triggers."""
        self._items: Final = [item for group in groups for item in group]
        self._groups: Final[list[int]] = []
        self._bits: Final[dict[str, int]] = {}
        at = 0
        for group in groups:
            self._groups.append(((1 << len(group)) - 1) << at)
            for item in group:
                for token in item.triggers:
                    self._bits[token] = self._bits.get(token, 0) | 1 << at
                at += 1

    def of(self, tokens: Iterable[str]) -> list[list[T]]:
        """Give the items of each group that the tokens trigger, in the order of the group."""
        bits_of, triggered = self._bits.get, 0
        for token in tokens:
            triggered |= bits_of(token, 0)
        return [self._among(triggered & group) for group in self._groups]

    def _among(self, bits: int) -> list[T]:
        chosen: list[T] = []
        while bits:
            lowest = bits & -bits
            chosen.append(self._items[lowest.bit_length() - 1])
            bits ^= lowest
        return chosen
