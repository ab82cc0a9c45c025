import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { OutboxRelay, OutboxStore } from '../ports/outbox.js';
import { createPacer } from '../runtime/pacer.js';
import { repeat } from '../runtime/repeat.js';
import { nextTurn } from '../runtime/turns.js';
import { waitAtMost } from '../runtime/with-timeout.js';
import { divideBySize } from './batch-size.js';
import { createSendRecords, type SendRecordsParts } from './send-records.js';
import { createWaitingRecords } from './waiting-records.js';

/** Distance between batches that are not full in a busy process, in milliseconds. */
const ROUND_MS = 20;
const BATCH = 100;
/** How long a stop waits for records that are being published, in milliseconds. */
const STOP_MS = 1_000;

interface RelayParts extends SendRecordsParts {
  readonly store: OutboxStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a sweep claims its records, in milliseconds. */
  readonly claimMs: number;
  /** The shortest pause between two sweeps, in milliseconds. */
  readonly sweepEveryMs: number;
  /** The longest pause. Records that are stored meanwhile are claimed by their writers for at least that long. */
  readonly sweepAtLeastEveryMs: number;
}

/**
 * Publishes outbox records: those that its own process just committed, in batches, and by a sweep those that
 * a crash or an unavailable broker left behind. A record is removed only after the broker acknowledged it, so it may be
 * published twice and is never lost.
 */
export function startOutboxRelay(parts: RelayParts): OutboxRelay {
  const { store, clock, log, claimMs, sweepEveryMs, sweepAtLeastEveryMs } = parts;
  const waiting = createWaitingRecords((ids) => store.findUnclaimed(ids));
  let publishing: Promise<void> | null = null;
  let stopped = false;
  const pace = createPacer(ROUND_MS);
  const send = createSendRecords(parts);

  const publishWaiting = async () => {
    try {
      while (waiting.size() > 0) {
        if (waiting.size() < BATCH) await gather();
        const records = await waiting.take(BATCH);
        if (records.length > 0) await send(records);
      }
    } catch (error) {
      waiting.clear();
      log.warn({ event: 'outbox.postponed', err: error }, 'publishing failed; the sweep will retry');
    } finally {
      // Synchronous with the last check for waiting records: a later offer starts a new run.
      publishing = null;
    }
  };
  /** Lets records that are offered at the same time join the batch. */
  const gather = async () => {
    await nextTurn();
    await pace();
  };
  const flush = (): Promise<void> => {
    if (waiting.size() > 0) publishing ??= publishWaiting();
    return publishing ?? Promise.resolve();
  };
  /** @returns the pause until the next sweep, in milliseconds */
  const sweep = async (): Promise<number> => {
    for (;;) {
      const now = clock.now();
      const records = await store.claim(BATCH, now, new Date(now.getTime() + claimMs));
      if (stopped) return sweepEveryMs;
      if (records.length === 0) return untilNextSweep(now);
      log.info({ event: 'outbox.swept', count: records.length }, 'publishing records that were left behind');
      for (const batch of divideBySize(records)) await send(batch);
    }
  };
  /** Until the first claim expires: what is stored after `now` is claimed for longer. */
  const untilNextSweep = async (now: Date): Promise<number> => {
    const expiry = await store.nextExpiry();
    const left = expiry === null ? sweepAtLeastEveryMs : expiry.getTime() - now.getTime();
    return Math.min(Math.max(left, sweepEveryMs), sweepAtLeastEveryMs);
  };
  const sweeper = repeat({
    task: sweep,
    pauseMs: (untilNext = sweepEveryMs) => untilNext,
    onError: (err) =>
      log.warn({ event: 'outbox.sweep_failed', err }, 'the outbox sweep failed and will be retried'),
  });

  return {
    offer(records) {
      if (stopped) return;
      waiting.add(records);
      void flush();
    },
    drain: (timeoutMs) => waitAtMost(flush(), timeoutMs),
    async stop() {
      stopped = true;
      // Records that the broker does not acknowledge stay in the outbox: the next sweep of any process publishes them.
      await waitAtMost(Promise.all([sweeper.stop(), publishing]), STOP_MS);
    },
  };
}
