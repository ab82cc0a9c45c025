import { ConfigurationError } from './config.js';
import { allocateYoung, boundHeapGrowth } from './heap-growth.js';
import { createLog, type Logger } from './log.js';
import { NotReachable } from './retry-until.js';

/** A running service. */
export interface Service {
  /** Finishes the work in progress and releases all resources, in bounded time. */
  stop(): Promise<void>;
}

interface ServiceDefinition<Config> {
  readonly name: string;
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  /** How long a stop may take, in milliseconds, where that differs from the usual limit. */
  readonly stopLimitMs?: (config: Config) => number;
  /** Starts the service. A start that is stopped either resolves, or rejects with the reason of `stopping`. */
  readonly start: (config: Config, log: Logger, process: OwnProcess) => Promise<Service>;
}

/** The process of a service. */
export interface OwnProcess {
  /** Ends it. */
  readonly fail: Fail;
  /** Aborted when it is to stop: a start that has no work yet need not be finished. */
  readonly stopping: AbortSignal;
}

interface Logging {
  readonly LOG_LEVEL: string;
  readonly LOG_PRETTY: 'auto' | 'true' | 'false';
}

/** Ends the process after a failure from which only a restart can recover. */
export type Fail = (reason: string, error?: unknown) => void;

/** The usual time limit of a stop, in milliseconds. */
export const STOP_LIMIT_MS = 20_000;

/** Runs a service process: configuration, start, signals, stop. The exit code is 1 after a failure. */
export async function runService<Config extends Logging>(
  definition: ServiceDefinition<Config>,
): Promise<void> {
  allocateYoung();
  boundHeapGrowth();
  const config = readOrExit(definition);
  const log = logOf(definition.name, config);
  const fail: Fail = (reason, err) => {
    log.fatal({ event: 'failed', err }, reason);
    process.exit(1);
  };
  process.on('uncaughtException', (error) => fail('an unexpected error ended the process', error));
  process.on('unhandledRejection', (error) => fail('an unexpected rejection ended the process', error));
  const stopping = new AbortController();
  const limitMs = definition.stopLimitMs?.(config) ?? STOP_LIMIT_MS;
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return;
    log.info({ event: 'stopping', signal }, 'stopping');
    setTimeout(() => fail(`did not stop within ${limitMs} ms`), limitMs).unref();
    stopping.abort();
    // A service that is starting may have begun to work.
    const service = await started;
    await service?.stop();
    log.info({ event: 'stopped' }, 'stopped');
    log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  const begun = definition.start(config, log, { fail, stopping: stopping.signal });
  const started = begun.catch((error: unknown) => {
    if (stopping.signal.aborted && error === stopping.signal.reason) return null;
    if (error instanceof NotReachable) fail(error.message);
    else fail('the service could not start', error);
    return null;
  });
  await started;
}

interface JobDefinition<Config> {
  readonly name: string;
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  /** Runs the job. @returns whether all of it succeeded */
  readonly run: (config: Config, log: Logger) => Promise<boolean>;
}

/**
 * Runs a process that performs one job and exits, even if resources are still open. The exit code is 0 if all of the job
 * succeeded.
 */
export async function runJob<Config extends Logging>(definition: JobDefinition<Config>): Promise<void> {
  const config = readOrExit(definition);
  const log = logOf(definition.name, config);
  const end = (code: number) => log.flush(() => process.exit(code));
  try {
    end((await definition.run(config, log)) ? 0 : 1);
  } catch (err) {
    if (err instanceof NotReachable) log.fatal({ event: 'failed' }, err.message);
    else log.fatal({ event: 'failed', err }, 'the job failed');
    end(1);
  }
}

function logOf(service: string, { LOG_LEVEL, LOG_PRETTY }: Logging): Logger {
  const isPretty = LOG_PRETTY === 'auto' ? process.stdout.isTTY : LOG_PRETTY === 'true';
  return createLog({ service, level: LOG_LEVEL, pretty: isPretty });
}

function readOrExit<Config>(definition: Pick<ServiceDefinition<Config>, 'name' | 'readConfig'>): Config {
  try {
    return definition.readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${definition.name}: ${error.message}\n`);
    process.exit(1);
  }
}
