import type { ClientSession, MatchKeysAndValues } from 'mongodb';
import { CHECK_KEPT_MS, type ConformanceCheck } from '../domain/conformance-check.js';
import type { Collections, ConformanceCheckDocument } from './collections.js';
import { fromDocument, toDocument } from './documents.js';

export function fromCheckDocument(document: ConformanceCheckDocument): ConformanceCheck {
  const { leaseHolder: _, leaseUntil: __, expiresAt: ___, ...check } = document;
  return fromDocument<ConformanceCheck>(check);
}

/** Stores a new check without a lease: the dispatcher that finds it first runs it. */
export async function insertCheck(
  { conformanceChecks }: Pick<Collections, 'conformanceChecks'>,
  check: ConformanceCheck,
  session: ClientSession,
): Promise<void> {
  const expiresAt = new Date(check.startedAt.getTime() + CHECK_KEPT_MS);
  const document = { ...toDocument(check), leaseUntil: check.startedAt, expiresAt };
  await conformanceChecks.insertOne(document, { session });
}

/** Overwrites the fields that change while a check runs. A check that has ended loses its lease. */
export function updateOfCheck({ status, results, endedAt }: ConformanceCheck, leaseUntil: Date) {
  const $set: MatchKeysAndValues<ConformanceCheckDocument> = { status, results, endedAt };
  if (endedAt === null) return { $set: { ...$set, leaseUntil } };
  return { $set, $unset: { leaseHolder: 1 as const, leaseUntil: 1 as const } };
}
