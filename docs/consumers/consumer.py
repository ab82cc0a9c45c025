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
    headers = {name: value.decode() for name, value in message.headers}
    if message.value is None or headers["ce_id"] in seen:
        continue
    event = json.loads(message.value[HEADER_BYTES:])
    print(headers["ce_type"], headers["ce_id"], event["workspaceId"], flush=True)
    seen.add(headers["ce_id"])
    consumer.commit()
