import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { checkMongoSchema } from '@postrider/shared/mongo/migrate';
import { startPrimaryClock } from '@postrider/shared/mongo/primary-clock';
import { mongoTls } from '@postrider/shared/platform/access';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { retryUntil } from '@postrider/shared/runtime/retry-until';
import type { Config } from './config.js';

/** All that the tasks need. */
export interface ConnectedDatabase {
  readonly database: Database;
  readonly clock: Clock;
  /** How far this machine's clock is behind the database's, in milliseconds. */
  readonly clockOffsetMs: () => number;
  close(): Promise<void>;
}

/** Connects to the database, and waits for it and its schema for START_TIMEOUT in total. */
export async function connectDatabase(config: Config, log: Log): Promise<ConnectedDatabase> {
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const database = await wait('MongoDB', () => connectMongo(config.MONGODB_URI, 'janitor', mongoTls(config)));
  await wait('database schema', () => checkMongoSchema(database));
  const clock = await startPrimaryClock(database.db, log);
  return {
    database,
    clock,
    clockOffsetMs: clock.offsetMs,
    async close() {
      clock.stop();
      await database.close();
    },
  };
}
