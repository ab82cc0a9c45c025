import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import type { SettledEndpoint } from '@postrider/shared/domain/endpoint';
import type { DeliveryId, EndpointId } from '@postrider/shared/domain/id';
import { type Settled, type Stored, settleAll } from '@postrider/shared/domain/settle-all';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { type Divided, type DivideParts, divideBatch } from './divide-batch.js';
import type { LatestStreaks } from './latest-streaks.js';
import type { PendingObservation } from './pending-observation.js';

/** Stores a batch of observations, completely if it resolves. @returns the result of each, in the given order */
export type SettleBatch = (entries: readonly PendingObservation[]) => Promise<readonly Settled[]>;

interface SettleBatchParts extends DivideParts {
  readonly store: Pick<SettlementStore, 'settle' | 'record'>;
  readonly latestStreaks: LatestStreaks;
  readonly retryStepMs: number;
}

/**
 * Stores attempts that change only their rows by guarded updates, which rows with the same guard share, and all others in
 * one transaction.
 */
export function createSettleBatch(parts: SettleBatchParts): SettleBatch {
  const { store, latestStreaks, retryStepMs } = parts;
  /** The results of observations whose batch was not stored completely: they are not stored again with the rest of it. */
  const settledBefore = new WeakMap<PendingObservation, Settled>();
  const settleTogether = async (entries: readonly PendingObservation[]): Promise<readonly Settled[]> => {
    if (entries.length === 0) return [];
    const observations = observationsOf(entries);
    const { results } = await store.settle(observations, (stored) =>
      settleAll(stored, observations, retryStepMs),
    );
    // Includes changes of an earlier commit whose response was lost.
    for (const { after } of results) if (after.endpoint !== null) latestStreaks.note(after.endpoint);
    return results;
  };
  const recordAlone = async ({ entries, until }: Divided['alone']): Promise<readonly Settled[]> => {
    if (entries.length === 0) return [];
    const batch = settleAll(knownOf(entries, latestStreaks), observationsOf(entries), retryStepMs);
    return (await store.record(batch, until)) ? batch.results : settleTogether(entries);
  };

  return async (entries) => {
    const open = entries.filter((entry) => !settledBefore.has(entry));
    const { alone, together } = divideBatch(open, parts);
    const parted = [alone.entries, together];
    const done = await Promise.allSettled([recordAlone(alone), settleTogether(together)]);
    const settled = new Map<PendingObservation, Settled>();
    for (const [index, part] of done.entries())
      if (part.status === 'fulfilled') addResults(settled, parted[index] ?? [], part.value);
    for (const part of done) {
      if (part.status === 'fulfilled') continue;
      for (const [entry, result] of settled) settledBefore.set(entry, result);
      throw part.reason;
    }
    return entries.flatMap((entry) => settled.get(entry) ?? settledBefore.get(entry) ?? []);
  };
}

function addResults(
  to: Map<PendingObservation, Settled>,
  entries: readonly PendingObservation[],
  results: readonly Settled[],
): void {
  for (const [index, entry] of entries.entries()) {
    const result = results[index];
    if (result !== undefined) to.set(entry, result);
  }
}

const observationsOf = (entries: readonly PendingObservation[]) =>
  entries.map(({ observation }) => observation);

/** The rows as they were read before the attempts, and the endpoints as this process knows them. */
function knownOf(entries: readonly PendingObservation[], { latest }: LatestStreaks): Stored {
  const deliveries = new Map<DeliveryId, DeliverySummary>();
  const endpoints = new Map<EndpointId, SettledEndpoint>();
  for (const { known } of entries) {
    if (known.delivery !== null) deliveries.set(known.delivery.id, known.delivery);
    if (known.endpoint !== null) endpoints.set(known.endpoint.id, latest(known.endpoint));
  }
  return { deliveries, endpoints };
}
