<?php

declare(strict_types=1);

// With display_errors on, PHP answers an uncaught error with 200, and the delivery would count as made. A 500 is retried.
http_response_code(500);

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/inbox.php';

$webhook = new StandardWebhooks\Webhook(
    getenv('WEBHOOK_SECRET') ?: throw new RuntimeException('WEBHOOK_SECRET is missing'),
);
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders());
try {
    $webhook->verify($body, $headers);
} catch (Throwable) {
    http_response_code(400); // Not from Postrider, or the secret is wrong. A 500 would be retried.
    return;
}
(new Inbox())->add($headers['webhook-id'], $body);
http_response_code(204);
