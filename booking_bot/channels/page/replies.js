// Buttons for the likely answers to what is asked now.

import { byId, el } from "./dom.js";
import { clock, dayName, daysBetween, length, people, plusDays } from "./format.js";
import { numberedLines } from "./talk.js";
import { words } from "./words.js";

const MOST = 8;
const USUAL_MINUTES = [30, 45, 60, 90, 120, 180];

// Lists the buttons: `say` is text to send, `answer` a payload for the pending question.
export function repliesFor(state, site, lastText) {
  const { says } = words();
  if (state.pending === "confirm") return [];
  if (state.pending === "select_room") {
    return [{ label: says.none, say: says.none }, { label: says.drop, say: says.drop }];
  }
  if (state.pending === "clarify") return [...proposals(state, lastText), ...values(state, site), { label: says.drop, say: says.drop }];
  if (state.phase === "BOOKED") {
    return [says.again, says.mine, says.cancelThis].map((text) => ({ label: text, say: text }));
  }
  return [says.start, says.mine, says.help].map((text) => ({ label: text, say: text }));
}

// Options as the question words them; a question about one thing only is answered with a yes.
function proposals({ interrupt }, lastText) {
  if (interrupt?.kind !== "ask_choice") return [];
  if (interrupt.options.length === 1) return [{ label: words().says.yes, answer: { choice: 1 } }];
  const worded = numberedLines(lastText).slice(-interrupt.options.length);
  return interrupt.options.map((option, index) => ({
    label: `${index + 1}. ${worded[index]?.label ?? option}`,
    answer: { choice: index + 1 },
  }));
}

function values(state, site) {
  if (!site || state.interrupt?.kind === "ask_choice") return [];
  const { says } = words();
  switch (state.asks) {
    case "date":
      return dates(site).map((date) => ({ label: dayName(date, site.today), answer: { text: says.date(date) } }));
    case "start_time":
      return hours(site).map((time) => ({ label: time, answer: { text: says.time(time) } }));
    case "duration_minutes":
      return few(site.durations, USUAL_MINUTES).map((minutes) => ({ label: length(minutes), answer: { text: says.duration(minutes) } }));
    case "capacity":
      return few(site.seats, site.seats).map((count) => ({ label: people(count), answer: { text: says.capacity(count) } }));
    case "building":
      return site.buildings.map(({ code }) => ({ label: code, answer: { text: says.change.building(code) } }));
    default:
      return [];
  }
}

export function dates(site) {
  const count = Math.min(MOST, daysBetween(site.first_date, site.last_date) + 1);
  return Array.from({ length: count }, (_, days) => plusDays(site.first_date, days));
}

function hours(site) {
  const first = Math.max(Math.ceil(site.opens / 60), 9);
  const all = Array.from({ length: 10 }, (_, index) => (first + index) * 60);
  return all.filter((minute) => minute < site.closes && minute % 60 === 0 && minute !== 12 * 60).map(clock).slice(0, MOST + 1);
}

function few(legal, usual) {
  const shown = legal.length > MOST ? legal.filter((value) => usual.includes(value)) : legal;
  return shown.slice(0, MOST);
}

export function showReplies(buttons, send) {
  byId("replies").replaceChildren(
    ...buttons.map((button) => el("button", { type: "button", class: "reply", onclick: () => send(button), text: button.label })),
  );
}
