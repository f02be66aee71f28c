"""What a row does to find rooms and to put them, or what comes near, on the table. Pure functions."""

from __future__ import annotations

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.availability import why_not
from booking_bot.dialogue.context import (
    BookingContext,
    ProposedAlternative,
    ProposedRetry,
)
from booking_bot.dialogue.model import (
    Pending,
    Phase,
    ReadBackBook,
)
from booking_bot.dialogue.observations import Failed, Found, NoneFree, Refused, TakenTime
from booking_bot.dialogue.plans import draft_only, notices, request_of, settled
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.sizes import of_the_size, seats_compared_with
from booking_bot.dialogue.topics import compares_sizes


def search_rooms(s: Situation) -> Step:
    """Search with the new draft; a room chosen, read back or named before is kept if it is still free and fits."""
    wanted = s.folded.chosen or s.folded.named_room or s.folded.context.wanted_room
    if compares_sizes(s.context, s.reading):
        wanted = s.folded.chosen or s.folded.named_room
    elif isinstance(s.context.read_back, ReadBackBook):
        wanted = wanted or s.context.read_back.order.room_id
    excluded = s.folded.context.slots.excluded
    if excluded is not None and wanted in excluded.value:
        wanted = None
    context = draft_only(s.folded.context).with_(wanted_room=wanted, asks=None, pending=None)
    return Step(context, notices(s), _search(context))


def search_others(s: Situation) -> Step:
    """Search again with the rooms on the table left out while others are free."""
    rejected = tuple(dict.fromkeys((*s.context.rejected, *_refused_rooms(s))))
    context = s.context.with_(
        rejected=rejected, wanted_room=None, read_back=None, offers=(), pending=None, errand=None, proposals=()
    )
    return Step(context, (), _search(context))


def _refused_rooms(s: Situation) -> tuple[str, ...]:
    if isinstance(s.context.read_back, ReadBackBook):
        return (s.context.read_back.order.room_id,)
    return s.context.offers


def search_another_size(s: Situation) -> Step:
    """Search again for a larger or smaller room; what is on the table or read back stays until one is found."""
    context = s.context.with_(wanted_room=None, errand=None, proposals=())
    return Step(context, notices(s), _search(context))


def keep_read_back(s: Situation) -> Step:
    """Say that there is no room of that size, and read the room back again that was."""
    context = s.context.with_(phase=Phase.CONFIRMING, pending=Pending.CONFIRM)
    return settled(context, _none_of_the_size(s))


def _none_of_the_size(s: Situation) -> Say:
    wish, people = s.reading.size, s.context.slots.capacity
    assert wish is not None and people is not None  # noqa: S101  # the search's own condition
    seats = seats_compared_with(wish, s.folded.context, s.site)
    return say("none_of_the_size", larger=wish.larger, seats=seats, people=people.value)


def search_wanted(s: Situation) -> Step:
    """Search for a room that was named though it is not on the table."""
    context = s.context.with_(wanted_room=s.folded.named_room, read_back=None, pending=None, errand=None, proposals=())
    return Step(context, notices(s), _search(context))


def search_after_taken(s: Situation) -> Step:
    """Say that somebody was faster, and search again."""
    taken = s.context.selected
    reason = s.observation.reason if isinstance(s.observation, Refused) else ""
    context = s.context.with_(read_back=None, offers=(), wanted_room=None, pending=None, in_doubt=False)
    if isinstance(s.observation, Refused) and taken:
        context = context.with_(rejected=(*s.context.rejected, taken))
        return Step(context, (say("refused", room_id=taken, reason=reason),), _search(context))
    return Step(context, (say("taken", room_id=taken),), _search(context))


def _search(context: BookingContext) -> Call:
    request = request_of(context.slots)
    return Call("search_rooms", request.model_copy(update={"wanted_room": context.wanted_room}))


def _wanted_is_not_free(s: Situation, taken: tuple[TakenTime, ...]) -> tuple[Say, ...]:
    """Say why the room that was wanted is not among those found."""
    wanted = s.context.wanted_room
    if wanted is None:
        return ()
    return (say("wanted_not_free", room_id=wanted, why=why_not(s.site, request_of(s.context.slots), wanted, taken)),)


def offer_rooms(s: Situation) -> Step:
    """Put the rooms found on the table, those said no to left out while there are others."""
    found = s.observation
    assert isinstance(found, Found)  # noqa: S101  # the row's own observation
    says: list[Say] = []
    room_ids = found.room_ids
    if s.reading.size is not None and compares_sizes(s.folded.context, s.reading):
        room_ids = of_the_size(s.reading.size, s.folded.context, s.site, found.room_ids)
        if not room_ids:
            says.append(_none_of_the_size(s))
            room_ids = s.context.offers or found.room_ids
    says += _wanted_is_not_free(s, found.wanted_taken)
    fresh = tuple(room_id for room_id in room_ids if room_id not in s.context.rejected)
    if s.context.rejected and not fresh:
        says.append(say("no_other_rooms"))
    offers = (fresh or room_ids)[: s.site.policy.offers]
    rejected = s.context.rejected if fresh else ()
    context = s.context.with_(
        phase=Phase.AWAITING_SELECTION,
        pending=Pending.SELECT_ROOM,
        offers=offers,
        rejected=rejected,
        wanted_room=None,
        read_back=None,
        asks=None,
        proposals=(),
    )
    return settled(context, *says)


def list_again(s: Situation) -> Step:
    """Show the list again, and why."""
    context = s.context.with_(errand=None, proposals=())
    noticed = notices(s)
    if s.folded.bad_choice is not None and not noticed:
        return settled(context, say("choice_out_of_range", choice=s.folded.bad_choice, count=len(context.offers)))
    if noticed or s.folded.told or s.reading.confirm == "yes":
        return settled(context, *noticed)
    return settled(context, say("not_understood", unread=s.reading.unread))


def offer_alternatives(s: Situation) -> Step:
    """Say why nothing is free and what comes near, numbered."""
    none_free = s.observation
    assert isinstance(none_free, NoneFree)  # noqa: S101  # the row's own observation
    proposals = tuple(ProposedAlternative(alternative=a) for a in none_free.alternatives)
    context = s.context.with_(
        phase=Phase.COLLECTING_SLOTS,
        pending=Pending.CLARIFY,
        asks="start_time",
        proposals=proposals,
        offers=(),
        rejected=(),
        wanted_room=None,
        read_back=None,
    )
    return settled(
        context,
        *_wanted_is_not_free(s, none_free.wanted_taken),
        say("none_free", slots=context.slots, fitting=none_free.fitting),
    )


def search_did_not_work(s: Situation) -> Step:
    """Say that the search failed; a yes tries it again."""
    failed = s.observation
    assert isinstance(failed, Failed)  # noqa: S101  # the row's own observation
    context = s.context.with_(
        phase=Phase.COLLECTING_SLOTS,
        pending=Pending.CLARIFY,
        asks=None,
        proposals=(ProposedRetry(),),
        offers=(),
        read_back=None,
        last_tool_error=failed.reason[:200],
    )
    return settled(context, say("search_failed"))
