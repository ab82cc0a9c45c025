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
  // Stored observations are not stored again when the rest of their batch is retried. The results of complete batches are
  // removed: a weak map keeps what its values refer to until the next full garbage collection.
  const settled = new WeakMap<PendingObservation, Settled>();
  const keep = (entries: readonly PendingObservation[], results: readonly Settled[]) => {
    for (const [index, entry] of entries.entries()) {
      const result = results[index];
      if (result !== undefined) settled.set(entry, result);
    }
  };
  const settleTogether = async (entries: readonly PendingObservation[]) => {
    if (entries.length === 0) return;
    const observations = observationsOf(entries);
    const { results } = await store.settle(observations, (stored) =>
      settleAll(stored, observations, retryStepMs),
    );
    // Includes changes of an earlier commit whose response was lost.
    for (const { after } of results) if (after.endpoint !== null) latestStreaks.note(after.endpoint);
    keep(entries, results);
  };
  const recordAlone = async ({ entries, until }: Divided['alone']) => {
    if (entries.length === 0) return;
    const batch = settleAll(knownOf(entries, latestStreaks), observationsOf(entries), retryStepMs);
    if (await store.record(batch, until)) keep(entries, batch.results);
    else await settleTogether(entries);
  };

  return async (entries) => {
    const open = entries.filter((entry) => !settled.has(entry));
    const { alone, together } = divideBatch(open, parts);
    const done = await Promise.allSettled([recordAlone(alone), settleTogether(together)]);
    for (const part of done) if (part.status === 'rejected') throw part.reason;
    return entries.flatMap((entry) => {
      const result = settled.get(entry);
      settled.delete(entry);
      return result ?? [];
    });
  };
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
