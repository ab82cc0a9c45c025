import { readFileSync, writeFileSync } from 'node:fs';

/** What has to be known of an event afterwards. Its number is its place in the log. */
export interface LoggedEvent {
  /** Milliseconds since 1970, as the event says. */
  readonly occurredAt: number;
  /** The same moment by the machine's clock, which the receiver uses too. */
  readonly madeAt: number;
  /** Index of its workspace. */
  readonly workspace: number;
}

const FIELDS = 3;

/** Writes a log to a file that `readEventLog` reads. */
export function saveEventLog(file: string, events: readonly LoggedEvent[]): void {
  const numbers = new Float64Array(events.length * FIELDS);
  for (const [index, { occurredAt, madeAt, workspace }] of events.entries()) {
    numbers.set([occurredAt, madeAt, workspace], index * FIELDS);
  }
  writeFileSync(file, Buffer.from(numbers.buffer));
}

export function readEventLog(file: string): LoggedEvent[] {
  const bytes = readFileSync(file);
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  return Array.from({ length: numbers.length / FIELDS }, (_, index) => {
    const [occurredAt = 0, madeAt = 0, workspace = 0] = numbers.subarray(
      index * FIELDS,
      (index + 1) * FIELDS,
    );
    return { occurredAt, madeAt, workspace };
  });
}
