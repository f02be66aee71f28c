"""A turn told to its session's connections while it is being done.

Its events carry the numbers they will have once the turn is committed. What is committed in the end is compared with
what was told: where it goes on from that, only the rest is sent; where it does not, the run is taken back and sent
again from its start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from booking_bot.ports import Progress, TextDelta, Thinking, ToolFinished, ToolStarted, TurnRestarted
from booking_bot.wire import Event, RunBegun, error_event

if TYPE_CHECKING:
    from booking_bot.channels.websocket.hub import Audience
    from booking_bot.channels.websocket.peer import Peer


class LiveTurn:
    """An observer of one turn; tells nothing before something takes a while, and nothing out of turn.

    Args:
        message_id, text: of the message that is answered.
    """

    __slots__ = ("_audience", "_followers", "_message_id", "_run", "_text")

    def __init__(self, audience: Audience, message_id: str | None, text: str) -> None:
        self._audience = audience
        self._message_id = message_id
        self._text = text
        self._run: RunBegun | None = None
        self._followers: set[Peer] = set()

    def __call__(self, progress: Progress) -> None:
        """Tell what goes on, when the turns before this one have been told to their end."""
        turns = self._audience.turns
        if not turns or turns[0] is not self:
            return
        if isinstance(progress, TurnRestarted):
            self.take_back()
            return
        run = self._begun()
        told = len(run.events)
        match progress:
            case Thinking():
                pass
            case ToolStarted(tool=tool):
                run.tool_started(tool)
            case ToolFinished():
                run.tool_finished()
            case TextDelta(text=text):
                run.wrote(text)
            case _:
                assert_never(progress)
        self._tell(run.events[told:])

    def join(self, peer: Peer) -> None:
        """Let a connection follow this turn from now on, if it has everything before it and nothing of it."""
        if self._run is not None and peer.at(self._run.events[0]["seq"]):
            self._followers.add(peer)
            peer.follow(self._run.events)

    def follows(self, peer: Peer) -> bool:
        """Tell whether a connection has got everything told so far."""
        return peer in self._followers

    def rest_of(self, events: list[Event]) -> list[Event]:
        """Give what is still to be told of the committed turn to those who follow; all of it after taking back."""
        if self._run is None:
            return events
        told = self._run.events
        if events[: len(told)] == told:
            return events[len(told) :]
        self.take_back()
        return events

    def take_back(self) -> None:
        """Tell those who follow that what was told of the turn does not count."""
        run, followers = self._run, self._followers
        self._run, self._followers = None, set()
        if run is not None:
            last = run.events[0]["seq"] - 1
            taken_back = error_event("run_restarted", "what was told of this run is void", seq=last, run_id=run.run_id)
            for peer in followers:
                peer.follow([taken_back])

    def _begun(self) -> RunBegun:
        if self._run is None:
            audience = self._audience
            self._run = RunBegun(
                audience.session_id,
                self._message_id,
                self._text,
                turn_id=audience.turn_id + 1,
                first_seq=audience.next_seq,
            )
            self._followers = {peer for peer in audience.peers if peer.at(audience.next_seq)}
            self._tell(self._run.events)
        return self._run

    def _tell(self, events: list[Event]) -> None:
        for peer in self._followers:
            peer.follow(events)
