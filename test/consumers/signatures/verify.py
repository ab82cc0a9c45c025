"""Verifies the request on standard input: HMAC with the library of Standard Webhooks, ed25519 as the documentation does."""

import json
import sys

from standardwebhooks import Webhook
from verify_ed25519 import verify

request = json.load(sys.stdin)
headers, body = request["headers"], request["body"]
Webhook(request["secret"]).verify(body, headers)
verify(request["publicKey"], headers, body.encode())
print("verified")
