"""The client: a method for each operation of the API, iterators over lists, and the change log."""

from __future__ import annotations

import json
from typing import Any, Iterator, Mapping, Optional

from ._changes import ChangeBatch, follow_changes
from ._generated import Operations
from ._transport import Transport

_MAX_PAGE = 100
_READ_SECONDS = 30.0


class Marquee(Operations):
    """
    `api_key`: `mq_live_…` or `mq_test_…`. `base_url`: of the service, such as `https://events.example.org`.

    `retries`: how often a request is tried again after 429, 5xx or a broken connection. `max_retry_wait`: seconds; a longer
    `Retry-After`, such as until midnight, is raised instead. `timeout`: seconds for each attempt. `cache_size`: how many
    responses are remembered with their `ETag`; 0 for none. `headers`: sent with every request.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        retries: int = 3,
        max_retry_wait: float = 60.0,
        timeout: float = 30.0,
        cache_size: int = 100,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._transport = Transport(
            api_key,
            base_url,
            retries=retries,
            max_retry_wait=max_retry_wait,
            timeout=timeout,
            cache_size=cache_size,
            headers=headers or {},
        )

    def _get(self, path: str, params: Mapping[str, Any]) -> Any:
        return json.loads(self._transport.get(path, params))

    def _text(self, path: str, params: Mapping[str, Any]) -> str:
        return self._transport.get(path, params)

    def _all(self, path: str, params: Mapping[str, Any]) -> Iterator[Any]:
        offset = params.get("offset") or 0
        limit = params.get("limit") or _MAX_PAGE
        while True:
            page = self._get(path, {**params, "limit": limit, "offset": offset})
            yield from page["data"]
            if not page["meta"]["hasMore"] or not page["data"]:
                return
            offset += len(page["data"])

    def follow_changes(self, after: Optional[str] = None, *, once: bool = False, **filters: Any) -> Iterator[ChangeBatch]:
        """
        Batches of changes: from the beginning of the log, or after a cursor. With `once` it ends when everything has been read,
        instead of waiting for more. `filters`: parameters of `list_changes`.
        """

        def read(cursor: Optional[str], wait: int) -> Any:
            params = {**filters, "after": cursor, "wait": wait}
            return json.loads(self._transport.get("/changes", params, _READ_SECONDS + wait))

        return follow_changes(read, after, once)
