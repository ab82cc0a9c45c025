import { Command, InvalidArgumentError } from 'commander';

/** What a person may ask of the suite. */
export interface Options {
  readonly seed: number;
  /** Numbers of the faults to run. */
  readonly only: readonly number[];
  /** How many are gone through at a time. */
  readonly lanes: number;
  /** Write docs/faults.md. */
  readonly write: boolean;
  /** The file to which results are added, and from which the table is made; null: this run alone. */
  readonly results: string | null;
}

/** Thrown for arguments that cannot be understood, and for `--help`; what is to be printed has been printed. */
export { CommanderError } from 'commander';

interface Known {
  readonly number: number;
  readonly quick: boolean;
}

/**
 * @param chosenSeed for when none is given
 * @throws CommanderError for a mistake (exit code 1) and after help was printed (exit code 0)
 */
export function parseOptions(args: readonly string[], known: readonly Known[], chosenSeed: number): Options {
  const command = new Command('npm run test:faults --')
    .description(
      'Kills, freezes, cuts off and lies to every process under load, and judges what became of it.',
    )
    .option('--seed <number>', 'plays the same run again', whole)
    .option('--only <numbers>', 'these faults alone, such as 1,5', numbersOf(known))
    .option('--quick', 'the faults that say most')
    .option(
      '--lanes <number>',
      'so many faults at a time, with servers of their own; two cores bear two',
      lanes,
      1,
    )
    .option('--results <file>', 'adds the results to this file; the table shows all that are in it')
    .option(
      '--write',
      'writes the table of --results into docs/faults.md, once it has three seeds for each fault',
    )
    .exitOverride();
  const options = command.parse([...args], { from: 'user' }).opts<{
    seed?: number;
    only?: readonly number[];
    lanes: number;
    quick?: true;
    write?: true;
    results?: string;
  }>();
  if (options.write && options.results === undefined)
    command.error('error: --write needs --results: one run alone has one seed');
  const all = known.filter(({ quick }) => quick || options.quick === undefined).map(({ number }) => number);
  return {
    seed: options.seed ?? chosenSeed,
    only: options.only ?? all,
    lanes: options.lanes,
    write: options.write === true,
    results: options.results ?? null,
  };
}

function whole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function lanes(text: string): number {
  const number = whole(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be at least 1.');
}

function numbersOf(known: readonly Known[]) {
  return (text: string): readonly number[] => {
    const numbers = text.split(',').map(whole);
    const unknown = numbers.find((wanted) => !known.some(({ number }) => number === wanted));
    if (unknown === undefined) return numbers;
    throw new InvalidArgumentError(`There is no fault ${unknown}.`);
  };
}
