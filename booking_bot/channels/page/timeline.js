// A day drawn to scale: what is taken, and where the wanted time falls. Minutes are minutes after midnight.

import { clock, minuteOf } from "./format.js";
import { el, svg } from "./dom.js";
import { words } from "./words.js";

const HEIGHT = 16;
const HOUR = 60;

// The interval of a draft's slots, or of a read-back; null while it is not known.
export function wantedOf({ date, start_time: begins, start = begins, duration_minutes: lasts, minutes = lasts }) {
  if (!date || !start || !minutes) return null;
  const from = minuteOf(start);
  return { date, start: from, end: from + minutes };
}

// One room's day as a bar; `busy` are its taken intervals.
export function bar(site, busy, wanted) {
  const { opens, closes } = site;
  const picture = svg("svg", { class: "bar", viewBox: `0 0 ${closes - opens} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  picture.append(svg("rect", { class: "open", x: 0, y: 0, width: closes - opens, height: HEIGHT }));
  for (let hour = Math.ceil(opens / HOUR) * HOUR; hour < closes; hour += HOUR) {
    picture.append(svg("line", { class: "tick", x1: hour - opens, x2: hour - opens, y1: 0, y2: HEIGHT }));
  }
  for (const item of busy) picture.append(block(item, opens, closes, item.own ? "own" : "busy"));
  if (wanted) picture.append(block(wanted, opens, closes, "wanted"));
  return picture;
}

function block(item, opens, closes, kind) {
  const start = Math.max(item.start, opens);
  const end = Math.min(item.end, closes);
  return svg("rect", { class: kind, x: start - opens, y: 0, width: Math.max(0, end - start), height: HEIGHT });
}

// The bar with its hours written under it, and the same in words for those who do not see it.
export function timeline(site, busy, wanted) {
  const label = wanted ? el("span", { class: "at", text: `${clock(wanted.start)}–${clock(wanted.end)}` }) : null;
  label?.style.setProperty("--at", String(((wanted.start + wanted.end) / 2 - site.opens) / (site.closes - site.opens)));
  const taken = busy.map((item) => `${clock(item.start)}–${clock(item.end)}`).join(", ");
  return el(
    "div",
    { class: "timeline" },
    bar(site, busy, wanted),
    el(
      "div",
      { class: "hours", "aria-hidden": "true" },
      el("span", { text: clock(site.opens) }),
      label,
      el("span", { text: clock(site.closes) }),
    ),
    el("p", { class: "sr-only", text: taken ? `${words().busy}: ${taken}` : words().free }),
  );
}
