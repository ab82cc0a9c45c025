import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { type Answers, acceptance, answersIn } from './load/acceptance.js';
import { sendAside } from './load/sends.js';
import type { Circumstances } from './oracle/evidence.js';
import { repeatedPosts } from './oracle/invariants/duplicates.js';
import type { Violation } from './oracle/judge.js';
import { type Watch, watch } from './oracle/watch.js';
import { randomFrom } from './random.js';
import { untilQuiet, untilRecovered } from './recovery.js';
import type { Servers } from './world/servers.js';
import { MOST_OPEN, openWorld, POST_TIMEOUT_MS, STEP_MS, type World } from './world/world.js';

/** What the api was asked for all the while. */
export interface Load {
  /** Events per second. */
  readonly rate: number;
  /** Endpoints that there were at the end. */
  readonly endpoints: number;
}

/** What came of one fault. */
export interface Report {
  readonly fault: Fault;
  readonly load: Load;
  /** What callers of the api were told during the fault. */
  readonly answers: Answers;
  /** Events that the api accepted, and deliveries that came of them. */
  readonly events: number;
  readonly deliveries: number;
  /** Processes killed or frozen. */
  readonly harm: number;
  readonly repeatedPosts: number;
  /** From the end of the fault until it had recovered; null when that did not happen in time. */
  readonly recoveredAfterMs: number | null;
  readonly violations: readonly Violation[];
  /** Where its logs are kept; null when it is green. */
  readonly logs: string | null;
}

/** Recovery that takes longer than this is a failure, too. */
const RECOVERED_WITHIN_MS = 60_000;

export function isGreen({
  violations,
  recoveredAfterMs,
}: Pick<Report, 'violations' | 'recoveredAfterMs'>): boolean {
  return violations.length === 0 && recoveredAfterMs !== null && recoveredAfterMs <= RECOVERED_WITHIN_MS;
}

export interface Setting {
  readonly servers: Servers;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const CALM_MS = 6_000;
/** Where speed is compared with the speed before, there has to be enough to compare with. */
const LONG_CALM_MS = 15_000;
const AFTERWARDS_MS = 3_000;
const LOOK_EVERY_MS = 8_000;
/** Events a second, each for all endpoints. */
export const RATE = 10;
/** One call in so many sends a test or a replay. */
const ASIDE_EVERY = 12;

/** Calm, the fault, recovery, quiet, judgement. */
export async function runFault(fault: Fault, { servers, seed, say }: Setting): Promise<Report> {
  const harmBefore = servers.harm();
  const world = await openWorld({
    servers,
    random: randomFrom(seed, fault.number),
    say,
    settings: fault.settings ?? (() => ({})),
    stepMs: stepOf(fault),
    dispatchers: fault.dispatchers ?? 2,
    nodeArgs: fault.nodeArgs ?? [],
    linked: fault.linked ?? 'nobody',
  });
  await fault.prepare?.(world);
  const span: Span = { began: null, ended: null };
  const judging = beginToJudge(fault, world, span);
  const { failures, answers, recoveredAfterMs } = await go(fault, world, { span, seed });
  const last = await judging.finish();
  const report = {
    fault,
    load: {
      rate: rateOf(fault),
      endpoints: [...last.endpoints.values()].filter(({ deleted }) => !deleted).length,
    },
    answers,
    events: world.load.accepted.length,
    deliveries: last.rows.size,
    harm: world.processes.harm() + servers.harm() - harmBefore,
    repeatedPosts: repeatedPosts({ now: last, received: world.receiver.received }),
    recoveredAfterMs,
    violations: [...failures, ...endsOf(fault, world), ...judging.violations()],
  };
  const outcome = isGreen(report) ? 'green' : 'red';
  await world.close(outcome);
  return { ...report, logs: outcome === 'green' ? null : world.directory };
}

const stepOf = ({ stepMs = STEP_MS }: Fault) => stepMs;

/** When the fault began and ended, in milliseconds. */
interface Span {
  began: number | null;
  ended: number | null;
}

const rateOf = ({ rate = RATE }: Fault) => rate;

interface Going {
  readonly span: Span;
  readonly seed: number;
}

/** Goes through it all, from the first event until nothing is under way any more. */
async function go(fault: Fault, world: World, { span, seed }: Going) {
  world.processes.settled();
  const random = randomFrom(seed, fault.number, ASIDE_EVERY);
  world.load.start({
    perSecond: rateOf(fault),
    asideEvery: ASIDE_EVERY,
    aside: () => sendAside(world, random),
  });
  await wait(fault.healthy === undefined ? CALM_MS : LONG_CALM_MS);
  const began = Date.now();
  span.began = began;
  const failure = await fault.run(world).then(
    () => [],
    (error: Error) => [{ invariant: 'the fault itself', what: error.message }],
  );
  const ended = Date.now();
  span.ended = ended;
  const answers = answersIn(world.load.calls, { began, ended });
  world.say(`the fault is over; ${answers.accepted} of ${answers.all} calls were accepted meanwhile`);
  const recoveredAt = await untilRecovered(world, fault, ended);
  await wait(AFTERWARDS_MS);
  await world.load.stop();
  await untilQuiet(world, fault);
  return {
    answers,
    failures: [...failure, ...acceptance(answers, fault)],
    recoveredAfterMs: recoveredAt === null ? null : recoveredAt - ended,
  };
}

/** A service that gives up is started again and may leave no other trace. */
function endsOf({ mayEnd = [] }: Fault, { processes }: World): Violation[] {
  return processes
    .endedByThemselves()
    .filter(({ name }) => !mayEnd.includes(name))
    .map(({ name, how, lastLine }) => {
      return { invariant: 'the processes', what: `${name} ended by itself (${how}): ${lastLine}` };
    });
}

function beginToJudge(fault: Fault, world: World, span: Span): Watch {
  return watch({
    client: world.mongo,
    db: world.db,
    logs() {
      world.receiver.verifyAgain();
      return {
        events: world.load.accepted,
        sends: world.sends,
        received: world.receiver.received,
        circumstances: circumstancesOf(fault, world, span),
      };
    },
    everyMs: fault.lookEveryMs ?? LOOK_EVERY_MS,
  });
}

function circumstancesOf(fault: Fault, world: World, { began, ended }: Span): Circumstances {
  const overloaded = world.endpoints.filter(({ path }) => fault.overloaded?.includes(path));
  return {
    stepMs: stepOf(fault),
    mostOpen: MOST_OPEN,
    timeoutMs: POST_TIMEOUT_MS,
    disruptions: world.processes.disruptions(),
    faultBegan: began,
    faultEnded: ended,
    outage: fault.outage ?? null,
    retentionMs: fault.retentionMs ?? null,
    overloaded: new Set(overloaded.map(({ id }) => id)),
    healthy: new Set(fault.healthy),
  };
}
