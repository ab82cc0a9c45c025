import type { Log } from '@postrider/shared/ports/log';

/** Where a command writes: results apart from everything else, so that scripts can read them. */
export interface Terminal {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** What a person should hear while a command works. */
export function logTo({ complain }: Terminal): Log {
  const say = (facts: object, sentence: string) => {
    complain('reason' in facts ? `${sentence} (${facts.reason})` : sentence);
  };
  return { debug: () => {}, info: () => {}, warn: say, error: say };
}
