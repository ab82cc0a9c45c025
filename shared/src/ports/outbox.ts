/** A message that a transaction stores with the state it describes; it is published after the commit. */
export interface OutboxRecord {
  /** Follows from the cause, so that a cause has one record however often it is reported. */
  readonly id: string;
  /** Topic without prefix. */
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The subject of the schema registry that the value is encoded with; null for plain JSON. */
  readonly subject: string | null;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Some records cannot be published now: their values cannot be encoded, for example while the registry is away, or messages
 * cannot be appended to their partition. All others were published.
 */
export class NotPublished extends Error {
  override readonly name = 'NotPublished';

  constructor(
    readonly ids: ReadonlySet<string>,
    options: ErrorOptions,
  ) {
    super(`${ids.size} records cannot be published now`, options);
  }
}

/** The longest time for which records may be claimed, in milliseconds. */
export const LONGEST_CLAIM_MS = 600_000;

/** The relay's port to the outbox collection. Records are appended inside their writers' transactions. */
export interface OutboxStore {
  /**
   * Claims up to `limit` records whose claim has expired, or is longer than any can be; no other process gets them until `until`.
   */
  claim(limit: number, now: Date, until: Date): Promise<readonly OutboxRecord[]>;
  /** Those of these records that are stored and were never claimed by a sweep, in the order of `ids`. */
  findUnclaimed(ids: readonly string[]): Promise<readonly OutboxRecord[]>;
  /** When the first claim expires; null if no record is claimed. */
  nextExpiry(): Promise<Date | null>;
  remove(ids: readonly string[]): Promise<void>;
  /** Counts a failure that the record itself caused. @returns the failures so far */
  countFailure(id: string, reason: string): Promise<number>;
  /** Excludes a record from claims; it stays stored for inspection. */
  setAside(id: string): Promise<void>;
}

/** Publishes outbox records. */
export interface OutboxRelay {
  /** Accepts freshly committed records. Never waits and never fails: records that do not fit are left to the sweep. */
  offer(records: readonly OutboxRecord[]): void;
  /** Publishes the records in memory. Resolves when they are published, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops publishing within a second. Records that are not published by then stay in the outbox. */
  stop(): Promise<void>;
}
