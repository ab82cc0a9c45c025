import pinoPretty from 'pino-pretty';

/** Creates a stream that formats log lines for terminals. */
export function createPrettyStream() {
  return pinoPretty({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    messageFormat: '{service} {msg}',
    sync: true,
  });
}
