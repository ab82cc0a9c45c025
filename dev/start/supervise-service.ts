import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LogLine, parseLogLine, type ServiceName, startService } from '../processes/start-service.js';
import { type Supervised, supervise } from '../processes/supervise.js';
import { PLACES } from './places.js';

export interface ServiceStart {
  readonly name: ServiceName;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  /** Called after each restart: the process id has changed. */
  readonly onRestart: () => void;
}

/** Running requests and deliveries may finish. Together with what is stopped after it this stays under 20 s. */
const STOP_GRACE_MS = 9_000;

/** Starts a service, resolves when it is ready, and restarts it when it ends. Its warnings are reported. */
export function superviseService({ name, env, report, onRestart }: ServiceStart): Promise<Supervised> {
  const logFile = join(PLACES.logs, `${name}.log`);
  rmSync(logFile, { force: true });
  let hasBeenReady = false;
  const onLine = (line: string, entry: LogLine | null): void => {
    hasBeenReady ||= entry?.event === 'ready';
    const text = textToShow(line, hasBeenReady);
    if (text !== null) report(`[${name}] ${text}`);
  };
  const start = () => startService({ name, env, logFile, onLine });
  return supervise({ name, start, report, onRestart, stopGraceMs: STOP_GRACE_MS });
}

const WARN = 40;
const LEVELS: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
/** While a new broker creates its first consumer group, Kafka's client logs warnings and retries. */
const START_UP_NOISE = ['kafka.client', 'consumer.restarting'];

/**
 * What the terminal shows of a line of output: levels from WARN, and plain text such as a configuration error or a stack
 * trace.
 * @param hasBeenReady whether the service has been ready before
 * @returns null for a line that is only in the log file
 */
export function textToShow(line: string, hasBeenReady: boolean): string | null {
  if (line.trim() === '') return null;
  const entry = parseLogLine(line);
  if (entry === null) return line;
  const { level = 0, event = '', msg = '' } = entry;
  const isNoise = !hasBeenReady && level === WARN && START_UP_NOISE.includes(event);
  if (level < WARN || isNoise) return null;
  const reason = entry.err?.message ?? entry.reason;
  const because = typeof reason === 'string' && reason !== msg ? ` (${reason})` : '';
  return `${LEVELS[level] ?? level} ${msg}${because}`;
}
