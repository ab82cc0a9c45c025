import { appendToOutbox, createOutboxStore } from '../../src/mongo/outbox-store.js';
import { inTransaction } from '../../src/mongo/transaction.js';
import { startOutboxRelay } from '../../src/outbox/relay.js';
import type { OutboxRecord, OutboxRelay, OutboxStore } from '../../src/ports/outbox.js';
import { later, NOON } from '../../src/testing/builders.js';
import type { TestDatabase } from '../../src/testing/test-database.js';

export const CLAIM_MS = 15_000;

/** A fake broker with a configurable response, which stores the batches that it accepted. */
export interface FakeBroker {
  readonly batches: string[][];
  published(): string[];
  /** Sets the response to further batches; a batch is stored once it resolves. */
  meet(answer: (ids: readonly string[]) => Promise<void>): void;
}

export interface RelaysUnderTest {
  readonly broker: FakeBroker;
  readonly errors: object[];
  /** The time of all relays' clocks. */
  now: Date;
  /** Starts a relay that sweeps every few milliseconds, or never. */
  start(options?: { claimMs?: number; sweeps?: 'often' | 'never' }): OutboxRelay;
  /** Commits records as their writer would: they are the writer's until `CLAIM_MS` later. */
  commit(names: readonly string[]): Promise<OutboxRecord[]>;
  /** The ids of the unpublished records. */
  left(): Promise<string[]>;
  stop(): Promise<void>;
}

export function aRecord(id: string, key = 'ws_1'): OutboxRecord {
  return { id, topic: 'workspace.events', key, headers: {}, subject: null, value: { id } };
}

/** Relays on a real outbox and a fake broker. */
export function relaysUnderTest(database: TestDatabase): RelaysUnderTest {
  const broker = fakeBroker();
  const errors: object[] = [];
  const running: OutboxRelay[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (facts: object) => errors.push(facts) };
  const store: OutboxStore = createOutboxStore(database.collections);
  const here = {
    broker,
    errors,
    now: NOON,
    start({ claimMs = CLAIM_MS, sweeps = 'often' }: { claimMs?: number; sweeps?: 'often' | 'never' } = {}) {
      const relay = startOutboxRelay({
        store,
        publish: broker.publish,
        clock: { now: () => here.now },
        log,
        claimMs,
        sweepEveryMs: sweeps === 'often' ? 5 : 1_000_000,
        sweepAtLeastEveryMs: sweeps === 'often' ? 5 : 1_000_000,
      });
      running.push(relay);
      return relay;
    },
    async commit(names: readonly string[]) {
      const records = names.map((name) => aRecord(name));
      const claimedUntil = later(CLAIM_MS, here.now);
      await inTransaction(database.client, (session) =>
        appendToOutbox(database.collections, records, { claimedUntil, session }),
      );
      return records;
    },
    left: async () =>
      (await database.collections.outbox.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    async stop() {
      broker.meet(async () => undefined);
      await Promise.all(running.map((relay) => relay.stop()));
    },
  };
  return here;
}

function fakeBroker() {
  const batches: string[][] = [];
  let answer: (ids: readonly string[]) => Promise<void> = async () => undefined;
  return {
    batches,
    published: () => batches.flat(),
    meet(next: typeof answer) {
      answer = next;
    },
    async publish(records: readonly OutboxRecord[]) {
      const ids = records.map(({ id }) => id);
      await answer(ids);
      batches.push(ids);
    },
  };
}
