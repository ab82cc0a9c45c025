import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** The output of a command. Only results go to standard output, so that scripts can read them. */
export interface Terminal {
  /** Whether a person reads standard output: otherwise tables have no header and no padding. */
  readonly isInteractive: boolean;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Prints text that only a person needs, if one reads standard error. */
  readonly note: (line: string) => void;
  readonly paint: (colour: Colour, text: string) => string;
  /** The stream for a progress bar; undefined when standard error is not a terminal. */
  readonly bar?: NodeJS.WritableStream;
}

type Streams = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>;

export function createTerminal({ env, stdout, stderr }: Streams): Terminal {
  const isInteractive = stdout.isTTY === true;
  const isWatched = stderr.isTTY === true;
  const hasColours = isInteractive && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return {
    isInteractive,
    print: (line) => void stdout.write(`${line}\n`),
    printError: (line) => void stderr.write(`${line}\n`),
    note: (line) => void (isWatched && stderr.write(`${line}\n`)),
    paint: (colour, text) => (hasColours ? styleText(colour, text, { validateStream: false }) : text),
    ...(isWatched && { bar: stderr }),
  };
}
