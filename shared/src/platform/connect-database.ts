import { connectMongo } from '../mongo/connect.js';
import { checkMongoSchema } from '../mongo/migrate.js';
import { startPrimaryClock } from '../mongo/primary-clock.js';
import type { Log } from '../ports/log.js';
import { retryUntil } from '../runtime/retry-until.js';
import { mongoTls } from './access.js';
import type { Platform } from './platform.js';
import type { PlatformConfig } from './platform-config.js';

export type ConnectedDatabase = Pick<Platform, 'database' | 'clock' | 'clockOffsetMs' | 'close'>;

/** For changes by a process with the database alone, which publishes nothing: the next sweep of any running service does. */
export const LEFT_TO_SWEEPS = { relay: { offer: () => {} }, outboxClaimMs: 0 } as const;

type DatabaseConfig = Parameters<typeof mongoTls>[0] & Pick<PlatformConfig, 'MONGODB_URI' | 'START_TIMEOUT'>;

/** Connects to the database alone. Waits for it and its schema for START_TIMEOUT in total. */
export async function connectDatabase(
  config: DatabaseConfig,
  service: string,
  log: Log,
): Promise<ConnectedDatabase> {
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const database = await wait('MongoDB', () => connectMongo(config.MONGODB_URI, service, mongoTls(config)));
  try {
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
  } catch (error) {
    await database.close();
    throw error;
  }
}
