<?php

declare(strict_types=1);

/** Stores deliveries once. A worker takes them from here. */
final class Inbox
{
    private PDO $database;

    public function __construct()
    {
        $this->database = new PDO('sqlite:' . (getenv('INBOX') ?: __DIR__ . '/inbox.sqlite'));
        $this->database->exec('PRAGMA busy_timeout = 5000');
        $this->database->exec(
            'CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)'
        );
    }

    /** Does nothing if the id is known already. */
    public function add(string $id, string $body): void
    {
        $this->database
            ->prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING')
            ->execute([$id, $body]);
    }

    /** @return array{rowid: int, id: string, body: string}|null */
    public function next(): ?array
    {
        $rows = $this->database->query('SELECT rowid AS rowid, id, body FROM inbox WHERE done = 0 LIMIT 1');
        return $rows->fetch(PDO::FETCH_ASSOC) ?: null;
    }

    public function finish(int $rowid): void
    {
        $this->database->prepare('UPDATE inbox SET done = 1 WHERE rowid = ?')->execute([$rowid]);
    }
}
