interface ReadinessParts {
  /** @throws Error with the command to run when the schema is outdated */
  readonly checkSchema: () => Promise<void>;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** Limits the wait for an unresponsive database: the probe times out after 5 s. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Creates the readiness check, which returns the problems that keep the api from being ready. A missing broker is not one:
 * the outbox waits for it. Neither is a database that becomes unreachable later: callers then get 503 with `Retry-After`
 * from the api, which requires ready processes.
 */
export function createReadiness({ checkSchema, isDatabaseAway, sleep }: ReadinessParts) {
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
    return wasReady ? Promise.race([checking, sleep(CHECK_TIMEOUT_MS).then(() => [])]) : checking;
  };
}
