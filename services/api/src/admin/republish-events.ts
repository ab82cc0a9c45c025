import { readRecord } from '@postrider/shared/kafka/read-record';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { UsageError } from './errors.js';
import { type Offsets, readOffsets } from './read-offsets.js';
import { createRepublish, printCount } from './republish.js';
import { storedEvent } from './republishable.js';
import type { Terminal } from './terminal.js';
import { withTopic } from './with-topic.js';

export interface EventOptions {
  readonly partition: number;
  /** The first one. */
  readonly offset: number;
  readonly count: number;
  readonly dryRun?: boolean;
}

/** Publishes events again that `workspace.events` still has, such as skipped ones. */
export async function republishEvents(
  env: NodeJS.ProcessEnv,
  options: EventOptions,
  terminal: Terminal,
): Promise<void> {
  const count = await withTopic({ env, terminal }, EVENTS_TOPIC, async ({ stored, reader, publish }) => {
    const republish = createRepublish(options.dryRun ? null : publish, terminal.print);
    let events = 0;
    const wanted = wantedOf(options, stored);
    for await (const records of readOffsets({ reader, monotonicMs: () => performance.now() }, wanted)) {
      await republish(records.map((record) => storedEvent(readRecord(EVENTS_TOPIC, record))));
      events += records.length;
    }
    return events;
  });
  printCount(terminal, count, options);
}

function wantedOf({ partition, offset, count }: EventOptions, stored: Offsets): Offsets {
  const range = stored.get(partition);
  if (range === undefined)
    throw new UsageError(`workspace.events has no partition ${partition}, only 0 to ${stored.size - 1}`);
  const { from, until } = range;
  if (offset < from || offset + count > until)
    throw new UsageError(
      from === until
        ? `partition ${partition} of workspace.events has no events`
        : `partition ${partition} of workspace.events has the offsets ${from} to ${until - 1}`,
    );
  return new Map([[partition, { from: offset, until: offset + count }]]);
}
