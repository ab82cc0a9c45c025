import './quiet-connection-pool.js';
import './end-writes-when-closed.js';
import { type Db, MongoClient, type MongoClientOptions, ReadPreference } from 'mongodb';
import { NEWEST_LEVEL } from '../domain/feature-level.js';
import { appNameOf } from './app-name.js';
import { type Collections, collectionsOf } from './collections.js';
import { forgetEnded } from './forget-ended.js';
import { closeAfterTransactions } from './running-transactions.js';

/** The database connection of a process and the collections by name. */
export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  readonly collections: Collections;
  /** Lets running transactions end, for a while, and closes the connection. */
  close(): Promise<void>;
}

/** Used if the connection string sets none, because the driver's 30 s are too long for callers. */
const SERVER_SELECTION_MS = 5_000;
/** The time-out for a server that accepts a connection and does not respond. */
const CONNECT_MS = 5_000;
/** How long a close waits for transactions. With what a stop has waited for before, it stays below the stop's limit. */
const FINISH_TRANSACTIONS_MS = 3_000;

/** TLS options that the connection string does not contain. */
export type MongoTls = Pick<MongoClientOptions, 'tls' | 'ca' | 'cert' | 'key'>;

/**
 * Connects and checks that the server supports transactions.
 *
 * @param uri connection string with a database name
 * @throws Error that explains the problem with the URI, the server or its configuration
 */
export async function connectMongo(uri: string, service: string, tls: MongoTls = {}): Promise<Database> {
  const client = new MongoClient(uri, {
    ...tls,
    appName: appNameOf(service, NEWEST_LEVEL),
    ...(!uri.includes('serverSelectionTimeoutMS=') && { serverSelectionTimeoutMS: SERVER_SELECTION_MS }),
    connectTimeoutMS: CONNECT_MS,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    // All texts in the database were written by this system; validating them again costs a tenth of a read.
    enableUtf8Validation: false,
    retryWrites: true,
    // Tokens, subscribers and claims are decided by what was read, and a secondary may lack what was committed before. This precedes
    // the connection string; the name 'primary' alone would clash with a maxStalenessSeconds in it.
    readPreference: ReadPreference.primary,
  });
  forgetEnded(client);
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
  const close = () => closeAfterTransactions(client, FINISH_TRANSACTIONS_MS);
  return { client, db, collections: collectionsOf(db), close };
}
