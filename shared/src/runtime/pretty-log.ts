import pinoPretty from 'pino-pretty';

/** A stream that turns log lines into something a person likes to read. */
export function createPrettyStream() {
  return pinoPretty({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    messageFormat: '{service} {msg}',
    sync: true,
  });
}
