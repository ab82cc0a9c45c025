interface BatchOptions {
  readonly most: number;
  /** Between the beginnings of two requests. */
  readonly pauseMs: number;
}

interface Waiting<T> {
  readonly id: string;
  resolve(found: T | null): void;
  reject(error: unknown): void;
}

/**
 * Reads single things by requests for several: what is asked for at the same time, or during the pause, is asked for together.
 *
 * @returns reads one of them; null if there is none
 */
export function batchReads<T>(
  readSeveral: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  { most, pauseMs }: BatchOptions,
): (id: string) => Promise<T | null> {
  const waiting: Waiting<T>[] = [];
  let isPlanned = false;
  let lastMs = Number.NEGATIVE_INFINITY;
  const plan = () => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setTimeout(send, Math.max(0, lastMs + pauseMs - performance.now()));
  };
  const send = () => {
    isPlanned = false;
    lastMs = performance.now();
    const batch = waiting.splice(0, most);
    readSeveral(batch.map(({ id }) => id)).then(
      (found) => {
        for (const { id, resolve } of batch) resolve(found.get(id) ?? null);
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
    plan();
  };
  return (id) =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      plan();
    });
}
