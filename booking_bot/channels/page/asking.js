// A small dialog that asks before something is given up.

import { el } from "./dom.js";
import { words } from "./words.js";

// Calls `goOn` on a yes only; closing the dialog in any way changes nothing.
export function askFirst({ title, text }, goOn) {
  const act = () => {
    dialog.close();
    goOn();
  };
  const dialog = el(
    "dialog",
    { class: "editor asking", role: "alertdialog", "aria-labelledby": "asking-title", "aria-describedby": "asking-text" },
    el("h2", { id: "asking-title", text: title }),
    el("p", { id: "asking-text", text }),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", autofocus: true, onclick: () => dialog.close(), text: words().goBack }),
      el("button", { type: "button", class: "primary grave", onclick: act, text: words().goOn }),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
