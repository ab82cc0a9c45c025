import type { StreamedDelivery, StreamFilter } from '@postrider/client';
import type { CommandContext } from '../context/cli.js';
import { reportInterruptions } from './report-interruptions.js';
import { paintStatus } from './shown-status.js';

/** The part of the stream to show. */
export interface Followed {
  readonly filter: StreamFilter;
  /** Only changes to these statuses; undefined for all. */
  readonly statuses: readonly string[] | undefined;
}

/** Prints each change of a delivery as it happens, for people without repeated lines. Ends only with an error. */
export async function followDeliveries(
  { connect, output, terminal }: CommandContext,
  { filter, statuses }: Followed,
): Promise<void> {
  const { client } = await connect();
  terminal.note('Following deliveries. Interrupt to end.');
  const unlessRepeated = createRepetitions();
  for await (const { type, data } of client.stream(filter, reportInterruptions(terminal))) {
    if (type === 'reset') {
      terminal.printError('The stream could not resume where it left off: changes may be missing here.');
      continue;
    }
    if (type === 'event.published' || statuses?.includes(data.status) === false) continue;
    output.one({ change: type, ...data }, (shown) => unlessRepeated(shown, describe(shown, terminal)));
  }
}

/** The end of a delivery has the same line as the attempt, or the creation, that ended it. */
function createRepetitions() {
  const ends = new Set<string>();
  return ({ change, status }: StreamedDelivery & { readonly change: string }, line: string) => {
    if (change === 'delivery.ended') return ends.delete(line) ? [] : [line];
    if (status !== 'pending' && status !== 'failed') ends.add(line);
    return [line];
  };
}

function describe(delivery: StreamedDelivery, { paint, isInteractive }: CommandContext['terminal']): string {
  const { at, deliveryId, attempts, httpStatus, failureReason, eventType, endpointId } = delivery;
  return [
    at,
    deliveryId,
    paintStatus(delivery, paint),
    String(attempts),
    String(httpStatus ?? failureReason ?? '–'),
    eventType,
    endpointId,
  ].join(isInteractive ? '  ' : '\t');
}
