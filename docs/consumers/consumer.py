"""Prints every new message of a public topic: python consumer.py (pip install kafka-python)"""

import json
import os
import sys

from kafka import KafkaConsumer

HEADER_BYTES = 5  # a zero byte and the schema's id; the rest is JSON


def read(message):
    """Returns None for a malformed message. Without this, the consumer would stop there for good."""
    try:
        headers = dict(message.headers)
        event = json.loads(message.value[HEADER_BYTES:])
        # Other services' events may have no ce_id, which would be the eventId. Their other headers may be no text.
        ce_id = headers.get("ce_id")
        event_id = str(event["eventId"]) if ce_id is None else ce_id.decode()
        return headers["ce_type"].decode(), event_id, event["workspaceId"]
    except Exception:
        return None


consumer = KafkaConsumer(
    os.environ.get("TOPIC", "workspace.events"),
    bootstrap_servers=os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092").split(","),
    group_id=os.environ.get("GROUP", "example-python"),
    auto_offset_reset="earliest",
    enable_auto_commit=False,
)

# In your own consumer: a unique key in the database, written in the same transaction as the effect.
seen = set()

for message in consumer:
    if message.value is None:
        continue
    event = read(message)
    if event is None:
        place = f"{message.topic}, partition {message.partition}, offset {message.offset}"
        print(f"not an event: {place}", file=sys.stderr, flush=True)
        continue
    event_type, event_id, workspace_id = event
    if event_id in seen:
        continue
    print(event_type, event_id, workspace_id, flush=True)
    seen.add(event_id)
    consumer.commit()
