import { randomBytes } from 'node:crypto';
import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import { connectMongo, type Database } from '../mongo/connect.js';
import { toDeliveryDocument, toDocument } from '../mongo/documents.js';
import { migrateMongo } from '../mongo/migrate.js';
import type { OutboxRecord } from '../ports/outbox.js';

/** A separate database for one test file, on the real server. */
export interface TestDatabase extends Database {
  readonly uri: string;
  store(things: { endpoints?: readonly Endpoint[]; deliveries?: readonly Delivery[] }): Promise<void>;
  /** Reads a stored delivery. */
  row(id: string): Promise<unknown>;
  /** Deletes all documents. */
  clear(): Promise<void>;
  drop(): Promise<void>;
}

export async function emptyDatabase(): Promise<TestDatabase> {
  const uri = new URL(process.env.MONGODB_URI ?? '');
  uri.pathname = `/test_${randomBytes(4).toString('hex')}`;
  const database = await connectMongo(uri.href, 'test');
  const { collections, db, close } = database;
  return {
    ...database,
    uri: uri.href,
    async store({ endpoints = [], deliveries = [] }) {
      if (endpoints.length > 0) await collections.endpoints.insertMany(endpoints.map(toDocument));
      if (deliveries.length > 0) await collections.deliveries.insertMany(deliveries.map(toDeliveryDocument));
    },
    row: (_id) => collections.deliveries.findOne({ _id }),
    async clear() {
      await Promise.all(Object.values(collections).map((collection) => collection.deleteMany({})));
    },
    async drop() {
      await db.dropDatabase();
      await close();
    },
  };
}

/** A database with all collections and indexes. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await migrateMongo(database);
  return database;
}

/** A relay that only records the offered records. */
export function offers(): {
  relay: { offer(records: readonly OutboxRecord[]): void };
  offered: OutboxRecord[];
} {
  const offered: OutboxRecord[] = [];
  return { offered, relay: { offer: (records) => offered.push(...records) } };
}
