import type { CreateReplayJob, ReplayJob } from '@postrider/client';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { EXIT_CODES, type ExitCode } from '../context/exit-codes.js';
import { CommandError, explainError, printExplanation } from '../context/explain-error.js';
import { positive, several, since } from '../context/parse-options.js';
import type { Terminal } from '../context/terminal.js';
import { failureReasons, type Reasons } from './parse-reasons.js';
import { replayEach } from './replay-each.js';
import { handledBy, showJob } from './show-job.js';

interface ReplayOptions {
  readonly failed?: true;
  readonly since?: string;
  readonly endpoint?: string;
  readonly eventType?: readonly string[];
  readonly reason?: Reasons;
  readonly dryRun?: true;
  readonly rate?: number;
}

type FailedOptions = ReplayOptions & { readonly since: string };

export function addReplay(program: Command, cli: Cli): void {
  program
    .command('replay [ids...]')
    .description('sends deliveries again: those with these ids, or all that failed since a time')
    .option(
      '--failed',
      'all that failed for good, with a replay job: failed_permanent (including held ones) and dead_lettered; not those that are still being retried',
    )
    .option(
      '--since <time>',
      'with --failed: those created since: 30m, 24h, 7d or a time, in UTC unless it has a zone',
      since,
    )
    .option('--endpoint <id>', 'with --failed: only those to this endpoint')
    .option(
      '--event-type <types>',
      'with --failed: only those of these event types, separated by commas',
      several,
    )
    .option(
      '--reason <reasons>',
      'with --failed: only those whose last attempt failed for these reasons, separated by commas, such as tls,dns; or those that ended with endpoint_disabled, endpoint_deleted or retries_exhausted',
      failureReasons,
    )
    .option('--dry-run', 'with --failed: only count the matches, and how many of them would be skipped')
    .option('--rate <count>', 'with --failed: replays per second', positive)
    .action(cli.action<ReplayOptions>(replay));
}

async function replay(
  context: CommandContext,
  options: ReplayOptions,
  ids: readonly string[],
): Promise<ExitCode> {
  if (options.failed === true && options.since !== undefined && ids.length === 0) {
    return replayFailed(context, { ...options, since: options.since });
  }
  if (ids.length === 0 || Object.keys(options).length > 0) {
    throw new CommandError(
      'InvalidRequest',
      'replay takes either ids, or --failed with --since and the other options.',
      {
        next: 'Give the ids of deliveries alone, or --failed --since 24h.',
        exitCode: EXIT_CODES.misused,
      },
    );
  }
  return replayEach(context, ids);
}

async function replayFailed(
  { connect, output, terminal }: CommandContext,
  options: FailedOptions,
): Promise<ExitCode> {
  const { client } = await connect();
  const bar = createBar(terminal);
  let seen = null as ReplayJob | null;
  const onProgress = (job: ReplayJob) => {
    seen = job;
    bar.show(job);
  };
  try {
    const job = await client.replayAll(selectionOf(options), { onProgress }).finally(bar.stop);
    output.one(job, showJob);
    return job.status === 'succeeded' ? EXIT_CODES.succeeded : EXIT_CODES.negative;
  } catch (error) {
    if (seen === null) throw error;
    const explanation = explainError(error);
    printExplanation(terminal, explanation);
    // Whoever waits without a terminal has not seen the id.
    terminal.printError(
      `${seen.jobId} continues. Look at it with \`postrider replay-jobs get ${seen.jobId}\`.`,
    );
    return explanation.exitCode;
  }
}

function selectionOf({ since, dryRun, endpoint, eventType, reason, rate }: FailedOptions): CreateReplayJob {
  return {
    createdAfter: since,
    dryRun: dryRun ?? false,
    ...(endpoint !== undefined && { endpointId: endpoint }),
    ...(eventType !== undefined && { eventTypes: [...eventType] }),
    ...reason,
    ...(rate !== undefined && { ratePerSecond: rate }),
  };
}

function createBar({ bar: stream }: Terminal) {
  if (stream === undefined) return { show: () => {}, stop: () => {} };
  // Whoever interrupts the command needs the id to cancel the job.
  const format = '{jobId} {bar} {percentage} %, {value} of {total} deliveries';
  // `linewrap` leaves the setting of the terminal as it is: an interrupted command could not restore it.
  const options = { stream, clearOnComplete: true, format, barsize: 20, linewrap: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  return {
    show(job: ReplayJob) {
      if (job.matched === null) return;
      if (bar.isActive) bar.update(handledBy(job));
      else bar.start(job.matched, handledBy(job), { jobId: job.jobId });
    },
    stop: () => bar.stop(),
  };
}
