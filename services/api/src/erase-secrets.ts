import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { repeat } from '@postrider/shared/runtime/repeat';

interface EraseSecretsParts {
  readonly erase: (now: Date) => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;

/** Erases previous signing secrets within a minute after their grace period. @returns a function that stops it */
export function startErasingSecrets({
  erase,
  clock,
  log,
  everyMs = EVERY_MS,
}: EraseSecretsParts): () => void {
  const erasing = repeat({
    task: () => erase(clock.now()),
    pauseMs: () => everyMs,
    onError: (err) =>
      log.warn({ event: 'secrets.erase_failed', err }, 'previous secrets could not be erased; trying again'),
  });
  return () => void erasing.stop();
}
