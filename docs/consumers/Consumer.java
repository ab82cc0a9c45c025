// Prints every new message of a public topic: java -cp 'libs/*' Consumer.java (Java 17)
// libs: org.apache.kafka:kafka-clients and com.fasterxml.jackson.core:jackson-databind, with what they need
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

public final class Consumer {
  /** A zero byte and the schema's id; the rest is JSON. */
  private static final int HEADER_BYTES = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", variable("KAFKA_BROKERS", "127.0.0.1:9092"),
        "group.id", variable("GROUP", "example-java"),
        "auto.offset.reset", "earliest",
        "enable.auto.commit", false);
    // In your own consumer: a unique key in the database, written in the same transaction as the effect.
    Set<String> seen = new HashSet<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(variable("TOPIC", "workspace.events")));
      while (true) {
        for (var message : consumer.poll(Duration.ofSeconds(1))) {
          if (message.value() == null) continue;
          Event event = read(message);
          if (event == null) {
            System.err.printf(
                "not an event: %s, partition %d, offset %d%n", message.topic(), message.partition(), message.offset());
          } else if (seen.add(event.id())) {
            System.out.println(event.type() + " " + event.id() + " " + event.workspaceId());
          }
        }
        consumer.commitSync();
      }
    }
  }

  private record Event(String type, String id, String workspaceId) {}

  /** Returns null for a malformed message. Without this, the consumer would stop there for good. */
  private static Event read(ConsumerRecord<String, byte[]> message) {
    try {
      byte[] value = message.value();
      JsonNode event = JSON.readTree(value, HEADER_BYTES, value.length - HEADER_BYTES);
      String type = header(message, "ce_type");
      // Other services' events may have no ce_id, which would be the eventId.
      String ceId = header(message, "ce_id");
      String id = ceId != null ? ceId : event.get("eventId").asText();
      return type == null ? null : new Event(type, id, event.get("workspaceId").asText());
    } catch (IOException | RuntimeException malformed) {
      return null;
    }
  }

  private static String header(ConsumerRecord<?, ?> message, String name) {
    var found = message.headers().lastHeader(name);
    return found == null ? null : new String(found.value(), UTF_8);
  }

  private static String variable(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
