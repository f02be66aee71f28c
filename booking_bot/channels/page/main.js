// Puts the page together: the connection feeds the talk, the talk is shown, buttons speak.

import * as api from "./api.js";
import { shownMessage } from "./answers.js";
import { askFirst } from "./asking.js";
import { cardsFor } from "./cards.js";
import { showChips } from "./chips.js";
import { Connection, fits, wellFormed } from "./connection.js";
import { DayView } from "./dayview.js";
import { byId, el } from "./dom.js";
import { icon } from "./icons.js";
import { Log } from "./log.js";
import { chosenTheme, LANGUAGE, SESSION, sessionId, takeTokenFromAddress, THEME, token } from "./memory.js";
import { Mine } from "./mine.js";
import { showReplies } from "./replies.js";
import { Talk } from "./talk.js";
import { showTrack } from "./track.js";
import { chooseOther, follow, language, words } from "./words.js";

const THEMES = ["auto", "light", "dark"];
const REFRESH_MS = 60000;
const PATIENCE_MS = 350;
const LONG_MS = 5000;
// Safari ends a composition before it tells of the Enter that chose the word; only this old code tells them apart.
const IN_COMPOSITION = 229;
const NARROW = window.matchMedia("(max-width: 639px)");

takeTokenFromAddress();
const connection = new Connection();
const talk = new Talk();
const log = new Log();
const dayView = new DayView();
const mine = new Mine(speakOf);
let site = null;
let waiting = false;
let patience = null;
let doing = "";

// --- speaking --------------------------------------------------------------------------------------------------------

// `byButton`: the words are the page's own, not typed.
function say(text, byButton = false) {
  showTab("chat");
  if (connection.awaits({ type: "message", text })) return;
  log.sending(connection.say({ type: "message", text }, byButton), text);
  byId("replies").replaceChildren();
}

// Answers the pending question; `label` is what the button said.
function answer(payload, label) {
  const { interrupt } = talk.state;
  if (!interrupt || connection.awaits({ type: "resume", interrupt_id: interrupt.id })) return;
  log.sending(connection.say({ type: "resume", interrupt_id: interrupt.id, status: "resolved", payload }, true), label);
  byId("replies").replaceChildren();
}

// Speaks of a booking that exists; what is under way besides is not given up without a word.
function speakOf(booking, text, done = () => {}) {
  const goOn = () => {
    done();
    say(text, true);
  };
  const stake = atStake(talk.state, booking);
  if (stake) askFirst({ title: words().draftTitle, text: stake }, goOn);
  else goOn();
}

function atStake({ read_back: readBack, pending, slots }, booking) {
  if (readBack) return readBack.booking === booking.id ? null : words().draftAwaits(readBack.yes);
  return pending && Object.keys(slots).length ? words().draftOpen : null;
}

function send(button) {
  if (button.answer && talk.state.interrupt) answer(button.answer, button.label);
  else say(button.say ?? button.answer.text);
}

// --- showing ---------------------------------------------------------------------------------------------------------

// Many events arrive together: the screen is drawn once for all of them. A hidden page gets no animation frames.
function draw() {
  if (waiting) return;
  waiting = true;
  if (document.hidden) setTimeout(drawNow);
  else requestAnimationFrame(drawNow);
}

function drawNow() {
  waiting = false;
  const { state } = talk;
  const stay = log.nearEnd();
  showTrack(state.phase);
  showChips(state, site, say);
  byId("save").disabled = !talk.spoken;
  // While an answer is on its way, to this tab or another, nothing else can be picked.
  if (!connection.waits && !connection.inRun) showChoices();
  if (stay) log.toEnd();
  dayView.show(state, site);
}

function showChoices() {
  const { state } = talk;
  const confirming = state.pending === "confirm";
  const text = confirming ? talk.readBack?.text ?? talk.lastText : "";
  const cards = confirming || state.offers.length || talk.wrote ? cardsFor(state, site, text, answer) : null;
  showReplies(state, site, talk.lastText, { send, answer, say });
  log.showExtras(cards, { lines: state.offers.length, text });
}

