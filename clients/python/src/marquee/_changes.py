"""Follows the change log, so that a copy stays equal to the directory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, Optional

from ._errors import ResyncError

#: As long as the service allows.
_WAIT_SECONDS = 25


@dataclass(frozen=True)
class ChangeBatch:
    #: Delete the copy first: the log has started over, or is read from its beginning.
    reset: bool
    changes: List[Any]
    #: Store it with the copy, and pass it as `after` the next time.
    cursor: str


def follow_changes(read: Callable[[Optional[str], int], Any], after: Optional[str], once: bool) -> Iterator[ChangeBatch]:
    cursor = after
    reset = cursor is None
    wait = 0
    while True:
        try:
            page = read(cursor, wait)
        except ResyncError:
            if cursor is None:
                raise
            cursor, reset = None, True
            continue
        meta = page["meta"]
        if page["data"] or reset or meta["next"] != cursor:
            yield ChangeBatch(reset=reset, changes=page["data"], cursor=meta["next"])
        reset, cursor = False, meta["next"]
        if once and not meta["hasMore"]:
            return
        wait = 0 if once else _WAIT_SECONDS
