import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from standardwebhooks import Webhook

from inbox import Inbox

settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY=os.urandom(32).hex())
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
inbox = Inbox(
    os.environ.get("INBOX", "inbox.sqlite"),
    lambda webhook_id, delivery: print(f"handled {webhook_id} {delivery['eventType']}", flush=True),
)


@csrf_exempt  # The signature authenticates the request.
@require_POST
def receive(request):
    body = request.body
    headers = {name.lower(): value for name, value in request.headers.items()}
    try:
        webhook.verify(body, headers)
    except Exception:
        return HttpResponse(status=400)  # Not from Postrider, or the secret is wrong. A 500 would be retried.
    inbox.add(headers["webhook-id"], body)
    return HttpResponse(status=204)


urlpatterns = [path("hook", receive)]

if __name__ == "__main__":
    address = f"127.0.0.1:{os.environ.get('PORT', '3000')}"
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", "--skip-checks", address])
