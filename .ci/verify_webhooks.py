"""Verifies signed messages with the official library of Standard Webhooks for Python.

python verify_webhooks.py FILE: what test/support/processes/webhook-vectors-child.ts wrote.
"""

import binascii
import json
import sys
from pathlib import Path

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def main(file):
    vectors = json.loads(Path(file).read_text("utf-8"))
    assert len(vectors) > 10, f"too little to verify in {file}"
    for vector in vectors:
        taken = is_taken(vector)
        assert taken == vector["isValid"], f"a message {vector['name']}: taken is {taken}"
    print(f"{len(vectors)} signed messages are taken and refused as they must be, in Python")


def is_taken(vector):
    try:
        Webhook(vector["secret"]).verify(vector["body"], vector["headers"])
    # The second is what the library makes of a signature that is no base64.
    except (WebhookVerificationError, binascii.Error):
        return False
    return True


main(sys.argv[1])
