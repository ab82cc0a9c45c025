import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import type { OutboxRecord, OutboxStore } from '../ports/outbox.js';
import type { Collections, OutboxDocument } from './collections.js';
import { toDocument } from './documents.js';
import { insertMissing } from './insert-missing.js';

/** Appends records inside their writer's transaction. An existing record does not change. */
export async function appendToOutbox(
  { outbox }: Collections,
  records: readonly OutboxRecord[],
  { claimedUntil, session }: { claimedUntil: Date; session: ClientSession },
): Promise<void> {
  const fresh = records.map((record) => ({
    ...toDocument(record),
    claimedUntil,
    dueAt: claimedUntil,
    failures: 0,
  }));
  await insertMissing(outbox, fresh, session);
}

export function createOutboxStore({ outbox }: Collections): OutboxStore {
  return {
    async claim(limit, now, until) {
      const free = { claimedUntil: { $lte: now } };
      const ids = await outbox
        .find(free, { projection: { _id: 1 }, sort: { claimedUntil: 1 }, limit })
        .toArray();
      if (ids.length === 0) return [];
      const claim = randomUUID();
      const _id = { $in: ids.map(({ _id }) => _id) };
      await outbox.updateMany({ _id, ...free }, { $set: { claimedUntil: until, claim } });
      return (await outbox.find({ _id, claim }).toArray()).map(toRecord);
    },
    async findUnclaimed(ids) {
      const found = await outbox.find({ _id: { $in: [...ids] }, claim: { $exists: false } }).toArray();
      const byId = new Map(found.map((document) => [document._id, toRecord(document)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    async nextExpiry() {
      const [first] = await outbox
        .find({ claimedUntil: { $gt: new Date(0) } }, { projection: { claimedUntil: 1 } })
        .sort({ claimedUntil: 1 })
        .limit(1)
        .toArray();
      return first?.claimedUntil ?? null;
    },
    async remove(ids) {
      await outbox.deleteMany({ _id: { $in: [...ids] } });
    },
    async countFailure(_id, lastFailure) {
      const after = await outbox.findOneAndUpdate(
        { _id },
        { $inc: { failures: 1 }, $set: { lastFailure } },
        { returnDocument: 'after' },
      );
      return after?.failures ?? 0;
    },
    async setAside(_id) {
      const setAside = { $unset: { claimedUntil: 1 as const }, $currentDate: { setAsideAt: true as const } };
      await outbox.updateOne({ _id }, setAside);
    },
  };
}

function toRecord({ _id, topic, key, headers, subject, value }: OutboxDocument): OutboxRecord {
  return { id: _id, topic, key, headers, subject, value };
}
