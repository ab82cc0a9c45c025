import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describeExit } from '../processes/start-process.js';
import {
  type LogLine,
  parseLogLine,
  type ServiceName,
  type ServiceProcess,
  startService,
} from '../processes/start-service.js';
import { type Supervised, supervise } from '../processes/supervise.js';
import { PATHS, ROOT } from './paths.js';

type Report = (line: string) => void;

/** Time for running requests and deliveries to finish. Together with the later stops, it stays under 20 s. */
const STOP_GRACE_MS = 9_000;

/** Starts a service, resolves when it is ready, and restarts it when it ends. Its warnings are reported. */
export function superviseService(
  name: ServiceName,
  env: NodeJS.ProcessEnv,
  report: Report,
  onRestart: () => void,
): Promise<Supervised> {
  const logFile = emptyLog(name);
  let hasBeenReady = false;
  const onLine = (line: string, entry: LogLine | null): void => {
    hasBeenReady ||= entry?.event === 'ready';
    const text = textToShow(line, hasBeenReady);
    if (text !== null) report(`[${name}] ${text}`);
  };
  const start = () => startService({ name, env, logFile, onLine });
  return supervise({ name, start, report, onRestart, stopGraceMs: STOP_GRACE_MS });
}

function emptyLog(name: ServiceName): string {
  const logFile = join(PATHS.logs, `${name}.log`);
  rmSync(logFile, { force: true });
  return logFile;
}

const WARN = 40;
const LEVELS: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
/** While a new broker creates its first consumer group, Kafka's client logs warnings and retries. */
const START_UP_NOISE = ['kafka.client', 'consumer.restarting'];

/**
 * The part of a line of output that the terminal shows: levels from WARN, and plain text such as a configuration error or a
 * stack trace.
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

const JANITOR_EVERY_MS = 3_600_000;
const JANITOR_GRACE_MS = 5_000;

/** Runs the janitor immediately and then every hour. Only a failure is reported. @returns a function that ends it */
export function runJanitorHourly(env: NodeJS.ProcessEnv, report: Report): () => Promise<void> {
  const logFile = emptyLog('janitor');
  let running: ServiceProcess | undefined;
  let stopping = false;
  const run = async (): Promise<void> => {
    running = await startService({ name: 'janitor', env, logFile });
    const exit = await running.exited;
    running = undefined;
    if (exit.code === 0 || stopping) return;
    report(`[janitor] failed (${describeExit(exit)}): see ${relative(ROOT, logFile)}`);
  };
  const timer = setInterval(() => void run(), JANITOR_EVERY_MS);
  void run();
  return async () => {
    stopping = true;
    clearInterval(timer);
    await running?.stop(JANITOR_GRACE_MS);
  };
}
