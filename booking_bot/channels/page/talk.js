// Where the talk stands, made from the events of the socket. Knows nothing of the screen.

export const NOTHING_SAID = {
  phase: "COLLECTING_SLOTS",
  slots: {},
  evidence: {},
  offers: [],
  pending: null,
  booking: null,
  asks: null,
  room: null,
  choices: 0,
  interrupt: null,
  language: null,
  read_back: null,
};

const WRITES = new Set(["book_room", "move_booking", "cancel_booking", "cancel_bookings"]);

export class Talk extends EventTarget {
  constructor() {
    super();
    this.clear();
  }

  clear() {
    this.state = NOTHING_SAID;
    this.texts = new Map();
    this.lastText = "";
    this.readBack = null;
    this.spoken = false;
    this.wrote = false;
  }

  // Takes one event and tells listeners what it means for the screen.
  take(event) {
    switch (event.type) {
      case "CUSTOM":
        if (event.name === "user_message") {
          this.spoken = true;
          this.tell("user", { ...event.value, state: this.state, lastText: this.lastText });
        }
        break;
      case "RUN_STARTED":
        this.wrote = false;
        this.tell("started");
        break;
      case "TOOL_CALL_START":
        this.wrote ||= WRITES.has(event.toolCallName);
        this.tell("tool", event.toolCallName);
        break;
      case "TEXT_MESSAGE_START":
        this.texts.set(event.messageId, "");
        if (!isPrompt(event.messageId)) this.tell("bot", { id: event.messageId });
        break;
      case "TEXT_MESSAGE_CONTENT":
        this.texts.set(event.messageId, this.texts.get(event.messageId) + event.delta);
        if (!isPrompt(event.messageId)) this.tell("delta", { id: event.messageId, delta: event.delta });
        break;
      case "TEXT_MESSAGE_END":
        this.ended(event.messageId);
        break;
      case "STATE_SNAPSHOT":
        this.state = event.snapshot;
        this.tell("state", this.state);
        break;
      case "RUN_FINISHED":
        this.asked(event.outcome?.interrupts?.[0]?.message ?? "");
        this.tell("finished");
        break;
      case "RUN_ERROR":
        this.tell("refused", event);
        break;
    }
  }

  // The prompt that answers a hello is shown only where the talk does not end with it already.
  ended(id) {
    const text = this.texts.get(id);
    this.texts.delete(id);
    if (isPrompt(id)) {
      this.asked(text);
      if (this.lastText.endsWith(text)) return;
      this.tell("bot", { id });
      this.tell("delta", { id, delta: text });
    }
    this.lastText = text;
    this.tell("ended", { id, text });
  }

  // Keeps the words of the pending read-back: a side question that asks back ("which city?") does not take their place.
  // What is read back always names its start, where it has one.
  asked(question) {
    const { read_back: readBack, slots } = this.state;
    if (!readBack) {
      this.readBack = null;
      return;
    }
    const of = JSON.stringify([readBack, slots]);
    if (!readBack.start || question.includes(readBack.start)) this.readBack = { of, text: question };
    else if (this.readBack?.of !== of) this.readBack = { of, text: readBack.yes };
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const isPrompt = (id) => id.includes("-prompt-");

export function numberedLines(text) {
  return text.split("\n").flatMap((line) => {
    const match = /^(\d+)\. (.+)$/.exec(line);
    return match ? [{ number: Number(match[1]), label: match[2] }] : [];
  });
}
