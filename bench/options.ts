import { Command, InvalidArgumentError } from 'commander';

/** What a person may ask of the bench. */
export interface Options {
  /** Names of scenarios, at least one. */
  readonly scenarios: readonly string[];
  readonly runs: number;
  /** Seconds of each measurement that goes by time; null for each scenario's own. */
  readonly seconds: number | null;
  /** Shortens everything that is counted or timed; 1 is the whole thing. */
  readonly scale: number;
  /** Measures only rows whose label contains this, and those that they are compared with; null measures all. */
  readonly only: string | null;
  /** Of each delivery topic. */
  readonly partitions: number;
  /** Size of the bodies that are POSTed. */
  readonly bodyBytes: number;
  /** Where to write everything that was measured; null writes it nowhere. */
  readonly json: string | null;
  /** Where the dispatchers write CPU profiles; null for no profiles. */
  readonly profiles: string | null;
  /** Write docs/benchmarks.md. */
  readonly write: boolean;
  /** Keep the services' logs. */
  readonly keepLogs: boolean;
}

/** Thrown for arguments that cannot be understood, and for `--help`; what is to be printed has been printed. */
export { CommanderError } from 'commander';

/** An event with its envelope does not fit into less. */
const LEAST_BODY_BYTES = 512;

/**
 * @param known the names of all scenarios; without arguments all of them run
 * @throws CommanderError for a mistake (exit code 1) and after help was printed (exit code 0)
 */
export function parseOptions(
  args: readonly string[],
  known: readonly string[],
  print?: (text: string) => void,
): Options {
  const command = new Command('npm run bench --')
    .description('Measures Postrider on real servers; every event and every POST is accounted for.')
    .argument('[scenario...]', `which to run: ${known.join(', ')}`, collect(known), [])
    .option('--runs <number>', 'how often to run each scenario', whole(1), 3)
    .option('--seconds <number>', 'length of each measurement that goes by time', whole(1))
    .option('--scale <factor>', 'shortens everything, for a quick look: 0.1', factor, 1)
    .option('--only <text>', 'only rows whose label contains this, and what they are compared with')
    .option('--partitions <number>', 'of each delivery topic', whole(1), 12)
    .option('--body-bytes <number>', 'size of the bodies', whole(LEAST_BODY_BYTES), 1_024)
    .option('--json <file>', 'write everything that was measured to a file')
    .option('--profiles <directory>', 'let the dispatchers write CPU profiles')
    .option('--write', 'write the results into docs/benchmarks.md')
    .option('--keep-logs', "keep the services' logs")
    .exitOverride();
  if (print !== undefined) command.configureOutput({ writeOut: print, writeErr: print });
  const parsed = command.parse([...args], { from: 'user' });
  const [scenarios = []] = parsed.processedArgs as [string[]];
  const options = parsed.opts<Partial<Options>>();
  return {
    scenarios: scenarios.length > 0 ? scenarios : known,
    runs: options.runs ?? 0,
    seconds: options.seconds ?? null,
    scale: options.scale ?? 1,
    only: options.only ?? null,
    partitions: options.partitions ?? 0,
    bodyBytes: options.bodyBytes ?? 0,
    json: options.json ?? null,
    profiles: options.profiles ?? null,
    write: options.write === true,
    keepLogs: options.keepLogs === true,
  };
}

function collect(known: readonly string[]) {
  return (name: string, before: readonly string[]): string[] => {
    if (known.includes(name)) return [...before, name];
    throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`);
  };
}

function whole(least: number) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}

function factor(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10) return value;
  throw new InvalidArgumentError('It must be a number over 0, at most 10, such as 0.1.');
}
