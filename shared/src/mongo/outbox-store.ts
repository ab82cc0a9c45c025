import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import { MAX_CLOCK_SKEW_MS } from '../domain/clock-skew.js';
import { LONGEST_CLAIM_MS, type OutboxRecord, type OutboxStore } from '../ports/outbox.js';
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
      // A claim that ends later than any can was made before the database's clock was set back.
      const latest = new Date(now.getTime() + LONGEST_CLAIM_MS + MAX_CLOCK_SKEW_MS);
      const free = { $or: [{ claimedUntil: { $lte: now } }, { claimedUntil: { $gt: latest } }] };
      const ids = await outbox
        .find(free, { projection: { _id: 1 }, sort: { claimedUntil: 1 }, limit })
        .toArray();
      if (ids.length === 0) return [];
      const claim = randomUUID();
      const _id = { $in: ids.map(({ _id }) => _id) };
      const claimed = { $set: { claimedUntil: until, claim }, $min: { dueAt: until } };
      await outbox.updateMany({ _id, ...free }, claimed);
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
