// What a button answered, in words a person would read. Text that was typed is shown as it was typed.

import { dateWords, named } from "./format.js";
import { numberedLines } from "./talk.js";

const BY_BUTTON = "answer-";
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const YES = ["确认", "yes"];
const NO = ["不要", "no"];

// Ids are the page's own: they tell a button's answer from typed text after a reload too.
export const answerId = (id) => BY_BUTTON + id;

// Gives the words of a message said in `state`, under a question that ended with `lastText`.
export function shownMessage({ id, text }, state, lastText, site) {
  if (!id.startsWith(BY_BUTTON)) return text;
  const { interrupt, read_back: readBack, offers } = state;
  if (readBack && YES.includes(text)) return readBack.yes;
  if (readBack && NO.includes(text)) return readBack.no;
  const offer = offers.find((item) => item.room_id === text || String(item.number) === text);
  if (offer) return named(offer.name);
  if (interrupt?.options.length && /^[\d, ]+$/.test(text)) {
    const labels = optionLabels(interrupt, lastText);
    return text.split(", ").map((number) => labels[number - 1] ?? number).join(" · ");
  }
  return plainly(text, site);
}

// The options of a question as its text words them.
export function optionLabels(interrupt, lastText) {
  const worded = numberedLines(lastText).slice(-interrupt.options.length);
  return interrupt.options.map((option, index) => worded[index]?.label ?? option);
}

// The words a value was read from; null where they say no more than the value itself.
export function saidWords(said, value, site) {
  if (!said || /^[\d\s,，、.#]+$/.test(said)) return null;
  const words = plainly(said, site);
  return bare(value).includes(bare(words)) ? null : words;
}

const bare = (text) => text.replace(/[\s·,，]/g, "").toLowerCase();

// Rooms by their names in the language of the words around them.
function plainly(text, site) {
  const language = /[\u4e00-\u9fff]/.test(text) ? "zh" : "en";
  const dated = text.replace(ISO_DATE, (date) => dateWords(date));
  const rooms = new Map(site?.rooms.map((room) => [room.id, room.name[language]]));
  return dated.replace(/\b[A-Za-z][\w-]*\b/g, (word) => rooms.get(word) ?? word);
}
