import type { Clock } from '../ports/clock.js';
import type { FindSendingHold, GuardRecords } from '../ports/outage-guard.js';
import type { Collections } from './collections.js';

/** In milliseconds, longer than the time between two records of a dispatcher that holds sending. */
const EXPIRES_MS = 15_000;
/** Maximum number of domains in one record; more would not change a verdict. */
const MAX_DOMAINS = 400;

type Parts = Pick<Collections, 'outageGuards'>;

/** @param processId identifies this dispatcher */
export function createGuardRecords(
  { outageGuards }: Parts,
  { processId, clock }: { readonly processId: string; readonly clock: Clock },
): GuardRecords {
  let heldSince: Date | null = null;
  return {
    async publish({ holding, domains, origins }) {
      const now = clock.now();
      heldSince = holding ? (heldSince ?? now) : null;
      const expiresAt = new Date(now.getTime() + EXPIRES_MS);
      const record = { holding, heldSince, domains: domains.slice(0, MAX_DOMAINS), origins, expiresAt };
      await outageGuards.updateOne({ _id: processId }, { $set: record }, { upsert: true });
    },
    async others() {
      const filter = { _id: { $ne: processId }, expiresAt: { $gt: clock.now() } };
      const projection = { _id: 0, holding: 1, domains: 1, origins: 1 };
      const found = await outageGuards.find(filter, { projection }).toArray();
      return found.map(({ holding, domains, origins = [] }) => ({ holding, domains, origins }));
    },
  };
}

/** For parts that show whether deliveries wait: replay jobs, explanations of events. */
export function createFindSendingHold({ outageGuards }: Parts, clock: Clock): FindSendingHold {
  return async () => {
    const filter = { holding: true, expiresAt: { $gt: clock.now() } };
    const holding = await outageGuards.find(filter, { projection: { _id: 0, heldSince: 1 } }).toArray();
    if (holding.length === 0) return null;
    const times = holding.flatMap(({ heldSince }) => heldSince?.getTime() ?? []);
    return { since: times.length === 0 ? null : new Date(Math.min(...times)) };
  };
}
