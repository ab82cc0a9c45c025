"""Publishes an invoice.paid: python producer.py (pip install 'confluent-kafka[json,schemaregistry]')"""

import os
import secrets
from datetime import datetime, timezone

from confluent_kafka import Producer
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

TYPE = "invoice.paid"
DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
TOPIC = os.environ.get("TOPIC", "workspace.events")
WORKSPACE_ID = os.environ["WORKSPACE_ID"]


def new_event_id(now: datetime) -> str:
    """Sortable by time: ten digits of milliseconds and sixteen random ones, of base 32."""
    ms = int(now.timestamp() * 1000)
    time = [DIGITS[(ms >> (5 * n)) & 31] for n in reversed(range(10))]
    return "evt_" + "".join(time + [secrets.choice(DIGITS) for _ in range(16)])


serialize = JSONSerializer(
    None,
    SchemaRegistryClient({"url": os.environ.get("SCHEMA_REGISTRY_URL", "http://127.0.0.1:8081")}),
    conf={
        "auto.register.schemas": False,
        "use.latest.version": True,
        "subject.name.strategy": lambda context, _: f"{context.topic}-{TYPE}",
    },
)
now = datetime.now(timezone.utc)
event = {
    "eventId": new_event_id(now),
    "occurredAt": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    "workspaceId": WORKSPACE_ID,
    "invoiceId": "in_4f9k2",
    "customer": {"id": "cus_81"},
    "amount": 4200,
    "currency": "EUR",
}
# CloudEvents 1.0. Postrider needs ce_type; consumers of the topic use the others.
headers = {
    "ce_specversion": "1.0",
    "ce_id": event["eventId"],
    "ce_type": TYPE,
    "ce_source": f"/workspaces/{WORKSPACE_ID}",
    "ce_time": event["occurredAt"],
    "content-type": "application/json",
}


def check(error, _message):
    if error is not None:
        raise SystemExit(f"not published: {error}")


producer = Producer(
    {
        "bootstrap.servers": os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092"),
        "acks": "all",
        "partitioner": "murmur2_random",  # that of Java and Postrider: all events of a workspace in one partition
    }
)
value = serialize(event, SerializationContext(TOPIC, MessageField.VALUE))
producer.produce(TOPIC, key=WORKSPACE_ID, value=value, headers=headers, on_delivery=check)
producer.flush()
print(event["eventId"])
