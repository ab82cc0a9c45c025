import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { FeatureLevel } from '@postrider/shared/ports/feature-level';
import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { SendingGuard } from '../ports/guard.js';
import type { IntakeLimits } from './intake/intake.js';
import type { PoolLimits } from './scheduler/pool-limits.js';
import type { SendAttempt } from './sending/send-attempt.js';
import type { SettlingLimits } from './settling/create-settling.js';
import type { SettledObservation } from './settling/pending-observation.js';
import type { SettlerParts } from './settling/settler.js';

export interface EngineLimits extends PoolLimits, IntakeLimits, SettlingLimits {
  readonly batchSize: number;
  readonly maxUnsettled: number;
  /** Maximum number of retry and dead-letter messages that wait for the broker. */
  readonly maxUnpublished: number;
  /** Maximum number of jobs in memory. */
  readonly jobs: number;
}

export interface EngineParts {
  readonly store: SettlementStore;
  readonly backlog: Backlog;
  readonly sendAttempt: SendAttempt;
  readonly enqueue: Enqueue;
  readonly guard: SendingGuard;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The busy share of this process, 0 to 1. */
  readonly busy: () => number;
  /** A limit for another kind of work that never waits. */
  readonly turnLimit: () => TurnLimit;
  /** The partition of an endpoint's messages. */
  readonly partitionOf: (endpointId: string) => number;
  readonly retryStepMs: number;
  /** Maximum time from the start of an attempt until it is recorded, in milliseconds. */
  readonly attemptLimitMs: number;
  readonly featureLevel: Pick<FeatureLevel, 'allows'>;
  /** The time until which this process certainly owns its partitions, by the database's clock; null if it may not own them. */
  readonly ownedUntil: () => Date | null;
  /** Whether other processes may own its partitions: no heartbeat for 15 s, or for a session if that is shorter. */
  readonly isCutOff: () => boolean;
  /** Called with observations that are stored, before they are passed on. It must be quick and must not fail. */
  readonly onSettled: (settled: readonly SettledObservation[]) => void;
  /** Called for each attempt that cannot be recorded although others can. */
  readonly onPoisoned: () => void;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly createPacer: SettlerParts['createPacer'];
  readonly limits: EngineLimits;
  readonly log: Log;
}
