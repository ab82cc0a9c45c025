import { TOPICS } from '@postrider/shared/platform/migration-config';
import type { Command } from 'commander';
import { examples } from './examples.js';
import { migrateAll } from './migrate-all.js';
import { atLeast } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

export function addMigrate(program: Command, { env, terminal }: Surroundings): void {
  program
    .command('migrate')
    .description('creates missing topics, schemas, collections and indexes; safe to run at any time')
    .option('--partitions <count>', `partitions of new topics; ${defaultOf('TOPIC_PARTITIONS')}`, atLeast(1))
    .option(
      '--replication-factor <count>',
      `replicas of new topics, -1 for the broker's default; ${defaultOf('TOPIC_REPLICATION_FACTOR')}`,
      atLeast(-1),
    )
    .addHelpText('after', examples('admin migrate', 'admin migrate --partitions 24 --replication-factor 3'))
    .action((options) => migrateAll(env, options, terminal));
}

/** Describes the default of an option. */
const defaultOf = (name: keyof typeof TOPICS) => `default: ${name}, or ${TOPICS[name].default}`;
