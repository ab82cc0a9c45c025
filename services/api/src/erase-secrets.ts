import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';

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
  const run = () =>
    erase(clock.now()).catch((err: unknown) =>
      log.warn({ event: 'secrets.erase_failed', err }, 'previous secrets could not be erased; trying again'),
    );
  const timer = setInterval(() => void run(), everyMs).unref();
  return () => clearInterval(timer);
}
