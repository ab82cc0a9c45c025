import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly event?: string;
  readonly groupId?: string;
}

/** Other lines need not be parsed. */
const WARNING_OR_ERROR = /"level":[456]0/;

/** When a dispatcher first joined the group of dispatchers, in wall-clock time; null if the log does not contain it. */
export async function readJoinedAt(file: string): Promise<number | null> {
  for await (const line of linesOf(file)) {
    if (!line.includes('"consumer.joined"')) continue;
    const { time, groupId } = parse(line) ?? {};
    if (time !== undefined && groupId?.endsWith('dispatcher')) return Date.parse(time);
  }
  return null;
}

/** The number of warnings and errors in logs, by event. */
export async function countWarnings(files: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    for await (const line of linesOf(file)) {
      const parsed = WARNING_OR_ERROR.test(line) ? parse(line) : null;
      if (parsed === null) continue;
      const { event = 'unnamed' } = parsed;
      counts[event] = (counts[event] ?? 0) + 1;
    }
  }
  return counts;
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

function parse(line: string): LogLine | null {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}
