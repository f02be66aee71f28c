// Puts the page together: the connection feeds the talk, the talk is shown, buttons speak.

import * as api from "./api.js";
import { cardsFor } from "./cards.js";
import { showChips } from "./chips.js";
import { Connection } from "./connection.js";
import { DayView } from "./dayview.js";
import { byId, el } from "./dom.js";
import { Log } from "./log.js";
import { chosenTheme, sessionId, takeTokenFromAddress, token } from "./memory.js";
import { Mine } from "./mine.js";
import { repliesFor, showReplies } from "./replies.js";
import { Talk } from "./talk.js";
import { showTrack } from "./track.js";
import { chooseOther, follow, language, words } from "./words.js";

const THEMES = ["auto", "light", "dark"];
const REFRESH_MS = 60000;
const PATIENCE_MS = 350;

takeTokenFromAddress();
const connection = new Connection();
const talk = new Talk();
const log = new Log();
const dayView = new DayView();
const mine = new Mine(say);
let site = null;
let waiting = false;
let patience = null;

// --- speaking --------------------------------------------------------------------------------------------------------

function say(text) {
  showTab("chat");
  log.sending(connection.say({ type: "message", text }), text);
  byId("replies").replaceChildren();
}

function answer(payload) {
  const { interrupt } = talk.state;
  if (!interrupt) return;
  disableAnswers();
  connection.say({ type: "resume", interrupt_id: interrupt.id, status: "resolved", payload });
}

function send(button) {
  if (button.answer && talk.state.interrupt) answer(button.answer);
  else say(button.say ?? button.answer.text);
}

function disableAnswers() {
  for (const button of document.querySelectorAll("#replies button, #log .offer button, #log .confirm button")) button.disabled = true;
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
  showTrack(state.phase);
  showChips(state, site, say);
  showReplies(repliesFor(state, site, talk.lastText), send);
  const confirming = state.pending === "confirm";
  const cards = confirming || state.offers.length || talk.wrote ? cardsFor(state, site, talk.lastText, answer) : null;
  log.showExtras(cards, { lines: state.offers.length, whole: confirming });
  dayView.show(state, site);
}

async function loadSite() {
  try {
    site = await api.site();
    byId("user").textContent = site.user;
    byId("user").hidden = site.user === "guest";
  } catch {
    site = null;
  }
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
  byId("composer-text").placeholder = words().placeholder;
  byId("composer-send").textContent = words().send;
  log.relabel();
  showTools();
  showTabs();
  mine.draw();
  dayView.draw();
  draw();
}

function showTools() {
  const theme = chosenTheme.get() ?? "auto";
  const button = (id, text, label, onclick) => el("button", { type: "button", class: "tool", id, text, title: label, "aria-label": label, onclick });
  byId("tools").replaceChildren(
    button("new-talk", "+", words().newTalk, newTalk),
    button("save", "⤓", words().save, save),
    button("theme", { auto: "◐", light: "☀", dark: "☾" }[theme], words().theme[theme], nextTheme),
    button("language", words().otherLanguage, words().otherLanguageLabel, () => {
      chooseOther();
      showWords();
      byId("language").focus();
    }),
  );
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
    const again = el("button", { type: "button", class: "quiet", onclick: () => connection.open(), text: words().reconnect });
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
  if (detail) patience = setTimeout(() => log.waiting(true), PATIENCE_MS);
  else log.waiting(false);
});

connection.addEventListener("settled", () => {
  byId("log").removeAttribute("aria-busy");
  log.toEnd();
});

talk.addEventListener("user", ({ detail }) => log.said(detail));
talk.addEventListener("bot", ({ detail }) => log.begin(detail));
talk.addEventListener("delta", ({ detail }) => log.append(detail));
talk.addEventListener("ended", ({ detail }) => log.end(detail));
talk.addEventListener("state", ({ detail }) => {
  if (detail.language && talk.spoken && follow(detail.language)) showWords();
  draw();
});
talk.addEventListener("finished", () => {
  if (!talk.wrote) return;
  api.forgetDays();
  mine.load(site);
  draw();
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
  const text = composer.value.trim();
  if (!text) return;
  composer.value = "";
  fit();
  say(text);
  composer.focus();
});
composer.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    byId("composer").requestSubmit();
  }
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

showTheme();
showTab("chat");
showWords();
loadSite();
connection.open();
