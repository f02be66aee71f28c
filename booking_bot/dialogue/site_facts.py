"""Answers to questions about the site, from its own data. Pure; the words are the writer's."""

from __future__ import annotations

from booking_bot.dialogue.actions import Say, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.policy import Issue, check_building, window_of
from booking_bot.dialogue.reading import SiteQuestion
from booking_bot.dialogue.site import Room, Site
from booking_bot.dialogue.situation import Situation


def answers(s: Situation) -> tuple[Say, ...]:
    """Answer the questions of the message about the site, in their order."""
    return tuple(answer for question in s.reading.questions for answer in _answers(question, s))


def _answers(question: SiteQuestion, s: Situation) -> tuple[Say, ...]:
    match question.about:
        case "rooms":
            return _which_rooms(question, s.site)
        case "room":
            return _of_one_room(question, s.site, s.context)
        case "window":
            first, last = window_of(s.site.policy, s.now.date())
            return (say("site_window", first=first, last=last),)
        case "hours" | "lengths" | "buildings":
            return (say(f"site_{question.about}"),)


def _which_rooms(question: SiteQuestion, site: Site) -> tuple[Say, ...]:
    if question.building is not None:
        _, issue = check_building(site, question.building)
        if issue is not None:
            return (say(f"issue_{issue.kind}", issue=issue),)
    return (say("site_rooms", question=question, rooms=rooms_like(site, question)),)


def rooms_like(site: Site, question: SiteQuestion) -> tuple[Room, ...]:
    """Give the rooms of the site that have what is asked for, in the site's order."""
    building = question.building.casefold() if question.building is not None else None
    rooms = [
        room
        for room in site.rooms
        if set(question.equipment) <= set(room.equipment)
        and room.seats >= (question.seats or 0)
        and (building is None or room.building.casefold() == building)
        and (question.floor is None or room.floor == question.floor)
    ]
    if question.extreme is not None and rooms:
        seats = (max if question.extreme == "largest" else min)(room.seats for room in rooms)
        rooms = [room for room in rooms if room.seats == seats]
    return tuple(rooms)


def _of_one_room(question: SiteQuestion, site: Site, context: BookingContext) -> tuple[Say, ...]:
    if question.unknown is not None:
        issue = Issue("room_unknown", None, question.unknown)
        return (say(f"issue_{issue.kind}", issue=issue),)
    room_ids = question.room_ids
    if question.the_chosen:
        room_ids = (context.selected,) if context.selected is not None else context.offers
    if not room_ids:
        return _which_rooms(question, site)
    rooms = [site.rooms_by_id[room_id] for room_id in room_ids if room_id in site.rooms_by_id]
    others = rooms_like(site, SiteQuestion("rooms", equipment=question.equipment)) if question.equipment else ()
    return tuple(say("site_room", question=question, room=room, others=others) for room in rooms)
