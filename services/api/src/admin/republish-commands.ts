import type { Command } from 'commander';
import { examples } from './examples.js';
import { agoOrTime, atLeast, eventType, fromZero } from './parse-options.js';
import { republishEvents } from './republish-events.js';
import { republishQuarantined } from './republish-quarantined.js';
import type { Surroundings } from './surroundings.js';

const DRY_RUN = ['--dry-run', 'only list them'] as const;

const HARMLESS = [
  '',
  'Prints a line for each event: id, type, workspace, its partition and offset on workspace.events, reason.',
  'Running it twice is harmless: the id of a delivery follows from its event and endpoint, so an endpoint that has one',
  'gets no other. Consumers of the topic get a copy, with the same eventId.',
];

export function addRepublishing(program: Command, { env, terminal }: Surroundings): void {
  program
    .command('quarantine')
    .description('handles messages that could not be read')
    .command('republish')
    .description('publishes quarantined events again, unchanged, once the cause is removed')
    .option('--since <time>', 'quarantined since a time, or within a duration such as 2h or 3d', agoOrTime)
    .option('--type <name>', 'only events of this type, such as invoice.paid', eventType)
    .option('--workspace <slug>', 'only those of this workspace')
    .option(...DRY_RUN)
    .addHelpText(
      'after',
      [
        ...HARMLESS,
        'An event that still cannot be read is quarantined again. Messages of other topics than workspace.events are not',
        'published: their work is recovered from the rows of deliveries.',
        examples(
          'admin quarantine republish --since 2h --dry-run',
          'admin quarantine republish --since 2026-03-01T09:30:00Z --type invoice.paid --workspace acme',
        ),
      ].join('\n'),
    )
    .action((options) => republishQuarantined(env, options, terminal));
  program
    .command('events')
    .description('handles events on Kafka')
    .command('republish')
    .description('publishes events again that workspace.events still has, such as one that was skipped')
    .requiredOption('--partition <number>', 'partition of workspace.events', fromZero)
    .requiredOption('--offset <number>', 'offset of the first event', fromZero)
    .option('--count <count>', 'how many events from there on', atLeast(1), 1)
    .option(...DRY_RUN)
    .addHelpText(
      'after',
      [...HARMLESS, examples('admin events republish --partition 3 --offset 120')].join('\n'),
    )
    .action((options) => republishEvents(env, options, terminal));
}
