import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { type CallCounts, checkAcceptance, countCalls } from './load/acceptance.js';
import { sendTestOrReplay } from './load/sends.js';
import type { Violation } from './oracle/check.js';
import type { Conditions } from './oracle/evidence.js';
import { repeatedPosts } from './oracle/invariants/repeats.js';
import { startMonitor } from './oracle/monitor.js';
import { takeSnapshot } from './oracle/snapshot.js';
import { randomFrom } from './random.js';
import { untilIdle, untilRecovered } from './recovery.js';
import type { Servers } from './world/servers.js';
import {
  ANSWER_TIMEOUT_MS,
  MAX_UNRECORDED,
  openWorld,
  POST_TIMEOUT_MS,
  STEP_MS,
  type World,
} from './world/world.js';

/** The outcome of a fault. */
export interface Outcome {
  /** Events per second, and endpoints at the end. */
  readonly load: { readonly rate: number; readonly endpoints: number };
  /** Calls during the fault. */
  readonly calls: CallCounts;
  /** Accepted events of the whole run, and all their deliveries. */
  readonly events: number;
  readonly deliveries: number;
  /** Processes killed or frozen. */
  readonly kills: number;
  readonly repeatedPosts: number;
  /** From the end of the fault; null if it did not recover in time. */
  readonly recoveredAfterMs: number | null;
  readonly violations: readonly Violation[];
}

/** A slower recovery counts as a failure. */
const RECOVERED_WITHIN_MS = 60_000;

export const isGreen = ({
  violations,
  recoveredAfterMs,
}: Pick<Outcome, 'violations' | 'recoveredAfterMs'>): boolean =>
  violations.length === 0 && recoveredAfterMs !== null && recoveredAfterMs <= RECOVERED_WITHIN_MS;

export interface RunOptions {
  readonly servers: Servers;
  readonly seed: number;
  readonly log: (line: string) => void;
}

/** Events per second. */
export const RATE = 10;
const BEFORE_MS = 6_000;
/** Faults that compare speeds need more deliveries to compare with. */
const BEFORE_COMPARISON_MS = 15_000;
const AFTER_RECOVERY_MS = 3_000;
const CHECK_EVERY_MS = 8_000;
/** One call in this many is followed by a test or a replay. */
const OTHER_CALL_EVERY = 12;

/** Load without a fault, the fault, recovery, the end of all work, and the last check. */
export async function runFault(fault: Fault, { servers, seed, log }: RunOptions): Promise<Outcome> {
  const killsBefore = servers.kills();
  const random = randomFrom(seed, fault.number);
  const { rate = RATE } = fault;
  const world = await openWorld(fault, { servers, random, log });
  const { services, load, receiver, time } = world;
  await fault.prepare?.(world);
  const monitor = startMonitor({
    take: () => takeSnapshot(world.mongo, world.db),
    logs() {
      receiver.verifyAgain();
      const conditions = conditionsOf(fault, world);
      const events = [...load.accepted, ...world.otherEvents];
      return { events, sends: world.sends, received: receiver.received, conditions };
    },
    everyMs: fault.checkEveryMs ?? CHECK_EVERY_MS,
  });

  services.watchReassignments();
  const choice = random.branch(OTHER_CALL_EVERY);
  const otherCall = () => sendTestOrReplay(world, choice);
  load.start({ rate, otherCallEvery: OTHER_CALL_EVERY, otherCall });
  await sleep(fault.healthy === undefined ? BEFORE_MS : BEFORE_COMPARISON_MS);
  time.began = Date.now();
  const failure = await runSteps(fault, world);
  time.ended = Date.now();
  const calls = countCalls(load.calls, { from: time.began, to: time.ended });
  log(`the fault is over; ${calls.accepted} of ${calls.all} calls were accepted during it`);
  const recoveredAt = await untilRecovered(world, fault, time.ended);
  await sleep(AFTER_RECOVERY_MS);
  await load.stop();
  await untilIdle(world, fault);
  const last = await monitor.finish();

  const outcome = {
    load: { rate, endpoints: [...last.endpoints.values()].filter(({ deleted }) => !deleted).length },
    calls,
    events: load.accepted.length,
    deliveries: last.deliveries.size,
    kills: services.kills() + servers.kills() - killsBefore,
    repeatedPosts: repeatedPosts({ now: last, received: receiver.received }),
    recoveredAfterMs: recoveredAt === null ? null : recoveredAt - time.ended,
    violations: [
      ...failure,
      ...checkAcceptance(calls, fault),
      ...failedServices(world),
      ...monitor.violations(),
    ],
  };
  await world.close(isGreen(outcome));
  if (!isGreen(outcome)) log(`the logs of the services are in ${world.directory}`);
  return outcome;
}

/** @returns why the fault could not be caused; empty if it was */
async function runSteps(fault: Fault, world: World): Promise<readonly Violation[]> {
  try {
    for (const step of fault.steps) await step(world);
    return [];
  } catch (error) {
    return [{ invariant: 'the fault itself', what: (error as Error).message }];
  }
}

/** A service that ends unexpectedly is replaced and may leave no other trace. */
const failedServices = ({ services }: World): Violation[] =>
  services.failures().map(({ name, how, lastLine }) => ({
    invariant: 'the services',
    what: `${name} ended unexpectedly (${how}): ${lastLine}`,
  }));

function conditionsOf(fault: Fault, world: World): Conditions {
  const { began, ended } = world.time;
  const idsOf = (paths: readonly string[] = []) =>
    new Set(world.endpoints.filter(({ path }) => paths.includes(path)).map(({ id }) => id));
  return {
    stepMs: fault.stepMs ?? STEP_MS,
    maxUnrecorded: MAX_UNRECORDED,
    timeoutMs: POST_TIMEOUT_MS,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    disruptions: world.services.disruptions(),
    faultBegan: began,
    faultEnded: ended,
    outage: fault.outage ?? null,
    retentionMs: fault.retentionMs ?? null,
    overloaded: idsOf(fault.overloaded),
    otherWorkspaces: new Map(
      world.endpoints.flatMap(({ id, workspace }) => (workspace === undefined ? [] : [[id, workspace]])),
    ),
    healthy: new Set(fault.healthy),
  };
}
