"""Prints every new message of a public topic: python consumer.py (pip install kafka-python)"""

import json
import os

from kafka import KafkaConsumer

HEADER_BYTES = 5  # a zero byte and the schema's id; the rest is JSON

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
    headers = {name: value.decode() for name, value in message.headers}
    event = json.loads(message.value[HEADER_BYTES:])
    # Other services' events may have no ce_id, which would be the eventId.
    event_id = headers.get("ce_id") or event["eventId"]
    if event_id in seen:
        continue
    print(headers["ce_type"], event_id, event["workspaceId"], flush=True)
    seen.add(event_id)
    consumer.commit()
