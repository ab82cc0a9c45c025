<?php

declare(strict_types=1);

require __DIR__ . '/inbox.php';

const LOOK_EVERY_US = 200_000;
const RETRY_AFTER_S = 1;

$inbox = new Inbox();
while (true) { // Begins with what a crash left.
    $row = $inbox->next();
    if ($row === null) {
        usleep(LOOK_EVERY_US);
        continue;
    }
    try {
        $delivery = json_decode($row['body'], true, flags: JSON_THROW_ON_ERROR);
        echo "handled {$row['id']} {$delivery['eventType']}\n";
        $inbox->finish((int) $row['rowid']);
    } catch (Throwable $failed) { // Otherwise the worker would end, and nothing more would be handled.
        error_log("{$row['id']} was not handled: $failed");
        sleep(RETRY_AFTER_S);
    }
}
