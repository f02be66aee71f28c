"""Reads transcripts from files and finds places in them. Everything wrong with a file is one line that names it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from booking_bot.errors import ConfigurationError
from booking_bot.transcripts.model import Transcript

TAGS: Final = frozenset({"user", "wait", "restart", "str", "ModelFault"})
"""Names that pydantic puts into an error's place for a member of a union; they are no keys of the file."""
PLURALS: Final = {
    "int_parsing": "a whole number is wanted",
    "list_type": "a list is wanted",
    "tuple_type": "a list is wanted",
}


class TranscriptError(ConfigurationError):
    """A file that is no transcript: the author's fault. One line with file, key and the legal values."""


@dataclass(frozen=True, slots=True)
class Source:
    """A transcript with the file it came from.

    Attributes:
        text: the file's own text.
        node: the root of the YAML tree, with the place of every value in `text`.
    """

    path: Path
    text: str
    node: yaml.MappingNode
    transcript: Transcript

    def line_of(self, step: int) -> int:
        """Give the line, from 1, on which the step with this number (from 1) begins."""
        steps = child(self.node, "steps")
        if isinstance(steps, yaml.SequenceNode) and 0 < step <= len(steps.value):
            return int(steps.value[step - 1].start_mark.line) + 1
        return 1


def child(node: yaml.Node | None, key: str | int) -> yaml.Node | None:
    """Give the value of a key in a mapping, or an item of a list; None when it is not there."""
    if isinstance(node, yaml.MappingNode):
        return next((value for name, value in node.value if name.value == key), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        item: yaml.Node = node.value[key]
        return item
    return None


def find(paths: Iterable[Path | str]) -> tuple[Path, ...]:
    """Find the files: a file is itself, a folder all `*.yaml` in it at any depth, sorted.

    Raises:
        TranscriptError: a path is not there, or a folder holds none.
    """
    out: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(p for p in path.rglob("*.yaml") if p.is_file())
            if not found:
                raise TranscriptError(f"{path}: no transcript (*.yaml) in this folder")
            out += found
        elif path.is_file():
            out.append(path)
        else:
            raise TranscriptError(f"{path}: no such file or folder")
    return tuple(dict.fromkeys(out))


def load(path: Path | str) -> Source:
    """Read one transcript.

    Raises:
        TranscriptError: it cannot be read, is not YAML, or holds a key or value that is not legal.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TranscriptError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return parse(text, path)


def parse(text: str, path: Path) -> Source:
    """Read a transcript from its text; see `load`."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise TranscriptError(
                f"{path}: a transcript is a mapping with the keys {', '.join(Transcript.model_fields)}"
            )
        _refuse_doubled_keys(node, path)
        data = loader.construct_document(node)
    except yaml.YAMLError as error:
        raise TranscriptError(f"{path}: {_where(error)}") from error
    except RecursionError as error:
        raise TranscriptError(f"{path}: nested too deep") from error
    finally:
        loader.dispose()
    try:
        return Source(path, text, node, Transcript.model_validate(data))
    except ValidationError as error:
        raise TranscriptError(f"{path}: {_first(error)}") from error


class _Loader(yaml.BaseLoader):
    """Takes no aliases: a few lines of them unfold into more than memory holds."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node out of the next events."""
        if self.check_event(yaml.AliasEvent):
            event = self.get_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
            raise yaml.MarkedYAMLError(
                problem=f"aliases are not taken, write out what *{event.anchor} stands for",
                problem_mark=event.start_mark,
            )
        node: yaml.Node | None = super().compose_node(parent, index)
        return node


def _refuse_doubled_keys(node: yaml.Node, path: Path) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen or not isinstance(key, yaml.ScalarNode):
                line = key.start_mark.line + 1
                raise TranscriptError(f"{path}: line {line}: key {key.value!r} stands here twice or is no key")
            seen.add(key.value)
            _refuse_doubled_keys(value, path)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_doubled_keys(item, path)


def _where(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: not YAML: {error.problem}"
    return f"not YAML: {' '.join(str(error).split())}"


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(_shown(first["loc"]))
    message = PLURALS.get(first["type"], first["msg"])
    given = first.get("input")
    value = f" (it is {str(given)[:40]!r})" if isinstance(given, str) and first["type"] != "unknown_key" else ""
    if first["type"] == "missing":
        return f"{place}: the key is missing"
    return f"{place or 'top level'}: {' '.join(message.split())}{value}"


def _shown(loc: tuple[int | str, ...]) -> list[str]:
    out: list[str] = []
    last: Any = None
    for part in loc:
        tag = isinstance(last, int) and part in TAGS
        if not tag:
            out.append(str(part + 1) if isinstance(part, int) else part)
        last = part
    return out
