import { readRecord } from '@postrider/shared/kafka/read-record';
import { QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import { createDirectory } from '../mongo/directory.js';
import { UsageError } from './errors.js';
import { countOf, readOffsets } from './read-offsets.js';
import { createRepublish, printCount } from './republish.js';
import { digestOf, type LeftOut, quarantinedEvent, type Republishable } from './republishable.js';
import { showProgress } from './show-progress.js';
import { logTo, type Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';
import { type TopicContext, withTopic } from './with-topic.js';

export interface QuarantineOptions {
  /** Milliseconds before now, or a time. */
  readonly since?: number | Date;
  readonly type?: string;
  /** Its slug. */
  readonly workspace?: string;
  readonly dryRun?: boolean;
}

interface Selection {
  readonly sinceMs: number;
  readonly type: string | undefined;
  readonly workspaceId: string | undefined;
}

const monotonicMs = () => performance.now();

/** Publishes quarantined events again, each once, as they were. */
export async function republishQuarantined(
  env: NodeJS.ProcessEnv,
  options: QuarantineOptions,
  terminal: Terminal,
): Promise<void> {
  const selection = await select(env, options, terminal);
  const { events, leftOut } = await withTopic({ env, terminal }, QUARANTINE_TOPIC, (topic) =>
    republishSelected(topic, { selection, dryRun: options.dryRun === true, terminal }),
  );
  for (const place of leftOut)
    terminal.printError(`${place} was too large for the quarantine: its producer must publish it again`);
  printCount(terminal, events, options);
}

/** Prints the line of each event once it is published. */
export async function republishSelected(
  { stored, reader, publish }: TopicContext,
  parts: { readonly selection: Selection; readonly dryRun: boolean; readonly terminal: Terminal },
) {
  const { selection, dryRun } = parts;
  const { print, printError } = parts.terminal;
  const republish = createRepublish(dryRun ? null : publish, print);
  // Without a bar, which the lines of the events would interrupt.
  const shown = { unit: 'quarantined messages', total: countOf(stored) };
  return showProgress({ printError }, shown, async (add) => {
    const seen = new Set<string>();
    const leftOut: string[] = [];
    for await (const records of readOffsets({ reader, monotonicMs }, stored)) {
      const found = records
        .map((record) => readRecord(QUARANTINE_TOPIC, record))
        .filter(({ timestamp }) => timestamp >= selection.sinceMs)
        .map(quarantinedEvent)
        .filter((event) => event !== null);
      leftOut.push(...found.flatMap((event) => ('leftOut' in event ? [event.leftOut] : [])));
      await republish(found.filter((event) => isWanted(event, selection)).filter(isNewIn(seen)));
      add(records.length);
    }
    return { events: seen.size, leftOut };
  });
}

function isWanted(event: Republishable | LeftOut, { type, workspaceId }: Selection): event is Republishable {
  if ('leftOut' in event) return false;
  return (
    (type === undefined || event.type === type) &&
    (workspaceId === undefined || event.workspaceId === workspaceId)
  );
}

function isNewIn(seen: Set<string>) {
  return (event: Republishable): boolean => {
    const before = seen.size;
    return seen.add(digestOf(event)).size > before;
  };
}

async function select(
  env: NodeJS.ProcessEnv,
  { since, type, workspace }: QuarantineOptions,
  terminal: Terminal,
): Promise<Selection> {
  return withDatabase(env, logTo(terminal), async ({ database, clock }) => {
    const sinceMs = typeof since === 'number' ? clock.now().getTime() - since : (since?.getTime() ?? 0);
    if (workspace === undefined) return { sinceMs, type, workspaceId: undefined };
    const found = await createDirectory(database.collections).workspaceBySlug(workspace);
    if (found === null) throw new UsageError(`there is no workspace "${workspace}"`);
    return { sinceMs, type, workspaceId: found.id };
  });
}
