import type { Log } from '@postrider/shared/ports/log';

/** The output of a command. Results go to standard output alone, so that scripts can read them. */
export interface Terminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** The stream for a progress bar; undefined when the output is not interactive. */
  readonly bar?: NodeJS.WritableStream;
}

/**
 * A log that prints warnings and errors. Messages of the Kafka client are raw responses of the broker; what remains after
 * its retries is thrown, with an explanation.
 */
export function logTo({ printError }: Terminal): Log {
  const print = (facts: object, message: string) => {
    if ('event' in facts && facts.event === 'kafka.client') return;
    printError('reason' in facts ? `${message} (${facts.reason})` : message);
  };
  return { debug: () => {}, info: () => {}, warn: print, error: print };
}
