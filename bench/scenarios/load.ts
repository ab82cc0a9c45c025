import type { Environment } from '../environment/environment.js';
import { type Group, workspacesOf } from '../environment/population.js';
import type { Published } from '../generator/plan.js';
import { machineNow } from '../measure/clock.js';
import type { Span } from '../measure/timeline.js';
import type { Consumption } from '../processes/meter.js';

/** What was observed while something was measured. */
export interface Observed {
  readonly published: Published;
  readonly span: Span;
  readonly processes: readonly Consumption[];
  /** POSTs that arrived meanwhile. */
  readonly posts: number;
}

/** Measures from the start to the end of `publish`. */
export async function observe(
  environment: Environment,
  publish: () => Promise<Published>,
): Promise<Observed> {
  const meter = environment.measure();
  const before = environment.posts();
  const from = machineNow();
  const published = await publish();
  const span = { from, to: machineNow() };
  return { published, span, processes: meter.stop(), posts: environment.posts() - before };
}

/** Measures from the start of `publish` until everything is delivered. */
export async function observeUntilDrained(
  environment: Environment,
  publish: () => Promise<Published>,
): Promise<Observed & { readonly drainedAt: number | null }> {
  let drainedAt: number | null = null;
  const observed = await observe(environment, async () => {
    const published = await publish();
    drainedAt = await environment.drained();
    return published;
  });
  return { ...observed, drainedAt };
}

/** Enough events for the whole path to be compiled. */
export const WARM_UP_EVENTS = 3_000;
const WARM_UP_WINDOW = 500;

/** Lets new processes warm up on healthy endpoints, and waits until everything is delivered. */
export async function warmUp(environment: Environment, events = WARM_UP_EVENTS): Promise<void> {
  const isHealthy = ({ expected }: Group) => expected?.attempts === 1;
  const workspaces = workspacesOf(environment.population, isHealthy);
  const window = { deliveries: WARM_UP_WINDOW, perEvent: environment.population.perWorkspace };
  await environment.publish({ kind: 'flat-out', workspaces, events, seconds: null, window });
  await environment.drained();
}

export interface Stream {
  readonly perSecond: number;
  /** The group whose workspaces receive the events; all workspaces by default. */
  readonly group?: string;
}

/** Publishes at fixed rates, until it is stopped if there is no duration. */
export function publishStreams(
  environment: Environment,
  streams: readonly Stream[],
  seconds: number | null,
): Promise<Published> {
  const plans = streams.map(({ perSecond, group }) => {
    const isSelected = ({ name }: Group) => group === undefined || name === group;
    return { perSecond, workspaces: workspacesOf(environment.population, isSelected) };
  });
  return environment.publish({ kind: 'at-rate', streams: plans, seconds });
}

export interface RateLoad {
  readonly streams: readonly Stream[];
  /** Before the measurement begins. */
  readonly settleSeconds?: number;
  readonly seconds: number;
}

/** Warms up, measures a load at fixed rates, and waits until everything is delivered. */
export async function observeRate(
  environment: Environment,
  { streams, settleSeconds = 0, seconds }: RateLoad,
): Promise<Observed> {
  await warmUp(environment);
  if (settleSeconds > 0) await publishStreams(environment, streams, settleSeconds);
  const observed = await observe(environment, () => publishStreams(environment, streams, seconds));
  await environment.drained();
  return observed;
}

/** About a second of work: the dispatcher never waits for the generator, and no backlog grows. */
export const WINDOW = 4_000;

/** Measures a constant number of deliveries in flight, and waits until everything is delivered. */
export async function observeFlatOut(environment: Environment, seconds: number): Promise<Observed> {
  const { population } = environment;
  const workspaces = workspacesOf(population, () => true);
  const window = { deliveries: WINDOW, perEvent: population.perWorkspace };
  const observed = await observe(environment, () =>
    environment.publish({ kind: 'flat-out', workspaces, events: null, seconds, window }),
  );
  await environment.drained();
  return observed;
}
