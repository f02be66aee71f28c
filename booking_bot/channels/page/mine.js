// The user's own bookings. Cancelling and moving are said to the bot, which reads them back first.

import * as api from "./api.js";
import { byId, el } from "./dom.js";
import { clock, dayName, dayOfMonth, interval, minuteOf, named, place } from "./format.js";
import { words } from "./words.js";

export class Mine {
  // `say` speaks of a booking, and calls its last argument once that has been said.
  constructor(say) {
    this.node = byId("mine");
    this.say = say;
    this.site = null;
    this.bookings = null;
    this.moving = null;
  }

  async load(site) {
    this.site = site;
    if (!site) return;
    try {
      this.bookings = await api.ownBookings();
    } catch {
      this.bookings = null;
    }
    this.draw();
  }

  draw() {
    if (!this.site) return;
    const list = this.bookings?.length
      ? el("ul", { class: "bookings" }, ...this.bookings.map((booking) => this.row(booking)))
      : el("p", { class: "empty", text: this.bookings ? words().noBookings : words().bookingsUnavailable });
    this.node.replaceChildren(el("header", {}, el("h2", { text: words().mine })), list);
  }

  row(booking) {
    const room = this.site.rooms.find((item) => item.id === booking.room);
    const when = `${dayName(booking.date, this.site.today)} ${interval(minuteOf(booking.start), booking.minutes)}`;
    const about = `${when}, ${booking.room}`;
    const toggle = () => {
      this.moving = this.moving === booking.id ? null : booking.id;
      this.draw();
      this.node.querySelector("input")?.focus();
    };
    return el(
      "li",
      { "data-booking": booking.id },
      el(
        "div",
        { class: "what" },
        el("strong", { text: booking.title || (room ? named(room.name) : booking.room) }),
        el("span", { text: when }),
        el("span", { class: "where", text: place(booking.room, this.site) }),
      ),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", class: "quiet", "aria-expanded": String(this.moving === booking.id), "aria-label": `${words().move}: ${about}`, onclick: toggle, text: words().move }),
        el("button", { type: "button", class: "quiet danger", "aria-label": `${words().cancel}: ${about}`, onclick: () => this.say(booking, words().says.cancel(said(booking, this.site))), text: words().cancel }),
      ),
      this.moving === booking.id ? this.form(booking) : null,
    );
  }

  form(booking) {
    const { first_date: first, last_date: last, opens, closes, start_grid: grid } = this.site;
    const date = el("input", { type: "date", min: first, max: last, value: booking.date < first ? first : booking.date, required: true });
    const time = el("input", { type: "time", min: clock(opens), max: clock(closes - 1), step: grid * 60, value: booking.start, required: true });
    const submit = (event) => {
      event.preventDefault();
      this.say(booking, words().says.move(said(booking, this.site), dayOfMonth(date.value), time.value), () => {
        this.moving = null;
        this.draw();
      });
    };
    return el(
      "form",
      { class: "moving", onsubmit: submit },
      el("label", {}, words().newDate, date),
      el("label", {}, words().newTime, time),
      el("button", { type: "submit", class: "primary", text: words().move }),
    );
  }
}

// A booking as it is spoken of.
// A room is said by its name: an id may be a mere number, which says nothing in a sentence.
function said(booking, site) {
  const room = site.rooms.find((item) => item.id === booking.room);
  return { room: room ? named(room.name) : booking.room, date: dayOfMonth(booking.date), start: booking.start };
}
