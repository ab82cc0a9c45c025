import type { StreamedDelivery, StreamFilter } from '@postrider/client';
import type { CommandContext } from '../context/cli.js';
import { paintStatus } from './shown-status.js';

/** The part of the stream to show. */
export interface Followed {
  readonly filter: StreamFilter;
  /** Only changes to these statuses; undefined for all. */
  readonly statuses: readonly string[] | undefined;
}

/** Prints each change of a delivery as it happens. Ends only with an error. */
export async function followDeliveries(
  { connect, output, terminal }: CommandContext,
  { filter, statuses }: Followed,
): Promise<void> {
  const { client } = await connect();
  terminal.note('Following deliveries. Interrupt to end.');
  for await (const { type, data } of client.stream(filter)) {
    if (type === 'reset') {
      terminal.printError('The stream could not resume where it left off: changes may be missing here.');
      continue;
    }
    if (type === 'event.published' || statuses?.includes(data.status) === false) continue;
    output.one({ change: type, ...data }, (shown) => [describe(shown, terminal)]);
  }
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
