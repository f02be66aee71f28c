// Buttons for the likely answers to what is asked now.

import { optionLabels } from "./answers.js";
import { byId, el } from "./dom.js";
import { edit } from "./editor.js";
import { clock, dateWords, dayName, daysBetween, length, named, people, plusDays } from "./format.js";
import { dates, lengths, MOST, starts } from "./suggestions.js";
import { words } from "./words.js";

// So many days at most are shown on large buttons.
const FEW_DAYS = 3;

// Lists the buttons: `say` is text to send, `answer` a payload for the pending question, `slot` one to edit.
export function repliesFor(state, site, lastText) {
  const { says } = words();
  if (state.pending === "confirm") return [];
  if (state.interrupt?.kind === "ask_confirm") {
    return [{ label: says.yes, answer: { confirmed: true } }, { label: says.no, answer: { confirmed: false } }];
  }
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
  return optionLabels(interrupt, lastText).map((label, index) => ({ label: `${index + 1}. ${label}`, answer: { choice: index + 1 } }));
}

function values(state, site) {
  if (!site || state.interrupt?.options.length) return [];
  const { says } = words();
  switch (state.asks) {
    case "date":
      return withOther("date", dates(site), daysBetween(site.first_date, site.last_date) + 1, (date) => ({
        label: dayName(date, site.today),
        answer: { text: dateWords(date) },
        small: site.first_date < plusDays(site.last_date, -FEW_DAYS),
      }));
    case "start_time":
      return withOther("start_time", starts(site, state.slots), Infinity, (minute) => ({
        label: clock(minute),
        answer: { text: clock(minute) },
        small: true,
      }));
    case "duration_minutes":
      return withOther("duration_minutes", lengths(site), site.durations.length, (minutes) => ({
        label: length(minutes),
        answer: { text: says.duration(minutes) },
      }));
    case "capacity":
      return withOther("capacity", site.seats.slice(0, MOST), site.seats.length, (count) => ({
        label: people(count),
        answer: { text: says.capacity(count) },
      }));
    case "building":
      return site.buildings.map(({ code, name }) => ({ label: named(name), answer: { text: says.change.building(code) } }));
    default:
      return [];
  }
}

// Buttons for these values, and one for the others where there are more than these.
function withOther(slot, shown, legal, button) {
  const buttons = shown.map(button);
  return shown.length < legal ? [...buttons, { label: words().other[slot], slot, small: buttons[0]?.small }] : buttons;
}

// Shows the buttons, or boxes to tick where several of the options may be chosen.
export function showReplies(state, site, lastText, { send, answer, say }) {
  const act = (button) => (button.slot ? edit(button.slot, state, site, say) : send(button));
  const buttons = repliesFor(state, site, lastText).map((button) =>
    el("button", { type: "button", class: button.small ? "reply small" : "reply", onclick: () => act(button), text: button.label }),
  );
  const several = state.interrupt?.kind === "ask_multi_choice" ? [severalOf(state.interrupt, lastText, answer)] : [];
  byId("replies").replaceChildren(...several, ...buttons);
}

function severalOf(interrupt, lastText, answer) {
  const labels = optionLabels(interrupt, lastText);
  const boxes = labels.map((_, index) => el("input", { type: "checkbox", value: index + 1 }));
  const chosen = () => boxes.flatMap((box, index) => (box.checked ? [index] : []));
  const submit = el("button", { type: "submit", class: "primary", disabled: true, text: words().sendChoice(0) });
  const count = () => {
    submit.disabled = !chosen().length;
    submit.textContent = words().sendChoice(chosen().length);
  };
  const done = (event) => {
    event.preventDefault();
    answer({ choices: chosen().map((index) => index + 1) }, chosen().map((index) => labels[index]).join(" · "));
  };
  return el(
    "form",
    { class: "several", onsubmit: done, onchange: count },
    el("fieldset", {}, el("legend", { text: words().several }), ...boxes.map((box, index) => el("label", {}, box, labels[index]))),
    submit,
  );
}
