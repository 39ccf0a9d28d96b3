"""One GET: with the key, tried again where that helps, and answered from memory where nothing changed."""

from __future__ import annotations

import datetime
import http.client
import json
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import OrderedDict
from typing import Any, Callable, Mapping, Optional, Tuple, Union

from ._errors import ConnectionFailedError, MarqueeError, error_of

_MAX_HELD_BYTES = 1_000_000
_SECONDS = re.compile(r"[0-9]{1,12}")


class Transport:
    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        retries: int,
        max_retry_wait: float,
        timeout: float,
        cache_size: int,
        headers: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = base_url.rstrip("/") + "/api/v1"
        self._headers = {"X-API-Key": api_key, "User-Agent": "marquee-python/0.1.0", **headers}
        self._retries = retries
        self._max_retry_wait = max_retry_wait
        self._timeout = timeout
        self._cache = _Cache(cache_size)
        self._sleep = sleep
        # A redirect to a merged record keeps the key; it never leaves the service.
        self._opener = urllib.request.build_opener(_SameOrigin())

    def get(self, path: str, params: Mapping[str, Any], timeout: Optional[float] = None) -> str:
        """The body as text. `path` below `/api/v1`."""
        url = self._base + path + _query(params)
        failures = 0
        while True:
            outcome = self._attempt(url, timeout or self._timeout)
            if isinstance(outcome, str):
                return outcome
            error, may_retry, after = outcome
            wait = random.random() * min(8.0, 0.5 * 2**failures) if after is None else after
            if not may_retry or failures >= self._retries or wait > self._max_retry_wait:
                raise error
            # All clients are told the same moment.
            self._sleep(wait if after is None else wait + random.random() * 0.25)
            failures += 1

    def _attempt(self, url: str, timeout: float) -> Union[str, Tuple[MarqueeError, bool, Optional[int]]]:
        try:
            return self._send(url, timeout)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as cause:
            error = ConnectionFailedError(f"cannot reach {self._base}: {cause}")
            error.__cause__ = cause
            return error, True, None

    def _send(self, url: str, timeout: float) -> Union[str, Tuple[MarqueeError, bool, Optional[int]]]:
        known = self._cache.get(url)
        headers = {**self._headers, "If-None-Match": known[0]} if known else self._headers
        try:
            with self._opener.open(urllib.request.Request(url, headers=headers), timeout=timeout) as answer:
                text = answer.read().decode("utf-8")
                etag = answer.headers.get("ETag")
                if etag:
                    self._cache.put(url, (etag, text))
                return text
        except urllib.error.HTTPError as answer:
            with answer:
                if answer.code == 304 and known:
                    return known[1]
                # A body that is cut short is a broken connection.
                return _failure(answer.code, answer.headers, answer.read())


def _failure(status: int, headers: Any, body: bytes) -> Tuple[MarqueeError, bool, Optional[int]]:
    try:
        problem = json.loads(body)
        problem = problem if isinstance(problem.get("code"), str) else None
    except (ValueError, AttributeError):
        problem = None
    given = headers.get("Retry-After") or ""
    after = int(given) if _SECONDS.fullmatch(given) else (problem or {}).get("retryAfterSeconds")
    error = error_of(status, problem, headers.get("X-Request-Id"), after)
    return error, status == 429 or status >= 500, after


class _SameOrigin(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        before, after = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if (before.scheme, before.netloc) != (after.scheme, after.netloc):
            raise ConnectionFailedError(f"the service redirects to another host: {after.netloc}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _query(params: Mapping[str, Any]) -> str:
    """Lists as one value with commas, instants in ISO 8601; None is left out."""
    given = [(name, _text(value)) for name, value in params.items() if value is not None]
    return "?" + urllib.parse.urlencode(given) if given else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(each) for each in value)
    return str(value)


class _Cache:
    """The responses used last, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: "OrderedDict[str, Tuple[str, str]]" = OrderedDict()
        self._lock = threading.Lock()

    def get(self, url: str) -> Optional[Tuple[str, str]]:
        with self._lock:
            found = self._held.get(url)
            if found:
                self._held.move_to_end(url)
            return found

    def put(self, url: str, answer: Tuple[str, str]) -> None:
        if self._size == 0 or len(answer[1]) > _MAX_HELD_BYTES:
            return
        with self._lock:
            self._held[url] = answer
            self._held.move_to_end(url)
            if len(self._held) > self._size:
                self._held.popitem(last=False)
