export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface Found {
  /** At least one, in the order in which to try them. */
  readonly addresses: readonly Address[];
  /** How long they may be kept. */
  readonly ttlSeconds: number;
}

/** An answer is kept no longer than this, however long its own time to live. */
const MAX_KEPT_MS = 30_000;
/** A name that could not be resolved is not asked for again before this has passed. */
const FAILURE_KEPT_MS = 3_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly answer: Promise<readonly Address[]>;
  /** Monotonic; endless while the look-up runs, so that whoever asks meanwhile shares it. */
  until: number;
}

export interface NameCacheDeps {
  readonly lookUp: (host: string) => Promise<Found>;
  readonly monotonicMs: () => number;
}

/** Keeps the answers of look-ups, failures as well. Rejects as `lookUp` does. */
export function nameCache({
  lookUp,
  monotonicMs,
}: NameCacheDeps): (host: string) => Promise<readonly Address[]> {
  const entries = new Map<string, Entry>();

  const start = (host: string): Entry => {
    const found = lookUp(host);
    const entry = { answer: found.then(({ addresses }) => addresses), until: Number.POSITIVE_INFINITY };
    const keepFor = (ms: number) => {
      entry.until = monotonicMs() + ms;
    };
    found.then(
      ({ ttlSeconds }) => keepFor(Math.min(ttlSeconds * 1_000, MAX_KEPT_MS)),
      () => keepFor(FAILURE_KEPT_MS),
    );
    return entry;
  };

  return (host) => {
    const known = entries.get(host);
    if (known && known.until > monotonicMs()) return known.answer;
    const entry = start(host);
    entries.delete(host); // A renewed entry is the youngest.
    if (entries.size >= MAX_ENTRIES) dropOldest(entries);
    entries.set(host, entry);
    return entry.answer;
  };
}

function dropOldest(entries: Map<string, Entry>): void {
  for (const host of entries.keys()) {
    entries.delete(host);
    return;
  }
}
