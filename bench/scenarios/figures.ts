import type { DeliveryRecord, Records } from '../account/delivery-records.js';
import type { Published } from '../generator/plan.js';
import type { Blocks } from '../measure/blocks.js';
import { cpuMicrosEach } from '../measure/cpu.js';
import { type Distribution, distributionOf } from '../measure/quantile.js';
import { countWithin, type Span } from '../measure/timeline.js';
import type { Consumption } from '../processes/meter.js';
import type { Figure, Goal, Part } from '../report/row.js';

/** Occurrences per second in a span; null if the span has no end. */
export function rateFigure(
  name: string,
  count: number,
  { from, to }: { readonly from: number; readonly to: number | null },
  goal?: Goal,
): Figure {
  const value = to === null ? null : (count * 1_000) / (to - from);
  return { name, unit: '/s', value, goal };
}

type Statistic = keyof Distribution;
export type Goals = Partial<Record<Statistic, Goal>>;

/** Selected statistics of values in milliseconds. */
export function distributionFigures(
  values: Iterable<number>,
  statistics: readonly Statistic[],
  goals: Goals = {},
): Figure[] {
  const distribution = distributionOf(values);
  return statistics.map((name) => ({ name, unit: 'ms', value: distribution[name], goal: goals[name] }));
}

/** From the timestamp of the event to the arrival of the first POST. */
export function latencyFigures(records: Iterable<DeliveryRecord>, goals: Goals = {}): Figure[] {
  return distributionFigures(latenciesOf(records), ['p50', 'p95', 'p99', 'max'], goals);
}

export function latenciesOf(records: Iterable<DeliveryRecord>): number[] {
  return [...records].flatMap(({ createdAt, arrivals: [first] }) =>
    first === undefined ? [] : first - createdAt,
  );
}

/** First arrivals in a span divided by the deliveries created in it: 1 if groups receive all that they should. */
export function keptRateFigure(records: Records, span: Span, groups: readonly string[], goal: Goal): Figure {
  const ofGroups = [...records.values()].filter(({ group }) => groups.includes(group));
  const created = countWithin(
    ofGroups.map(({ createdAt }) => createdAt),
    span,
  );
  const arrived = countWithin(firstArrivalsOf(ofGroups), span);
  return { name: 'rate kept', unit: '', value: created === 0 ? null : arrived / created, goal };
}

/** The name of a figure of `worstWindowFigures`. */
export const WORST_P99 = 'p99 of the worst 5 s';

interface Comparison {
  readonly figures: readonly Figure[];
  readonly baseline: Pick<Part, 'figures'> | null;
}

/** One of these figures divided by the same figure of the baseline. */
export function ratioFigure(name: string, of: string, { figures, baseline }: Comparison, goal: Goal): Figure {
  const valueIn = (some: readonly Figure[] = []) => some.find((figure) => figure.name === of)?.value ?? null;
  const [own, other] = [valueIn(figures), valueIn(baseline?.figures)];
  const value = own === null || other === null ? null : own / other;
  return { name, unit: '', value, goal };
}

const WINDOW_MS = 5_000;

/** The greatest p99 of the latency, and the least share of the rate kept, of the windows of five seconds in a span. */
export function worstWindowFigures(deliveries: readonly DeliveryRecord[], { from, to }: Span): Figure[] {
  const inWindow = (at: number) => (at >= from && at < to ? Math.floor((at - from) / WINDOW_MS) : null);
  const created = Map.groupBy(deliveries, ({ createdAt }) => inWindow(createdAt));
  const arrived = Map.groupBy(firstArrivalsOf(deliveries), inWindow);
  const windows = Array.from({ length: Math.floor((to - from) / WINDOW_MS) }, (_, index) => {
    const some = created.get(index) ?? [];
    const { p99 } = distributionOf(latenciesOf(some));
    return { p99: p99 ?? Number.NaN, kept: (arrived.get(index)?.length ?? 0) / some.length };
  });
  const known = (value: number) => (Number.isFinite(value) ? value : null);
  return [
    { name: WORST_P99, unit: 'ms', value: known(Math.max(...windows.map(({ p99 }) => p99))) },
    { name: 'rate kept in each 5 s', unit: '', value: known(Math.min(...windows.map(({ kept }) => kept))) },
  ];
}

/** The number of endpoints that waited for a delivery for longer than such a window, or never got it. */
export function waitingEndpointsFigure(deliveries: readonly DeliveryRecord[]): Figure {
  const waited = deliveries.filter(
    ({ createdAt, arrivals: [first = Number.POSITIVE_INFINITY] }) => first - createdAt > WINDOW_MS,
  );
  const value = new Set(waited.map(({ endpointId }) => endpointId)).size;
  return { name: 'endpoints that waited 5 s', unit: '', value, goal: { atMost: 0 } };
}

/** The lag of the generator itself: a rate that it could not keep was not measured. */
export function lagFigure({ lagP99Ms }: Published): Figure {
  return { name: 'generator late p99', unit: 'ms', value: lagP99Ms };
}

const NOT_OF_THE_STACK: readonly string[] = ['generator', 'receiver'];

/** The CPU of the services and their servers for each delivery. */
export function stackCpuFigure(processes: readonly Consumption[], deliveries: number, goal?: Goal): Figure {
  const ofStack = processes.filter(({ name }) => !NOT_OF_THE_STACK.includes(name));
  return { name: 'stack CPU', unit: 'µs each', value: cpuMicrosEach(ofStack, deliveries), goal };
}

/** The longest blocks of an event loop. A goal applies to what the process causes itself. */
export function blockFigures({ wallMs, ownMs }: Blocks, goal?: Goal): Figure[] {
  return [
    { name: 'longest block', unit: 'ms', value: wallMs },
    { name: 'without waits for a core', unit: 'ms', value: ownMs, goal },
  ];
}

/** The peak memory of all processes of a name together. */
export function memoryFigure(processes: readonly Consumption[], goal?: Goal, of = 'dispatcher'): Figure {
  const bytes = processes.find(({ name }) => name === of)?.peakBytes ?? null;
  return { name: `${of} RSS peak`, unit: 'MB', value: bytes && bytes / 1e6, goal };
}

/** The deliveries of published events to one group, or to several. */
export function deliveriesOf(
  records: Records,
  { first, events }: Published,
  groups: readonly string[],
): DeliveryRecord[] {
  return [...records.values()].filter(
    ({ event, group }) => event >= first && event < first + events && groups.includes(group),
  );
}

/** When each delivery arrived for the first time, unordered. */
export function firstArrivalsOf(records: Iterable<DeliveryRecord>): number[] {
  return [...records].flatMap(({ arrivals }) => arrivals[0] ?? []);
}
