import type { Log } from '@postrider/shared/ports/log';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import type { Job } from '../jobs/job.js';
import type { TryLater } from './try-later.js';

/** Attempts that fail unexpectedly, and rows that cannot be used. */
export interface UnexpectedFailures {
  report(job: Job, error: unknown): void;
  /** Reports a row that cannot be used, and leaves it for later. Its job has no slot. */
  putOff(job: Job, row: Parameters<TryLater>[1], error: unknown): void;
}

interface UnexpectedFailuresParts {
  readonly tryLater: TryLater;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** Endpoints whose log lines about attempts are limited separately. */
export const MAX_LOGGED_ENDPOINTS = 10_000;

export function createUnexpectedFailures({
  tryLater,
  monotonicMs,
  log,
}: UnexpectedFailuresParts): UnexpectedFailures {
  /** Such attempts are tried again and again: each endpoint is logged once a minute. */
  const mayLog = createLogThrottle({ monotonicMs, maxKeys: MAX_LOGGED_ENDPOINTS });
  const report = ({ message: { deliveryId, endpointId, traceId } }: Job, err: unknown) => {
    if (!mayLog(endpointId)) return;
    log.error(
      { event: 'attempt.internal_error', endpointId, deliveryId, traceId, err },
      'an attempt failed unexpectedly; it will be tried again',
    );
  };
  return {
    report,
    putOff(job, row, error) {
      report(job, error);
      void tryLater(job, row);
    },
  };
}
