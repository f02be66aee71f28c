"""`/openapi.json`: made from the table of operations and the pydantic models, so that it cannot lag behind them."""

from __future__ import annotations

import http
import re
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from booking_bot import __version__
from booking_bot.channels.http_api.operations import OPERATIONS, Operation
from booking_bot.channels.http_api.problems import MEDIA_TYPE
from booking_bot.channels.http_api.requests import HEADER_TEXT, KEY_HEADER, TOKEN_HEADER
from booking_bot.channels.http_api.values import Problem
from booking_bot.service.values import MAX_KEY_CHARS, MAX_TOKEN_CHARS

JSON: Final = dict[str, Any]
_REFERENCE: Final = "#/components/schemas/{model}"
_PATH_PARAMETER: Final = re.compile(r"{(\w+)}")
_EVERY: Final = (403, 421, 500)
_HEADER_SCHEMA: Final = {"type": "string", "minLength": 1, "pattern": HEADER_TEXT}


def openapi(*, secured: bool = False) -> dict[str, Any]:
    """Describe the API.

    Args:
        secured: whether the server wants bearer tokens.
    """
    models = _Models()
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, models, secured)
    components: dict[str, Any] = {"schemas": models.schemas()}
    if secured:
        components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "booking-bot",
            "version": __version__,
            "description": "Meeting rooms by message or by form. Every write is read back first and done only with "
            "the token of its read-back. `/agui` (AG-UI over SSE) and `/mcp` (MCP, streamable HTTP) have protocols of "
            "their own.",
        },
        "paths": paths,
        "components": components,
    }


class _Models:
    """The models in use, as references and then as one set of schemas."""

    def __init__(self) -> None:
        used: list[tuple[type[BaseModel], JsonSchemaMode]] = [(Problem, "serialization")]
        for operation in OPERATIONS:
            used += [(model, "serialization") for model in operation.answers.values() if model is not None]
            if operation.body is not None:
                used.append((operation.body, "validation"))
        unique = list(dict.fromkeys(used))
        self._references, definitions = models_json_schema(unique, ref_template=_REFERENCE)
        self._schemas: dict[str, Any] = definitions["$defs"]

    def of(self, model: type[BaseModel], mode: JsonSchemaMode = "serialization") -> dict[str, Any]:
        return dict(self._references[model, mode])

    def schemas(self) -> dict[str, Any]:
        return self._schemas


def _described(operation: Operation, models: _Models, secured: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": list(operation.tags),
        "parameters": [*_path(operation), *_query(operation), *_headers(operation)],
        "responses": _responses(operation, models, secured),
    }
    if operation.body is not None:
        schema = models.of(operation.body, "validation")
        out["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if secured and not operation.open:
        out["security"] = [{"bearer": []}]
    return out


def _responses(operation: Operation, models: _Models, secured: bool) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for status, model in operation.answers.items():
        schema = {"type": "string"} if model is None else models.of(model)
        out[str(status)] = {
            "description": http.HTTPStatus(status).phrase,
            "content": {operation.media_type: {"schema": schema}},
        }
        if status == 201:
            location = {"description": "Where the booking is.", "schema": {"type": "string"}}
            out[str(status)]["headers"] = {"Location": location}
    unauthorized = (401,) if secured and not operation.open else ()
    for status in sorted({*operation.problems, *_EVERY, *unauthorized}):
        out[str(status)] = {
            "description": http.HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": models.of(Problem)}},
        }
    return out


def _path(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1, "maxLength": 32}}
        for name in _PATH_PARAMETER.findall(operation.path)
    ]


def _query(operation: Operation) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    schema = operation.query.model_json_schema()
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": _without_null(given),
            **({"description": given["description"]} if "description" in given else {}),
        }
        for name, given in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop null from a parameter's schema: in a query, what is not said is left out."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm != {"type": "null"}]
    return arms[0] if len(arms) == 1 else {key: value for key, value in schema.items() if key != "default"}


def _headers(operation: Operation) -> list[dict[str, Any]]:
    out = []
    if operation.key != "none":
        out.append(
            {
                "name": KEY_HEADER,
                "in": "header",
                "required": operation.key == "required",
                "description": "Chosen by the caller, one for each wish; the same key again has no further effect.",
                "schema": _HEADER_SCHEMA | {"maxLength": MAX_KEY_CHARS},
            }
        )
    if operation.confirms:
        out.append(
            {
                "name": TOKEN_HEADER,
                "in": "header",
                "required": False,
                "description": "The confirm_token of the first answer, after the user's yes.",
                "schema": _HEADER_SCHEMA | {"maxLength": MAX_TOKEN_CHARS},
            }
        )
    return out
