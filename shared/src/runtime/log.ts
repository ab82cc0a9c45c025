import { type Logger, pino } from 'pino';
import { pretty } from './pretty-log.js';

export type { Logger };

export interface LogOptions {
  readonly service: string;
  readonly level: string;
  /** For people at a terminal instead of machines. */
  readonly pretty: boolean;
}

/** Fields that must never be readable in a log, wherever they turn up. */
const SECRET_FIELDS = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: '[redacted]',
};

/** The logger of a process: JSON lines on stdout, facts first, then a sentence. Flush it before the process ends. */
export function createLog({ service, level, pretty: isPretty }: LogOptions): Logger {
  const options = { level, base: { service }, redact, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, isPretty ? pretty() : stdout());
}

/** Written behind the process's back, so that a slow reader of the log slows no delivery down. */
function stdout() {
  // With a least length of 0, the default, a flush would not wait for what is being written.
  return pino.destination({ fd: 1, sync: false, minLength: 1 });
}
