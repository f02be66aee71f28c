// The few pictures on buttons, drawn as lines in the colour of the text beside them.

import { svg } from "./dom.js";

const LINES = {
  plus: ["M12 5v14M5 12h14"],
  save: ["M12 4v11M7 10.5l5 5 5-5M5 20h14"],
  auto: ["M12 3a9 9 0 1 0 0 18z", "M12 3a9 9 0 0 1 0 18"],
  light: ["M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8"],
  dark: ["M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z"],
  language: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", "M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"],
  earlier: ["M14.5 6l-6 6 6 6"],
  later: ["M9.5 6l6 6-6 6"],
};

export function icon(name) {
  const picture = svg("svg", { class: `icon ${name}`, viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" });
  picture.append(...LINES[name].map((d) => svg("path", { d })));
  return picture;
}
