"""Draws the phase machine as Mermaid, made from the table."""

from __future__ import annotations

from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.table import TRANSITIONS


def mermaid() -> str:
    """Give the phases and every way from one to another, labelled with what is seen and when.

    Rows that stay in their phase are left out: they are answers, not moves.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.COLLECTING_SLOTS}"]
    labels: dict[tuple[Phase, Phase], list[str]] = {}
    for row in TRANSITIONS:
        if row.go_to is None:
            continue
        for phase in row.phases:
            if phase is not row.go_to:
                guard = row.only_if.__name__.split("_from_")[0].replace("_", " ")
                label = row.seeing if guard == "always" else f"{row.seeing} ({guard})"
                known = labels.setdefault((phase, row.go_to), [])
                if label not in known:
                    known.append(label)
    for (source, target), texts in labels.items():
        lines.append(f"    {source} --> {target}: {'<br/>'.join(texts)}")
    return "\n".join(lines) + "\n"
