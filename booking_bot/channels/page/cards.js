// Cards in the talk: rooms on offer, the read-back to confirm, the booking made.

import * as api from "./api.js";
import { el } from "./dom.js";
import { clock, dayName, equipment, interval, minuteOf, named, place } from "./format.js";
import { timeline, wantedOf } from "./timeline.js";
import { words } from "./words.js";

// Gives the cards that belong under the last message, or null.
export function cardsFor(state, site, lastText, answer) {
  if (!site) return null;
  if (state.pending === "select_room" && state.offers.length) return offers(state, site, answer);
  if (state.pending === "confirm") return confirmation(state, site, lastText, answer);
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
    const choose = () => answer({ room_id: offer.room_id });
    list.append(
      el(
        "li",
        { class: "offer", "data-room": offer.room_id },
        el("span", { class: "number", text: String(offer.number), "aria-hidden": "true" }),
        el(
          "div",
          { class: "about" },
          el("h3", {}, el("span", { text: name }), el("span", { class: "id", text: offer.room_id })),
          el("p", { class: "where", text: where }),
          el("p", { class: "has", text: offer.equipment.length ? equipment(offer.equipment) : words().noEquipment }),
        ),
        el("button", { type: "button", class: "primary", onclick: choose, text: words().chooseShort, "aria-label": words().choose(name) }),
        slot,
      ),
    );
  }
  return list;
}

function confirmation(state, site, lastText, answer) {
  const room = site.rooms.find((item) => item.id === state.room);
  const slot = el("div", { class: "slot" });
  const wanted = wantedOf(state.slots);
  // The draft may be another one than the booking read back: it is drawn only where the text names its time.
  if (room && wanted && lastText.includes(`${clock(wanted.start)}–${clock(wanted.end)}`)) drawDay(slot, site, room.id, wanted);
  return el(
    "section",
    { class: "confirm", "aria-label": words().confirmTitle },
    el("h3", {}, el("span", { text: words().confirmTitle }), room ? el("span", { class: "id", text: named(room.name) }) : null),
    el("p", { class: "read-back", text: lastText }),
    slot,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: "primary", onclick: () => answer({ confirmed: true }), text: words().yes }),
      el("button", { type: "button", onclick: () => answer({ confirmed: false }), text: words().no }),
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
      el("p", { text: `${dayName(booking.date, site.today)} ${interval(minuteOf(booking.start), booking.minutes)}` }),
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
