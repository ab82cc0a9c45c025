import { migrate } from '@postrider/shared/platform/migrate';
import { KAFKA, MONGODB, START } from '@postrider/shared/runtime/common-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { logTo, type Terminal } from './terminal.js';

interface MigrateOptions {
  readonly partitions: number;
  readonly replicationFactor: number;
}

export async function migrateAll(
  env: NodeJS.ProcessEnv,
  options: MigrateOptions,
  terminal: Terminal,
): Promise<void> {
  const config = readConfig(env, { ...MONGODB, ...KAFKA, ...START });
  await migrate({ ...config, ...options }, logTo(terminal));
  terminal.print('Topics, schemas, collections and indexes are as this version needs them.');
}
