// Publishes an invoice.paid: java -cp 'libs/*' Producer.java (Java 17)
// libs: org.apache.kafka:kafka-clients and com.fasterxml.jackson.core:jackson-databind, with what they need
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

public final class Producer {
  private static final String TYPE = "invoice.paid";
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    String topic = variable("TOPIC", "workspace.events");
    String workspace = variable("WORKSPACE_ID", "");
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Map<String, Object> event = Map.of(
        "eventId", newEventId(now),
        "occurredAt", now.toString(),
        "workspaceId", workspace,
        "invoiceId", "in_4f9k2",
        "customer", Map.of("id", "cus_81"),
        "amount", 4200,
        "currency", "EUR");

    // The Confluent wire format: a zero byte, the schema's id, JSON.
    byte[] json = JSON.writeValueAsBytes(event);
    byte[] value = ByteBuffer.allocate(5 + json.length).put((byte) 0).putInt(schemaId(topic)).put(json).array();

    // CloudEvents 1.0. Postrider needs ce_type; consumers of the topic use the others.
    Map<String, Object> headers = Map.of(
        "ce_specversion", "1.0",
        "ce_id", event.get("eventId"),
        "ce_type", TYPE,
        "ce_source", "/workspaces/" + workspace,
        "ce_time", event.get("occurredAt"),
        "content-type", "application/json");

    Map<String, Object> settings =
        Map.of("bootstrap.servers", variable("KAFKA_BROKERS", "127.0.0.1:9092"), "acks", "all");
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
      var message = new ProducerRecord<>(topic, workspace, value);
      headers.forEach((name, text) -> message.headers().add(name, text.toString().getBytes(UTF_8)));
      producer.send(message).get();
    }
    System.out.println(event.get("eventId"));
  }

  /** The id of the latest schema of the type. In your own producer: keep it for a few minutes. */
  private static int schemaId(String topic) throws Exception {
    String registry = variable("SCHEMA_REGISTRY_URL", "http://127.0.0.1:8081");
    URI subject = URI.create(registry + "/subjects/" + topic + "-" + TYPE + "/versions/latest");
    var answer = HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(subject).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
    return JSON.readTree(answer.body()).get("id").asInt();
  }

  /** Sortable by time: ten digits of milliseconds and sixteen random ones, of base 32. */
  private static String newEventId(Instant now) {
    var random = new SecureRandom();
    var id = new StringBuilder("evt_");
    for (int n = 9; n >= 0; n--) id.append(DIGITS.charAt((int) (now.toEpochMilli() >> (5 * n)) & 31));
    for (int n = 0; n < 16; n++) id.append(DIGITS.charAt(random.nextInt(32)));
    return id.toString();
  }

  private static String variable(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
