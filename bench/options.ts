import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '#dev/whole-number';

/** The command line options of a bench run, as described in its help text. */
export interface Options {
  readonly scenarios: readonly string[];
  readonly runs: number;
  readonly scale: number;
  readonly load: number;
  readonly only: string | null;
  readonly json: string | null;
  readonly beside: string | null;
  readonly profiles: string | null;
  readonly write: boolean;
  readonly keepLogs: boolean;
}

/**
 * @param known the names of all scenarios; all of them run if none is given
 * @throws CommanderError for invalid arguments (exit code 1) and after `--help` (exit code 0)
 */
export function parseOptions(
  args: readonly string[],
  known: readonly string[],
  print?: (text: string) => void,
): Options {
  const scenarios = new Argument('[scenario...]', 'the scenarios to run')
    .choices(known)
    .default(known, 'all');
  const command = new Command('npm run bench --')
    .description('Measures Postrider on real servers and accounts for every event and every POST.')
    .addArgument(scenarios)
    .option('--runs <number>', 'how often to run each scenario', wholeNumber(1), 3)
    .option('--scale <factor>', 'shortens everything, for example 0.1', factor, 1)
    .option('--load <factor>', 'multiplies all rates, for example 0.5 on a slower machine', factor, 1)
    .option('--only <text>', 'only rows whose label contains this, and those they are compared with')
    .option('--json <file>', 'write all results to a file')
    .option('--beside <file>', 'show these figures of other systems, or of another run, beside the own ones')
    .option(
      '--profiles <directory>',
      "let the services write CPU profiles; cost shows the parts of the dispatcher's",
    )
    .addOption(
      new Option('--write', 'write the results of all rows into docs/benchmarks.md')
        .default(false)
        .conflicts('only'),
    )
    .option('--keep-logs', 'keep the logs of the services', false)
    .exitOverride();
  if (print !== undefined) command.configureOutput({ writeOut: print, writeErr: print });
  const parsed = command.parse([...args], { from: 'user' });
  const unset = { only: null, json: null, beside: null, profiles: null };
  return { ...unset, ...parsed.opts<Options>(), scenarios: parsed.processedArgs[0] };
}

function factor(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10) return value;
  throw new InvalidArgumentError('It must be a number greater than 0 and at most 10, such as 0.1.');
}