async function loadSite() {
  try {
    site = await api.site();
    byId("user").textContent = site.user;
    byId("user").hidden = site.user === "guest";
  } catch {
    site = null;
  }
  log.relabel();
  draw();
  mine.load(site);
}

function showWords() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.title = words().title;
  byId("title").textContent = words().title;
  byId("skip").textContent = words().skip;
  byId("chat-title").textContent = words().tabs.chat;
  byId("composer-label").textContent = words().message;
  showPlaceholder();
  byId("composer-send").textContent = words().send;
  log.relabel();
  showTools();
  showTabs();
  mine.draw();
  dayView.draw();
  draw();
}

function showPlaceholder() {
  byId("composer-text").placeholder = NARROW.matches ? words().placeholderShort : words().placeholder;
}

function showTools() {
  const theme = chosenTheme.get() ?? "auto";
  const button = (id, picture, text, label, onclick, more = {}) =>
    el("button", { type: "button", class: "tool", id, title: label, "aria-label": label, onclick, ...more }, icon(picture), el("span", { class: "label", text }));
  byId("tools").replaceChildren(
    button("new-talk", "plus", words().newTalk, words().newTalk, newTalk),
    button("save", "save", words().saveShort, words().save, save, { disabled: !talk.spoken }),
    button("theme", theme, words().themeShort[theme], words().theme[theme], nextTheme),
    button("language", "language", words().otherLanguage, words().otherLanguageLabel, otherLanguage),
  );
}

// The choice holds for the bot's answers too: a button's answer has no words to tell the language by.
function otherLanguage() {
  chooseOther();
  speakChosen();
  byId("language").focus();
}

function speakChosen() {
  connection.speak(language());
  showWords();
}

function showTabs() {
  const at = byId("layout").dataset.tab ?? "chat";
  byId("tabs").replaceChildren(
    ...["chat", "day", "mine"].map((name) =>
      el("button", { type: "button", "aria-pressed": String(name === at), "data-tab": name, onclick: () => showTab(name), text: words().tabs[name] }),
    ),
  );
}

function showTab(name) {
  byId("layout").dataset.tab = name;
  for (const tab of byId("tabs").children) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  dayView.draw();
}

