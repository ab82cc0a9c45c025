import { setTimeout as pause } from 'node:timers/promises';
import type { Db, MongoClient } from 'mongodb';
import { isAway } from './database-away.js';
import type { Evidence, Look, Snapshot } from './evidence.js';
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
  readonly logs: () => Logs;
  readonly everyMs: number;
}

/** However seldom it looks, it looks soon for the first time: a history is short then. */
const FIRST_LOOK_MS = 4_000;
const ITSELF = 'the oracle itself';
/** One look of so many has to succeed. */
const ONE_OF = 3;

export function watch({
  client,
  db,
  ...parts
}: WatchParts & { readonly client: MongoClient; readonly db: Db }): Watch {
  return watchSnapshots({ ...parts, take: () => takeSnapshot(client, db) });
}

export function watchSnapshots({
  take,
  logs,
  everyMs,
}: WatchParts & { readonly take: () => Promise<Snapshot> }): Watch {
  const found = new Map<string, Violation>();
  const note = (violation: Violation) => found.set(`${violation.invariant} ${violation.what}`, violation);
  const firstSeen = new Map<string, number>();
  const made: Look[] = [];
  let tried = 0;
  let before: Snapshot | null = null;
  const ended = new AbortController();
  const judgeWith = (judge: typeof judgeNow, now: Snapshot) => {
    for (const id of now.rows.keys()) if (!firstSeen.has(id)) firstSeen.set(id, now.at);
    for (const violation of judge({ ...logs(), now, before, firstSeen, looks: made })) note(violation);
    before = now;
  };
  const look = async () => {
    tried += 1;
    const from = Date.now();
    try {
      judgeWith(judgeNow, await take());
      made.push({ from, to: Date.now() });
    } catch (error) {
      // While the database is away there is nothing to be seen.
      if (!isAway(error)) note({ invariant: ITSELF, what: `could not judge: ${error}` });
    }
  };
  const watching = (async () => {
    for (let waitMs = Math.min(FIRST_LOOK_MS, everyMs); ; waitMs = everyMs) {
      await pause(waitMs, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) return;
      await look();
    }
  })();
  return {
    violations: () => [...found.values()],
    async finish() {
      ended.abort();
      await watching;
      if (made.length === 0 || made.length * ONE_OF < tried)
        note({ invariant: ITSELF, what: `saw the database ${made.length} of ${tried} times` });
      const now = await take();
      judgeWith(judgeFinally, now);
      return now;
    },
  };
}
