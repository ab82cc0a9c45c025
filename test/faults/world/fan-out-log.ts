import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Common {
  /** Milliseconds of this machine's clock. */
  readonly at: number;
  readonly pid: number;
  /** The key of the event: its identifier and that of the workspace. */
  readonly event: string;
}

interface Chunk extends Common {
  readonly kind: 'chunk';
  /** Rows of the event in it. */
  readonly rows: number;
  /** Rows that existed already. */
  readonly repeated: number;
  /** The first endpoint with such a row. */
  readonly first: string | null;
}

/** What a dispatcher did with an event: it asked for its progress, stored rows, or stored its progress. */
export type FanOutLine =
  | (Common & { readonly kind: 'read' })
  | Chunk
  | (Common & { readonly kind: 'stored'; readonly after: string });

const LOADED = new URL('./log-fan-out.js', import.meta.url).href;
const fileIn = (directory: string) => join(directory, 'fan-out.jsonl');

/** The settings with which services write the log. */
export const logFanOut = (directory: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${LOADED}`,
  FAN_OUT_LOG: fileIn(directory),
});

export function readFanOutLog(directory: string): readonly FanOutLine[] {
  if (!existsSync(fileIn(directory))) return [];
  const lines = readFileSync(fileIn(directory), 'utf8').split('\n');
  // A process may be writing the last line.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as FanOutLine);
}

/**
 * Chunks with rows that a finished chunk had stored: progress up to them or beyond had been stored before the process asked for
 * it. A process that did not ask is treated as if it had asked when it stored the chunk.
 */
export function repeatsOfFinished(lines: readonly FanOutLine[]): readonly Chunk[] {
  return [...Map.groupBy(lines, ({ event }) => event).values()].flatMap((ofEvent) =>
    ofEvent
      .filter((line) => line.kind === 'chunk')
      .filter((chunk) => {
        const read = ofEvent.findLast(
          ({ kind, pid, at }) => kind === 'read' && pid === chunk.pid && at <= chunk.at,
        );
        const until = read?.at ?? chunk.at;
        const stored = ofEvent.filter((line) => line.kind === 'stored').filter(({ at }) => at < until);
        const { first } = chunk;
        return first !== null && stored.some(({ after }) => first <= after);
      }),
  );
}
