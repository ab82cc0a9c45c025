import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { OutboxRecord, OutboxRelay, OutboxStore } from '../ports/outbox.js';
import { RecordRefused } from '../ports/queue.js';
import { traceIdOf } from '../runtime/trace.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** How long a writer, or a sweep, has its records to itself, in milliseconds. */
export const OUTBOX_CLAIM_MS = 15_000;
const LINGER_MS = 5;
const BATCH = 100;
const MAX_WAITING = 1_000;
const MAX_BLAMES = 10;
/** How long a stop waits for what is being published, in milliseconds. */
const STOP_MS = 1_000;

export interface RelayParts {
  readonly store: OutboxStore;
  /** Encodes and appends; rejects with `RecordRefused` when a record is at fault. */
  readonly publish: (records: readonly OutboxRecord[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly claimMs: number;
  readonly sweepEveryMs: number;
}

/**
 * Publishes what transactions promised: what its own process just committed, in lingered batches, and by a sweep what
 * a crash or an absent broker left behind. A record is removed only after the broker has it, so it may go out twice
 * and never gets lost.
 */
export function startOutboxRelay({
  store,
  publish,
  clock,
  log,
  claimMs,
  sweepEveryMs,
}: RelayParts): OutboxRelay {
  let waiting: OutboxRecord[] = [];
  let publishing: Promise<void> | null = null;
  let lingering: NodeJS.Timeout | null = null;
  let stopped = false;

  const sendSingly = async (records: readonly OutboxRecord[]) => {
    for (const record of records) await send([record]);
  };
  const send = async (records: readonly OutboxRecord[]): Promise<void> => {
    try {
      await publish(records);
      await store.remove(records.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      if (records.length > 1) return sendSingly(records);
      for (const record of records) await blame(record, error.message);
    }
  };
  const blame = async ({ id, headers }: OutboxRecord, reason: string) => {
    const failures = await store.blame(id, reason);
    if (failures < MAX_BLAMES) return;
    await store.setAside(id);
    log.error(
      { event: 'outbox.set_aside', outboxId: id, reason, traceId: traceIdOf(headers.traceparent) },
      'an outbox record cannot be published and was set aside',
    );
  };
  const publishWaiting = async () => {
    try {
      while (waiting.length > 0) await send(waiting.splice(0, BATCH));
    } catch (error) {
      waiting = [];
      log.warn({ event: 'outbox.postponed', err: error }, 'publishing failed; the sweep will try again');
    } finally {
      // With nothing between this and the last look at what waits: what is offered from now on begins anew.
      publishing = null;
    }
  };
  const flush = (): Promise<void> => {
    lingering = null;
    if (waiting.length > 0) publishing ??= publishWaiting();
    return publishing ?? Promise.resolve();
  };
  const sweep = async () => {
    for (;;) {
      const now = clock.now();
      const records = await store.claim(BATCH, now, new Date(now.getTime() + claimMs));
      if (records.length === 0 || stopped) return;
      log.info({ event: 'outbox.swept', count: records.length }, 'publishing records that were left behind');
      await send(records);
    }
  };
  const sweeper = repeat(sweepEveryMs, sweep, (error) =>
    log.warn({ event: 'outbox.sweep_failed', err: error }, 'the outbox sweep failed; it will try again'),
  );

  return {
    offer(records) {
      if (stopped) return;
      waiting.push(...records.slice(0, MAX_WAITING - waiting.length));
      if (waiting.length >= BATCH) void flush();
      else if (waiting.length > 0) lingering ??= setTimeout(flush, LINGER_MS);
    },
    drain: (timeoutMs) => withTimeout(flush(), timeoutMs, async () => {}),
    async stop() {
      stopped = true;
      if (lingering) clearTimeout(lingering);
      // What a broker keeps hanging stays promised: the next sweep, of whatever process, publishes it.
      await withTimeout(Promise.all([sweeper.stop(), publishing]), STOP_MS, async () => {});
    },
  };
}

/** Runs a task again and again, one run at a time, `everyMs` after the last one ended. */
function repeat(everyMs: number, task: () => Promise<void>, failed: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, everyMs);
  let ended = false;
  function run() {
    running = task()
      .catch(failed)
      .then(() => {
        if (!ended) timer = setTimeout(run, everyMs);
      });
  }
  return {
    async stop() {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
