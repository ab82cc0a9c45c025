package receiver;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Receiver {
    private final Webhook webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
    private final Inbox inbox;

    Receiver(JdbcTemplate database) throws EmptyWebhookSecretException {
        inbox = new Inbox(database, (id, body) -> System.out.println("handled " + id));
    }

    @PostMapping("/hook")
    ResponseEntity<Void> receive(
        @RequestBody(required = false) byte[] raw, @RequestHeader Map<String, String> received) {
        var body = raw == null ? "" : new String(raw, StandardCharsets.UTF_8);
        try {
            webhook.verify(body, signatureHeaders(received));
        } catch (WebhookVerificationException refused) {
            return ResponseEntity.badRequest().build(); // Not from Postrider, or the secret is wrong. A 500 would be retried.
        }
        inbox.add(received.get("webhook-id"), body);
        return ResponseEntity.noContent().build();
    }

    private static HttpHeaders signatureHeaders(Map<String, String> received) {
        return HttpHeaders.of(
            Stream.of("webhook-id", "webhook-timestamp", "webhook-signature")
                .filter(received::containsKey)
                .collect(Collectors.toMap(name -> name, name -> List.of(received.get(name)))),
            (name, value) -> true);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Receiver.class, arguments);
    }
}
