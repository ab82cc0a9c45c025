"""Verifies the request on standard input: HMAC with the library of Standard Webhooks, ed25519 over the same bytes."""

import base64
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook

request = json.load(sys.stdin)
headers, body = request["headers"], request["body"]
Webhook(request["secret"]).verify(body, headers)

key = Ed25519PublicKey.from_public_bytes(base64.b64decode(request["publicKey"].removeprefix("whpk_")))
content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
signatures = [part for part in headers["webhook-signature"].split(" ") if part.startswith("v1a,")]
key.verify(base64.b64decode(signatures[0].removeprefix("v1a,")), content)
print("verified")
