import { type Logger, pino } from 'pino';
import { createPrettyStream } from './pretty-log.js';

export type { Logger };

export interface LogOptions {
  readonly service: string;
  readonly level: string;
  /** For people at a terminal instead of machines. */
  readonly pretty: boolean;
}

const CENSOR = '[redacted]';
/** Fields that must never be readable in a log, wherever they turn up. */
const SECRET_FIELDS = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: CENSOR,
};

/** Secrets by their looks, for texts that nobody composed here: API tokens, signing secrets, passwords in addresses. */
const SECRET_TEXT = /prt_[\w-]{20,}|whsec_[A-Za-z0-9+/]{20,}=*|(?<=:\/\/[^\s/@:"]{0,256}:)[^\s/@"]+(?=@)/g;

/** A line of the log without what looks like a secret: an error's text may quote anything. */
export function withoutSecrets(line: string): string {
  return line.replace(SECRET_TEXT, CENSOR);
}

/** The logger of a process: JSON lines on stdout, facts first, then a sentence. Flush it before the process ends. */
export function createLog({ service, level, pretty: isPretty }: LogOptions): Logger {
  const options = {
    level,
    base: { service },
    redact,
    hooks: { streamWrite: withoutSecrets },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, isPretty ? createPrettyStream() : stdout());
}

/** Written behind the process's back, so that a slow reader of the log slows no delivery down. */
function stdout() {
  // With a least length of 0, the default, a flush would not wait for what is being written.
  return pino.destination({ fd: 1, sync: false, minLength: 1 });
}
