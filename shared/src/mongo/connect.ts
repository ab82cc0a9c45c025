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

/** In milliseconds, if the connection string sets none: the driver's 30 s are too long for callers. */
const SERVER_SELECTION_MS = 5_000;
/** Time limit for a server that accepts a connection and does not respond, in milliseconds. */
const CONNECT_MS = 5_000;
/** How long a close waits for transactions, in milliseconds: with the earlier waits of a stop, less than the stop's limit. */
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
    // What was read decides about tokens, subscribers and claims, and a secondary may lack earlier commits. This precedes the
    // connection string; the name 'primary' alone would clash with a maxStalenessSeconds in it.
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
