import { type DestinationStream, type Logger, pino } from 'pino';
import pinoPretty from 'pino-pretty';
import { SECRET_PREFIXES } from '../domain/secret-prefixes.js';

export type { Logger };

export interface LogOptions {
  readonly service: string;
  readonly level: string;
  /** Human-readable instead of JSON. */
  readonly pretty: boolean;
}

const CENSOR = '[redacted]';
/** Fields that are redacted at any of the first three levels. */
const SECRET_FIELDS = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: CENSOR,
};

const PREFIXES = Object.values(SECRET_PREFIXES).join('|');
/** Matches secrets in free text: those with a prefix, in base64 or base64url, signed JWTs, and passwords in URLs. */
const SECRET_TEXT = new RegExp(
  `(?:${PREFIXES})[\\w+/-]{20,}=*|(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*|(?<=://[^\\s/@:"]{0,256}:)[^\\s/@"]+(?=@)`,
  'g',
);

/** Redacts text that looks like a secret, because error messages may quote anything. */
export function withoutSecrets(line: string): string {
  return line.replace(SECRET_TEXT, CENSOR);
}

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
