import { DatabaseSync } from 'node:sqlite';

const RETRY_AFTER_MS = 1_000;

/** Stores deliveries once, and hands each of them to `handle` later. */
export function openInbox(path, handle) {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)');
  const insert = database.prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const oldest = database.prepare('SELECT rowid, id, body FROM inbox WHERE done = 0 LIMIT 1');
  const finish = database.prepare('UPDATE inbox SET done = 1 WHERE rowid = ?');

  let isWaiting = false; // After a failure, until the next try. A new delivery must not cause another one.

  function work() {
    if (isWaiting) return;
    for (let row = oldest.get(); row !== undefined; row = oldest.get()) {
      try {
        handle(row.id, JSON.parse(row.body));
      } catch (error) {
        console.error(`${row.id} was not handled:`, error);
        isWaiting = true;
        setTimeout(() => {
          isWaiting = false;
          work();
        }, RETRY_AFTER_MS);
        return;
      }
      finish.run(row.rowid);
    }
  }
  work(); // What a crash left.
  return {
    /** Does nothing if the id is known already. */
    add(id, body) {
      insert.run(id, body);
      setImmediate(work);
    },
  };
}
