/** What bounds a start, and hears what it waits for. */
interface Patience {
  /** Give up after this long, in milliseconds. */
  readonly forMs: number;
  readonly log: { warn(facts: object, sentence: string): void };
}

/** Tries until it succeeds, saying each time why it did not. @throws NotReachable when the time is up */
type Wait = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Something that a process needs did not come up in time: the last reason is the cause. */
export class NotReachable extends Error {
  override readonly name = 'NotReachable';
}

/**
 * All that is waited for with what this returns shares one time, which runs from now on. Each is tried at least once,
 * so that what is there is found however late it is asked.
 */
export function retryUntil({ forMs, log }: Patience): Wait {
  const until = performance.now() + forMs;
  return async (what, attempt) => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (performance.now() + pause > until) {
          throw new NotReachable(`${what}: gave up after ${Math.round(forMs / 1_000)} s: ${reason}`, {
            cause: error,
          });
        }
        log.warn({ event: 'waiting', reason }, `${what}; trying again in ${pause} ms`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
}
