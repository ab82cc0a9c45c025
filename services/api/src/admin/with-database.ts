import { FEATURES } from '@postrider/shared/domain/feature-level';
import { idOf } from '@postrider/shared/domain/id';
import type { Database } from '@postrider/shared/mongo/connect';
import { createFeatureLevelStore } from '@postrider/shared/mongo/feature-level-store';
import { MONGODB } from '@postrider/shared/platform/access-config';
import { connectDatabase, LEFT_TO_SWEEPS } from '@postrider/shared/platform/connect-database';
import type { Log } from '@postrider/shared/ports/log';
import { readConfig } from '@postrider/shared/runtime/config';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { START } from '@postrider/shared/runtime/process-config';
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
  const { database, clock, close } = await connectDatabase(config, 'admin', log);
  try {
    const mutate = createUnitOfWork({
      ...LEFT_TO_SWEEPS,
      database,
      clock,
      idempotencyStore: null,
      report: () => {},
    });
    const level = await createFeatureLevelStore(database).read();
    const requireFeature = createRequireFeature((feature) => FEATURES[feature].level <= level);
    const newId: AdminContext['newId'] = (kind, at) => idOf(kind, at, randomTail());
    return await work({ database, clock, mutate, newId, requireFeature });
  } finally {
    await close();
  }
}
