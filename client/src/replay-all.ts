import type { components } from './generated/openapi.js';
import { sleep } from './sleep.js';

export type ReplayJob = components['schemas']['ReplayJob'];
export type CreateReplayJob = components['schemas']['CreateReplayJob'];

/** Options of `replayAll` for waiting. */
export interface ReplayOptions {
  /** Polling interval in milliseconds. Default: 1,000. */
  readonly pollMs?: number;
  /** Called with the state of the job at each poll. */
  readonly onProgress?: (job: ReplayJob) => void;
  /** Stops waiting; the job continues. */
  readonly signal?: AbortSignal;
}

interface ReplayCalls {
  readonly start: (selection: CreateReplayJob, signal: AbortSignal) => Promise<ReplayJob>;
  readonly look: (jobId: string, signal: AbortSignal) => Promise<ReplayJob>;
}

const DEFAULT_POLL_MS = 1_000;
const NEVER = new AbortController().signal;

/** Starts a replay job and waits for it to end. */
export function createReplayAll({ start, look }: ReplayCalls) {
  return async (selection: CreateReplayJob, options: ReplayOptions = {}): Promise<ReplayJob> => {
    const { pollMs = DEFAULT_POLL_MS, onProgress = () => {}, signal = NEVER } = options;
    let job = await start(selection, signal);
    for (onProgress(job); job.endedAt === null; onProgress(job)) {
      await sleep(pollMs, signal);
      job = await look(job.jobId, signal);
    }
    return job;
  };
}
