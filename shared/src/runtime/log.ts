import { type DestinationStream, type Logger, pino } from 'pino';
import pinoPretty from 'pino-pretty';
import { CENSOR, withoutSecrets } from './without-secrets.js';

export type { Logger };

export interface LogOptions {
  readonly service: string;
  readonly level: string;
  /** Human-readable instead of JSON. */
  readonly pretty: boolean;
}

/** Fields that are redacted at any of the first three levels. */
const SECRET_FIELDS = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: CENSOR,
};

/** Creates the logger of a process: JSON lines on stdout. Flush it before the process exits. */
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

/** Interval of writing the gathered lines, in milliseconds: a system call costs more than the line that it writes. */
const WRITE_EVERY_MS = 10;

/** Writes asynchronously, so that a slow reader of the log does not slow down the process. */
function stdout(): DestinationStream & Pick<Logger, 'flush'> {
  // With a minimum length of 0, the default, a flush would not wait for what is being written.
  const destination = pino.destination({ fd: 1, sync: false, minLength: 1 });
  let lines = '';
  const write = () => {
    // While the process exits, the destination repeats a failed write for ever, even an empty one.
    if (lines === '') return;
    destination.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    write();
    destination.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setTimeout(write, WRITE_EVERY_MS);
      lines += line;
    },
    flush(done) {
      write();
      destination.flush(done);
    },
  };
}

function createPrettyStream() {
  return pinoPretty({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    messageFormat: '{service} {msg}',
    sync: true,
  });
}
