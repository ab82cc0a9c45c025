import type { Log } from '@postrider/shared/ports/log';

/** Where a command writes: results apart from everything else, so that scripts can read them. */
export interface Terminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Where a bar that moves can be drawn; absent where lines are read by a program or kept in a file. */
  readonly bar?: NodeJS.WritableStream;
}

/** What a person should hear while a command works. */
export function logTo({ printError }: Terminal): Log {
  const say = (facts: object, sentence: string) => {
    printError('reason' in facts ? `${sentence} (${facts.reason})` : sentence);
  };
  return { debug: () => {}, info: () => {}, warn: say, error: say };
}
