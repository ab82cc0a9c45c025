import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '#dev/whole-number';
import type { Fault } from './fault.js';

export interface Options {
  readonly seed: number;
  /** Numbers of the faults to run. */
  readonly only: readonly number[];
  /** Faults to run in parallel. */
  readonly lanes: number;
  /** Write docs/faults.md. */
  readonly write: boolean;
  /** The file to which results are added; null for a table of this run alone. */
  readonly results: string | null;
}

/** Thrown for invalid arguments and for `--help`, after the message was printed. */
export { CommanderError } from 'commander';

type Known = Pick<Fault, 'number' | 'quick'>;

/**
 * @param randomSeed used unless a seed is given
 * @throws CommanderError for invalid arguments (exit code 1) and after printing help (exit code 0)
 */
export function parseOptions(args: readonly string[], known: readonly Known[], randomSeed: number): Options {
  const command = new Command('npm run test:faults --')
    .description('Breaks processes, servers and networks under load and checks that nothing is lost.')
    .option('--seed <number>', 'repeats the run with this seed; random by default', wholeNumber(0))
    .option('--only <numbers>', 'runs only these faults, such as 1,5', parseFaults(known))
    .option('--quick', 'runs only the most important faults')
    .option(
      '--lanes <number>',
      'runs this many faults in parallel; two cores suffice for two',
      wholeNumber(1),
      1,
    )
    .option('--results <file>', 'adds the results to this file and shows the table of all results in it')
    .option('--write', 'writes the results into docs/faults.md, if each fault has three seeds')
    .exitOverride();
  const options = command.parse([...args], { from: 'user' }).opts<{
    seed?: number;
    only?: readonly number[];
    lanes: number;
    quick?: true;
    write?: true;
    results?: string;
  }>();
  const { seed = randomSeed, lanes, quick = false, write = false, results = null } = options;
  if (write && results === null)
    command.error('error: --write requires --results: one run has one seed only');
  const all = known.filter((fault) => fault.quick || !quick).map(({ number }) => number);
  return { seed, only: options.only ?? all, lanes, write, results };
}

const parseFaults = (known: readonly Known[]) => (text: string) =>
  text.split(',').map((part) => {
    const number = wholeNumber(1)(part);
    if (known.some((fault) => fault.number === number)) return number;
    throw new InvalidArgumentError(`There is no fault ${number}.`);
  });
