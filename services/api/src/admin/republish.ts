import { divideByAppended, type Publish } from '@postrider/shared/ports/queue';
import { ProblemsFound } from './errors.js';
import type { Republishable } from './republishable.js';
import type { Terminal } from './terminal.js';

/** Publishes events and reports a line for each. @throws ProblemsFound if Kafka does not take all of them */
export type Republish = (events: readonly Republishable[]) => Promise<void>;

/** Together, messages must not exceed what brokers accept at once; a message alone was accepted before. */
const MAX_BATCH_BYTES = 256 * 1024;

/** @param publish null to report only */
export function createRepublish(publish: Publish | null, report: (line: string) => void): Republish {
  const reportAll = (events: readonly Republishable[]) => {
    for (const event of events) report(lineOf(event));
  };
  return async (events) => {
    for (const batch of batchesOf(events)) {
      try {
        await publish?.(batch.map(({ message }) => message));
      } catch (error) {
        reportAll(divideByAppended(batch, error).appended);
        const reason = error instanceof Error ? error.message : String(error);
        throw new ProblemsFound(
          `the events above are published, but others could not be: ${reason}; run the command again`,
          { cause: error },
        );
      }
      reportAll(batch);
    }
  };
}

/** The end of a command. */
export function printCount(
  terminal: Terminal,
  events: number,
  { dryRun = false }: { readonly dryRun?: boolean },
): void {
  const subject = events === 1 ? '1 event' : `${events} events`;
  const verb = dryRun ? 'would be' : events === 1 ? 'was' : 'were';
  terminal.printError(`${subject} ${verb} published again.`);
}

function* batchesOf(events: readonly Republishable[]): Generator<readonly Republishable[]> {
  let batch: Republishable[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = event.message.value?.length ?? 0;
    if (batch.length > 0 && bytes + size > MAX_BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function lineOf({ eventId, type, workspaceId, place, reason }: Republishable): string {
  const parts = [
    eventId ?? '-',
    type ?? '-',
    workspaceId ?? '-',
    place,
    ...(reason === null ? [] : [reason]),
  ];
  // A message may have anything in its headers.
  return parts.join(' ').replaceAll(/\p{Cc}/gu, ' ');
}
