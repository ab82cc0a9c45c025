import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import type { Pump } from './pump.js';

interface PostponeSendingParts {
  readonly pump: Pick<Pump, 'sendingFor'>;
  readonly store: Pick<SettlementStore, 'postpone'>;
  readonly clock: Clock;
  /** How long an attempt may take from its start until it is recorded, in milliseconds. */
  readonly attemptLimitMs: number;
  readonly log: Log;
}

/** Younger attempts usually end before another process has read their rows, in milliseconds. */
const AT_LEAST_MS = 200;
/** A stop waits no longer for this, in milliseconds. */
const WITHIN_MS = 1_000;

/**
 * Before an endpoint may go to another process: the rows of attempts in progress are due once these must have been recorded. The next
 * owner reads their messages, and would make the attempts as well. If this process is killed, it makes them then.
 */
export function createPostponeSending(parts: PostponeSendingParts): () => Promise<void> {
  const { pump, store, clock, attemptLimitMs, log } = parts;
  return async () => {
    const until = new Date(clock.now().getTime() + attemptLimitMs);
    const ids = pump.sendingFor(AT_LEAST_MS).map(({ message }) => message.deliveryId);
    if (ids.length === 0) return;
    const postponed = store
      .postpone(new Map(ids.map((id) => [id, until])))
      .catch((err: unknown) =>
        log.warn(
          { event: 'sending.postpone_failed', size: ids.length, err },
          'rows of attempts in progress could not be postponed: the next owner of their endpoints may make these attempts as well',
        ),
      );
    await withTimeout(postponed, WITHIN_MS, async () => {});
  };
}
