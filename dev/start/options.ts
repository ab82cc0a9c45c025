import { Command, InvalidArgumentError, Option } from 'commander';
import { PROVIDERS, type ProviderName } from '../stack/stack.js';
import { wholeNumber } from '../whole-number.js';

/** The options of `npm start`. */
export interface StartOptions {
  readonly demo: boolean;
  /** Port of the api; undefined: the default one, or a free one when that is in use. */
  readonly port?: number;
  /** As the dispatcher reads it, such as `2s`. */
  readonly retryStep: string;
  readonly provider?: ProviderName;
  readonly keep: boolean;
}

export const DEFAULT_PORT = 8080;

/**
 * Reads options from arguments, and from the environment where there is no argument.
 * @throws CommanderError after printing what is invalid (exit code 1) or the help (exit code 0)
 */
export function parseOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  print?: (text: string) => void,
): StartOptions {
  const portHelp = `port of the api; without it ${DEFAULT_PORT}, or a free one (POSTRIDER_PORT)`;
  const providerHelp = 'where Kafka, MongoDB and the registry come from (POSTRIDER_PROVIDER)';
  const command = new Command('npm start --')
    .description('Starts Postrider on this machine, delivers a first webhook and stays up until Ctrl-C.')
    .option('--no-demo', 'only the servers and the services: no receiver, no workspace (POSTRIDER_DEMO=0)')
    .option('--port <number>', portHelp, wholeNumber(1, 65_535))
    .option('--retry-step <duration>', 'the n-th retry waits n steps (POSTRIDER_RETRY_STEP)', duration, '30s')
    .addOption(new Option('--provider <name>', providerHelp).choices(PROVIDERS))
    .option('--keep', 'keep all data in .postrider/data for the next --keep (POSTRIDER_KEEP=1)', false)
    .allowExcessArguments(false)
    .exitOverride();
  if (print !== undefined) command.configureOutput({ writeOut: print, writeErr: print });
  return command.parse([...fromEnvironment(env), ...args], { from: 'user' }).opts<StartOptions>();
}

/** Variables become arguments before the real ones, which override them, and are validated alike. */
function fromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const { POSTRIDER_PORT, POSTRIDER_RETRY_STEP, POSTRIDER_PROVIDER, POSTRIDER_DEMO, POSTRIDER_KEEP } = env;
  return [
    POSTRIDER_PORT ? [`--port=${POSTRIDER_PORT}`] : [],
    POSTRIDER_RETRY_STEP ? [`--retry-step=${POSTRIDER_RETRY_STEP}`] : [],
    POSTRIDER_PROVIDER ? [`--provider=${POSTRIDER_PROVIDER}`] : [],
    isOff(POSTRIDER_DEMO) ? ['--no-demo'] : [],
    POSTRIDER_KEEP && !isOff(POSTRIDER_KEEP) ? ['--keep'] : [],
  ].flat();
}

function isOff(value = ''): boolean {
  return ['0', 'false', 'no', 'off'].includes(value.toLowerCase());
}

function duration(text: string): string {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) return text;
  throw new InvalidArgumentError('Write it like 250ms, 2s or 1m.');
}
