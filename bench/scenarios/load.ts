import type { Environment } from '../environment/environment.js';
import { type Group, workspacesOf } from '../environment/population.js';
import type { Measurement, Outcome } from '../environment/run-measurement.js';
import type { Published } from '../generator/plan.js';
import { machineNow } from '../measure/clock.js';
import type { Row } from '../report/row.js';
import {
  blockFigures,
  deliveriesOf,
  type Goals,
  keptRateFigure,
  lagFigure,
  latencyFigures,
  memoryFigure,
  ratioFigure,
} from './figures.js';

/** Measures from the start to the end of `publish`, or until everything is delivered. */
export async function observe(
  environment: Environment,
  publish: () => Promise<Published>,
  until: 'published' | 'drained' = 'published',
) {
  const meter = environment.measure();
  const before = environment.posts();
  const from = machineNow();
  const published = await publish();
  const drainedAt = until === 'drained' ? await environment.drained() : null;
  const span = { from, to: machineNow() };
  const processes = meter.stop();
  /** POSTs that arrived meanwhile. */
  const posts = environment.posts() - before;
  return { published, drainedAt, span, processes, posts };
}

export type Observed = Awaited<ReturnType<typeof observe>>;

/** Enough events for the whole path to be compiled. */
export const WARM_UP_EVENTS = 3_000;
const WARM_UP_WINDOW = 500;

/**
 * Lets new processes warm up on healthy endpoints, and waits until everything is delivered.
 *
 * @param group all healthy endpoints by default
 */
export async function warmUp(
  environment: Environment,
  events = WARM_UP_EVENTS,
  group: string | null = null,
): Promise<void> {
  const isSelected = ({ expected, name }: Group) => expected?.attempts === 1 && name === (group ?? name);
  const workspaces = workspacesOf(environment.population, isSelected);
  await environment.publish({ kind: 'flat-out', workspaces, events, window: WARM_UP_WINDOW });
  await environment.drained();
}

export interface Stream {
  readonly perSecond: number;
  /** The group whose workspaces receive the events; all workspaces by default. */
  readonly group?: string;
}

/** Publishes at fixed rates, until it is stopped if there is no duration. */
export function publishStreams(
  { publish, population }: Environment,
  streams: readonly Stream[],
  limit: { readonly seconds?: number } = {},
): Promise<Published> {
  const plans = streams.map(({ perSecond, group }) => {
    const isSelected = ({ name }: Group) => group === undefined || name === group;
    return { perSecond, workspaces: workspacesOf(population, isSelected) };
  });
  return publish({ kind: 'at-rate', streams: plans, ...limit });
}

/** The permitted effect on the baseline. */
export interface Limits {
  /** The least share of their rate that the groups must keep. */
  readonly keepsRate: number;
  /** The greatest factor by which their p99 may grow. */
  readonly timesP99: number;
}

/** A load at fixed rates, and the latency figures to show of some groups. */
export interface RateLoad {
  readonly streams: readonly Stream[];
  /** Before the measurement begins. */
  readonly settleSeconds?: number;
  readonly seconds: number;
  readonly groups: readonly string[];
  readonly goals?: Goals;
  readonly limits?: Limits;
  /** Shows how long the event loop of the dispatcher is blocked. The measurement must request it. */
  readonly showBlocks?: boolean;
}

/** Measures the latency under a load at fixed rates after a warm-up. */
export function latencyOf(load: RateLoad): Measurement['run'] {
  const { streams, settleSeconds = 0, seconds } = load;
  return async (environment, baseline) => {
    await warmUp(environment);
    if (settleSeconds > 0) await publishStreams(environment, streams, { seconds: settleSeconds });
    const readBlocks = () => (load.showBlocks ? longestBlock(environment) : null);
    await readBlocks();
    const observed = await observe(environment, () => publishStreams(environment, streams, { seconds }));
    const blocks = await readBlocks();
    await environment.drained();
    const { published, processes } = observed;
    return {
      deliveries: published.events,
      processes,
      figures: (evidence) => [
        ...comparedFigures({ ...load, ...observed, ...evidence, baseline }),
        ...(blocks === null ? [] : blockFigures(blocks)),
        lagFigure(published),
        memoryFigure(processes),
      ],
    };
  };
}

/** Of the dispatcher since the last call. */
function longestBlock({ services, longestBlock: blockOf }: Environment) {
  const dispatcher = services.find(({ name }) => name === 'dispatcher');
  if (dispatcher === undefined) throw new Error('no dispatcher is running');
  return blockOf(dispatcher);
}

type Compared = Observed &
  Parameters<Outcome['figures']>[0] &
  Pick<RateLoad, 'groups' | 'goals' | 'limits'> & { readonly baseline: Row | null };

/** The latency of groups, with limits also the rate that they kept and their p99 compared with the baseline. */
export function comparedFigures({ records, published, span, baseline, groups, goals, limits }: Compared) {
  const latencies = latencyFigures(deliveriesOf(records, published, groups), goals);
  if (limits === undefined) return latencies;
  return [
    keptRateFigure(records, span, groups, { atLeast: limits.keepsRate }),
    ...latencies,
    ratioFigure('times p99', 'p99', { figures: latencies, baseline }, { atMost: limits.timesP99 }),
  ];
}
