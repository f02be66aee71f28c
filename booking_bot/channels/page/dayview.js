// A day of all rooms as a picture, drawn to scale.

import * as api from "./api.js";
import { byId, el, svg } from "./dom.js";
import { clock, dayName, named, plusDays } from "./format.js";
import { wantedOf } from "./timeline.js";
import { words } from "./words.js";

const ROW = 26;
const HEAD = 20;
const LABEL = 84;
const NARROWEST = 260;

export class DayView {
  constructor() {
    this.node = byId("day");
    this.site = null;
    this.date = null;
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
    const wanted = state.slots.date ?? this.date ?? site.first_date;
    if (wanted !== this.asked) this.date = this.asked = wanted;
    this.load();
  }

  go(days) {
    this.date = plusDays(this.date, days);
    this.load();
  }

  async load() {
    const date = this.date;
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
    const { today, last_date: last } = this.site;
    const held = document.activeElement?.dataset?.step;
    this.node.replaceChildren(
      el(
        "header",
        {},
        el("h2", { text: words().day }),
        el(
          "div",
          { class: "stepper" },
          el("button", { type: "button", class: "quiet", "data-step": "-1", disabled: this.date <= today, "aria-label": words().earlier, onclick: () => this.go(-1), text: "‹" }),
          el("span", { class: "date", "aria-live": "polite", text: dayName(this.date, today) }),
          el("button", { type: "button", class: "quiet", "data-step": "1", disabled: this.date >= last, "aria-label": words().later, onclick: () => this.go(1), text: "›" }),
        ),
      ),
      this.busy ? this.picture() : el("p", { class: "empty", text: words().dayUnavailable }),
      this.busy ? this.legend() : null,
    );
    if (held) this.node.querySelector(`[data-step="${held}"]`)?.focus();
  }

  picture() {
    const { rooms, opens, closes } = this.site;
    const width = Math.max(NARROWEST, this.width - 34);
    const height = HEAD + rooms.length * ROW;
    const x = (minute) => LABEL + ((Math.min(Math.max(minute, opens), closes) - opens) / (closes - opens)) * (width - LABEL);
    const label = words().dayPicture(dayName(this.date, this.site.today), this.busy.length, rooms.length);
    const picture = svg("svg", { class: "day-picture", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
    this.hours(picture, x, height, width);
    rooms.forEach((room, index) => this.row(picture, room, HEAD + index * ROW, x));
    const wanted = wantedOf(this.state.slots);
    if (wanted?.date === this.date) {
      picture.append(svg("rect", { class: "wanted", x: x(wanted.start), y: HEAD, width: x(wanted.end) - x(wanted.start), height: height - HEAD }));
    }
    return el("div", { class: "scroll" }, picture);
  }

  hours(picture, x, height, width) {
    const { opens, closes } = this.site;
    const step = (width - LABEL) / ((closes - opens) / 60) < 22 ? 180 : 120;
    for (let minute = Math.ceil(opens / 60) * 60; minute <= closes; minute += 60) {
      picture.append(svg("line", { class: "tick", x1: x(minute), x2: x(minute), y1: HEAD, y2: height }));
      if ((minute - Math.ceil(opens / 60) * 60) % step === 0 && minute < closes) {
        picture.append(svg("text", { class: "hour", x: x(minute), y: HEAD - 7, text: clock(minute).slice(0, 2) }));
      }
    }
  }

  row(picture, room, y, x) {
    const offered = this.state.offers.some((offer) => offer.room_id === room.id) || this.state.room === room.id;
    picture.append(
      svg("rect", { class: offered ? "open offered" : "open", x: x(0), y: y + 3, width: x(1440) - x(0), height: ROW - 6, rx: 4 }),
      svg("text", { class: "room", x: 0, y: y + ROW / 2 + 4, text: `${shortened(named(room.name))} ${room.seats}` }),
    );
    for (const item of this.busy.filter((entry) => entry.room === room.id)) {
      const from = x(item.start);
      const wide = Math.max(2, x(item.end) - from);
      const what = item.own ? item.title || words().own : words().busy;
      const block = svg("rect", { class: item.own ? "own" : "busy", x: from, y: y + 3, width: wide, height: ROW - 6, rx: 4 });
      block.append(svg("title", { text: `${clock(item.start)}–${clock(item.end)} ${what}` }));
      picture.append(block);
    }
  }

  legend() {
    const entry = (kind, text) => el("li", {}, el("span", { class: `key ${kind}`, "aria-hidden": "true" }), text);
    return el("ul", { class: "legend" }, entry("wanted", words().wanted), entry("own", words().own), entry("busy", words().busy));
  }
}

const shortened = (name) => (name.length > 9 ? `${name.slice(0, 8)}…` : name);
