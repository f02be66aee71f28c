// The five phases as a small track.

import { byId, el } from "./dom.js";
import { words } from "./words.js";

const PHASES = ["COLLECTING_SLOTS", "SEARCHING", "AWAITING_SELECTION", "CONFIRMING", "BOOKED"];

export function showTrack(phase) {
  const at = PHASES.indexOf(phase);
  const node = byId("track");
  node.setAttribute("aria-label", words().phaseTrack);
  node.dataset.phase = phase;
  node.replaceChildren(
    ...PHASES.map((name, index) =>
      el(
        "li",
        { class: index < at ? "done" : index === at ? "now" : "ahead", "aria-current": index === at ? "step" : null, "data-phase": name },
        el("span", { class: "dot", "aria-hidden": "true" }),
        el("span", { class: "name", text: words().phases[index] }),
      ),
    ),
  );
}
