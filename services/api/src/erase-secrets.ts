import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { repeat } from '@postrider/shared/runtime/repeat';
import type { ErasedSecrets } from './ports/erased-secrets.js';

interface EraseSecretsParts {
  readonly erase: (now: Date) => Promise<ErasedSecrets>;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;
/** Maximum number of endpoints that a line of the log names: all of them may be rejected. */
const MAX_NAMED = 20;

/** Erases previous signing secrets within a minute after their grace period. @returns a function that stops it */
export function startErasingSecrets({
  erase,
  clock,
  log,
  everyMs = EVERY_MS,
}: EraseSecretsParts): () => void {
  const erasing = repeat({
    task: async () => {
      const { rejected } = await erase(clock.now());
      if (rejected.length === 0) return;
      const endpointIds = rejected.slice(0, MAX_NAMED).map(({ endpointId }) => endpointId);
      log.error(
        { event: 'secrets.erase_rejected', count: rejected.length, endpointIds, reason: rejected[0]?.reason },
        'the database rejects the erasure of previous secrets, which stay; trying again',
      );
    },
    pauseMs: () => everyMs,
    onError: (err) =>
      log.warn({ event: 'secrets.erase_failed', err }, 'previous secrets could not be erased; trying again'),
  });
  return () => void erasing.stop();
}
