import { type Delivery, type DeliverySummary, summaryOf } from '@postrider/shared/domain/delivery';
import { eventIdOf } from '@postrider/shared/domain/delivery-outcome';
import { payloadText } from './payload-text.js';

/** A row as it is sent, without its payload as an object, which may take twenty times as much memory. */
export interface SentRow {
  readonly kind: 'sendable';
  readonly delivery: DeliverySummary;
  readonly payloadText: string;
  readonly eventId: string;
}

/** A row without a payload. It must not fail a read of others: its own start reports it. */
interface DamagedRow {
  readonly kind: 'damaged';
  readonly delivery: DeliverySummary;
  readonly error: unknown;
}

/** A row that was read. */
export type LoadedRow = SentRow | DamagedRow;

/** Estimated size of a row without its payload and the last responses of its endpoint, in bytes. */
const OTHER_BYTES = 1_024;

/** Reads a row for sending. This serialises its payload. */
export function loadRow(delivery: Delivery): LoadedRow {
  try {
    return rowToSend(delivery);
  } catch (error) {
    return { kind: 'damaged', delivery: summaryOf(delivery), error };
  }
}

/** @throws if the row is damaged */
export function rowToSend(delivery: Delivery): SentRow {
  return {
    kind: 'sendable',
    delivery: summaryOf(delivery),
    payloadText: payloadText(delivery.payload),
    eventId: eventIdOf(delivery),
  };
}

/** The size of a row in memory, in bytes. */
export function sizeOf(row: LoadedRow): number {
  const { lastAttempt, lastResponse } = row.delivery;
  const responses = (lastAttempt?.responseBody?.length ?? 0) + (lastResponse?.responseBody?.length ?? 0);
  return OTHER_BYTES + responses + (row.kind === 'sendable' ? row.payloadText.length : 0);
}
