import type { Observation, Situation } from '@postrider/shared/domain/settle';
import type { Settled } from '@postrider/shared/domain/settle-all';
import type { Log } from '@postrider/shared/ports/log';
import { isolate } from '@postrider/shared/runtime/isolate';
import { retry } from '@postrider/shared/runtime/retry';
import type { Job } from './job.js';
import type { SettleBatch } from './settle-batch.js';

export interface Entry {
  readonly job: Job;
  readonly observation: Observation;
  /** The row and its endpoint as they were read before the attempt. */
  readonly known: Situation;
}

/** Stores observations in group commits. */
export interface Settler {
  add(entry: Entry): void;
  /** Observations that are not stored and passed on yet. */
  unsettled(): number;
}

export interface SettlerParts {
  readonly settle: SettleBatch;
  /** Observations in one commit at most. */
  readonly maxBatch: number;
  /** An endpoint's observations always use the same lane, so that concurrent transactions do not conflict. */
  readonly lanes: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** Called with stored results. Resolves when nothing is left to do for their jobs. */
  readonly onSettled: (settled: readonly { readonly job: Job; readonly result: Settled }[]) => Promise<void>;
  /** Called for an entry that cannot be stored although others can. */
  readonly onPoisoned: (entry: Entry, error: unknown) => void;
  readonly pause: (ms: number) => Promise<void>;
  /** Creates the pacer of a lane. */
  readonly createPacer: (everyMs: number) => () => Promise<void>;
  readonly log: Log;
}

interface Lane {
  pending: Entry[];
  busy: boolean;
  /** Resolves when the next commit may start. */
  readonly pace: () => Promise<void>;
}

/** Distance between the starts of a lane's commits in a busy process, so that batches fill. */
const GATHER_MS = 15;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Consecutive failures after which the entries of a batch are tried one by one. */
const FAILURES_THAT_ISOLATE = 5;

export function createSettler(parts: SettlerParts): Settler {
  const { settle, maxBatch, isDatabaseAway, onSettled, onPoisoned, pause, log } = parts;
  const newLane = (): Lane => ({ pending: [], busy: false, pace: parts.createPacer(GATHER_MS) });
  const lanes = Array.from({ length: parts.lanes }, newLane);
  let unsettled = 0;

  const commit = async (batch: readonly Entry[]): Promise<void> => {
    const results = await settle(batch);
    const pairs = results.flatMap((result, index) => {
      const entry = batch[index];
      return entry === undefined ? [] : [{ job: entry.job, result }];
    });
    void onSettled(pairs).finally(() => {
      unsettled -= batch.length;
    });
  };
  /** Commits entries one by one and drops those that are rejected while others are stored. @returns the rest */
  const commitSingly = async (batch: readonly Entry[]): Promise<readonly Entry[]> => {
    const { done, poisoned, failure } = await isolate(batch, (entry) => commit([entry]), isDatabaseAway);
    for (const [entry, error] of poisoned) {
      unsettled -= 1;
      onPoisoned(entry, error);
    }
    return failure === null ? [] : batch.filter((entry) => !done.has(entry));
  };
  /** @returns the entries that still cannot be stored after several attempts */
  const commitWithRetries = (batch: readonly Entry[]): Promise<readonly Entry[]> =>
    retry(
      async (failures) => {
        if (failures >= FAILURES_THAT_ISOLATE) return commitSingly(batch);
        await commit(batch);
        return [];
      },
      {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure: (err, failures) =>
          log.warn(
            { event: 'settle.failed', failures, size: batch.length, err },
            'settling failed; trying again',
          ),
        pause,
      },
    );
  const run = async (lane: Lane) => {
    // Remaining entries join the next batch: if others succeed in it, the failing ones are poison.
    while (lane.pending.length > 0) {
      if (lane.pending.length < maxBatch) await lane.pace();
      lane.pending.push(...(await commitWithRetries(lane.pending.splice(0, maxBatch))));
    }
    lane.busy = false;
  };

  return {
    add(entry) {
      const lane = lanes[laneOf(entry.observation.endpointId, lanes.length)];
      if (lane === undefined) return;
      unsettled += 1;
      lane.pending.push(entry);
      if (lane.busy) return;
      lane.busy = true;
      setImmediate(() => void run(lane));
    },
    unsettled: () => unsettled,
  };
}

/** Identifiers end in random or hashed characters, which distribute evenly enough. */
function laneOf(endpointId: string, lanes: number): number {
  return (
    (endpointId.charCodeAt(endpointId.length - 1) + endpointId.charCodeAt(endpointId.length - 2)) % lanes
  );
}
