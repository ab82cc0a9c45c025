import { FEATURES } from '@postrider/shared/domain/feature-level';
import { idOf } from '@postrider/shared/domain/id';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { createFeatureLevelStore } from '@postrider/shared/mongo/feature-level-store';
import { checkMongoSchema } from '@postrider/shared/mongo/migrate';
import { startPrimaryClock } from '@postrider/shared/mongo/primary-clock';
import { mongoTls } from '@postrider/shared/platform/access';
import { MONGODB } from '@postrider/shared/platform/access-config';
import type { Log } from '@postrider/shared/ports/log';
import { readConfig } from '@postrider/shared/runtime/config';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { START } from '@postrider/shared/runtime/process-config';
import { retryUntil } from '@postrider/shared/runtime/retry-until';
import { createRequireFeature } from '../domain/require-feature.js';
import { createUnitOfWork } from '../mongo/unit-of-work.js';
import type { Deps } from '../operations/deps.js';

/** The database and the dependencies for changing it as operations do. */
export interface AdminContext extends Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature'> {
  readonly database: Database;
}

/** Connects to the database, runs `work` and disconnects. */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  log: Log,
  work: (context: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(env, { ...MONGODB, ...START });
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const database = await wait('MongoDB', () => connectMongo(config.MONGODB_URI, 'admin', mongoTls(config)));
  const clock = await startPrimaryClock(database.db, log);
  // Commands publish nothing: the next sweep of any running service does.
  const relay = { offer: () => {} };
  const mutate = createUnitOfWork({
    database,
    relay,
    clock,
    outboxClaimMs: 0,
    idempotencyStore: null,
    report: () => {},
  });
  try {
    await wait('database schema', () => checkMongoSchema(database));
    const level = await createFeatureLevelStore(database).read();
    const requireFeature = createRequireFeature((feature) => FEATURES[feature].level <= level);
    const newId: AdminContext['newId'] = (kind, at) => idOf(kind, at, randomTail());
    return await work({ database, clock, mutate, newId, requireFeature });
  } finally {
    clock.stop();
    await database.close();
  }
}
