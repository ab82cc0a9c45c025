import { readFileSync, writeFileSync } from 'node:fs';

/** What the accounting needs of an event. The number of an event is its index in the log. */
export interface LoggedEvent {
  /** Milliseconds since 1970, as in the event. */
  readonly occurredAt: number;
  /** The same moment in machine time, which the receiver uses, too. */
  readonly createdAt: number;
  /** Index of its workspace. */
  readonly workspace: number;
}

const FIELDS = 3;

/** Writes a file that `readEventLog` reads. */
export function saveEventLog(file: string, events: readonly LoggedEvent[]): void {
  const numbers = new Float64Array(events.length * FIELDS);
  for (const [index, { occurredAt, createdAt, workspace }] of events.entries()) {
    numbers.set([occurredAt, createdAt, workspace], index * FIELDS);
  }
  writeFileSync(file, Buffer.from(numbers.buffer));
}

export function readEventLog(file: string): LoggedEvent[] {
  const numbers = new Float64Array(new Uint8Array(readFileSync(file)).buffer);
  return Array.from({ length: numbers.length / FIELDS }, (_, index) => {
    const [occurredAt = 0, createdAt = 0, workspace = 0] = numbers.subarray(index * FIELDS);
    return { occurredAt, createdAt, workspace };
  });
}
