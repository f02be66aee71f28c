// Booking numbers in the bot's words: short, with the whole number a press away.

import { el } from "./dom.js";
import { words } from "./words.js";

const NUMBER = /\b([0-9a-f]{16})\b/;
// Enough to tell one person's bookings apart.
const SHOWN = 6;

// A line of text with its booking numbers as buttons.
export function withNumbers(line) {
  return line.split(NUMBER).map((part, index) => (index % 2 ? shortened(part) : part));
}

function shortened(number) {
  const button = el("button", { type: "button", class: "booking-number", title: number, text: number.slice(0, SHOWN), onclick: () => copy(button, number) });
  button.setAttribute("aria-label", words().copyNumber(number));
  return button;
}

// Shows the whole number, and copies it where the browser lets a page do that.
async function copy(button, number) {
  button.textContent = number;
  try {
    await navigator.clipboard.writeText(number);
    button.setAttribute("aria-label", words().copied(number));
    button.classList.add("copied");
  } catch {
    // Not allowed: the number stands there whole, to be marked by hand.
  }
}
