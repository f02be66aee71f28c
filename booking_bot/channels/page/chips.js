// What was understood so far: a chip a slot, with the words it came from; pressing one changes it.

import { byId, el } from "./dom.js";
import { dayName, equipment, length, named, people } from "./format.js";
import { edit } from "./editor.js";
import { words } from "./words.js";

const REQUIRED = ["date", "start_time", "duration_minutes", "capacity"];
const ALL = [...REQUIRED, "building", "equipment", "title"];

export function showChips(state, site, say) {
  const node = byId("chips");
  if (!site || (state.phase === "COLLECTING_SLOTS" && !Object.keys(state.slots).length && !state.pending)) {
    node.replaceChildren();
    return;
  }
  const fixed = state.phase === "BOOKED";
  const shown = ALL.filter((slot) => state.slots[slot] !== undefined || (!fixed && REQUIRED.includes(slot)));
  const list = el("ul", { "aria-label": words().chips }, ...shown.map((slot) => el("li", {}, chip(slot, state, site, fixed, say))));
  node.replaceChildren(list);
}

function chip(slot, state, site, fixed, say) {
  const value = state.slots[slot];
  const name = words().slots[slot];
  const said = state.evidence[slot]?.words;
  const parts = [
    el("span", { class: "name", text: name }),
    el("span", { class: "value", text: value === undefined ? words().missing : shownValue(slot, value, site) }),
    said ? el("span", { class: "words", text: words().from(said) }) : null,
  ];
  const kind = `chip${value === undefined ? " missing" : ""}${state.asks === slot ? " asked" : ""}`;
  if (fixed) return el("span", { class: kind, "data-slot": slot }, ...parts);
  return el(
    "button",
    { type: "button", class: kind, "data-slot": slot, title: words().edit(name), onclick: () => edit(slot, state, site, say) },
    ...parts,
  );
}

function shownValue(slot, value, site) {
  switch (slot) {
    case "date":
      return dayName(value, site.today);
    case "duration_minutes":
      return length(value);
    case "capacity":
      return people(value);
    case "building": {
      const building = site.buildings.find((item) => item.code === value);
      return building ? named(building.name) : value;
    }
    case "equipment":
      return equipment(value);
    default:
      return String(value);
  }
}
