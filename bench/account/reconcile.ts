import type { Expected, Group } from '../environment/population.js';
import type { DeliveryRecord, Records } from './delivery-records.js';

export interface Expectations {
  readonly groups: readonly Pick<Group, 'name' | 'expected'>[];
  /** A process that stops during a POST may cause it to be sent again. An attempt is never stored twice. */
  readonly resends: 'forbidden' | 'allowed';
  /** POSTs, rows and attempts that belong to no expected delivery. */
  readonly unexpected: number;
}

/** The result of comparing expected, received and stored deliveries one by one. */
export interface Account {
  readonly expected: number;
  readonly delivered: number;
  /** Expected deliveries without a row. */
  readonly missing: number;
  /** Deliveries that did not end as expected or lack POSTs. */
  readonly unfinished: number;
  /** POSTs beyond the recorded attempts. */
  readonly repeatedPosts: number;
  /** Attempts beyond the expected number or beyond the number in the row. */
  readonly repeatedAttempts: number;
  readonly unexpected: number;
  /** Descriptions of the mismatches; empty if everything adds up. */
  readonly mismatches: readonly string[];
}

/** Compares, by delivery id, the expected deliveries with those received and stored. */
export function reconcile(records: Records, { groups, resends, unexpected }: Expectations): Account {
  const expectedOf = new Map(groups.map(({ name, expected }) => [name, expected]));
  const counts = { delivered: 0, missing: 0, unfinished: 0, repeatedPosts: 0, repeatedAttempts: 0 };
  for (const record of records.values()) {
    const expected = expectedOf.get(record.group) ?? null;
    if (record.status === 'delivered') counts.delivered += 1;
    // An endpoint that must receive everything must not be disabled either.
    if (record.status === null) counts.missing += expected === null && record.endpointDisabled ? 0 : 1;
    else if (expected !== null && !endedAs(expected, record)) counts.unfinished += 1;
    counts.repeatedPosts += Math.max(0, record.arrivals.length - record.attempts);
    counts.repeatedAttempts += excessAttempts(record, expected);
  }
  const account = { expected: records.size, ...counts, unexpected };
  return { ...account, mismatches: mismatchesOf(account, resends) };
}

function endedAs(expected: Expected, { status, arrivals }: DeliveryRecord): boolean {
  return status === expected.status && arrivals.length >= expected.attempts;
}

/** A delivery that ends without an attempt has one attempt row, the bookkeeping, more than attempts. */
function excessAttempts(
  { status, attempts, attemptRows }: DeliveryRecord,
  expected: Expected | null,
): number {
  const bookkeeping = status === 'failed_permanent' || status === 'dead_lettered' ? 1 : 0;
  const beyondExpected = expected === null ? 0 : Math.max(0, attempts - expected.attempts);
  return Math.max(0, attemptRows - attempts - bookkeeping) + beyondExpected;
}

function mismatchesOf(counts: Omit<Account, 'mismatches'>, resends: Expectations['resends']): string[] {
  const problems: [number, string][] = [
    [counts.missing, 'expected deliveries have no row'],
    [counts.unfinished, 'deliveries did not end as expected'],
    [resends === 'forbidden' ? counts.repeatedPosts : 0, 'POSTs were repeated'],
    [counts.repeatedAttempts, 'attempts were made or stored more than once'],
    [counts.unexpected, 'POSTs, rows or attempts belong to no published event'],
  ];
  return problems.filter(([count]) => count > 0).map(([count, problem]) => `${count} ${problem}`);
}
