interface MissingParts {
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
export function missing({ checkSchema, isDatabaseAway, pause }: MissingParts) {
  let wasReady = false;
  let looking: Promise<readonly string[]> | null = null;
  const look = async (): Promise<readonly string[]> => {
    try {
      await checkSchema();
      wasReady = true;
      return [];
    } catch (error) {
      if (!isDatabaseAway(error)) return [error instanceof Error ? error.message : String(error)];
      return wasReady ? [] : ['the database cannot be reached'];
    } finally {
      looking = null;
    }
  };
  return async (): Promise<readonly string[]> => {
    looking ??= look();
    return wasReady ? Promise.race([looking, pause(ANSWER_WITHIN_MS).then(() => [])]) : looking;
  };
}
