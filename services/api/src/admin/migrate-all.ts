import { describeIndexBuild } from '@postrider/shared/mongo/index-builds';
import { KAFKA, MONGODB } from '@postrider/shared/platform/access-config';
import { migrate } from '@postrider/shared/platform/migrate';
import { CATALOGUE, TOPICS } from '@postrider/shared/platform/migration-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { START } from '@postrider/shared/runtime/process-config';
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
  await migrate({ ...config, ...shape }, logTo(terminal), (builds) => {
    for (const build of builds) terminal.printError(`Building ${describeIndexBuild(build)}`);
  });
  terminal.print('Topics, schemas, collections and indexes are up to date.');
  const file = config.EVENT_CATALOGUE_FILE;
  if (file !== undefined) await applyDeployedCatalogue(env, file, terminal);
}
