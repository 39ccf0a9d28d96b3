"""Verifies webhooks as Standard Webhooks signs them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from ._errors import MarqueeError

_TOLERANCE_SECONDS = 300
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class WebhookError(MarqueeError):
    """The message is not from the service, or too old."""


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: Union[bytes, str],
    *,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """The message. `secret`: `whsec_…`, or several while it is being rotated. `body`: as it came, before anything parsed it."""
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (lower.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signatures:
        raise WebhookError("a header of the signature is missing")
    moment = time.time() if now is None else now
    if not _TIMESTAMP.fullmatch(timestamp) or abs(moment - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookError("the time of the signature is too far from now")
    text = body if isinstance(body, bytes) else body.encode("utf-8")
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + text
    for each in [secret] if isinstance(secret, str) else secret:
        key = base64.b64decode(each[6:] if each.startswith("whsec_") else each)
        wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            version, _, value = signature.partition(",")
            if version == "v1" and hmac.compare_digest(wanted, value.encode("utf-8")):
                return json.loads(text)
    raise WebhookError("no signature fits")
