// A day of all rooms as a picture, drawn to scale.

import * as api from "./api.js";
import { byId, el, svg } from "./dom.js";
import { clock, dateWords, named, plusDays, relativeDay } from "./format.js";
import { icon } from "./icons.js";
import { wantedOf } from "./timeline.js";
import { words } from "./words.js";

const ROW = 30;
const HEAD = 22;
const LABEL = 112;
const NARROWEST = 280;
// Width of an hour written in full.
const HOUR_PX = 32;
const LONGEST_NAME = 9;

export class DayView {
  constructor() {
    this.node = byId("day");
    this.site = null;
    this.date = null;
    this.spoken = null;
    this.state = null;
    this.busy = null;
    this.width = 0;
    new ResizeObserver(() => {
      if (this.node.clientWidth !== this.width) this.draw();
    }).observe(this.node);
  }

  show(state, site) {
    this.state = state;
    this.site = site;
    if (!site) return;
    // The view goes along with the talk whenever that speaks of another day; till then it stays where it was put.
    const spoken = state.read_back?.date ?? state.slots.date ?? null;
    if (spoken !== this.spoken) this.date = spoken ?? this.date;
    this.spoken = spoken;
    this.date ??= site.first_date;
    this.load();
  }

  go(date) {
    this.date = date;
    this.load();
  }

  async load() {
    const date = this.date;
    if (!date) return;
    try {
      const day = await api.day(date);
      if (date === this.date) this.busy = day.busy;
    } catch {
      if (date === this.date) this.busy = null;
    }
    if (date === this.date) this.draw();
  }

  draw() {
    if (!this.site || !this.date) return;
    this.width = this.node.clientWidth;
    const held = document.activeElement?.dataset?.step;
    const title = words().day(dateWords(this.date), relativeDay(this.date, this.site.today));
    this.node.replaceChildren(
      el("header", {}, el("h2", { "aria-live": "polite", text: title }), this.stepper()),
      this.busy ? this.legend() : el("p", { class: "empty", text: words().dayUnavailable }),
      this.busy ? this.picture(title) : "",
    );
    if (held) this.node.querySelector(`[data-step="${held}"]`)?.focus();
  }

  stepper() {
    const { today, last_date: last } = this.site;
    const step = (days, disabled, ...children) =>
      el("button", { type: "button", class: "quiet", "data-step": String(days), disabled, onclick: () => this.go(plusDays(this.date, days)) }, ...children);
    const jump = (event) => {
      const { value, validity } = event.target;
      if (value && validity.valid) this.go(value);
    };
    return el(
      "div",
      { class: "stepper" },
      step(-1, this.date <= today, icon("earlier"), words().earlier),
      el("input", { type: "date", "data-step": "0", min: today, max: last, value: this.date, "aria-label": words().pickDay, onchange: jump }),
      step(1, this.date >= last, words().later, icon("later")),
    );
  }

  picture(title) {
    const { rooms, opens, closes } = this.site;
    const width = Math.max(NARROWEST, this.width - 34);
    const height = HEAD + rooms.length * ROW;
    const x = (minute) => LABEL + ((Math.min(Math.max(minute, opens), closes) - opens) / (closes - opens)) * (width - LABEL);
    const picture = svg("svg", {
      class: "day-picture",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": words().dayPicture(title, this.busy.length, rooms.length),
    });
    rooms.forEach((room, index) => this.row(picture, room, HEAD + index * ROW, x));
    this.hours(picture, x, height, width);
    rooms.forEach((room, index) => this.blocks(picture, room, HEAD + index * ROW, x));
    const wanted = shownWish(this.state);
    if (wanted?.date === this.date) {
      picture.append(svg("rect", { class: "wanted", x: x(wanted.start), y: HEAD, width: x(wanted.end) - x(wanted.start), height: height - HEAD, rx: 4 }));
    }
    return el("div", { class: "scroll" }, picture);
  }

  hours(picture, x, height, width) {
    const { opens, closes } = this.site;
    const hour = (width - LABEL) / ((closes - opens) / 60);
    const step = hour < 16 ? 180 : hour < 34 ? 120 : 60;
    const first = Math.ceil(opens / 60) * 60;
    for (let minute = first; minute <= closes; minute += 60) {
      picture.append(svg("line", { class: "tick", x1: x(minute), x2: x(minute), y1: HEAD, y2: height }));
      if ((minute - first) % step === 0 && x(minute) + HOUR_PX <= width) {
        picture.append(svg("text", { class: "hour", x: x(minute), y: HEAD - 7, text: clock(minute).slice(0, hour * (step / 60) < HOUR_PX + 6 ? 2 : 5) }));
      }
    }
  }

  row(picture, room, y, x) {
    const offered = this.state.offers.some((offer) => offer.room_id === room.id) || this.state.room === room.id;
    const label = svg("text", { class: "room", x: 0, y: y + ROW / 2 + 4, text: shortened(named(room.name)) });
    label.append(svg("title", { text: named(room.name) }));
    picture.append(
      svg("rect", { class: offered ? "open offered" : "open", x: x(0), y: y + 3, width: x(1440) - x(0), height: ROW - 6, rx: 5 }),
      label,
      svg("text", { class: "seats", x: LABEL - 8, y: y + ROW / 2 + 4, "text-anchor": "end", text: words().seatsShort(room.seats) }),
    );
  }

  blocks(picture, room, y, x) {
    for (const item of this.busy.filter((entry) => entry.room === room.id)) {
      const from = x(item.start);
      const wide = Math.max(2, x(item.end) - from);
      const what = item.own ? item.title || words().own : words().busy;
      const block = svg("rect", { class: item.own ? "own" : "busy", x: from, y: y + 3, width: wide, height: ROW - 6, rx: 4 });
      block.append(svg("title", { text: `${named(room.name)} ${clock(item.start)}–${clock(item.end)} ${what}` }));
      picture.append(block);
    }
  }

  legend() {
    const entry = (kind, text) => el("li", {}, el("span", { class: `key ${kind}`, "aria-hidden": "true" }), text);
    const wanted = shownWish(this.state)?.date === this.date ? [entry("wanted", words().wanted)] : [];
    return el("ul", { class: "legend" }, entry("open", words().free), entry("busy", words().busy), entry("own", words().own), ...wanted);
  }
}

// The time that is wanted: what is read back, else the draft's.
function shownWish({ read_back: readBack, slots, phase }) {
  if (readBack) return readBack.kind.startsWith("cancel") ? null : wantedOf(readBack);
  return phase === "BOOKED" ? null : wantedOf(slots);
}

const shortened = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);
