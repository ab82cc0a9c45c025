import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { Log } from '@postrider/shared/ports/log';
import { retry } from '@postrider/shared/runtime/retry';
import { throttleLog } from '../engine/throttle-log.js';

/** Puts messages into quarantine, and tries again until the broker has stored them. */
export interface PersistentQuarantine {
  /** Rejects once stopped: the offset of the message must stay uncommitted then. */
  put(record: ReadRecord, problem: string): Promise<void>;
  /** Tries nothing again. */
  stop(): void;
}

interface PersistentQuarantineParts {
  readonly quarantine: Quarantine;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
const LOG_EVERY_MS = 60_000;

export function createPersistentQuarantine({
  quarantine,
  pause,
  log,
}: PersistentQuarantineParts): PersistentQuarantine {
  const mayLog = throttleLog(LOG_EVERY_MS);
  let isStopped = false;
  return {
    put: (record, problem) =>
      retry(() => quarantine(record, problem), {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure(err, failures, pauseMs) {
          if (isStopped) throw err;
          const { topic, partition, offset } = record;
          if (!mayLog('quarantine', new Date())) return;
          const facts = { event: 'quarantine.failed', topic, partition, offset, failures, err };
          log.error(
            facts,
            `a message could be neither read nor put into quarantine; trying again in ${pauseMs} ms`,
          );
        },
        pause,
      }),
    stop() {
      isStopped = true;
    },
  };
}
