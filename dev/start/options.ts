import { Command, InvalidArgumentError, Option } from 'commander';
import { PROVIDERS, type ProviderName } from '../stack/stack.js';

/** The options of `npm start`. */
export interface StartOptions {
  readonly demo: boolean;
  /** Port of the api; undefined: the default one, or a free one when that is taken. */
  readonly port: number | undefined;
  /** As the dispatcher reads it, such as `2s`. */
  readonly retryStep: string;
  readonly provider: ProviderName | undefined;
  readonly keep: boolean;
}

/** Thrown for invalid arguments and for `--help`, after the message was printed. */
export { CommanderError } from 'commander';

export const DEFAULT_PORT = 8080;
const LARGEST_PORT = 65_535;

/**
 * Reads options from arguments, and from the environment where there is no argument.
 * @throws CommanderError for invalid arguments (exit code 1) and after printing help (exit code 0)
 */
export function parseOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  print?: (text: string) => void,
): StartOptions {
  const command = describeCommand();
  if (print !== undefined) command.configureOutput({ writeOut: print, writeErr: print });
  const options = command
    .parse([...fromEnvironment(env), ...args], { from: 'user' })
    .opts<Partial<StartOptions>>();
  return {
    demo: options.demo !== false,
    port: options.port,
    retryStep: options.retryStep ?? '',
    provider: options.provider,
    keep: options.keep === true,
  };
}

function describeCommand(): Command {
  const portHelp = `port of the api; without it ${DEFAULT_PORT}, or a free one (POSTRIDER_PORT)`;
  const stepHelp = 'the n-th retry waits n steps (POSTRIDER_RETRY_STEP)';
  const providerHelp = 'where Kafka, MongoDB and the registry come from (POSTRIDER_PROVIDER)';
  return new Command('npm start --')
    .description('Starts Postrider on this machine, delivers a first webhook and stays up until Ctrl-C.')
    .option('--no-demo', 'only the servers and the services: no receiver, no workspace (POSTRIDER_DEMO=0)')
    .addOption(new Option('--port <number>', portHelp).argParser(port))
    .addOption(new Option('--retry-step <duration>', stepHelp).default('30s').argParser(duration))
    .addOption(new Option('--provider <name>', providerHelp).choices(PROVIDERS))
    .option('--keep', 'keep all data in .postrider/data for the next start with --keep (POSTRIDER_KEEP=1)')
    .allowExcessArguments(false)
    .exitOverride();
}

/** Variables become arguments before the real ones, which override them, and are validated alike. */
function fromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const valued = [
    ['POSTRIDER_PORT', '--port'],
    ['POSTRIDER_RETRY_STEP', '--retry-step'],
    ['POSTRIDER_PROVIDER', '--provider'],
  ].flatMap(([name = '', flag = '']) => (env[name] ? [`${flag}=${env[name]}`] : []));
  if (isOff(env.POSTRIDER_DEMO)) valued.push('--no-demo');
  if (env.POSTRIDER_KEEP && !isOff(env.POSTRIDER_KEEP)) valued.push('--keep');
  return valued;
}

function isOff(value: string | undefined): boolean {
  return ['0', 'false', 'no', 'off'].includes((value ?? '').toLowerCase());
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && value <= LARGEST_PORT) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST_PORT}.`);
}

function duration(text: string): string {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) return text;
  throw new InvalidArgumentError('Write it like 250ms, 2s or 1m.');
}
