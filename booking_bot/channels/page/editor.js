// A small dialog to change one slot. What is chosen is said to the bot as a message like any other.

import { el } from "./dom.js";
import { clock, dateWords, dayName, daysBetween, equipment, length, named, people } from "./format.js";
import { dates } from "./suggestions.js";
import { words } from "./words.js";

const MANY = 12;

export function edit(slot, state, site, say) {
  const name = words().slots[slot];
  const dialog = el("dialog", { class: "editor", "aria-label": words().edit(name) });
  const done = (value) => {
    dialog.close();
    say(words().says.change[slot](slot === "date" ? dateWords(value) : value));
  };
  dialog.append(
    el("h2", { text: words().edit(name) }),
    el("div", { class: "choices" }, ...choices(slot, state, site, done)),
    el("button", { type: "button", class: "quiet", onclick: () => dialog.close(), text: words().close }),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function choices(slot, state, site, done) {
  const now = state.slots[slot];
  switch (slot) {
    case "date":
      if (daysBetween(site.first_date, site.last_date) < MANY) return options(dates(site), (date) => dayName(date, site.today), now, done);
      return input({ type: "date", min: site.first_date, max: site.last_date, value: now ?? site.first_date }, slot, done);
    case "start_time":
      return input({ type: "time", min: clock(site.opens), max: clock(site.closes - 1), step: site.start_grid * 60, value: now ?? "14:00" }, slot, done);
    case "duration_minutes":
      if (site.durations.length <= MANY) return options(site.durations, length, now, done);
      return input({ type: "number", min: site.durations[0], max: site.durations.at(-1), step: site.durations[1] - site.durations[0], value: now ?? 60 }, slot, done);
    case "capacity":
      if (site.seats.length <= MANY) return options(site.seats, people, now, done);
      return input({ type: "number", min: 1, max: site.seats.at(-1), value: now ?? site.seats[0] }, slot, done);
    case "building":
      return [
        ...options(site.buildings.map(({ code }) => code), (code) => named(site.buildings.find((item) => item.code === code).name), now, done),
        el("button", { type: "button", onclick: () => done(null), text: words().anyBuilding }),
      ];
    case "floor":
      return [
        ...options([...new Set(site.rooms.map((room) => room.floor))].sort((a, b) => a - b), words().floor, now, done),
        el("button", { type: "button", onclick: () => done(null), text: words().anyFloor }),
      ];
    case "excluded":
      return [el("button", { type: "button", onclick: () => done(null), text: words().anyRoom })];
    case "equipment":
      return boxes(site, now ?? [], done);
    default:
      return input({ type: "text", maxlength: 80, value: now ?? "" }, slot, done);
  }
}

function options(values, label, now, done) {
  return values.map((value) =>
    el("button", { type: "button", "aria-pressed": String(value === now), onclick: () => done(value), text: label(value) }),
  );
}

function input(attributes, slot, done) {
  const field = el("input", { ...attributes, "aria-label": words().slots[slot], required: true });
  const submit = (event) => {
    event.preventDefault();
    if (field.reportValidity()) done(field.value);
  };
  return [el("form", { onsubmit: submit }, field, el("button", { type: "submit", class: "primary", text: words().apply }))];
}

function boxes(site, now, done) {
  const known = [...new Set(site.rooms.flatMap((room) => room.equipment))].sort();
  const fields = known.map((item) => el("input", { type: "checkbox", value: item, checked: now.includes(item) }));
  const submit = (event) => {
    event.preventDefault();
    done(fields.filter((field) => field.checked).map((field) => field.value));
  };
  return [
    el(
      "form",
      { onsubmit: submit },
      ...fields.map((field) => el("label", {}, field, equipment([field.value]))),
      el("button", { type: "submit", class: "primary", text: words().apply }),
    ),
  ];
}
