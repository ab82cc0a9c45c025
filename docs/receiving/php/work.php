<?php

declare(strict_types=1);

require __DIR__ . '/inbox.php';

const LOOK_EVERY_US = 200_000;

$inbox = new Inbox();
while (true) { // Begins with what a crash left.
    $row = $inbox->next();
    if ($row === null) {
        usleep(LOOK_EVERY_US);
        continue;
    }
    $delivery = json_decode($row['body'], true, flags: JSON_THROW_ON_ERROR);
    echo "handled {$row['id']} {$delivery['eventType']}\n";
    $inbox->finish((int) $row['rowid']);
}
