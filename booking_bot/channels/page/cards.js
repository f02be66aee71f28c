// Cards in the talk: rooms on offer, the read-back to confirm, the booking made.

import * as api from "./api.js";
import { el, inParts } from "./dom.js";
import { clock, dayName, equipment, interval, minuteOf, named, place } from "./format.js";
import { timeline, wantedOf } from "./timeline.js";
import { words } from "./words.js";

// Gives the cards that belong under the last message, or null.
export function cardsFor(state, site, readBackText, answer) {
  if (!site) return null;
  if (state.pending === "select_room" && state.offers.length) return offers(state, site, answer);
  if (state.pending === "confirm" && state.read_back) return confirmation(state.read_back, site, readBackText, answer);
  if (state.phase === "BOOKED" && state.booking) return booked(state.booking, site);
  return null;
}

function offers(state, site, answer) {
  const list = el("ul", { class: "offers" });
  const wanted = wantedOf(state.slots);
  for (const offer of state.offers) {
    const name = named(offer.name);
    const where = [named(offer.building_name), words().floor(offer.floor), words().seats(offer.seats)].join(" · ");
    const slot = el("div", { class: "slot" });
    drawDay(slot, site, offer.room_id, wanted);
    const choose = () => answer({ room_id: offer.room_id }, name);
    list.append(
      el(
        "li",
        { class: "offer", "data-room": offer.room_id },
        el("span", { class: "number", text: String(offer.number), "aria-hidden": "true" }),
        el(
          "div",
          { class: "about" },
          el("h3", {}, el("span", { text: name }), el("span", { class: "id", text: offer.room_id })),
          el("p", { class: "where" }, ...inParts(where)),
          el("p", { class: "has", text: offer.equipment.length ? equipment(offer.equipment) : words().noEquipment }),
        ),
        el("button", { type: "button", class: "primary", onclick: choose, text: words().chooseShort, "aria-label": words().choose(name) }),
        slot,
      ),
    );
  }
  return list;
}

// The read-back with two buttons that say what they do.
function confirmation(readBack, site, text, answer) {
  const { kind, yes, no } = readBack;
  const slot = el("div", { class: "slot" });
  if (kind === "book" || kind === "move") drawDay(slot, site, readBack.room, wantedOf(readBack));
  return el(
    "section",
    { class: `confirm ${kind}`, "aria-label": words().confirmTitle[kind] },
    el("h3", { text: words().confirmTitle[kind] }),
    el("p", { class: "read-back", text }),
    slot,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: kind.startsWith("cancel") ? "primary grave" : "primary", "aria-label": yes, onclick: () => answer({ confirmed: true }, yes) }, ...inParts(yes)),
      el("button", { type: "button", onclick: () => answer({ confirmed: false }, no), text: no }),
    ),
  );
}

function booked(booking, site) {
  const room = site.rooms.find((item) => item.id === booking.room);
  return el(
    "section",
    { class: "booked", "aria-label": words().phases[4] },
    el("span", { class: "check", text: "✓", "aria-hidden": "true" }),
    el(
      "div",
      {},
      el("h3", { text: booking.title || (room ? named(room.name) : booking.room) }),
      el("p", {}, ...inParts(`${dayName(booking.date, site.today)} ${interval(minuteOf(booking.start), booking.minutes)}`)),
      el("p", { class: "where", text: place(booking.room, site) }),
    ),
  );
}

// Fills a place with a room's day once it is known; without it the card does as well.
function drawDay(place, site, roomId, wanted) {
  if (!wanted) return;
  const draw = (busy) => place.replaceChildren(timeline(site, busy, wanted));
  draw([]);
  api.day(wanted.date).then(
    (day) => draw(day.busy.filter((item) => item.room === roomId)),
    () => place.replaceChildren(),
  );
}
