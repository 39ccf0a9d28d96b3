"""Client of the Marquee event discovery API. Needs nothing but Python."""

from ._changes import ChangeBatch
from ._client import Marquee
from ._errors import (
    AuthenticationError,
    ConnectionFailedError,
    GoneError,
    InvalidRequestError,
    MarqueeError,
    NotFoundError,
    PlanError,
    ProblemError,
    RateLimitError,
    ResyncError,
    ServiceError,
)
from ._generated import *  # noqa: F401,F403
from ._webhooks import WebhookError, verify_webhook

__all__ = [
    "AuthenticationError",
    "ChangeBatch",
    "ConnectionFailedError",
    "GoneError",
    "InvalidRequestError",
    "Marquee",
    "MarqueeError",
    "NotFoundError",
    "PlanError",
    "ProblemError",
    "RateLimitError",
    "ResyncError",
    "ServiceError",
    "WebhookError",
    "verify_webhook",
]
__version__ = "0.1.0"
