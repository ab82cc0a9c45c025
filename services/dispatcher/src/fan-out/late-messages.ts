import type { Log } from '@postrider/shared/ports/log';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';

/**
 * Messages that could not be published. They are tried again together, so that no others wait for them. Beyond `MAX_LATE`, and
 * once publishing has failed for long, they are left to their rows, which are stored and due, so the reconciler finds them.
 */
export interface LateMessages<Message> {
  /** @param error why they could not be published */
  add(messages: readonly Message[], error: unknown): void;
  /** Stops trying. From now on no message is left to its row. */
  stop(): void;
}

/** The result of trying to publish messages: those appended, and those not known to be, with the first error. */
export interface Tried<Message> {
  readonly appended: readonly Message[];
  readonly left: readonly Message[];
  /** Null if none is left. */
  readonly error: unknown;
}

interface LateMessagesParts<Message> {
  readonly tryOnce: (messages: readonly Message[]) => Promise<Tried<Message>>;
  /** Called with messages that are published or left to their rows. */
  readonly onDone: (messages: readonly Message[]) => void;
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

const MAX_LATE = 5_000;
/** How long publishing may fail before messages are left to their rows, in milliseconds. A leader election takes less. */
const LONG_MS = 30_000;
/** Failures that are farther apart than this count as separate, in milliseconds. */
const SEPARATE_MS = 10_000;
const LOG_EVERY_MS = 10_000;
const PAUSE = { firstMs: 200, longestMs: 2_000 };

export function createLateMessages<Message>(parts: LateMessagesParts<Message>): LateMessages<Message> {
  const { tryOnce, onDone, sleep, monotonicMs, log } = parts;
  const failures = { firstMs: 0, lastMs: Number.NEGATIVE_INFINITY };
  const mayLog = createLogThrottle({ everyMs: LOG_EVERY_MS, monotonicMs });
  let late: readonly Message[] = [];
  let isRetrying = false;
  let isStopped = false;

  /** @returns whether publishing has failed for long */
  const noteFailure = (err: unknown): boolean => {
    const now = monotonicMs();
    if (now - failures.lastMs > SEPARATE_MS) failures.firstMs = now;
    failures.lastMs = now;
    const isLong = now - failures.firstMs >= LONG_MS;
    if (mayLog()) {
      const next = isLong ? 'they are left to their rows' : 'they are tried again';
      log.warn(
        { event: 'fan_out.failed', err },
        `messages of stored deliveries could not be published; ${next}`,
      );
    }
    return isLong;
  };
  const retryOnce = async () => {
    const messages = late;
    const { appended, left, error } = await tryOnce(messages);
    const isLong = left.length > 0 && noteFailure(error);
    const done = isLong && !isStopped ? messages : appended;
    const ended = new Set(done);
    late = late.filter((message) => !ended.has(message));
    onDone(done);
  };
  const retryAll = async () => {
    isRetrying = true;
    try {
      for (let times = 1; late.length > 0; times += 1) {
        await sleep(doublingPauseMs(times, PAUSE));
        if (isStopped) return;
        await retryOnce();
      }
    } finally {
      // Synchronous with the last check for late messages: messages added later start a new run.
      isRetrying = false;
    }
  };
  return {
    add(messages, error) {
      if (isStopped) return;
      const room = noteFailure(error) ? 0 : MAX_LATE - late.length;
      late = [...late, ...messages.slice(0, room)];
      if (messages.length > room) onDone(messages.slice(room));
      if (!isRetrying) void retryAll();
    },
    stop() {
      isStopped = true;
    },
  };
}
