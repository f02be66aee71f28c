// The socket: says hello, comes back after a loss, and sends every message until it is answered.

import { answerId } from "./answers.js";
import { chosenLanguage, sessionId, token } from "./memory.js";
import { parsed } from "./reading.js";

const PING_MS = 20000;
const DEAD_MS = 50000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15000;
const TOKEN_RAN_OUT = 4003;
// The server takes frames of 16 KiB; what stands around a message's text takes less than this.
const LONGEST_TEXT_BYTES = 16384 - 256;
const HALF_A_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

// Whether a text is short enough to be sent as one message, written as JSON.
export const fits = (text) => new TextEncoder().encode(JSON.stringify(text)).length <= LONGEST_TEXT_BYTES;

// Gives the text with halves of characters replaced, which no server could read.
export const wellFormed = (text) => text.replace(HALF_A_PAIR, "\uFFFD");

export class Connection extends EventTarget {
  constructor() {
    super();
    this.lastSeq = 0;
    this.joined = null;
    this.unanswered = new Map();
    this.failures = 0;
    this.greeted = false;
    this.inRun = false;
    this.openRun = null;
    this.helloSeq = 0;
    this.socket = null;
    this.timer = null;
    this.refusal = null;
    setInterval(() => this.lookAfter(), PING_MS / 2);
    window.addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.socket) this.open();
    });
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const address = new URL("/ws", window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.greeted = false;
    this.abandonRun();
    this.heardAt = Date.now();
    socket.addEventListener("open", () => {
      this.transmit({ type: "hello", session_id: sessionId.get(), last_seq: this.lastSeq, token: token.get(), language: chosenLanguage.get() ?? "auto" });
    });
    socket.addEventListener("message", (message) => {
      if (socket === this.socket) this.hear(parsed(message.data));
    });
    socket.addEventListener("close", (closed) => {
      if (socket === this.socket) this.lost(closed.code);
    });
  }

  // Starts a new session; what was not answered is not carried over.
  restart() {
    sessionId.set(null);
    this.rejoin();
  }

  // Whether another tab has begun a conversation since, which is then this tab's too.
  get leftBehind() {
    return this.joined !== null && sessionId.get() !== this.joined;
  }

  // Takes up the session that is remembered, from its start.
  rejoin() {
    this.openRun = null;
    this.lastSeq = 0;
    this.joined = null;
    this.unanswered.clear();
    this.drop();
    this.failures = 0;
    this.open();
  }

  // Says or answers something; `byButton` marks what was not typed.
  say(frame, byButton = false) {
    const whole = { ...frame, id: byButton ? answerId(newId()) : newId() };
    this.unanswered.set(whole.id, whole);
    if (this.greeted) this.transmit(whole);
    else this.open();
    this.tellWaiting();
    return whole.id;
  }

  // Tells the language of the following answers; a hello that is still to come tells it itself.
  speak(language) {
    if (this.greeted) this.transmit({ type: "language", language });
  }

  transmit(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  // A run that comes twice (an answer to a message sent again) is shown once.
  hear(event) {
    this.heardAt = Date.now();
    if (event.type === "CUSTOM" && event.name === "pong") return;
    if (event.type === "CUSTOM" && event.name === "session") this.welcomed(event);
    if (event.type === "RUN_STARTED") {
      this.inRun = true;
      if (event.seq > this.lastSeq) this.openRun = { from: event.seq - 1 };
    }
    const seen = this.inRun && event.seq <= this.lastSeq;
    if (event.type === "RUN_FINISHED") {
      this.inRun = false;
      this.openRun = null;
      this.unanswered.delete(event.runId);
      this.tellWaiting();
    }
    if (event.type === "RUN_ERROR" && event.code === "run_restarted") {
      this.abandonRun();
      return;
    }
    if (event.type === "RUN_ERROR") this.refused(event);
    if (seen) return;
    this.lastSeq = Math.max(this.lastSeq, event.seq);
    this.dispatchEvent(new CustomEvent("event", { detail: event }));
    if (event.type === "STATE_SNAPSHOT" && !this.greeted && event.seq === this.helloSeq) this.settled();
  }

  // A run that is not finished does not count: it is told again from its start.
  abandonRun() {
    this.inRun = false;
    if (!this.openRun) return;
    this.lastSeq = this.openRun.from;
    this.openRun = null;
    this.dispatchEvent(new CustomEvent("abandoned"));
  }

  welcomed(event) {
    const known = event.value.session_id === sessionId.get();
    this.lastSeq = event.seq;
    sessionId.set(event.value.session_id);
    this.joined = event.value.session_id;
    this.helloSeq = event.seq;
    this.failures = 0;
    this.refusal = null;
    this.dispatchEvent(new CustomEvent("state", { detail: { online: true, known } }));
  }

  // Everything missed has come: what is still without an answer is sent again under its old id.
  settled() {
    this.greeted = true;
    this.dispatchEvent(new CustomEvent("settled"));
    for (const frame of this.unanswered.values()) this.transmit(frame);
  }

  refused(event) {
    this.refusal = event.code;
    if (event.code !== "shutting_down") this.unanswered.delete(event.runId);
    this.tellWaiting();
  }

  // Whether the same was said, or the same question answered, and is still without an answer.
  awaits({ type, text, interrupt_id: asked }) {
    return [...this.unanswered.values()].some((frame) => frame.type === type && frame.text === text && frame.interrupt_id === asked);
  }

  // Whether anything said is.
  get waits() {
    return this.unanswered.size > 0;
  }

  tellWaiting() {
    this.dispatchEvent(new CustomEvent("waiting", { detail: this.waits }));
  }

  lost(code) {
    this.socket = null;
    this.greeted = false;
    if (this.refusal === "unauthorized" || code === TOKEN_RAN_OUT) {
      this.dispatchEvent(new CustomEvent("unauthorized"));
      return;
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures) * (0.7 + 0.6 * Math.random());
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
    this.dispatchEvent(new CustomEvent("state", { detail: { online: false, wait } }));
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    this.greeted = false;
    socket?.close();
  }

  lookAfter() {
    if (!this.socket) return;
    if (Date.now() - this.heardAt > DEAD_MS) {
      this.drop();
      this.lost(1006);
    } else if (this.greeted && !document.hidden) {
      this.transmit({ type: "ping" });
    }
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
