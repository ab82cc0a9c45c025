"""Stores deliveries once, and hands each of them to a handler later."""

import json
import logging
import sqlite3
import threading
import time

RETRY_AFTER_S = 1


class Inbox:
    def __init__(self, path, handle):
        self._path, self._handle = path, handle
        self._wake = threading.Event()
        with self._connect() as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)"
            )
        threading.Thread(target=self._work, daemon=True).start()

    def add(self, webhook_id, body):
        """Does nothing if the id is known already."""
        with self._connect() as database:
            database.execute(
                "INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                (webhook_id, body.decode()),
            )
        self._wake.set()

    def _connect(self):
        return sqlite3.connect(self._path, timeout=5)

    def _work(self):
        while True:  # Begins with what a crash left.
            webhook_id = "a delivery"
            try:
                row = self._next()
                if row is None:
                    self._wake.wait()
                    self._wake.clear()
                    continue
                rowid, webhook_id, body = row
                self._handle(webhook_id, json.loads(body))
                self._finish(rowid)
            except Exception:
                logging.exception("%s was not handled", webhook_id)
                time.sleep(RETRY_AFTER_S)  # Without this, the thread would end, and nothing more would be handled.

    def _next(self):
        with self._connect() as database:
            return database.execute("SELECT rowid, id, body FROM inbox WHERE done = 0 LIMIT 1").fetchone()

    def _finish(self, rowid):
        with self._connect() as database:
            database.execute("UPDATE inbox SET done = 1 WHERE rowid = ?", (rowid,))
