// The messages, as they come.

import { byId, el } from "./dom.js";
import { withNumbers } from "./numbers.js";
import { words } from "./words.js";

const NEAR_END_PX = 120;
// Of the message above high cards this much stays in sight.
const ABOVE_PX = 44;

const lastOf = (items, count) => items.slice(Math.max(0, items.length - count));

export class Log {
  constructor() {
    this.node = byId("log");
    this.clear();
  }

  clear() {
    this.node.replaceChildren();
    this.mine = new Map();
    this.bubbles = new Map();
    this.answers = [];
    this.run = [];
    this.last = null;
    this.extras = null;
    this.welcome = this.add("bot", words().welcome);
    this.welcome.row.classList.add("welcome");
  }

  relabel() {
    this.welcome.body.textContent = words().welcome;
    for (const { body, worded } of this.answers) body.textContent = worded();
    for (const who of this.node.querySelectorAll(".who")) {
      who.textContent = who.parentElement.classList.contains("user") ? words().you : words().bot;
    }
  }

  add(who, text) {
    const body = el("div", { class: "bubble", text });
    const label = el("span", { class: "who sr-only", text: who === "user" ? words().you : words().bot });
    const row = el("div", { class: `row ${who}` }, label, body);
    const stay = this.nearEnd();
    this.node.append(row);
    if (stay || who === "user") this.toEnd();
    return { row, body };
  }

  // A message of one's own, before the server has taken it.
  sending(id, text) {
    const shown = this.add("user", text);
    shown.row.classList.add("sending");
    shown.row.append(el("span", { class: "note", text: words().sending }));
    this.mine.set(id, shown);
    this.clearExtras();
  }

  // A message has been taken; `worded` gives its words, which may change with the page's language.
  said(id, worded) {
    const own = this.mine.get(id);
    const shown = own ?? this.add("user", "");
    if (own) {
      this.mine.delete(id);
      own.row.classList.remove("sending");
      own.row.querySelector(".note")?.remove();
      this.node.append(own.row);
    }
    shown.body.textContent = worded();
    this.answers.push({ body: shown.body, worded });
    this.run.push({ id, shown, own: Boolean(own) });
    this.clearExtras();
  }

  started() {
    this.run = [];
  }

  // What was told of the run does not count: it is told again, so it is taken off the screen.
  abandoned() {
    for (const { id, shown, own } of this.run) {
      this.bubbles.delete(id);
      if (own) this.mine.set(id, shown);
      else shown.row.remove();
    }
    this.run = [];
  }

  begin({ id }) {
    this.last = this.add("bot", "");
    this.bubbles.set(id, this.last);
    this.run.push({ id, shown: this.last, own: false });
  }

  append({ id, delta }) {
    const stay = this.nearEnd();
    this.bubbles.get(id)?.body.append(el("span", { class: "delta", text: delta }));
    if (stay) this.toEnd();
  }

  // Once a message is whole, its lines stand by themselves: numbered ones give way to cards.
  end({ id, text }) {
    const shown = this.bubbles.get(id);
    if (!shown) return;
    this.bubbles.delete(id);
    const lines = text.split("\n");
    shown.body.replaceChildren(
      ...lines.map((line) => el("span", { class: /^\d+\. /.test(line) ? "line numbered" : "line", "data-text": line }, ...withNumbers(line))),
    );
  }

  notice(text) {
    const stay = this.nearEnd();
    this.node.append(el("p", { class: "notice", text }));
    if (stay) this.toEnd();
  }

  // Shows that an answer is on its way, and what is being done for it.
  waiting(on, doing = "") {
    this.dots?.remove();
    this.dots = null;
    if (!on) return;
    const stay = this.nearEnd();
    const moving = el("span", { class: "moving-dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
    this.dots = el("div", { class: "row bot dots" }, moving, el("span", { class: "doing", text: doing }));
    this.node.append(this.dots);
    if (stay) this.toEnd();
  }

  failed(id) {
    const shown = this.mine.get(id);
    if (!shown) return;
    this.mine.delete(id);
    shown.row.classList.replace("sending", "failed");
    shown.row.querySelector(".note")?.remove();
  }

  clearExtras() {
    this.extras?.remove();
    this.extras = null;
    for (const kind of ["in-cards", "has-read-back"]) {
      for (const node of this.node.querySelectorAll(`.${kind}`)) node.classList.remove(kind);
    }
  }

  // Cards under the last message; they stand for its last `lines` numbered lines, or for the `text` it ends with.
  showExtras(node, { lines = 0, text = "" } = {}) {
    this.clearExtras();
    if (!node) return;
    this.extras = node;
    const all = this.last ? [...this.last.body.children] : [];
    const numbered = all.filter((line) => line.classList.contains("numbered"));
    for (const line of lastOf(numbered, lines)) line.classList.add("in-cards");
    if (text) this.hideEnd(all, text.split("\n"));
    this.node.append(node);
  }

  // What the card says is not said above it too; what was answered before it stays.
  hideEnd(all, wanted) {
    const end = lastOf(all, wanted.length);
    if (!end.length || end.map((line) => line.dataset.text).join("\n") !== wanted.join("\n")) return;
    for (const line of end) line.classList.add("in-cards");
    this.last.row.classList.toggle("has-read-back", end.length === all.length);
  }

  nearEnd() {
    if (this.extras) return this.node.scrollTop + this.node.clientHeight > this.extras.offsetTop - this.node.offsetTop;
    return this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < NEAR_END_PX;
  }

  // Shows the end; of cards that are higher than the log their beginning.
  toEnd() {
    const high = this.extras && this.extras.offsetHeight > this.node.clientHeight - ABOVE_PX;
    this.node.scrollTop = high ? this.extras.offsetTop - this.node.offsetTop - ABOVE_PX : this.node.scrollHeight;
  }
}
