import os

import uvicorn
from fastapi import FastAPI, Request, Response
from standardwebhooks import Webhook

from inbox import Inbox

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
inbox = Inbox(
    os.environ.get("INBOX", "inbox.sqlite"),
    lambda webhook_id, delivery: print(f"handled {webhook_id} {delivery['eventType']}", flush=True),
)
app = FastAPI()
MAX_BYTES = 1024 * 1024


async def body_of(request: Request) -> bytes | None:
    """None if the body is too large: anyone may send one, so it is not read to its end."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            return None
    return bytes(body)


@app.post("/hook")
async def receive(request: Request) -> Response:
    body = await body_of(request)
    if body is None:
        return Response(status_code=413)
    try:
        webhook.verify(body, dict(request.headers))
    except Exception:
        return Response(status_code=400)  # Not from Postrider, or the secret is wrong. A 500 would be retried.
    inbox.add(request.headers["webhook-id"], body)
    return Response(status_code=204)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "3000")), log_level="warning")
