"""A request and an answer as values, and the answers every mock service has in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import parse_qs

from pydantic import BaseModel, ValidationError

from booking_bot.adapters.http.wire import Problem, ProblemCode

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came: path and query percent-encoded, header names in lower case."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def parameters(self) -> dict[str, str]:
        """Give the query's parameters; of several of one name the last."""
        pairs = parse_qs(self.query, keep_blank_values=True, errors="replace", max_num_fields=50)
        return {name: values[-1] for name, values in pairs.items()}


@dataclass(frozen=True, slots=True)
class Response:
    """An answer to be sent."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


class RequestError(Exception):
    """The peer's fault: carries the answer that says so."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status)
        self.response = response


def json_response(value: BaseModel | dict[str, object], status: int = 200) -> Response:
    """Answer with a value as JSON."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return Response(status, json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))


def problem(status: int, code: ProblemCode, detail: str = "", **headers: str) -> Response:
    """Answer with a problem (RFC 9457)."""
    value = Problem(title=HTTPStatus(status).phrase, status=status, code=code, detail=detail)
    return Response(status, value.model_dump_json().encode("utf-8"), "application/problem+json", headers)


def body_as(model: type[M], request: Request) -> M:
    """Read the body.

    Raises:
        RequestError: 422 with the keys that are wrong.
    """
    try:
        return model.model_validate_json(request.body)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False, include_context=False)[:5]
        detail = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in errors)
        raise RequestError(problem(422, "bad_arguments", detail[:500])) from error
