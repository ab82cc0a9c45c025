import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { type Collections, collectionsOf } from './collections.js';

/** The database of one process: its driver's client, and the collections by name. */
export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  readonly collections: Collections;
  close(): Promise<void>;
}

/** Unless the connection string says otherwise: the driver's own 30 s would keep callers waiting too long. */
const SERVER_SELECTION_MS = 5_000;
/** A server that accepts and then says nothing is given up after this. */
const CONNECT_MS = 5_000;

/** How the server is known, and we to it, where the connection string does not say. */
export type MongoTls = Pick<MongoClientOptions, 'tls' | 'ca' | 'cert' | 'key'>;

/**
 * Connects and makes sure that transactions can work.
 *
 * @param uri connection string with a database name
 * @throws Error that says what is wrong with the URI, the server or its set-up
 */
export async function connectMongo(uri: string, service: string, tls: MongoTls = {}): Promise<Database> {
  const client = new MongoClient(uri, {
    ...tls,
    appName: service,
    ...(!uri.includes('serverSelectionTimeoutMS=') && { serverSelectionTimeoutMS: SERVER_SELECTION_MS }),
    connectTimeoutMS: CONNECT_MS,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    // Every text in the database is one that we wrote; looking at each character again costs a tenth of a read.
    enableUtf8Validation: false,
    retryWrites: true,
  });
  try {
    const hello = await client.db().admin().command({ hello: 1 });
    if (hello.setName === undefined && hello.msg !== 'isdbgrid') {
      throw new Error(
        'MongoDB runs without a replica set, so it has no transactions: start it with --replSet',
      );
    }
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db();
  return { client, db, collections: collectionsOf(db), close: () => client.close() };
}
