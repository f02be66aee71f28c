"""Every error as `application/problem+json`: refusals of the service, bad requests, and what Starlette raises."""

from __future__ import annotations

import http
import logging
from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from booking_bot.channels.http_api.values import Problem
from booking_bot.service import IssueShown, OperationRefused, RefusalCode, WriteResult

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
STATUS: Final[Mapping[RefusalCode, int]] = {
    "rule_broken": 422,
    "not_found": 404,
    "nothing_to_change": 422,
    "key_reused": 422,
    "confirmation_invalid": 409,
    "place_unknown": 404,
    "refused": 409,
    "unavailable": 503,
    "not_certain": 503,
}
RETRY_AFTER_S: Final = "5"


class ProblemRaised(HTTPException):
    """A problem with a code of its own, handled like any other HTTP error."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        issues: tuple[IssueShown, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.code = code
        self.issues = issues


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Make the response."""
    body = problem.model_dump_json(exclude_defaults=True)
    return Response(body, problem.status, {"Cache-Control": "no-store", **(headers or {})}, MEDIA_TYPE)


def taken(result: WriteResult) -> Response:
    """Answer a write that found the room taken."""
    problem = _problem(409, "taken", result.message)
    return problem_response(problem.model_copy(update={"rooms": result.rooms, "alternatives": result.alternatives}))


def from_validation(error: ValidationError) -> ProblemRaised:
    """Turn what is wrong with a body or a query into a problem."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    if found and found[0]["type"] == "json_invalid":
        return ProblemRaised(400, "bad_json", "the body is not JSON")
    issues = tuple(
        IssueShown(
            code=item["type"],
            field=".".join(str(part) for part in item["loc"]) or None,
            said="",
            legal=(),
            message=item["msg"].removeprefix("Value error, "),
        )
        for item in found
    )
    detail = "; ".join(f"{issue.field or 'body'}: {issue.message}" for issue in issues[:5])
    return ProblemRaised(422, "invalid", detail, issues=issues)


async def on_http_error(_request: Request, error: Exception) -> Response:
    """Answer what was raised as an HTTP error."""
    assert isinstance(error, HTTPException)  # noqa: S101  # what it is registered for
    code = error.code if isinstance(error, ProblemRaised) else _name(error.status_code)
    issues = error.issues if isinstance(error, ProblemRaised) else ()
    problem = _problem(error.status_code, code, error.detail).model_copy(update={"issues": issues})
    return problem_response(problem, error.headers)


async def on_refusal(_request: Request, error: Exception) -> Response:
    """Answer a refusal of the service."""
    assert isinstance(error, OperationRefused)  # noqa: S101  # what it is registered for
    status = STATUS[error.code]
    problem = _problem(status, error.code, error.message).model_copy(update={"issues": error.issues})
    return problem_response(problem, {"Retry-After": RETRY_AFTER_S} if status == 503 else None)


async def on_fault(_request: Request, _error: Exception) -> Response:
    """Answer a programmer's fault without telling what it was; the server logs it."""
    return problem_response(_problem(500, "internal_error", "something went wrong inside"))


def _problem(status: int, code: str, detail: str) -> Problem:
    title = http.HTTPStatus(status).phrase
    return Problem(type=f"urn:booking-bot:problem:{code}", title=title, status=status, detail=detail, code=code)


def _name(status: int) -> str:
    return http.HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")
