import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { Log } from '@postrider/shared/ports/log';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import { retry } from '@postrider/shared/runtime/retry';

/** Puts messages into quarantine, and tries again until the broker has stored them. */
export interface PersistentQuarantine {
  /** Rejects once stopped, so that the offset of the message stays uncommitted. */
  put(record: ReadRecord, problem: string): Promise<void>;
  /** Stops retrying. */
  stop(): void;
}

interface PersistentQuarantineParts {
  readonly quarantine: Quarantine;
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

export function createPersistentQuarantine({
  quarantine,
  sleep,
  monotonicMs,
  log,
}: PersistentQuarantineParts): PersistentQuarantine {
  const mayLog = createLogThrottle({ monotonicMs });
  let isStopped = false;
  return {
    put: (record, problem) =>
      retry(() => quarantine(record, problem), {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure(err, failures, pauseMs) {
          if (isStopped) throw err;
          const { topic, partition, offset } = record;
          if (!mayLog()) return;
          const facts = { event: 'quarantine.failed', topic, partition, offset, failures, err };
          log.error(
            facts,
            `a message could be neither read nor put into quarantine; trying again in ${pauseMs} ms`,
          );
        },
        sleep,
      }),
    stop() {
      isStopped = true;
    },
  };
}
