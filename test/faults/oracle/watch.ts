import { setTimeout as pause } from 'node:timers/promises';
import type { Db, MongoClient } from 'mongodb';
import type { Evidence, Snapshot } from './evidence.js';
import { judgeFinally, judgeNow, type Violation } from './judge.js';
import { takeSnapshot } from './snapshot.js';

/** What is known besides the database. */
export type Logs = Pick<Evidence, 'events' | 'sends' | 'received' | 'circumstances'>;

/** Judges a running system again and again. */
export interface Watch {
  /** Everything that was found wrong so far, each thing once. */
  violations(): readonly Violation[];
  /** Ends it, judges once more with all that can be said at the end, and tells what the database holds. */
  finish(): Promise<Snapshot>;
}

interface WatchParts {
  readonly client: MongoClient;
  readonly db: Db;
  readonly logs: () => Logs;
  readonly everyMs: number;
}

export function watch({ client, db, logs, everyMs }: WatchParts): Watch {
  const found = new Map<string, Violation>();
  const firstSeen = new Map<string, number>();
  let before: Snapshot | null = null;
  const ended = new AbortController();
  const judgeWith = (judge: typeof judgeNow, now: Snapshot) => {
    for (const id of now.rows.keys()) if (!firstSeen.has(id)) firstSeen.set(id, now.at);
    for (const violation of judge({ ...logs(), now, before, firstSeen }))
      found.set(`${violation.invariant} ${violation.what}`, violation);
    before = now;
  };
  const look = async () => {
    // While the database is away there is nothing to be seen.
    const now = await takeSnapshot(client, db).catch(() => null);
    if (now !== null) judgeWith(judgeNow, now);
  };
  const watching = (async () => {
    for (;;) {
      await pause(everyMs, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) return;
      await look();
    }
  })();
  return {
    violations: () => [...found.values()],
    async finish() {
      ended.abort();
      await watching;
      const now = await takeSnapshot(client, db);
      judgeWith(judgeFinally, now);
      return now;
    },
  };
}
