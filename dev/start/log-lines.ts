import { READY_EVENT } from './describe-services.js';

/** What a line of a service's output means to the person at the terminal. */
export type LogLine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'quiet' };

const WARN = 40;
const LEVELS: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
const QUIET: LogLine = { kind: 'quiet' };

/**
 * Reads one line of output: JSON with a numeric level, or plain text such as a complaint from before the log existed or a
 * stack trace. From WARN on it is shown.
 * @param hasBeenReady whether the service has said so before
 */
export function readLogLine(line: string, hasBeenReady: boolean): LogLine {
  if (line.trim() === '') return QUIET;
  const entry = parse(line);
  if (entry === undefined) return { kind: 'shown', text: line };
  if (entry.event === READY_EVENT) return { kind: 'ready' };
  if (isStartUpNoise(entry, hasBeenReady)) return QUIET;
  if (typeof entry.level !== 'number' || entry.level < WARN) return QUIET;
  const reason = entry.err?.message ?? entry.reason;
  const because = typeof reason === 'string' && reason !== entry.msg ? ` (${reason})` : '';
  return { kind: 'shown', text: `${LEVELS[entry.level] ?? entry.level} ${entry.msg ?? ''}${because}` };
}

/** While a fresh broker makes its first consumer group, Kafka's client complains and tries again: it is in the log file. */
const CLIENT_EVENTS = ['kafka.client', 'consumer.restarting'];

function isStartUpNoise({ level, event }: LogEntry, hasBeenReady: boolean): boolean {
  return !hasBeenReady && level === WARN && CLIENT_EVENTS.some((name) => name === event);
}

interface LogEntry {
  readonly level?: unknown;
  readonly event?: unknown;
  readonly msg?: string;
  readonly reason?: unknown;
  readonly err?: { readonly message?: unknown };
}

function parse(line: string): LogEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
