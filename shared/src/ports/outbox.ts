/** A message that a transaction promises: written with the state it tells of, published after the commit. */
export interface OutboxRecord {
  /** Follows from the cause, so that a cause has one record however often it is told. */
  readonly id: string;
  /** Topic without prefix. */
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The subject of the schema registry that the value is encoded with; null for plain JSON. */
  readonly subject: string | null;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What the relay needs of the outbox collection. Records get there inside their writers' transactions. */
export interface OutboxStore {
  /** Claims up to `limit` records whose claim has run out; nobody else gets them until `until`. */
  claim(limit: number, now: Date, until: Date): Promise<readonly OutboxRecord[]>;
  remove(ids: readonly string[]): Promise<void>;
  /** Counts a failure that the record itself caused. @returns the failures so far */
  blame(id: string, reason: string): Promise<number>;
  /** Takes a record out of circulation; it stays stored for a person to look at. */
  setAside(id: string): Promise<void>;
}

/** Publishes what was promised. */
export interface OutboxRelay {
  /** Hands over freshly committed records. Never waits and never fails: what does not fit is swept up later. */
  offer(records: readonly OutboxRecord[]): void;
  /** Publishes what is in memory. Resolves when it is out, or when `timeoutMs` have passed. */
  drain(timeoutMs: number): Promise<void>;
  /** Publishes nothing any more. Takes a second at most: what is not out by then stays promised. */
  stop(): Promise<void>;
}
