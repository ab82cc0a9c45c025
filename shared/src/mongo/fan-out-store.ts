import { MongoBulkWriteError } from 'mongodb';
import type { Delivery } from '../domain/delivery.js';
import type { Subscriber } from '../domain/endpoint.js';
import type { FanOutStore } from '../ports/fan-out.js';
import type { Collections, Document } from './collections.js';
import { type FieldsOf, fromDocument, toDeliveryDocument } from './documents.js';

const DUPLICATE_KEY = 11_000;
const SUBSCRIBER: FieldsOf<Subscriber> = {
  workspaceId: 1,
  subscriptions: 1,
  enabled: 1,
  enabledSince: 1,
  deletedAt: 1,
};

export function createFanOutStore({ endpoints, deliveries }: Collections): FanOutStore {
  return {
    async subscribers(workspaceIds, types) {
      const filter = {
        workspaceId: { $in: [...workspaceIds] },
        'subscriptions.eventType': { $in: [...types] },
        enabled: true,
      };
      const found = endpoints.find<Document<Subscriber>>(filter, { projection: SUBSCRIBER });
      return (await found.toArray()).map((document) => fromDocument<Subscriber>(document));
    },
    async insert(rows) {
      try {
        await deliveries.insertMany(rows.map(toDeliveryDocument), { ordered: false });
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        throwUnlessDuplicates(error, rows);
      }
    },
  };
}

/** @throws Error that names the first row that failed for another reason: the driver's error may name a duplicate */
function throwUnlessDuplicates(error: MongoBulkWriteError, rows: readonly Delivery[]): void {
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  const failure = failures.find(({ code }) => code !== DUPLICATE_KEY);
  if (failure !== undefined) {
    const row = rows[failure.index]?.id;
    throw new Error(`row ${row} could not be stored: ${failure.errmsg}`, { cause: error });
  }
  // Without write errors the server itself failed: a lost connection and a step-down arrive as this class, too.
  if (failures.length === 0 || error.result.getWriteConcernError() !== undefined) throw error;
}
