import { migrate } from '@postrider/shared/platform/migrate';
import { CATALOGUE, KAFKA, MONGODB, START, TOPICS } from '@postrider/shared/runtime/common-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { applyDeployedCatalogue } from './catalogue.js';
import { logTo, type Terminal } from './terminal.js';

interface MigrateOptions {
  readonly partitions?: number;
  readonly replicationFactor?: number;
}

export async function migrateAll(
  env: NodeJS.ProcessEnv,
  { partitions, replicationFactor }: MigrateOptions,
  terminal: Terminal,
): Promise<void> {
  const config = readConfig(env, { ...MONGODB, ...KAFKA, ...START, ...TOPICS, ...CATALOGUE });
  const shape = {
    partitions: partitions ?? config.TOPIC_PARTITIONS,
    replicationFactor: replicationFactor ?? config.TOPIC_REPLICATION_FACTOR,
  };
  await migrate({ ...config, ...shape }, logTo(terminal));
  terminal.print('Topics, schemas, collections and indexes are up to date.');
  const file = config.EVENT_CATALOGUE_FILE;
  if (file !== undefined) await applyDeployedCatalogue(env, file, terminal);
}
