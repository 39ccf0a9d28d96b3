"""Does with the Python client what each line of standard input says, and prints what comes of it, as lines of JSON."""

import json
import sys

import marquee


def run(client, act):
    kind = act["do"]
    if kind == "call":
        return getattr(client, act["method"])(*act.get("ids", []), **act.get("params", {}))
    if kind == "all":
        return [each["id"] for each in getattr(client, act["method"])(*act.get("ids", []), **act.get("params", {}))]
    if kind == "follow":
        return [
            {"reset": batch.reset, "changes": len(batch.changes), "cursor": batch.cursor}
            for batch in client.follow_changes(after=act.get("after"), once=True, **act.get("params", {}))
        ]
    return marquee.verify_webhook(act["secret"], act["headers"], act["body"])


first, *rest = [json.loads(line) for line in sys.stdin]
client = marquee.Marquee(first["key"], first["url"], **first.get("options", {}))
for act in rest:
    try:
        outcome = {"ok": run(client, act)}
    except marquee.ProblemError as error:
        outcome = {
            "error": type(error).__name__,
            "code": error.code,
            "requestId": error.request_id is not None,
            "retryAfter": error.retry_after,
        }
    except marquee.MarqueeError as error:
        outcome = {"error": type(error).__name__}
    print(json.dumps(outcome), flush=True)