function showTheme() {
  const theme = chosenTheme.get();
  if (theme && theme !== "auto") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function nextTheme() {
  const at = THEMES.indexOf(chosenTheme.get() ?? "auto");
  chosenTheme.set(THEMES[(at + 1) % THEMES.length]);
  showTheme();
  showTools();
  byId("theme").focus();
}

function banner(text, ...more) {
  const node = byId("banner");
  node.hidden = !text;
  node.replaceChildren(...(text ? [el("span", { text }), ...more] : []));
}

function reconnect() {
  banner(words().reconnecting);
  connection.open();
}

// All tabs show the same talk; what this one has said in the old one is answered there first.
function followTalk() {
  if (!connection.leftBehind || connection.waits) return;
  talk.clear();
  log.clear();
  connection.rejoin();
  draw();
}

function newTalk() {
  talk.clear();
  log.clear();
  connection.restart();
  draw();
  byId("composer-text").focus();
}

async function save() {
  try {
    const text = await api.transcript(sessionId.get());
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/yaml" })), download: "conversation.yaml" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch {
    log.notice(words().saveFailed);
  }
}

function signIn() {
  const field = el("input", { type: "password", id: "token", required: true, autocomplete: "off", "aria-label": words().signIn });
  const dialog = el("dialog", { class: "editor", "aria-label": words().signIn });
  const submit = (event) => {
    event.preventDefault();
    token.set(field.value.trim());
    dialog.close();
    connection.open();
    loadSite();
  };
  dialog.append(
    el("h2", { text: words().signIn }),
    el("form", { onsubmit: submit }, field, el("button", { type: "submit", class: "primary", text: words().signInButton })),
  );
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// --- wiring ----------------------------------------------------------------------------------------------------------

connection.addEventListener("event", ({ detail }) => talk.take(detail));
connection.addEventListener("unauthorized", signIn);
connection.addEventListener("state", ({ detail }) => {
  document.documentElement.dataset.online = String(detail.online);
  if (!detail.online) {
    const again = el("button", { type: "button", class: "quiet", onclick: reconnect, text: words().reconnect });
    banner(words().offline(Math.max(1, Math.round(detail.wait / 1000))), again);
    return;
  }
  banner("");
  byId("log").setAttribute("aria-busy", "true");
  if (!detail.known && talk.spoken) {
    talk.clear();
    log.clear();
    log.notice(words().expired);
  }
  if (!site) loadSite();
});

// Most answers come at once: dots are for those that do not.
connection.addEventListener("waiting", ({ detail }) => {
  clearTimeout(patience);
  doing = "";
  if (detail) {
    patience = setTimeout(showPatience, PATIENCE_MS);
    return;
  }
  log.waiting(false);
  draw();
  followTalk();
});

function showPatience() {
  clearTimeout(patience);
  log.waiting(true, doing);
  patience = setTimeout(() => log.waiting(true, doing || words().doing.long), LONG_MS);
}

connection.addEventListener("settled", () => {
  byId("log").removeAttribute("aria-busy");
  log.toEnd();
});

connection.addEventListener("abandoned", () => log.abandoned());
talk.addEventListener("started", () => log.started());
talk.addEventListener("user", ({ detail }) => {
  const { state, lastText, ...message } = detail;
  log.said(message.id, () => shownMessage(message, state, lastText, site));
});
talk.addEventListener("tool", ({ detail }) => {
  doing = words().doing[detail] ?? words().doing.other(detail);
  if (log.dots) log.waiting(true, doing);
});
talk.addEventListener("bot", ({ detail }) => {
  clearTimeout(patience);
  log.waiting(false);
  log.begin(detail);
});
talk.addEventListener("delta", ({ detail }) => log.append(detail));
talk.addEventListener("ended", ({ detail }) => {
  log.end(detail);
  draw();
});
talk.addEventListener("state", draw);
talk.addEventListener("finished", () => {
  draw();
  if (!talk.wrote) return;
  api.forgetDays();
  mine.load(site);
});
talk.addEventListener("refused", ({ detail }) => {
  if (detail.code === "unauthorized") return;
  if (detail.code === "shutting_down") return;
  log.failed(detail.runId);
  log.notice(words().errors[detail.code] ?? words().error);
  draw();
});

const composer = byId("composer-text");
byId("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = wellFormed(composer.value.trim());
  if (!text) return;
  if (!fits(text)) {
    log.notice(words().errors.too_large);
    return;
  }
  if (connection.awaits({ type: "message", text })) {
    showPatience();
    return;
  }
  composer.value = "";
  fit();
  say(text);
  composer.focus();
});
composer.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === IN_COMPOSITION) return;
  event.preventDefault();
  if (!event.repeat) byId("composer").requestSubmit();
});
composer.addEventListener("input", fit);

function fit() {
  composer.rows = Math.min(5, Math.max(1, composer.value.split("\n").length));
}

setInterval(() => {
  if (document.hidden) return;
  api.forgetDays();
  dayView.load();
}, REFRESH_MS);

NARROW.addEventListener("change", showPlaceholder);
// Another tab's choices hold here too. The language is each connection's own, so this one tells it as well.
window.addEventListener("storage", ({ key }) => {
  if (key === LANGUAGE && follow()) speakChosen();
  if (key === SESSION) followTalk();
  if (key === THEME) {
    showTheme();
    showTools();
  }
});

showTheme();
showTab("chat");
showWords();
loadSite();
connection.open();
