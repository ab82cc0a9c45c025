import { MAX_CLOCK_SKEW_MS } from '../domain/clock-skew.js';
import type { HoldCause, SendingHold } from '../domain/sending-hold.js';
import type { Clock } from '../ports/clock.js';
import type { ClockHoldRecord, FindSendingHolds, GuardRecords } from '../ports/outage-guard.js';
import type { Collections } from './collections.js';

/** In milliseconds, longer than the time between two records of a dispatcher that holds sending. */
const EXPIRES_MS = 15_000;
/** The same for a dispatcher that holds sending because of its clock, which compares the clocks every ten seconds. */
const CLOCK_EXPIRES_MS = 30_000;
/** Maximum number of domains in one record; more would not change a verdict. */
const MAX_DOMAINS = 400;

type Parts = Pick<Collections, 'outageGuards'>;

interface Publisher {
  /** Identifies this dispatcher. */
  readonly processId: string;
  readonly clock: Clock;
}

export function createGuardRecords({ outageGuards }: Parts, { processId, clock }: Publisher): GuardRecords {
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
      const filter = {
        _id: { $ne: processId },
        clockHeldSince: { $exists: false },
        ...isCurrent(clock.now()),
      };
      const projection = { _id: 0, holding: 1, domains: 1, origins: 1 };
      const found = await outageGuards.find(filter, { projection }).toArray();
      return found.map(({ holding, domains, origins = [] }) => ({ holding, domains, origins }));
    },
  };
}

export function createClockHoldRecord(
  { outageGuards }: Parts,
  { processId, clock }: Publisher,
): ClockHoldRecord {
  const _id = `${processId}:clock`;
  let since: Date | null = null;
  return {
    async publish(holding) {
      const now = clock.now();
      // The clock may have been set back since.
      since = holding ? earlier(since ?? now, now) : null;
      if (since === null) {
        await outageGuards.deleteOne({ _id });
        return;
      }
      const expiresAt = new Date(now.getTime() + CLOCK_EXPIRES_MS);
      // Older versions read every record, and must not find an outage in this one.
      const record = { holding: false, domains: [], clockHeldSince: since, expiresAt };
      await outageGuards.updateOne({ _id }, { $set: record }, { upsert: true });
    },
  };
}

/** The record of a process that was killed while the database's clock was ahead expires late by as much: it is ignored. */
function isCurrent(now: Date) {
  return { expiresAt: { $gt: now, $lte: new Date(now.getTime() + MAX_CLOCK_SKEW_MS) } };
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** For parts that show whether deliveries wait: replay jobs, explanations of events. */
export function createFindSendingHolds({ outageGuards }: Parts, clock: Clock): FindSendingHolds {
  return async () => {
    const holding = { $or: [{ holding: true }, { clockHeldSince: { $exists: true } }] };
    const projection = { _id: 0, holding: 1, heldSince: 1, clockHeldSince: 1 };
    const current = { ...isCurrent(clock.now()), ...holding };
    const found = await outageGuards.find(current, { projection }).toArray();
    const outages = found.filter((record) => record.holding).map(({ heldSince }) => heldSince ?? null);
    const clocks = found.flatMap(({ clockHeldSince }) => clockHeldSince ?? []);
    return [...holdOf('outage', outages), ...holdOf('clock', clocks)];
  };
}

/** @param times since when each dispatcher holds, null if unknown */
function holdOf(cause: HoldCause, times: readonly (Date | null)[]): readonly SendingHold[] {
  if (times.length === 0) return [];
  const known = times.flatMap((time) => time?.getTime() ?? []);
  return [{ cause, since: known.length === 0 ? null : new Date(Math.min(...known)) }];
}
