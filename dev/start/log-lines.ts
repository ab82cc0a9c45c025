import { type LogLine, parseLogLine } from '../processes/start-service.js';

/** What a line of a service's output means for the terminal. */
export type Meaning =
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'quiet' };

const WARN = 40;
const LEVELS: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
const QUIET: Meaning = { kind: 'quiet' };

/**
 * Reads one line of output: JSON with a numeric level, or plain text such as a configuration error or a stack trace.
 * Plain text and levels from WARN are shown.
 * @param hasBeenReady whether the service has been ready before
 */
export function readLogLine(line: string, hasBeenReady: boolean): Meaning {
  if (line.trim() === '') return QUIET;
  const entry = parseLogLine(line);
  if (entry === null) return { kind: 'shown', text: line };
  if (entry.event === 'ready') return { kind: 'ready' };
  if (isStartUpNoise(entry, hasBeenReady)) return QUIET;
  if (typeof entry.level !== 'number' || entry.level < WARN) return QUIET;
  const reason = entry.err?.message ?? entry.reason;
  const because = typeof reason === 'string' && reason !== entry.msg ? ` (${reason})` : '';
  return { kind: 'shown', text: `${LEVELS[entry.level] ?? entry.level} ${entry.msg ?? ''}${because}` };
}

/** While a new broker creates its first consumer group, Kafka's client logs warnings and retries. */
const CLIENT_EVENTS = ['kafka.client', 'consumer.restarting'];

function isStartUpNoise({ level, event }: LogLine, hasBeenReady: boolean): boolean {
  return !hasBeenReady && level === WARN && CLIENT_EVENTS.some((name) => name === event);
}
