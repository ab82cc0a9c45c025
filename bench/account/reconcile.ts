import type { DeliveryRecord, Records } from './delivery-record.js';

/** What must have become of each delivery of a group: delivered, or given up, by so many attempts. */
export interface Promised {
  readonly group: string;
  readonly attempts: number;
  /** Delivered unless given. */
  readonly end?: 'delivered' | 'dead_lettered';
}

export interface Expectations {
  /** Deliveries of other groups may be in any state, but must be there. */
  readonly promised: readonly Promised[];
  /** At least once: a POST may be made again where a process ends in the middle of one. Attempts are never stored twice. */
  readonly resends: 'forbidden' | 'allowed';
  /** POSTs, rows and attempts that belong to nothing that is owed. */
  readonly strangers: number;
}

/** What was counted, delivery by delivery. */
export interface Account {
  readonly owed: number;
  readonly delivered: number;
  /** Owed, and no row. */
  readonly missing: number;
  /** Promised, and not ended as promised, or without all of its POSTs. */
  readonly undelivered: number;
  /** POSTs beyond the attempts that are recorded. */
  readonly repeatedPosts: number;
  /** Attempts beyond those promised, or beyond those that the row counts. */
  readonly repeatedAttempts: number;
  readonly strangers: number;
  /** What must not be, in words; empty when everything adds up. */
  readonly mismatches: readonly string[];
}

/** Compares what was owed with what arrived and what is stored, by id. */
export function reconcile(records: Records, expectations: Expectations): Account {
  const promises = new Map(expectations.promised.map((promise) => [promise.group, promise]));
  const counts = { owed: 0, delivered: 0, missing: 0, undelivered: 0, repeatedPosts: 0, repeatedAttempts: 0 };
  for (const record of records.values()) {
    const promised = promises.get(record.group) ?? null;
    counts.owed += 1;
    if (record.status === 'delivered') counts.delivered += 1;
    if (record.status === null) counts.missing += isOwed(record, promised) ? 1 : 0;
    else if (promised !== null && !isKept(promised, record)) counts.undelivered += 1;
    counts.repeatedPosts += Math.max(0, record.arrivals.length - record.attempts);
    counts.repeatedAttempts += excessAttempts(record, promised);
  }
  const account = { ...counts, strangers: expectations.strangers };
  return { ...account, mismatches: mismatchesOf(account, expectations.resends) };
}

/** What was promised is owed in any case: an endpoint that was to answer must not end up disabled. */
function isOwed({ endpointDisabled }: DeliveryRecord, promised: Promised | null): boolean {
  return promised !== null || !endpointDisabled;
}

function isKept({ end = 'delivered' }: Promised, { status, arrivals, attempts }: DeliveryRecord): boolean {
  return status === end && arrivals.length >= attempts;
}

/** The record that ends a delivery without an attempt is one row more than attempts were made. */
function excessAttempts(
  { status, attempts, attemptRows }: DeliveryRecord,
  promised: Promised | null,
): number {
  const bookkeeping = status === 'failed_permanent' || status === 'dead_lettered' ? 1 : 0;
  const beyondPromise = promised === null ? 0 : Math.max(0, attempts - promised.attempts);
  return Math.max(0, attemptRows - attempts - bookkeeping) + beyondPromise;
}

function mismatchesOf(counts: Omit<Account, 'mismatches'>, resends: Expectations['resends']): string[] {
  const wrong: [number, string][] = [
    [counts.missing, 'deliveries are owed and have no row'],
    [counts.undelivered, 'deliveries were promised and did not end so'],
    [resends === 'forbidden' ? counts.repeatedPosts : 0, 'POSTs were made again'],
    [counts.repeatedAttempts, 'attempts were made or stored more than once'],
    [counts.strangers, 'POSTs, rows or attempts belong to no event that was published'],
  ];
  return wrong.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}
