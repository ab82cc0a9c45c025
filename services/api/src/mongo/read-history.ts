import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Attempt, Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { firstIdAt } from '@postrider/shared/domain/id';
import type { AttemptDocument, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import {
  attemptId,
  fromAttemptDocument,
  fromDeliveryDocument,
  fromDocument,
} from '@postrider/shared/mongo/documents';
import type { ClientSession, Filter } from 'mongodb';

/** Some deliveries with all that belongs to them, as they were at one moment. */
export interface Slice {
  readonly deliveries: readonly Omit<Delivery, 'payload'>[];
  /** By delivery, then by ordinal. */
  readonly attempts: readonly Attempt[];
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

export interface Scope {
  /** Null reads all of them, and finds attempts that belong to none. */
  readonly workspaceId: string | null;
  /** Deliveries and audit events from then on. */
  readonly since: Date;
}

/** Rows in one slice. */
const SLICE = 500;
/** One more than a delivery can have, so that too many are seen. */
const RECORDS_LOOKED_FOR = 9;
/** Behind every identifier. */
const END = '~';

/** Reads of everything that is verified, piece by piece, in bounded memory. */
export function historyReader({ client, collections }: Database, { workspaceId, since }: Scope) {
  const { endpoints, auditEvents, deliveries, attempts } = collections;
  const ofScope = workspaceId === null ? {} : { workspaceId };

  /** The next rows by id, all of them or one endpoint's, and what belongs to them. */
  const readSlice = (after: string, endpointId: string | null): Promise<Slice> =>
    client.withSession({ snapshot: true }, async (session) => {
      const filter: Filter<DeliveryDocument> = {
        _id: { $gt: after },
        ...(endpointId !== null && { endpointId }),
      };
      const rows = await deliveries
        .find(filter, { session, projection: { payload: 0 } })
        .sort({ _id: 1 })
        .limit(SLICE)
        .toArray();
      const ids = rows.map(({ _id }) => _id);
      const records = endpointId === null ? between(after, ids) : recordsOf(ids);
      const found = await attempts.find(records, { session, projection: { requestHeaders: 0 } }).toArray();
      return {
        deliveries: rows.map(fromDeliveryDocument),
        attempts: found.map(fromAttemptDocument).toSorted(byDelivery),
        endpoints: await owners(rows, session),
      };
    });
  const owners = async (rows: readonly DeliveryDocument[], session: ClientSession) => {
    const _id = { $in: [...new Set(rows.map(({ endpointId }) => endpointId))] };
    const found = await endpoints.find({ _id }, { session }).toArray();
    return new Map(found.map((endpoint) => [endpoint._id, fromDocument<Endpoint>(endpoint)]));
  };
  async function* slicesOf(endpointId: string | null): AsyncGenerator<Slice> {
    for (let after = firstIdAt('delivery', since); ; ) {
      const slice = await readSlice(after, endpointId);
      yield slice;
      const last = slice.deliveries.at(-1);
      if (last === undefined || slice.deliveries.length < SLICE) return;
      after = behind(last.id);
    }
  }

  return {
    async *endpoints(): AsyncGenerator<Endpoint> {
      for await (const endpoint of endpoints.find(ofScope).sort({ _id: 1 }))
        yield fromDocument<Endpoint>(endpoint);
    },
    /** Those that changed a streak. */
    async *audits(): AsyncGenerator<AuditEvent> {
      const filter = { ...ofScope, _id: { $gte: firstIdAt('audit', since) }, streak: { $ne: null } };
      for await (const entry of auditEvents.find(filter)) yield fromDocument<AuditEvent>(entry);
    },
    /** @param endpointIds the endpoints of the scope */
    async *slices(endpointIds: readonly string[]): AsyncGenerator<Slice> {
      if (workspaceId === null) return yield* slicesOf(null);
      for (const id of endpointIds) yield* slicesOf(id);
    },
    async endpointsNow(ids: readonly string[]): Promise<ReadonlyMap<string, Endpoint>> {
      const found = await endpoints.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((endpoint) => [endpoint._id, fromDocument<Endpoint>(endpoint)]));
    },
    estimate: () => deliveries.estimatedDocumentCount(),
  };
}

/** All records from one place to another: those of deliveries that are not there, too. */
function between(after: string, ids: readonly string[]): Filter<AttemptDocument> {
  const last = ids.length < SLICE ? undefined : ids.at(-1);
  return { _id: { $gt: after, $lt: last === undefined ? END : behind(last) } };
}

/** Behind a delivery and its records, and before the next one. */
function behind(deliveryId: string): string {
  return `${deliveryId};`;
}

function recordsOf(ids: readonly string[]): Filter<AttemptDocument> {
  const ordinals = Array.from({ length: RECORDS_LOOKED_FOR }, (_, index) => index + 1);
  return { _id: { $in: ids.flatMap((id) => ordinals.map((ordinal) => attemptId(id, ordinal))) } };
}

function byDelivery(one: Attempt, other: Attempt): number {
  if (one.deliveryId !== other.deliveryId) return one.deliveryId < other.deliveryId ? -1 : 1;
  return one.ordinal - other.ordinal;
}
