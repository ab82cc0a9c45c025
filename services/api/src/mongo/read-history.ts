import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields, DeliveryFields } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import { firstIdAt } from '@postrider/shared/domain/id';
import { MAX_RECORDS } from '@postrider/shared/domain/retry-policy';
import type { AttemptDocument, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import {
  attemptFields,
  attemptId,
  deliveryFields,
  embeddedAttempts,
  fromDocument,
} from '@postrider/shared/mongo/documents';
import type { ClientSession, Filter } from 'mongodb';

/** Deliveries with their attempts and endpoints, from one snapshot. */
export interface Slice {
  readonly deliveries: readonly DeliveryFields[];
  /** By delivery, then by ordinal. */
  readonly attempts: readonly AttemptFields[];
  readonly endpoints: ReadonlyMap<string, EndpointFields>;
}

export interface Scope {
  /** Null reads all workspaces, including attempts without a delivery. */
  readonly workspaceId: string | null;
  /** Excludes older deliveries and audit events. */
  readonly since: Date;
}

const SLICE_SIZE = 500;
/** The database might choose the index of `_id`, which has the rows of all workspaces. */
const BY_ENDPOINT = { endpointId: 1, _id: 1 } as const;
/** Sorts after every identifier. */
const END = '~';

/** Reads the history to verify in slices, with bounded memory. */
export function createHistoryReader({ client, collections }: Database, { workspaceId, since }: Scope) {
  const { endpoints, auditEvents, deliveries, attempts } = collections;
  const scopeFilter = workspaceId === null ? {} : { workspaceId };

  /** The next deliveries by id, of all endpoints or of one, with their attempts and endpoints. */
  const readSlice = (after: string, endpointId: string | null): Promise<Slice> =>
    client.withSession({ snapshot: true }, async (session) => {
      const filter: Filter<DeliveryDocument> = {
        _id: { $gt: after },
        ...(endpointId !== null && { endpointId }),
      };
      const rows = await deliveries
        .find(filter, {
          session,
          projection: { payload: 0, 'records.requestHeaders': 0 },
          ...(endpointId !== null && { hint: BY_ENDPOINT }),
        })
        .sort({ _id: 1 })
        .limit(SLICE_SIZE)
        .toArray();
      const ids = rows.map(({ _id }) => _id);
      const records = endpointId === null ? between(after, ids) : recordsOf(ids);
      const found = await attempts.find(records, { session, projection: { requestHeaders: 0 } }).toArray();
      return {
        deliveries: rows.map(deliveryFields),
        attempts: [...found.map(attemptFields), ...rows.flatMap(attemptsIn)].sort(byDelivery),
        endpoints: await endpointsOf(rows, session),
      };
    });
  const endpointsOf = async (rows: readonly DeliveryDocument[], session: ClientSession) => {
    const _id = { $in: [...new Set(rows.map(({ endpointId }) => endpointId))] };
    const found = await endpoints.find({ _id }, { session }).toArray();
    return new Map(found.map((endpoint) => [endpoint._id, fromDocument<EndpointFields>(endpoint)]));
  };
  async function* slicesOf(endpointId: string | null): AsyncGenerator<Slice> {
    for (let after = firstIdAt('delivery', since); ; ) {
      const slice = await readSlice(after, endpointId);
      yield slice;
      const last = slice.deliveries.at(-1);
      if (last === undefined || slice.deliveries.length < SLICE_SIZE) return;
      after = endOf(last.id);
    }
  }

  return {
    /** Majority, like the snapshots of later slices: otherwise a slice could lack a change that an endpoint reflects. */
    async *endpoints(): AsyncGenerator<EndpointFields> {
      const readConcern = { level: 'majority' } as const;
      for await (const endpoint of endpoints.find(scopeFilter, { readConcern }).sort({ _id: 1 }))
        yield fromDocument<EndpointFields>(endpoint);
    },
    /** Only audit events that changed a streak. */
    async *audits(): AsyncGenerator<AuditEvent> {
      const filter = { ...scopeFilter, _id: { $gte: firstIdAt('audit', since) }, streak: { $ne: null } };
      for await (const entry of auditEvents.find(filter)) yield fromDocument<AuditEvent>(entry);
    },
    /** @param endpointIds the endpoints of the scope */
    async *slices(endpointIds: readonly string[]): AsyncGenerator<Slice> {
      if (workspaceId === null) return yield* slicesOf(null);
      for (const id of endpointIds) yield* slicesOf(id);
    },
    async currentEndpoints(ids: readonly string[]): Promise<ReadonlyMap<string, EndpointFields>> {
      const found = await endpoints.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((endpoint) => [endpoint._id, fromDocument<EndpointFields>(endpoint)]));
    },
    estimate: () => deliveries.estimatedDocumentCount(),
  };
}

/** The attempts in a row. Anything but a list counts as one of them, which is damaged. */
function attemptsIn({ records = [], ...row }: DeliveryDocument): AttemptFields[] {
  return embeddedAttempts({ ...row, records: [records].flat() });
}

/** All records within the range of the slice, including those whose delivery does not exist. */
function between(after: string, ids: readonly string[]): Filter<AttemptDocument> {
  const last = ids.length < SLICE_SIZE ? undefined : ids.at(-1);
  return { _id: { $gt: after, $lt: last === undefined ? END : endOf(last) } };
}

/** Sorts after a delivery and its records, and before the next delivery. */
function endOf(deliveryId: string): string {
  return `${deliveryId};`;
}

function recordsOf(ids: readonly string[]): Filter<AttemptDocument> {
  // One more than a delivery may have, so that a surplus record is found.
  const ordinals = Array.from({ length: MAX_RECORDS + 1 }, (_, index) => index + 1);
  return { _id: { $in: ids.flatMap((id) => ordinals.map((ordinal) => attemptId(id, ordinal))) } };
}

function byDelivery(one: AttemptFields, other: AttemptFields): number {
  if (one.deliveryId !== other.deliveryId) return one.deliveryId < other.deliveryId ? -1 : 1;
  return one.ordinal - other.ordinal;
}
