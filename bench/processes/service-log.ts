import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What the bench looks for in a line of a service's log. */
interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly event?: string;
  readonly groupId?: string;
}

const WARN = 40;
/** Most lines are of no interest: they are not even parsed. */
const WARNING_OR_WORSE = /"level":[456]0/;

/** When a dispatcher became a member of the group that delivers, by the wall clock; null when its log does not say. */
export async function readJoinedAt(file: string): Promise<number | null> {
  for await (const line of linesOf(file)) {
    if (!line.includes('"consumer.joined"')) continue;
    const { time, groupId } = parse(line) ?? {};
    if (time !== undefined && groupId?.endsWith('dispatcher')) return Date.parse(time);
  }
  return null;
}

/** How many warnings and errors a log has, by their event. */
export async function countComplaints(file: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const line of linesOf(file)) {
    const { level = 0, event = 'without a name' } = (WARNING_OR_WORSE.test(line) && parse(line)) || {};
    if (level >= WARN) counts.set(event, (counts.get(event) ?? 0) + 1);
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
