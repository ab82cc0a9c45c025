interface ReadinessParts {
  /** @throws Error that says what to run when the database is not as this version needs it */
  readonly checkSchema: () => Promise<void>;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** A database that stays silent must not make the probe wait, which gives up after 5 s; in milliseconds. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * What the service lacks before it can work. An absent broker is no lack: the outbox waits for it. Nor is a database
 * that was there and is away: whoever asks then is to hear so from us, with the time to come back, and without one
 * ready process nobody would be there to say it.
 */
export function readiness({ checkSchema, isDatabaseAway, pause }: ReadinessParts) {
  let wasReady = false;
  let checking: Promise<readonly string[]> | null = null;
  const check = async (): Promise<readonly string[]> => {
    try {
      await checkSchema();
      wasReady = true;
      return [];
    } catch (error) {
      if (!isDatabaseAway(error)) return [error instanceof Error ? error.message : String(error)];
      return wasReady ? [] : ['the database cannot be reached'];
    } finally {
      checking = null;
    }
  };
  return async (): Promise<readonly string[]> => {
    checking ??= check();
    return wasReady ? Promise.race([checking, pause(ANSWER_WITHIN_MS).then(() => [])]) : checking;
  };
}
