"""What the service refuses, as errors with the problem document (RFC 9457)."""

from __future__ import annotations

from typing import Dict, Optional, Type

from ._generated import Problem


class MarqueeError(Exception):
    """Everything that this package raises."""


class ConnectionFailedError(MarqueeError):
    """The service could not be reached, or not in time."""


class ProblemError(MarqueeError):
    """The service answered with an error. `code` says which."""

    def __init__(
        self,
        status: int,
        problem: Optional[Problem],
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}" if problem else f"the service answered {status}")
        self.status = status
        self.code = problem["code"] if problem else "unknown"
        #: None where the body was no problem document, as a proxy may answer.
        self.problem = problem
        #: For a report to whoever runs the service.
        self.request_id = request_id
        #: Seconds, as the service asked.
        self.retry_after = retry_after


class InvalidRequestError(ProblemError):
    """400: `problem["errors"]` has each bad parameter."""


class AuthenticationError(ProblemError):
    """401."""


class PlanError(ProblemError):
    """402 and 403: the plan does not allow it; `problem["upgradeUrl"]` says where to change that."""


class NotFoundError(ProblemError):
    """404."""


class GoneError(ProblemError):
    """410: the record was removed."""


class ResyncError(ProblemError):
    """410 of the change log: the cursor belongs to another history."""


class RateLimitError(ProblemError):
    """429, after all retries."""


class ServiceError(ProblemError):
    """5xx, after all retries."""


def error_of(
    status: int, problem: Optional[Problem], request_id: Optional[str], retry_after: Optional[int]
) -> ProblemError:
    kind = ServiceError if status >= 500 else _KINDS.get(status, ProblemError)
    if status == 410 and problem and problem["code"] == "resync":
        kind = ResyncError
    return kind(status, problem, request_id, retry_after)


_KINDS: Dict[int, Type[ProblemError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: PlanError,
    403: PlanError,
    404: NotFoundError,
    410: GoneError,
    429: RateLimitError,
}
