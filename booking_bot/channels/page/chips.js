// What was understood so far: a chip a slot, with the words it came from; pressing one changes it.

import { saidWords } from "./answers.js";
import { byId, el } from "./dom.js";
import { dayName, equipment, length, named, people } from "./format.js";
import { edit } from "./editor.js";
import { words } from "./words.js";

const REQUIRED = ["date", "start_time", "duration_minutes", "capacity"];
const ALL = [...REQUIRED, "building", "floor", "equipment", "excluded", "title"];

export function showChips(state, site, say) {
  const node = byId("chips");
  const slots = site ? shownSlots(state) : [];
  if (!slots.length) {
    node.replaceChildren();
    return;
  }
  const fixed = state.phase === "BOOKED";
  const list = el("ul", { "aria-label": fixed ? words().chipsFixed : words().chips }, ...slots.map((slot) => el("li", {}, chip(slot, state, site, fixed, say))));
  node.replaceChildren(list);
  node.toggleAttribute("data-on-card", state.read_back !== null);
}

// A question about a booking that exists has nothing to do with the draft, and wants none of its slots.
function shownSlots(state) {
  if (state.read_back && state.read_back.kind !== "book") return [];
  const wanted = state.asks !== null || state.offers.length > 0 || state.read_back !== null;
  return ALL.filter((slot) => state.slots[slot] !== undefined || (wanted && REQUIRED.includes(slot)));
}

function chip(slot, state, site, fixed, say) {
  const value = state.slots[slot];
  const name = words().slots[slot];
  const shown = value === undefined ? words().missing : shownValue(slot, value, site);
  const said = saidWords(state.evidence[slot]?.words, shown, site);
  const parts = [
    el("span", { class: "name", text: name }),
    el("span", { class: "value", text: shown }),
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
    case "floor":
      return words().floor(value);
    case "equipment":
      return equipment(value);
    case "excluded":
      return value.map((id) => named(site.rooms.find((room) => room.id === id)?.name ?? { zh: id, en: id })).join(" · ");
    default:
      return String(value);
  }
}
