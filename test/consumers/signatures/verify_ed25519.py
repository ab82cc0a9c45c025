import base64
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def verify(public_key: str, headers: dict, body: bytes) -> None:
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    for signature in headers["webhook-signature"].split(" "):
        if not signature.startswith("v1a,"):
            continue
        try:
            return key.verify(base64.b64decode(signature.removeprefix("v1a,")), content)
        except InvalidSignature:
            pass  # After a rotation the next one may be of this key.
    raise InvalidSignature("no ed25519 signature matches")
