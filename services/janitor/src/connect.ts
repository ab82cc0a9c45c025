import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { checkMongoSchema } from '@postrider/shared/mongo/migrate';
import { startPrimaryClock } from '@postrider/shared/mongo/primary-clock';
import { mongoTls } from '@postrider/shared/platform/access';
import { connectPlatform, type Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { NotReachable, retryUntil } from '@postrider/shared/runtime/retry-until';
import type { Config } from './config.js';

/** All that the tasks need. */
export interface Connected extends Pick<Platform, 'database' | 'clock' | 'clockOffsetMs' | 'close'> {
  readonly relay: Pick<Platform['relay'], 'offer'>;
  /** How long a stored outbox record is left to this process, in milliseconds. */
  readonly outboxClaimMs: number;
}

/**
 * Connects like every service. If that fails, connects to the database alone: the tasks need no more. Each attempt waits for
 * START_TIMEOUT.
 */
export async function connect(config: Config, log: Log): Promise<Connected> {
  try {
    return { ...(await connectPlatform(config, 'janitor', log)), outboxClaimMs: config.OUTBOX_CLAIM };
  } catch (err) {
    if (!(err instanceof NotReachable)) throw err;
    log.warn(
      { event: 'janitor.database_only', err },
      'not everything is reachable; the tasks use the database alone, and another service publishes the digests',
    );
    return connectDatabase(config, log);
  }
}

async function connectDatabase(config: Config, log: Log): Promise<Connected> {
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const database: Database = await wait('MongoDB', () =>
    connectMongo(config.MONGODB_URI, 'janitor', mongoTls(config)),
  );
  await wait('database schema', () => checkMongoSchema(database));
  const clock = await startPrimaryClock(database.db, log);
  return {
    database,
    clock,
    clockOffsetMs: clock.offsetMs,
    relay: { offer: () => {} },
    outboxClaimMs: 0,
    async close() {
      clock.stop();
      await database.close();
    },
  };
}
