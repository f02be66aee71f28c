"""What an MCP server says, in the bot's own terms: arguments, risk, and results as text. No connection here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, model_validator

from booking_bot.tools import Risk

if TYPE_CHECKING:
    from mcp.types import CallToolResult
    from mcp.types import Tool as McpTool

MAX_TEXT: Final = 8_000
"""Characters of a result that are kept."""
MAX_SCHEMA: Final = 20_000
"""Characters of an input schema; of a larger one nothing but "an object" is kept."""


def risk_of(tool: McpTool) -> Risk:
    """Judge a tool by its annotations: what says nothing of itself is sensitive."""
    notes = tool.annotations
    if notes is None:
        return "sensitive"
    if notes.destructive_hint:
        return "destructive"
    return "safe" if notes.read_only_hint else "sensitive"


def arguments_model(schema: Mapping[str, Any]) -> type[BaseModel]:
    """Make an argument model that shows and holds a JSON schema as it is."""
    shown = dict(schema) if len(json.dumps(schema, default=str)) <= MAX_SCHEMA else {"type": "object"}
    check = _checker(shown)

    class Arguments(BaseModel):
        model_config = ConfigDict(extra="allow", frozen=True)

        @model_validator(mode="before")
        @classmethod
        def _fits(cls, data: Any) -> Any:
            wrong = check(data)
            if wrong:
                raise ValueError(wrong)
            return data

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            """Give the server's own schema."""
            return shown

    return Arguments


def _checker(schema: dict[str, Any]) -> Any:
    """Give a check of a value against a schema: what is wrong, or an empty text."""
    from jsonschema import exceptions, validators  # noqa: PLC0415  # comes with mcp
    from referencing import Registry  # noqa: PLC0415  # only with foreign tools

    kind = validators.validator_for(schema, default=validators.Draft202012Validator)
    validator = kind(schema, registry=Registry())  # an empty registry: a schema makes nobody fetch anything

    def check(value: Any) -> str:
        if not isinstance(value, dict):
            return "the arguments must be an object"
        try:
            error = exceptions.best_match(validator.iter_errors(value))
        except Exception as broken:
            return f"the server's schema cannot be applied: {type(broken).__name__}"
        return "" if error is None else f"{error.json_path}: {error.message}"[:200]

    return check


def text_of(result: CallToolResult) -> str:
    """Give a result of any kind as text, bounded; an error says that it is one."""
    parts = [_part(item) for item in result.content]
    if not any(part.strip() for part in parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False, default=str)]
    text = "\n".join(part for part in parts if part)[:MAX_TEXT]
    return f"[error] {text}".rstrip() if result.is_error else text


def _part(item: Any) -> str:
    match item.type:
        case "text":
            return str(item.text)
        case "image" | "audio":
            return f"[{item.type} {item.mime_type}, {len(item.data)} characters of base64]"
        case "resource_link":
            return f"[resource {item.name} {item.uri}]"
        case "resource":
            resource = item.resource
            text = getattr(resource, "text", None)
            return str(text) if text is not None else f"[resource {resource.uri} {resource.mime_type or 'binary'}]"
        case kind:
            return f"[{kind}]"
