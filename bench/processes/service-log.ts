import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type LogLine, parseLogLine } from '#dev/processes/start-service';

/** When a dispatcher first joined the group of dispatchers, in wall-clock time; null if the log does not contain it. */
export async function readJoinedAt(file: string): Promise<number | null> {
  for await (const { time, groupId } of entriesOf(file, /"consumer\.joined"/)) {
    if (time !== undefined && groupId?.endsWith('dispatcher')) return Date.parse(time);
  }
  return null;
}

/** The number of warnings and errors in logs, by event. */
export async function countWarnings(files: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    for await (const { event = 'unnamed' } of entriesOf(file, /"level":[456]0/)) {
      counts[event] = (counts[event] ?? 0) + 1;
    }
  }
  return counts;
}

/** Parses only matching lines: a log may have millions of others. */
async function* entriesOf(file: string, pattern: RegExp): AsyncGenerator<LogLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const entry = pattern.test(line) ? parseLogLine(line) : null;
    if (entry !== null) yield entry;
  }
}
