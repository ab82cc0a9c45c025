package receiver;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.springframework.jdbc.core.JdbcTemplate;

/** Stores deliveries once, and hands each of them to a handler later. */
class Inbox {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private final JdbcTemplate database;
    private final BiConsumer<String, String> handle;

    Inbox(JdbcTemplate database, BiConsumer<String, String> handle) {
        this.database = database;
        this.handle = handle;
        database.execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)");
        var worker = new Thread(this::work, "inbox");
        worker.setDaemon(true);
        worker.start();
    }

    /** Does nothing if the id is known already. */
    synchronized void add(String id, String body) {
        database.update("INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", id, body);
        notifyAll();
    }

    /** Begins with what a crash left. */
    private void work() {
        while (true) {
            String id = "a delivery";
            try {
                var row = next();
                id = (String) row.get("id");
                handle.accept(id, (String) row.get("body"));
                database.update("UPDATE inbox SET done = 1 WHERE rowid = ?", row.get("place"));
            } catch (RuntimeException failed) { // Otherwise the thread would end, and nothing more would be handled.
                System.err.println(id + " was not handled: " + failed);
                LockSupport.parkNanos(RETRY_AFTER.toNanos());
            }
        }
    }

    private synchronized Map<String, Object> next() {
        while (true) {
            List<Map<String, Object>> rows =
                database.queryForList("SELECT rowid AS place, id, body FROM inbox WHERE done = 0 LIMIT 1");
            if (!rows.isEmpty()) return rows.get(0);
            try {
                wait();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }
}
