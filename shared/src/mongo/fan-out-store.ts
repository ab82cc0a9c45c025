import { MongoBulkWriteError } from 'mongodb';
import type { Endpoint } from '../domain/endpoint.js';
import type { FanOutStore } from '../ports/fan-out.js';
import type { Collections } from './collections.js';
import { fromDocument, toDeliveryDocument } from './documents.js';

const DUPLICATE_KEY = 11_000;

export function fanOutStore({ endpoints, deliveries }: Collections): FanOutStore {
  return {
    async subscribers(workspaceIds, types) {
      const filter = {
        workspaceId: { $in: [...workspaceIds] },
        'subscriptions.eventType': { $in: [...types] },
        enabled: true,
      };
      return (await endpoints.find(filter).toArray()).map((document) => fromDocument<Endpoint>(document));
    },
    async insert(rows) {
      try {
        await deliveries.insertMany(rows.map(toDeliveryDocument), { ordered: false });
      } catch (error) {
        if (!isAllDuplicates(error)) throw error;
      }
    },
  };
}

function isAllDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return false;
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return (
    error.result.getWriteConcernError() === undefined && failures.every(({ code }) => code === DUPLICATE_KEY)
  );
}
