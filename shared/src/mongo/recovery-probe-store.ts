import type { ClientSession } from 'mongodb';
import type { Delivery, Pending } from '../domain/delivery.js';
import type { SettledEndpoint } from '../domain/endpoint.js';
import type { EndpointId } from '../domain/id.js';
import { deliveryRecord } from '../outbox/record.js';
import type { RecoveryProbeStore } from '../ports/recovery-probes.js';
import { type Document, HAS_RECOVERY_PROBE } from './collections.js';
import { fromDocument, toNewDeliveryDocument } from './documents.js';
import { SETTLED } from './endpoint-projections.js';
import { type OutboxTransactionParts, outboxTransaction } from './outbox-transaction.js';

/** Two processes that find the same endpoints conflict, and one of them reads again. */
export function createRecoveryProbeStore(parts: OutboxTransactionParts): RecoveryProbeStore {
  const { endpoints, deliveries } = parts.database.collections;
  const transact = outboxTransaction(parts);
  const due = (now: Date) => ({ probeAt: { ...HAS_RECOVERY_PROBE.probeAt, $lte: now } });
  /** @returns those that did not exist */
  const insert = async (
    probes: readonly (Delivery & Pending)[],
    session: ClientSession,
  ): Promise<Delivery[]> => {
    if (probes.length === 0) return [];
    const { upsertedIds } = await deliveries.bulkWrite(probes.map(insertOf), { session, ordered: false });
    return probes.filter((_probe, index) => index in upsertedIds);
  };
  return {
    async due(now, limit, without) {
      const found = await endpoints
        .find({ ...due(now), ...(without.length > 0 && { _id: { $nin: [...without] } }) })
        .project<{ _id: EndpointId }>({ _id: 1 })
        .sort({ probeAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    async handle(endpointIds, now, plan) {
      const { result } = await transact(async (session) => {
        const found = await endpoints
          .find<Document<SettledEndpoint>>(
            { _id: { $in: [...endpointIds] }, ...due(now) },
            { projection: SETTLED, session },
          )
          .toArray();
        const planned = found.map((document) => ({
          _id: document._id,
          ...plan(fromDocument<SettledEndpoint>(document)),
        }));
        const updates = planned.map(({ _id, next }) => ({
          updateOne: { filter: { _id }, update: { $set: { probeAt: next } } },
        }));
        const probes = planned.flatMap(({ probe }) => probe ?? []);
        if (updates.length > 0) await endpoints.bulkWrite(updates, { session, ordered: false });
        const created = await insert(probes, session);
        return {
          result: created,
          records: probes.map((probe) => deliveryRecord(probe)),
        };
      });
      return result;
    },
  };
}

function insertOf(probe: Delivery & Pending) {
  const { _id, ...fields } = toNewDeliveryDocument(probe);
  return { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } };
}
